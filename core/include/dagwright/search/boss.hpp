// Best order score search: every variable in turn goes to the position that scores most (Andrews et al.
// 2023).
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/search/best_network.hpp"
#include "dagwright/search/grow_shrink_trees.hpp"
#include "dagwright/search/running_score.hpp"

namespace dagwright {

struct BossPlan {
    std::size_t restarts = 0;  // more searches, from random orders
    std::size_t max_parents = Knowledge::kUnbounded;
    std::uint64_t seed = 0;
    // At the end delete arcs from class to class while that gains: the backward phase of greedy equivalence
    // search.
    bool backward = false;
    BestNetwork* best = nullptr;                     // is offered the best graph so far
    std::size_t candidates = Knowledge::kUnbounded;  // parents that are tried for each variable
};

struct BossFound {
    std::vector<VarSet> parents;
    double score = 0.0;
    std::uint64_t evaluations = 0;  // families scored
    std::size_t moves = 0, deletions = 0;
    RunningScores running;  // the first order of each search, every move of a variable, the deletions
    Stop stop = Stop::none;
};

// Begins with a topological order of `start`, which must obey the knowledge. The best of all searches; on
// equal scores the earlier one.
BossFound boss(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start, const BossPlan& plan,
               Control& control);

}  // namespace dagwright
