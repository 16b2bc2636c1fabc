#include "dagwright/annealing.hpp"

#include <cmath>

#include "dagwright/random_moves.hpp"

namespace dagwright {

Walk anneal(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start, std::size_t max_parents,
            std::span<const double> temperatures, std::uint64_t seed, Control& control) {
    ArcMoves moves(score, knowledge, std::move(start), max_parents, control);
    Random random(seed);
    Walk walk{moves.dag().families(), moves.score(), {}, 0, Stop::none};
    std::size_t best_length = 0;
    for (const double temperature : temperatures) {
        walk.stop = control.should_stop();
        if (walk.stop != Stop::none) break;
        const std::optional<Step> step = random_move(moves, random);
        const double luck = random.uniform();
        if (!step) continue;
        if (step->gain < 0.0 && !(temperature > 0.0 && luck < std::exp(step->gain / temperature))) continue;
        moves.apply(*step);
        walk.trace.push_back(*step);
        if (const double now = moves.score(); now > walk.score + moves.tolerance()) {
            walk.score = now;
            walk.parents = moves.dag().families();
            best_length = walk.trace.size();
        }
        control.report("annealing", walk.trace.size(), walk.score);
    }

    moves.become(walk.parents);
    walk.trace.resize(best_length);
    while (walk.stop == Stop::none) {
        walk.stop = control.should_stop();
        if (!moves.know_all()) continue;
        const std::optional<Step> step = moves.best();
        if (!step || !(step->gain > moves.tolerance())) break;
        moves.apply(*step);
        walk.trace.push_back(*step);
    }
    walk.parents = moves.dag().families();
    walk.score = moves.score();
    walk.evaluations = moves.evaluations();
    return walk;
}

}  // namespace dagwright
