// Structural intervention distance (Peters & Bühlmann 2015).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

// The nodes j for which adjusting for `parents` gives a wrong answer to p(j | do(node)) in the true graph.
std::vector<Node> wrong_effects(const MixedGraph& truth, Node node, std::span<const Node> parents);

// Pairs (i, j) for which the parents of i in `guess` give a wrong p(j | do(i)) in `truth`. Both are DAGs on
// the same nodes.
std::size_t structural_intervention_distance(const MixedGraph& truth, const MixedGraph& guess);

}  // namespace dagwright
