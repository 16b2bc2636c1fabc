#include "dagwright/independence/gaussian_null.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/base/special.hpp"
#include "dagwright/base/special_beta.hpp"

namespace dagwright {

namespace {

// Rao's F: Lambda^(1/s) is distributed as 1/(1 + F df1/df2), exactly for min(p, q) <= 2.
void by_student_t(double fit, double N, double p, double q, double d, Answer& answer) {
    const double squares = p * p + q * q - 5.0;
    const double s = squares > 0.0 ? std::sqrt((p * p * q * q - 4.0) / squares) : 1.0;
    const double df1 = p * q;
    const double df2 = (N - 1.0 - d - (p + q + 1.0) / 2.0) * s - df1 / 2.0 + 1.0;
    if (!(df2 >= 1.0)) {
        answer.caveat = Caveat::too_few_rows;
        return;
    }
    const double log_root = -2.0 * fit / (N * s);  // of Lambda^(1/s)
    const double F = std::expm1(-log_root) * df2 / df1;
    answer.statistic = df1 == 1.0 ? std::sqrt(F) : F;
    answer.df = df1 == 1.0 ? df2 : df1;
    answer.log_p = log_incomplete_beta(df2 / 2.0, df1 / 2.0, log_root);
}

void by_fisher_z(double fit, double N, double p, double q, double d, Answer& answer) {
    const double df = p * q;
    const double spare = df == 1.0 ? N - d - 3.0 : N - 1.0 - d - (p + q + 1.0) / 2.0;
    if (!(spare >= 1.0)) {
        answer.caveat = Caveat::too_few_rows;
        return;
    }
    if (df > 1.0) {
        answer.statistic = spare * 2.0 * fit / N;
        answer.df = df;
        answer.log_p = log_chi2_sf(answer.statistic, df);
        return;
    }
    // artanh r = log(1 + r) - log(1 - r^2)/2, also where r is 1 to the last digit.
    const double r = std::sqrt(-std::expm1(-2.0 * fit / N));
    answer.statistic = (std::log1p(r) + fit / N) * std::sqrt(spare);
    answer.df = spare;
    answer.log_p = log_chi2_sf(answer.statistic * answer.statistic, 1.0);
}

}  // namespace

void decide(const GaussianNull& null, const Question& question, const SetFit& found, Answer& answer,
            Detail detail, DecidedInteractions& known) {
    const auto width = [&](const VarSet& set) {
        double sum = 0.0;
        for (const Var v : set) sum += null.columns.at(v);
        return sum;
    };
    const double p = width(question.x), q = width(question.y), d = width(question.given);
    const double fit = std::max(found.fit, 0.0), N = answer.rows;
    const bool testable = found.dim != 0.0 && p != 0.0 && q != 0.0;
    DecidedInteractions::Bounds* bounds = testable ? &known.of({p, q, d, N}) : nullptr;
    if (bounds != nullptr && detail == Detail::decision) {
        // Closer than this the rounding of p-values could matter.
        constexpr double margin = 1e-9;
        const bool small = fit <= bounds->independent * (1.0 - margin);
        if (small || fit >= bounds->dependent * (1.0 + margin)) {
            answer.independent = small;
            answer.statistic = answer.df = Answer::kNone;
            return;
        }
    }
    answer.statistic = 0.0;
    answer.df = 0.0;
    answer.log_p = 0.0;
    if (!testable)
        answer.caveat = Caveat::no_degrees_of_freedom;
    else if (null.kind == GaussianNull::Kind::student_t)
        by_student_t(fit, N, p, q, d, answer);
    else
        by_fisher_z(fit, N, p, q, d, answer);
    answer.independent = std::exp(answer.log_p) > null.alpha;
    if (bounds != nullptr && answer.caveat == Caveat::none) {
        if (answer.independent)
            bounds->independent = std::max(bounds->independent, fit);
        else
            bounds->dependent = std::min(bounds->dependent, fit);
    }
    const double gain = answer.caveat == Caveat::none ? std::log(null.alpha) - answer.log_p : 0.0;
    answer.gain =
        answer.independent ? std::min(gain, 0.0) : std::max(gain, std::numeric_limits<double>::denorm_min());
}

}  // namespace dagwright
