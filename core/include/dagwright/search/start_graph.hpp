// Graphs to begin a search from. Each keeps the arcs of `base` (what knowledge requires) and obeys the
// knowledge.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

// Every arc that goes forward in the first topological order of `base` and is allowed.
std::vector<VarSet> full_graph(const Knowledge& knowledge, std::vector<VarSet> base, std::size_t max_parents);

// Random legal arcs added one by one, as many as there are nodes: learned networks seldom have fewer, and
// climbing from dense graphs is slow.
std::vector<VarSet> random_graph(const Knowledge& knowledge, std::vector<VarSet> base,
                                 std::size_t max_parents, std::uint64_t seed);

// Chow & Liu (1968) with the gain of the score as weight (for a symmetric score the two directions agree,
// else their mean counts): the spanning forest of largest total gain, directed away from the first node of
// each tree where knowledge allows it. Arcs that would lower the score are left out.
std::vector<VarSet> tree_graph(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> base,
                               std::size_t max_parents, Control& control);

}  // namespace dagwright
