// A DAG from edges and directions that need not agree: keeps as much as possible and lists the rest.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/graph/knowledge.hpp"
#include "dagwright/graph/mixed_graph.hpp"
#include "dagwright/independence/separated_pairs.hpp"

namespace dagwright {

// How strongly the ends of each pair depend on each other; NaN counts as 0.
using PairStrengths = std::function<std::vector<double>(std::span<const VarPair>)>;

struct ConsistentDag {
    MixedGraph dag;
    std::vector<VarPair> dropped;  // edges that the knowledge excludes, in the order in which they went
};

// A consistent extension if there is one, else a DAG close to one.
//
// Nodes come last one after another, as `sink_order` finds them. Where it finds none, a node without
// outgoing arcs is taken whose edges make the fewest new v-structures. So there is always a DAG with the
// given arcs, unless knowledge stands in the way: then arcs that are not required are reversed, and the
// weakest edges that are not required are dropped. Strengths are asked for in that case alone.
//
// `linked` is symmetric and has every arc. Throws Error if the knowledge allows no DAG.
ConsistentDag consistent_dag(BitMatrix linked, std::span<const Arc> arcs, const Knowledge& knowledge,
                             const PairStrengths& strengths);

}  // namespace dagwright
