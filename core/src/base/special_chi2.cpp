// Upper tail of the chi-squared distribution: Q(a, x) = Gamma(a, x)/Gamma(a) at a = df/2, x = statistic/2, in
// log space.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/special.hpp"
#include "special_stirling.hpp"

namespace dagwright {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double two_pi = 6.283185307179586476925;

// mu - log(1 + mu) for mu > -1; for small mu by log(1 + mu) = 2 artanh(mu/(2 + mu)), which does not cancel.
double excess(double mu) {
    if (std::fabs(mu) > 0.3) return mu - std::log1p(mu);
    const double r = mu / (2.0 + mu);
    const double square = r * r;
    double sum = 0.0;
    for (int k = 25; k >= 3; k -= 2) sum = sum * square + 1.0 / k;
    return r * (mu - 2.0 * square * sum);
}

// log of x^a e^-x / Gamma(a + 1). For large a written as -a (lambda - 1 - log lambda) with lambda = x/a,
// because the plain formula loses log10(a) digits.
double log_density(double a, double x) {
    if (a < 10.0) return a * std::log(x) - x - log_gamma(a + 1.0);
    return -a * excess((x - a) / a) - 0.5 * std::log(two_pi * a) - stirling_error(a);
}

// P(a, x) / (x^a e^-x / Gamma(a+1)) = 1 + x/(a+1) + x^2/((a+1)(a+2)) + ...   (DLMF 8.11.4)
double lower_series(double a, double x) {
    double term = 1.0;
    double sum = 1.0;
    for (double k = 1.0; term > sum * epsilon * 0.25; k += 1.0) {
        term *= x / (a + k);
        sum += term;
    }
    return sum;
}

// Gamma(a, x) / (x^a e^-x) by Legendre's continued fraction (DLMF 8.9.2), evaluated with Lentz's method.
double upper_fraction(double a, double x) {
    constexpr double tiny = 1e-300;
    double b = x + 1.0 - a;
    double c = 1.0 / tiny;
    double d = 1.0 / (std::fabs(b) < tiny ? tiny : b);
    double fraction = d;
    for (double k = 1.0; k < 1e6; k += 1.0) {
        const double numerator = -k * (k - a);
        b += 2.0;
        d = numerator * d + b;
        if (std::fabs(d) < tiny) d = tiny;
        c = b + numerator / c;
        if (std::fabs(c) < tiny) c = tiny;
        d = 1.0 / d;
        const double change = c * d;
        fraction *= change;
        if (std::fabs(change - 1.0) <= epsilon) break;
    }
    return fraction;
}

// e^(z^2) erfc(z) for z >= 4 by its continued fraction (DLMF 7.9.2).
double scaled_erfc(double z) {
    double tail = z;
    for (int k = 60; k >= 1; --k) tail = z + 0.5 * k / tail;
    constexpr double inverse_sqrt_pi = 0.5641895835477562869481;
    return inverse_sqrt_pi / tail;
}

// log Q(a, x) for large a and x near a: Temme's uniform expansion (DLMF 8.12.4, 8.12.7-8.12.11),
// Q = erfc(eta sqrt(a/2))/2 + exp(-a eta^2/2)/sqrt(2 pi a) (c0(eta) + c1(eta)/a), eta^2/2 = lambda - 1 - log
// lambda. For a >= 1e5 the omitted c2/a^2 is below 1e-12 of the second term.
double log_upper_uniform(double a, double x) {
    constexpr std::array<double, 13> c0 = {-1.0 / 3.0,
                                           1.0 / 12.0,
                                           -2.0 / 135.0,
                                           1.0 / 864.0,
                                           0.0003527336860670194,
                                           -0.0001787551440329218,
                                           3.919263178522438e-05,
                                           -2.185448510679992e-06,
                                           -1.85406221071516e-06,
                                           8.296711340953087e-07,
                                           -1.7665952736826078e-07,
                                           6.707853543401498e-09,
                                           1.0261809784240309e-08};
    constexpr std::array<double, 8> c1 = {-1.0 / 540.0,
                                          -1.0 / 288.0,
                                          1.0 / 378.0,
                                          -77.0 / 77760.0,
                                          0.00020576131687242798,
                                          -4.018775720164609e-07,
                                          -1.8098550334489977e-05,
                                          7.64916091608111e-06};
    const double mu = (x - a) / a;
    const double half_square = excess(mu);
    const double eta = std::copysign(std::sqrt(2.0 * half_square), mu);
    double first = 0.0;
    for (std::size_t k = c0.size(); k-- > 0;) first = first * eta + c0[k];
    double second = 0.0;
    for (std::size_t k = c1.size(); k-- > 0;) second = second * eta + c1[k];
    const double correction = (first + second / a) / std::sqrt(two_pi * a);
    const double z = eta * std::sqrt(a / 2.0);
    const double exponent = -a * half_square;
    if (z >= 4.0) return exponent + std::log(0.5 * scaled_erfc(z) + correction);
    return std::log(0.5 * std::erfc(z) + std::exp(exponent) * correction);
}

double log_upper(double a, double x) {
    if (x <= 0.0) return 0.0;
    if (std::isinf(x)) return -infinity;
    if (a >= 1e5 && std::fabs(x - a) <= 0.1 * a) return log_upper_uniform(a, x);
    if (x < a || x < 1.0) {
        const double log_lower = std::min(log_density(a, x) + std::log(lower_series(a, x)), 0.0);
        return log_lower > -0.7 ? std::log(-std::expm1(log_lower)) : std::log1p(-std::exp(log_lower));
    }
    return std::min(log_density(a, x) + std::log(a * upper_fraction(a, x)), 0.0);
}

void check_df(double df) {
    if (!(df >= 0.0))
        throw Error("degrees of freedom must be a number and not negative, not " + std::to_string(df));
}

}  // namespace

double log_chi2_sf(double x, double df) {
    check_df(df);
    if (std::isnan(x)) throw Error("a chi-squared statistic must be a number");
    return df == 0.0 || std::isinf(df) ? 0.0 : log_upper(df / 2.0, x / 2.0);
}

double chi2_sf(double x, double df) { return std::exp(log_chi2_sf(x, df)); }

double chi2_isf(double p, double df) {
    check_df(df);
    if (!(p >= 0.0 && p <= 1.0))
        throw Error("a probability must lie between 0 and 1, not " + std::to_string(p));
    if (df == 0.0 || p == 1.0) return 0.0;
    if (p == 0.0 || std::isinf(df)) return infinity;
    const double a = df / 2.0;
    const double target = std::log(p);
    // Newton's method on log Q, kept inside a bracket that every step shrinks.
    double low = 0.0;
    double high = std::max(1.0, 2.0 * a);
    while (log_upper(a, high) > target) {
        low = high;
        high *= 2.0;
    }
    double x = low > 0.0 ? low : high / 2.0;
    for (int step = 0; step < 2000; ++step) {
        const double log_tail = log_upper(a, x);
        (log_tail > target ? low : high) = x;
        const double slope = -std::exp(log_density(a, x) + std::log(a / x) - log_tail);
        double next = x - (log_tail - target) / slope;
        if (!(next > low && next < high)) next = low > 0.0 ? 0.5 * (low + high) : high / 16.0;
        if (std::fabs(next - x) <= 2.0 * epsilon * x || next == low || next == high) return 2.0 * next;
        x = next;
    }
    return 2.0 * x;
}

}  // namespace dagwright
