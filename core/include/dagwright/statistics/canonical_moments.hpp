// The canonical order of columns of which some are numbers.
#pragma once
#include <vector>

#include "dagwright/statistics/canonical_order.hpp"
#include "dagwright/statistics/set_moments.hpp"

namespace dagwright {

// Columns are told apart by, in turn: discrete before continuous; the frequencies of the states, or the
// absolute skewness and the kurtosis; how strongly each is correlated with the others, columns of one kind
// after the other. All of this is rounded to 1e-7 and does not change with x -> a x + b, a != 0. What is
// still tied is put in the order of `name_rank`.
using ColumnSignature = std::vector<double>;

// What each column is alone.
std::vector<ColumnSignature> signatures_of(const MixedTable& table, Workers& workers);
// The signature of numbers, from the means of their powers about the mean, as PowerSums has them.
ColumnSignature number_signature(double variance, double third, double fourth);

CanonicalOrder canonical_order(std::vector<ColumnSignature> signatures, const SetMoments& moments,
                               const std::vector<std::size_t>& name_rank, Control& control);

}  // namespace dagwright
