#include "dagwright/search/tabu.hpp"

#include <algorithm>

namespace dagwright {

DagFound tabu_search(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                     const TabuPlan& plan, Control& control) {
    const std::size_t n = start.size();
    Random random(plan.seed);
    ArcMoves moves(score, knowledge, std::move(start), plan.max_parents, control);
    DagFound found{moves.dag().families(), moves.score(), {}, 0, Stop::none};
    std::vector<Step>& trace = found.trace;
    double now = found.score;
    std::size_t best_length = 0;

    std::vector<std::size_t> free_again(n * n, 0);  // the step from which on a pair may be changed again
    const auto pair = [n](const Step& step) {
        return std::min(step.from, step.to) * n + std::max(step.from, step.to);
    };
    const auto passes = [&](const Step& step) {
        return free_again[pair(step)] <= trace.size() || now + step.gain > found.score + moves.tolerance();
    };
    while (trace.size() <= best_length + plan.patience) {
        found.stop = control.should_stop();
        if (found.stop != Stop::none) break;
        if (!moves.know_all()) continue;
        const std::optional<Step> step = moves.best(passes, plan.random_ties ? &random : nullptr);
        if (!step) break;
        moves.apply(*step);
        trace.push_back(*step);
        free_again[pair(*step)] = trace.size() + plan.tenure;
        now = moves.score();
        if (now > found.score + moves.tolerance()) {
            found.parents = moves.dag().families();
            found.score = now;
            best_length = trace.size();
        }
        control.report({.phase = "tabu search", .done = trace.size(), .best = found.score});
        offer(plan.best, found.score, [&] { return found.parents; });
    }
    trace.resize(best_length);
    found.evaluations = moves.evaluations();
    return found;
}

}  // namespace dagwright
