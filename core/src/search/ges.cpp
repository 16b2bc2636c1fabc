#include "dagwright/search/ges.hpp"

#include <memory>

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

// A class on the way, and how it was reached.
class Walker {
  public:
    Walker(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& start,
           std::span<const VarSet> targets, const GesPlan& plan, Control& control, std::uint64_t& steps)
        : plan_(plan),
          knowledge_(knowledge),
          control_(control),
          steps_(steps),
          moves_(score, knowledge, start, targets, plan.max_parents, control),
          random_(plan.seed),
          score_(total(score, start, control)) {
        moves_.stop_after(plan.max_families);
    }

    const ClassMoves& moves() const { return moves_; }
    double score() const { return score_; }
    std::vector<ClassMove>& trace() { return trace_; }
    bool going() const {
        return trace_.size() < plan_.max_steps && !moves_.cut_off() && control_.should_stop() == Stop::none;
    }

    // Chickering's phases.
    void go_by_phases() {
        std::size_t steps;
        do {
            steps = trace_.size();
            if (plan_.inserting) phase(ClassMoveKind::insert, "inserting");
            phase(ClassMoveKind::remove, "deleting");
            if (plan_.turning) phase(ClassMoveKind::turn, "turning");
        } while (plan_.turning && trace_.size() > steps && control_.should_stop() == Stop::none);
    }

    // Deletions first, then turns, then insertions, until none gains.
    void go_deletions_first() {
        while (trace_.size() < plan_.max_steps)
            if (!step(ClassMoveKind::remove, "extended search") &&
                !step(ClassMoveKind::turn, "extended search") &&
                !step(ClassMoveKind::insert, "extended search"))
                break;
    }

    std::vector<ClassMove> deletions() { return moves_.deletions(); }

    // Where the search leads from here without this arc.
    void go_without(const ClassMove& deletion) {
        make(deletion);
        moves_.bar(deletion.x, deletion.y);
        go_deletions_first();
        moves_.bar_none();
        go_deletions_first();
    }

  private:
    void phase(ClassMoveKind kind, const char* name) {
        moves_.look_for(kind);
        moves_.forget();
        while (trace_.size() < plan_.max_steps && step(kind, name)) {
        }
    }

    bool step(ClassMoveKind kind, const char* name) {
        moves_.look_for(kind);
        const std::optional<ClassMove> move = moves_.best(plan_.random_ties ? &random_ : nullptr);
        if (!move) return false;
        make(*move);
        control_.report({.phase = name, .done = ++steps_, .best = score_});
        offer(plan_.best, score_, [&] { return *moves_.state().extension(knowledge_); });
        if (!plan_.reuse) moves_.forget();
        return true;
    }

    void make(const ClassMove& move) {
        moves_.apply(move);
        score_ += move.gain;
        trace_.push_back(move);
    }

    const GesPlan& plan_;
    const Knowledge& knowledge_;
    Control& control_;
    std::uint64_t& steps_;  // of all walkers
    ClassMoves moves_;
    Random random_;
    double score_;
    std::vector<ClassMove> trace_;
};

// Deletes arcs at a loss, one at a time, for as long as the search gets higher without one of them.
std::unique_ptr<Walker> extended(std::unique_ptr<Walker> best, double tolerance) {
    best->go_deletions_first();
    for (bool gained = true; gained;) {
        gained = false;
        for (const ClassMove& deletion : best->deletions()) {
            if (!best->going()) return best;
            if (!best->moves().valid(deletion)) continue;
            auto other = std::make_unique<Walker>(*best);
            other->go_without(deletion);
            if (!(other->score() > best->score() + tolerance)) continue;
            best = std::move(other);
            gained = true;
            break;
        }
    }
    return best;
}

}  // namespace

ClassFound ges(LocalScore& score, const Knowledge& knowledge, const std::vector<VarSet>& start,
               const GesPlan& plan, Control& control, std::span<const VarSet> targets) {
    std::uint64_t steps = 0;
    auto walker = std::make_unique<Walker>(score, knowledge, start, targets, plan, control, steps);
    if (plan.extended)
        walker = extended(std::move(walker), score.tolerance());
    else
        walker->go_by_phases();
    const ClassMoves& moves = walker->moves();
    ClassFound found;
    found.stop = control.should_stop();
    found.graph = moves.state().graph();
    found.dag = *moves.state().extension(knowledge);
    found.score = total(score, found.dag, control);
    found.trace = std::move(walker->trace());
    found.operators = moves.operators();
    found.families = moves.families();
    found.cut_off = moves.cut_off();
    return found;
}

}  // namespace dagwright
