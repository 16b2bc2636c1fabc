// Tabu search over DAGs: hill climbing that goes on past a local maximum.
#pragma once
#include "dagwright/search/arc_moves.hpp"
#include "dagwright/search/best_network.hpp"

namespace dagwright {

struct TabuPlan {
    // For this many steps after a change, the pair of nodes is left alone, unless the move reaches a new best
    // score.
    std::size_t tenure = 10;
    // Steps without a new best score before giving up.
    std::size_t patience = 10;
    std::size_t max_parents = Knowledge::kUnbounded;
    bool random_ties = false;  // of moves that gain the same take any, not the first
    std::uint64_t seed = 0;
    BestNetwork* best = nullptr;  // is offered the best graph so far
};

// The best graph on the way and the steps that lead to it. Without random ties never below hill climbing
// from the same start: up to the first local maximum the way is the same.
DagFound tabu_search(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                     const TabuPlan& plan, Control& control);

}  // namespace dagwright
