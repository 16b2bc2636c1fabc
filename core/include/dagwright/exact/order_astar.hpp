// A* search in the order graph: from the empty set to all variables, one variable at a time, each with its
// best parents among those already there (Yuan & Malone 2013).
//
// A variable whose best set of all is already available is taken at once: it can have no better parents
// later, and it only helps the others. So only sets that are closed under this rule are visited.
#pragma once
#include "dagwright/exact/masked_families.hpp"

namespace dagwright {

struct AstarPlan {
    double incumbent = kImpossible;  // the score of a known network; only better ones are looked for
    double tolerance = 0.0;
    std::size_t largest_group = 20;  // of the pattern databases
    std::size_t partitions = 2;
    std::size_t most_nodes = 100'000'000;  // held at once, at kBytesPerNode
};

inline constexpr std::size_t kBytesPerNode = 64;

// Without entries: nothing better than the incumbent exists (if it ran to its end) or was found.
PieceSolution order_astar(const MaskedFamilies& families, const AstarPlan& plan, Control& control);

}  // namespace dagwright
