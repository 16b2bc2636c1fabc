#include "dagwright/search/annealing.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/search/random_moves.hpp"

namespace dagwright {

namespace {

// Proposals drawn ahead, so that those whose gains are not known are scored in one batch.
constexpr std::size_t kAhead = 256;

struct Trial {
    Proposal proposal;
    double luck;
};

void score_trials(ArcMoves& moves, std::span<const Trial> trials) {
    std::vector<Step> legal;
    for (const Trial& trial : trials)
        if (const std::optional<Step> move = legal_move(moves, trial.proposal)) legal.push_back(*move);
    moves.know(legal);
}

}  // namespace

DagFound anneal(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                std::size_t max_parents, std::span<const double> temperatures, std::uint64_t seed,
                Control& control, BestNetwork* best) {
    ArcMoves moves(score, knowledge, std::move(start), max_parents, control);
    const std::size_t n = moves.dag().size();
    Random random(seed);
    DagFound found{moves.dag().families(), moves.score(), {}, 0, Stop::none};
    std::size_t best_length = 0;
    std::vector<Trial> trials;
    std::size_t next = 0, scored = 0;  // in `trials`
    std::size_t tried = 0;
    for (const double temperature : temperatures) {
        found.stop = control.should_stop();
        if (found.stop != Stop::none || n < 2) break;
        if (next == trials.size()) {
            trials.clear();
            while (trials.size() < kAhead) trials.push_back({propose(n, random), random.uniform()});
            next = scored = 0;
        }
        if (next >= scored) {
            score_trials(moves, std::span(trials).subspan(next));
            scored = trials.size();
        }
        const Trial& trial = trials[next++];
        ++tried;
        const std::optional<Step> move = legal_move(moves, trial.proposal);
        if (!move) continue;
        const Step step = moves.step(move->move, move->from, move->to);
        const bool taken =
            step.gain >= 0.0 || (temperature > 0.0 && trial.luck < std::exp(step.gain / temperature));
        if (!taken) continue;
        moves.apply(step);
        scored = next;
        found.trace.push_back(step);
        if (const double now = moves.score(); now > found.score + moves.tolerance()) {
            found.score = now;
            found.parents = moves.dag().families();
            best_length = found.trace.size();
        }
        control.report({.phase = "annealing",
                        .done = tried,
                        .total = temperatures.size(),
                        .unit = "proposals",
                        .best = found.score});
        offer(best, found.score, [&] { return found.parents; });
    }

    moves.become(found.parents);
    found.trace.resize(best_length);
    while (found.stop == Stop::none) {
        found.stop = control.should_stop();
        if (!moves.know_all()) continue;
        const std::optional<Step> step = moves.best();
        if (!step || !(step->gain > moves.tolerance())) break;
        moves.apply(*step);
        found.trace.push_back(*step);
    }
    found.parents = moves.dag().families();
    found.score = moves.score();
    found.evaluations = moves.evaluations();
    return found;
}

}  // namespace dagwright
