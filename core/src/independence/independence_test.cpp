#include "dagwright/independence/independence_test.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/base/special.hpp"

namespace dagwright {

double ChiSquaredRule::critical(double df) {
    const auto [at, fresh] = critical_.try_emplace(df, 0.0);
    if (fresh) at->second = chi2_isf(alpha_, df);
    return at->second;
}

void ChiSquaredRule::decide(Answer& answer, Detail detail) {
    const bool limited = answer.caveat != Caveat::none;
    if (detail == Detail::decision) {
        answer.independent = limited;
        if (limited) return;
        // The p-value is above alpha where the statistic is below its critical value; so close to it that
        // rounding could matter, the p-value itself decides.
        const double limit = critical(answer.df);
        answer.independent = std::abs(answer.statistic - limit) > 1e-6 * limit
                                 ? answer.statistic < limit
                                 : std::exp(log_chi2_sf(answer.statistic, answer.df)) > alpha_;
        return;
    }
    answer.log_p = log_chi2_sf(answer.statistic, answer.df);
    answer.independent = limited || std::exp(answer.log_p) > alpha_;
    const double gain = limited ? 0.0 : (answer.statistic - critical(answer.df)) / 2.0;
    answer.gain =
        answer.independent ? std::min(gain, 0.0) : std::max(gain, std::numeric_limits<double>::denorm_min());
}

}  // namespace dagwright
