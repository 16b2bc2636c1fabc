// Cutting planes over four variables that no cluster gives.
//
// The networks over four variables span a polytope in the space of their families. Besides bounds and
// clusters it has other facets; the five kinds here were found by optimizing over its 543 vertices (Cussens
// et al. 2017 study such polytopes). A facet holds for any four variables of a larger problem, each family
// counting as its parents among the four.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/exact/families.hpp"

namespace dagwright {

struct FourNodeCut {
    std::vector<Var> members;  // by role
    std::size_t kind = 0;
    double violation = 0.0;
};

// sum of coefficients * x <= bound.
struct FourNodeRow {
    std::vector<std::int64_t> families;
    std::vector<double> coefficients;
    double bound = 0.0;
};

// At most `most`, the most violated first. Only sets of four with weight on arcs between them are looked at.
std::vector<FourNodeCut> violated_four_node_cuts(const Families& families, std::span<const double> weights,
                                                 double least, std::size_t most);

FourNodeRow four_node_row(const Families& families, std::span<const Var> members, std::size_t kind);

}  // namespace dagwright
