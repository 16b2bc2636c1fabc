// The log-likelihood of a normal distribution from moments.
#pragma once
#include <vector>

#include "dagwright/evidence/no_maximum.hpp"
#include "dagwright/statistics/set_moments.hpp"

namespace dagwright {

struct GaussianScratch {
    Cholesky cholesky;
    std::vector<std::uint32_t> columns;
};

// The maximum over d of the columns, with the columns in scratch.columns.
inline double gaussian_log_likelihood(const MomentMatrix& matrix, GaussianScratch& scratch) {
    constexpr double log_2_pi_e = 2.83787706640934548356;
    const std::size_t d = scratch.columns.size();
    const double N = matrix.N();
    if (d == 0) return 0.0;
    if (!(N > static_cast<double>(d))) return kTooFewRows;
    Cholesky& cholesky = scratch.cholesky;
    cholesky.resize(d);
    std::int64_t exponent = 0;
    for (std::size_t a = 0; a < d; ++a) {
        exponent -= 2 * matrix.exponent(scratch.columns[a]);
        for (std::size_t b = 0; b <= a; ++b)
            cholesky.at(a, b) = matrix.steps(scratch.columns[a], scratch.columns[b]);
    }
    if (cholesky.factor() < d) return kUnbounded;
    LogDeterminant determinant = cholesky.log_determinant();
    determinant.exponent += exponent;
    return -0.5 * N * (determinant.value() + static_cast<double>(d) * log_2_pi_e);
}

inline SetFit gaussian_fit(const VariableMoments& moments, const VarSet& set, GaussianScratch& scratch) {
    moments.list(set, scratch.columns);
    const auto d = static_cast<double>(scratch.columns.size());
    return {gaussian_log_likelihood(moments.matrix(), scratch), d + d * (d + 1.0) / 2.0};
}

}  // namespace dagwright
