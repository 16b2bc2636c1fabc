// Orders in which the variables of a set of tables are eliminated, and what such an order costs.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/inference/factor.hpp"

namespace dagwright {

struct Triangulation {
    std::vector<Var> order;
    std::vector<Scope> cliques;  // by position in the order: the variable and its neighbors that come later
    double cells = 0;            // summed over the cliques
    double largest_cells = 0;
    Scope largest;
};

// Eliminates every variable that occurs in a scope, those in `last` after all others.
// The first try takes the variable whose elimination adds the fewest edges, then the one with the smallest
// table (Kjaerulff 1990); further tries weigh the added edges, or the table alone, and break ties at random.
// The cheapest order wins, the earlier one among equals.
Triangulation triangulate(const std::vector<Scope>& scopes, Cards cards, const Scope& last = {},
                          unsigned tries = 1, std::uint64_t seed = 0);

}  // namespace dagwright
