// Node numbers that come from Python are checked here, because the core trusts them.
#pragma once
#include <vector>

#include "bindings.hpp"
#include "dagwright/graph/mixed_graph.hpp"

inline void require_node(const dagwright::MixedGraph& graph, dagwright::Node node) {
    if (node >= graph.size()) throw nb::index_error("the graph has no node of that number");
}

inline void require_nodes(const dagwright::MixedGraph& graph, const std::vector<dagwright::Node>& nodes) {
    for (const dagwright::Node node : nodes) require_node(graph, node);
}
