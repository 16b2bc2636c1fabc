// Maximum spanning trees and forests.
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/base/varset.hpp"

namespace dagwright {

// Prim's algorithm on a dense graph: `weights` is a symmetric matrix by rows. Edges of weight `least` or less
// are left out, so that the result may be a forest. Each edge is (node nearer to its root, other node); the
// root of each tree is its smallest node, and an edge is listed after the one that reached its first node.
// Ties: the smaller new node, then the smaller old one.
std::vector<std::pair<Var, Var>> maximum_spanning_forest(
    std::size_t n, std::span<const double> weights, double least = -std::numeric_limits<double>::infinity());

}  // namespace dagwright
