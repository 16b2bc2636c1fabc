#include "dagwright/search/tabu.hpp"

#include <algorithm>

namespace dagwright {

Walk tabu_search(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                 const TabuPlan& plan, Control& control) {
    const std::size_t n = start.size();
    Random random(plan.seed);
    ArcMoves moves(score, knowledge, std::move(start), plan.max_parents, control);
    Walk walk{moves.dag().families(), moves.score(), {}, 0, Stop::none};
    std::vector<Step>& trace = walk.trace;
    double now = walk.score;
    std::size_t best_length = 0;

    std::vector<std::size_t> free_again(n * n, 0);  // the step from which on a pair may be changed again
    const auto pair = [n](const Step& step) {
        return std::min(step.from, step.to) * n + std::max(step.from, step.to);
    };
    const auto passes = [&](const Step& step) {
        return free_again[pair(step)] <= trace.size() || now + step.gain > walk.score + moves.tolerance();
    };
    while (trace.size() <= best_length + plan.patience) {
        walk.stop = control.should_stop();
        if (walk.stop != Stop::none) break;
        if (!moves.know_all()) continue;
        const std::optional<Step> step = moves.best(passes, plan.random_ties ? &random : nullptr);
        if (!step) break;
        moves.apply(*step);
        trace.push_back(*step);
        free_again[pair(*step)] = trace.size() + plan.tenure;
        now = moves.score();
        if (now > walk.score + moves.tolerance()) {
            walk.parents = moves.dag().families();
            walk.score = now;
            best_length = trace.size();
        }
        control.report("tabu search", trace.size(), walk.score);
    }
    trace.resize(best_length);
    walk.evaluations = moves.evaluations();
    return walk;
}

}  // namespace dagwright
