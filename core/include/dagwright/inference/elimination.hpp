// Variable elimination on a set of factors: marginals, the probability of evidence, most probable states.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "dagwright/inference/factor.hpp"

namespace dagwright {

// How many cells one product may have, and the names of the variables for the message when it has more.
struct CellLimit {
    double cells = 0;
    std::span<const std::string> names;

    // CapacityError when a table over `scope` has more cells.
    void require(const Scope& scope, double needed) const;
};

// Removes conditional tables whose children occur nowhere else and are not kept: they sum to 1.
void drop_barren(FactorSet& factors, const Scope& keep, std::size_t variables);

// Sums all variables outside `keep` out of the product, each time the one whose product is smallest; meant
// for the few variables of a clique. The factors that are left have scopes within `keep`; those without
// variables are factored out. Returns the logarithm of what was factored out, minus infinity if the product
// is zero everywhere. Likelihoods are rescaled on the way, against underflow.
double sum_out(FactorSet& factors, const Scope& keep, Cards cards);

// The same for many variables, along one good order.
double sum_out_all(FactorSet& factors, const Scope& keep, Cards cards, const CellLimit& limit);

// The product of factors within `keep` up to a constant as one table over `keep`, constant in variables that
// none has.
std::vector<double> product_over(const FactorSet& factors, const Scope& keep, Cards cards);

// The states of `maximized` that make the product largest after all other variables are summed out; they are
// written to `states`, by variable. Of equal states the first is taken. Returns the logarithm of the maximum.
double maximize(FactorSet factors, const Scope& maximized, Cards cards, const CellLimit& limit,
                std::span<std::uint32_t> states);

}  // namespace dagwright
