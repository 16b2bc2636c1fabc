#include "dagwright/search/ges.hpp"

namespace dagwright {

namespace {

double total(LocalScore& score, const std::vector<VarSet>& dag, Control& control) {
    std::vector<Family> families;
    for (Var child = 0; child < dag.size(); ++child) families.push_back({child, dag[child]});
    std::vector<double> values(families.size());
    score.local(families, values, control);
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum;
}

}  // namespace

ClassWalk ges(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& start,
              const EquivalencePlan& plan, Control& control) {
    ClassMoves moves(score, knowledge, EssentialState(start), plan.max_parents, control);
    ClassWalk walk;
    Random random(plan.seed);
    double now = total(score, start, control);
    const auto phase = [&](ClassMoveKind kind, const char* name) {
        moves.begin(kind);
        while (walk.trace.size() < plan.max_steps) {
            const std::optional<ClassMove> move = moves.best(plan.random_ties ? &random : nullptr);
            if (!move) break;
            moves.apply(*move);
            now += move->gain;
            walk.trace.push_back(*move);
            control.report(name, walk.trace.size(), now);
            if (!plan.reuse) moves.forget();
        }
    };
    std::size_t steps;
    do {
        steps = walk.trace.size();
        if (plan.inserting) phase(ClassMoveKind::insert, "inserting");
        phase(ClassMoveKind::remove, "deleting");
        if (plan.turning) phase(ClassMoveKind::turn, "turning");
    } while (plan.turning && walk.trace.size() > steps && control.should_stop() == Stop::none);
    walk.stop = control.should_stop();
    walk.graph = moves.state().graph();
    walk.dag = *moves.state().extension(knowledge);
    walk.score = total(score, walk.dag, control);
    walk.operators = moves.operators();
    walk.families = moves.families();
    return walk;
}

}  // namespace dagwright
