// Tables over a few discrete variables: views, slices, and products with variables summed or maximized out.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dagwright/base/varset.hpp"

namespace dagwright {

using Scope = std::vector<Var>;  // ascending

// A function of its variables. The cells may belong to a larger table of which this is a slice.
struct Factor {
    Scope variables;
    std::vector<std::size_t> strides;  // of each variable, in cells
    std::shared_ptr<const std::vector<double>> cells;
    std::size_t offset = 0;
    // Variables over which the factor sums to 1 whatever the others are: the children of the conditional
    // tables it is made of. Empty once a child was observed; such a factor is a likelihood.
    Scope heads;

    const double* data() const { return cells->data() + offset; }
    bool has(Var v) const;
};

using FactorPtr = std::shared_ptr<const Factor>;
using FactorSet = std::vector<FactorPtr>;
using Cards = std::span<const std::uint32_t>;

enum class Reduction { sum, max };

constexpr std::uint32_t kUnobserved = 0xffffffffu;

// `table` is row-major over `axes`; the child is the last axis.
Factor conditional_table(const std::vector<Var>& axes, Cards cards, std::vector<double> table);
Factor likelihood(Var v, std::vector<double> values);

// The factor with every observed variable fixed at its state (kUnobserved: free).
Factor sliced(const Factor& factor, std::span<const std::uint32_t> observed);

// The value of the factor where every variable v has state states[v].
double value_at(const Factor& factor, std::span<const std::uint32_t> states);

// Number of cells over a scope, as a double: it may be too large for an integer.
double cells_of(const Scope& scope, Cards cards);
Scope union_of(const Scope& a, const Scope& b);

// The product of the factors with all variables outside `keep` reduced; row-major over `keep`, which is a
// subset of the variables of the factors.
Factor contract(std::span<const Factor* const> factors, const Scope& keep, Cards cards, Reduction reduction);

// The same for any number of factors: products of a few are rescaled on the way, so that a variable with
// hundreds of observed children does not underflow. Adds the logarithm of the scale to log_scale; minus
// infinity if the product is zero everywhere.
Factor contract_scaled(std::span<const Factor* const> factors, const Scope& keep, Cards cards,
                       Reduction reduction, double& log_scale);

// Divides by the largest cell and gives its logarithm; minus infinity if every cell is zero.
double normalize_by_max(Factor& factor);

}  // namespace dagwright
