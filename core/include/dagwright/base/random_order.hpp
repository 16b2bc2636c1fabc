// Random orders of a DAG.
#pragma once
#include <span>
#include <vector>

#include "dagwright/base/random.hpp"
#include "dagwright/base/varset.hpp"

namespace dagwright {

// An order in which parents come before children: at each place any variable whose parents are placed is as
// likely.
std::vector<Var> random_topological_order(std::span<const VarSet> parents, Random& random);

}  // namespace dagwright
