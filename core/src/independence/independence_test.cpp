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

bool ChiSquaredRule::is_close(const Answer& answer) {
    if (answer.df == 0.0) return false;
    const double limit = critical(answer.df);
    return std::abs(answer.statistic - limit) <= 1e-6 * limit;
}

bool ChiSquaredRule::is_beyond(const Answer& answer) {
    return answer.df > 0.0 && !is_close(answer) && answer.statistic > critical(answer.df);
}

void ChiSquaredRule::decide(Answer& answer, Detail detail) {
    const bool limited = answer.caveat != Caveat::none;
    if (detail == Detail::decision) {
        answer.independent = limited;
        if (limited) return;
        // The p-value is above alpha where the statistic is below its critical value; close to it the
        // p-value itself decides.
        answer.independent = is_close(answer) ? std::exp(log_chi2_sf(answer.statistic, answer.df)) > alpha_
                                              : answer.statistic < critical(answer.df);
        return;
    }
    answer.log_p = log_chi2_sf(answer.statistic, answer.df);
    answer.independent = limited || std::exp(answer.log_p) > alpha_;
    const double gain = limited ? 0.0 : (answer.statistic - critical(answer.df)) / 2.0;
    answer.gain =
        answer.independent ? std::min(gain, 0.0) : std::max(gain, std::numeric_limits<double>::denorm_min());
}

}  // namespace dagwright
