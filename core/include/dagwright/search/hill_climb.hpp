// Hill climbing over DAGs: add, delete or reverse arcs while that raises the score.
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/search/arc_moves.hpp"
#include "dagwright/search/best_network.hpp"

namespace dagwright {

enum class Improvement : std::uint8_t {
    best,  // of all moves the one that gains most
    first  // the first move, in random order, that gains anything
};

struct ClimbPlan {
    Improvement improvement = Improvement::best;
    std::size_t max_parents = Knowledge::kUnbounded;
    // After the first climb: this many more, each from the best graph so far changed by `perturbation` random
    // moves, or, when that is 0, from a random graph.
    std::size_t restarts = 0;
    std::size_t perturbation = 0;
    // The number of the first climb to make, 0 to restarts. Those before it only draw their random graphs, so
    // climbs that are made apart begin where they would begin one after the other; for `separable` plans.
    std::size_t first = 0;
    std::uint64_t seed = 0;
    bool random_ties = false;     // of moves that gain the same take any, not the first
    BestNetwork* best = nullptr;  // is offered the best graph so far
};

// Whether each climb begins at a graph that does not depend on the climbs before it.
inline bool separable(const ClimbPlan& plan) noexcept {
    return plan.perturbation == 0 && plan.improvement == Improvement::best && !plan.random_ties;
}

// `start` must obey the knowledge. The best graph of all climbs; on equal scores the earlier one. Throws
// Error where the plan has a first climb after its last, or one of a plan that is not separable.
DagFound hill_climb(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                    const ClimbPlan& plan, Control& control);

}  // namespace dagwright
