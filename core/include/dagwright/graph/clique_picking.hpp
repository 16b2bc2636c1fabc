// Counting and sampling the acyclic moral orientations of a chordal graph by clique picking (Wienöbst,
// Bannach & Liśkiewicz 2021). The numbers grow beyond any machine word, so this yields the plan and the
// caller does the arithmetic.
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

// The orientations whose first clique is `clique`, by a permutation of it that begins with no forbidden
// prefix: none of the first k nodes of `clique`, as a set, for k in `forbidden` (ascending). Each part is
// then oriented on its own.
struct CliqueChoice {
    std::vector<Node> clique;
    std::vector<std::size_t> forbidden;
    std::vector<std::size_t> parts;  // indices of subproblems; single nodes are left out
};

struct Subproblem {
    std::vector<Node> nodes;  // ascending
    std::vector<CliqueChoice> choices;
};

// Every subproblem that the undirected edges of `graph` give rise to. The first ones, as many as `roots`, are
// the undirected components with at least two nodes; a part is always smaller than the subproblem it belongs
// to.
struct CliquePickingPlan {
    std::size_t roots = 0;
    std::vector<Subproblem> subproblems;
};

// Requires chordal undirected components; throws Error otherwise.
CliquePickingPlan clique_picking_plan(const MixedGraph& graph);

// The nodes outside `clique` in the order in which they follow it, in blocks that are still to be oriented on
// their own; `nodes` induce a connected chordal graph.
std::vector<std::vector<Node>> blocks_after_clique(const MixedGraph& graph, const std::vector<Node>& nodes,
                                                   const std::vector<Node>& clique);

}  // namespace dagwright
