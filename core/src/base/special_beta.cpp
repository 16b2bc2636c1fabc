// The incomplete beta function, behind the F and t distributions, in log space.
#include "dagwright/base/special_beta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/special.hpp"

namespace dagwright {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// The continued fraction of I_x(a, b) B(a, b) / (x^a (1 - x)^b) (DLMF 8.17.22), evaluated with Lentz's
// method; it converges fast for x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300;
    const auto kept = [](double value) { return std::fabs(value) < tiny ? tiny : value; };
    double c = 1.0;
    double d = 1.0 / kept(1.0 - (a + b) * x / (a + 1.0));
    double fraction = d;
    for (double m = 1.0; m < 1e6; m += 1.0) {
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / kept(1.0 + even * d);
        c = kept(1.0 + even / c);
        fraction *= c * d;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / kept(1.0 + odd * d);
        c = kept(1.0 + odd / c);
        const double change = c * d;
        fraction *= change;
        if (std::fabs(change - 1.0) <= epsilon) break;
    }
    return fraction / a;
}

// B(a, b) = Gamma(a) Gamma(b) / Gamma(a + b), from the smaller of the two.
double log_beta(double a, double b) {
    if (a < b) std::swap(a, b);
    return log_gamma(b) - log_rising(a, b);
}

}  // namespace

double log_incomplete_beta(double a, double b, double log_x) {
    if (!(a > 0.0 && b > 0.0) || std::isinf(a) || std::isinf(b))
        throw Error("the parameters of a beta distribution must be positive, not " + std::to_string(a) +
                    " and " + std::to_string(b));
    if (!(log_x <= 0.0)) throw Error("the logarithm of a probability must not be above 0");
    if (log_x == 0.0) return 0.0;
    if (std::isinf(log_x)) return log_x;
    const double x = std::exp(log_x), rest = -std::expm1(log_x);
    const double front = a * log_x + b * std::log(rest) - log_beta(a, b);
    if (x < (a + 1.0) / (a + b + 2.0)) return std::min(0.0, front + std::log(beta_fraction(a, b, x)));
    return std::log1p(-std::min(1.0, std::exp(front) * beta_fraction(b, a, rest)));
}

double log_f_sf(double f, double df1, double df2) {
    if (!(df1 > 0.0 && df2 > 0.0))
        throw Error("degrees of freedom must be positive, not " + std::to_string(df1) + " and " +
                    std::to_string(df2));
    if (std::isnan(f)) throw Error("an F statistic must be a number");
    return f <= 0.0 ? 0.0 : log_incomplete_beta(df2 / 2.0, df1 / 2.0, -std::log1p(df1 * f / df2));
}

}  // namespace dagwright
