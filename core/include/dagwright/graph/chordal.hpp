// Chordal graphs: elimination by maximum cardinality search and clique trees.
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

// Visits every node, always one with the most visited neighbors, component after component (Tarjan &
// Yannakakis 1984). In a chordal graph the earlier neighbors of each node form a clique.
std::vector<Node> maximum_cardinality_order(const Adjacency& graph);

// Whether the earlier neighbors of every node form a clique.
bool is_perfect_order(const Adjacency& graph, const std::vector<Node>& order);

// The maximal cliques of a connected chordal graph as a tree; clique 0 is the root and parents precede their
// children.
struct CliqueTree {
    std::vector<std::vector<Node>> cliques;     // each ascending
    std::vector<std::size_t> parents;           // parents[0] is unused
    std::vector<std::vector<Node>> separators;  // clique meets its parent, ascending; separators[0] is empty
};
CliqueTree clique_tree(const Adjacency& graph);

// Connected components, each ascending, in order of their smallest node.
std::vector<std::vector<Node>> components(const Adjacency& graph);

}  // namespace dagwright
