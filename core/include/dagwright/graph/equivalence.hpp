// Markov equivalence: essential graphs, consistent extensions and the orientation rules.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "dagwright/base/varset.hpp"
#include "dagwright/graph/knowledge.hpp"
#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

// {a, c, b} with a -> c <- b, a < b, a and b not adjacent; sorted. Undirected edges make no v-structure.
std::vector<std::array<Node, 3>> v_structures(const MixedGraph& graph);

// The essential graph (CPDAG) of a DAG: an arc stays directed iff every equivalent DAG has it.
// Throws CycleError if the directed edges close a cycle.
MixedGraph essential_graph(const MixedGraph& dag);

// The interventional essential graph (Hauser & Buehlmann 2012, Theorem 18) of a DAG under a family of
// targets, each a set of nodes that some rows have set. An arc stays directed as well if some target holds
// exactly one of its ends. No node may be in every target, or v-structures could not be seen.
MixedGraph essential_graph(const MixedGraph& dag, std::span<const VarSet> targets);

// Dor & Tarsi (1992): repeatedly take a node without outgoing arcs whose every undirected neighbor is
// adjacent to all others adjacent to it, and delete it; of several the one that could be taken first, then
// the one with the smallest number. Gives the nodes in this order. All of them are there if and only if the
// graph has a consistent extension: every edge then points at the one of its ends that is taken first. The
// set of those that are left does not depend on the order, for a node that can be taken stays so.
//
// With knowledge a node is taken only if all that is left around it may point at it and is within its bound.
// It may always be taken then, because in any other answer moving it to the end only takes parents from the
// rest.
std::vector<Node> sink_order(const MixedGraph& graph, const Knowledge* knowledge = nullptr);

// A DAG with the same skeleton and v-structures as `graph` that keeps its arcs, or nothing if none exists.
std::optional<MixedGraph> consistent_extension(const MixedGraph& graph);

// Orients undirected edges until none of Meek's (1995) four rules applies. For a graph that has a consistent
// extension the result does not depend on the order of application.
MixedGraph meek_closure(const MixedGraph& graph);

}  // namespace dagwright
