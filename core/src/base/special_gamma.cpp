#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/special.hpp"
#include "special_stirling.hpp"

namespace dagwright {

namespace {

constexpr double half_log_two_pi = 0.9189385332046727417803;
constexpr double asymptotic_from = 10.0;

// log Gamma(2 + z) for |z| <= 1/2: (1 - gamma) z + sum_{k>=2} (-1)^k (zeta(k) - 1)/k z^k
// (Abramowitz & Stegun 6.1.33, shifted by one). The factor z keeps full relative accuracy at the zero.
double log_gamma_near_two(double z) {
    constexpr double one_minus_euler = 0.4227843350984671393935;
    constexpr std::array<double, 26> coefficients = {
        0.32246703342411321824,    -0.067352301053198095133,   0.020580808427784547879,
        -0.0073855510286739852663, 0.0028905103307415232858,   -0.0011927539117032609771,
        0.00050966952474304242234, -0.00022315475845357937976, 9.9457512781808533715e-5,
        -4.49262367381331417e-5,   2.0507212775670691553e-5,   -9.439488275268395904e-6,
        4.3748667899074878042e-6,  -2.0392157538013662368e-6,  9.5514121304074198329e-7,
        -4.4924691987645660433e-7, 2.1207184805554665869e-7,   -1.0043224823968099609e-7,
        4.7698101693639805658e-8,  -2.271109460894316491e-8,   1.0838659214896954091e-8,
        -5.1834750419700466551e-9, 2.4836745438024783172e-9,   -1.1921401405860912074e-9,
        5.7313672416788620133e-10, -2.7595228851242331452e-10};
    double sum = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 0;) sum = sum * z + coefficients[k];
    return z * (one_minus_euler + z * sum);
}

}  // namespace

double stirling_error(double x) {
    if (x < asymptotic_from) return log_gamma(x) - ((x - 0.5) * std::log(x) - x + half_log_two_pi);
    // sum_k B_2k / (2k (2k-1) x^(2k-1)); the first omitted term is below 1e-17 for x >= 10.
    constexpr std::array<double, 8> coefficients = {1.0 / 12.0,    -1.0 / 360.0,      1.0 / 1260.0,
                                                    -1.0 / 1680.0, 1.0 / 1188.0,      -691.0 / 360360.0,
                                                    1.0 / 156.0,   -3617.0 / 122400.0};
    const double inverse_square = 1.0 / (x * x);
    double sum = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 0;) sum = sum * inverse_square + coefficients[k];
    return sum / x;
}

double log_gamma(double x) {
    if (!(x >= 0.0)) throw Error("log_gamma needs a positive argument, not " + std::to_string(x));
    if (x == 0.0 || std::isinf(x)) return std::numeric_limits<double>::infinity();
    if (x < 0.5) return log_gamma_near_two(x) - std::log1p(x) - std::log(x);
    if (x < 1.5) return log_gamma_near_two(x - 1.0) - std::log1p(x - 1.0);
    if (x < 2.5) return log_gamma_near_two(x - 2.0);
    if (x < asymptotic_from) {
        double product = 1.0;
        while (x >= 2.5) {
            x -= 1.0;
            product *= x;
        }
        return log_gamma_near_two(x - 2.0) + std::log(product);
    }
    return (x - 0.5) * (std::log(x) - 1.0) + (half_log_two_pi - 0.5) + stirling_error(x);
}

double log_rising(double x, double n) {
    if (n == 0.0) return 0.0;
    if (n <= 16.0 && n == std::floor(n) && x < 1e15) {
        double product = x;
        for (double k = 1.0; k < n; k += 1.0) product *= x + k;
        return std::log(product);
    }
    if (x < asymptotic_from) return log_gamma(x + n) - log_gamma(x);
    // Difference of two Stirling formulas: (x - 1/2) log(1 + n/x) + n (log(x + n) - 1) + corrections.
    const double far = x + n;
    return (x - 0.5) * std::log1p(n / x) + n * (std::log(far) - 1.0) +
           (stirling_error(far) - stirling_error(x));
}

}  // namespace dagwright
