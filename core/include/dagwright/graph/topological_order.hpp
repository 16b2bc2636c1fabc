// Orders in which every parent precedes its children, and the cycle that prevents one.
#pragma once
#include <vector>

#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

// The topological order of the directed edges that takes the smallest node whenever there is a choice.
// With a cycle the result is shorter than the graph.
std::vector<Node> smallest_topological_order(const MixedGraph& graph);

// Any topological order, in linear time. With a cycle the result is shorter than the graph.
std::vector<Node> topological_order(const MixedGraph& graph);

// The nodes of one directed cycle in order, starting at its smallest node; empty if there is none.
// No shorter cycle passes through that node.
std::vector<Node> find_cycle(const MixedGraph& graph);

}  // namespace dagwright
