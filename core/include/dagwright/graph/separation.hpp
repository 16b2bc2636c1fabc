// Separation of sets of nodes: in DAGs (d-separation) and in undirected graphs.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

// x, y and given are disjoint.
struct SeparationQuery {
    std::vector<Node> x;
    std::vector<Node> y;
    std::vector<Node> given;
};

// Each query costs time linear in the ancestral graph it touches, not in the whole graph.
std::vector<char> d_separated(const MixedGraph& dag, std::span<const SeparationQuery> queries);

// Uses the undirected edges only.
std::vector<char> undirected_separated(const MixedGraph& graph, std::span<const SeparationQuery> queries);

// The moral graph of the subgraph of `dag` induced by `nodes`, over all nodes of `dag`: parents of a common
// child are married and directions dropped. With an ancestral set of nodes this is Lauritzen's criterion for
// d-separation.
std::vector<Arc> moral_edges(const MixedGraph& dag, std::span<const Node> nodes);

}  // namespace dagwright
