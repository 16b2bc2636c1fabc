#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/special.hpp"
#include "special_stirling.hpp"

namespace dagwright {

namespace {

// C(N, 2) = 1 + Q(N) with Ramanujan's Q(N) = 1 + (N-1)/N + (N-1)(N-2)/N^2 + ...
double two_cell_normalizer(double N) {
    constexpr double asymptotic_from = 100.0;
    if (N < 1.0) return 1.0 + N;  // expected counts: from C(0, 2) = 1 to C(1, 2) = 2 without a jump
    if (N < asymptotic_from) {
        double sum = 1.0;
        double term = 1.0;
        for (double k = 0.0; k < N; k += 1.0) {
            term *= (N - k) / N;
            sum += term;
        }
        return sum;
    }
    // Q(N) = sqrt(pi N/2) e^(stirling error) - theta(N); the series of theta is Ramanujan's
    // (Flajolet, Grabner, Kirschenhofer & Prodinger 1995). For N >= 100 the omitted term is below 1e-19.
    constexpr std::array<double, 8> theta = {1.0 / 3.0,
                                             4.0 / 135.0,
                                             -8.0 / 2835.0,
                                             -16.0 / 8505.0,
                                             8992.0 / 12629925.0,
                                             334144.0 / 492567075.0,
                                             -698752.0 / 1477701225.0,
                                             -23349012224.0 / 39565450299375.0};
    double sum = 0.0;
    for (std::size_t k = theta.size(); k-- > 0;) sum = sum / N + theta[k];
    constexpr double half_pi = 1.570796326794896619231;
    return 1.0 + std::sqrt(half_pi * N) * std::exp(stirling_error(N)) - sum;
}

// Szpankowski & Weinberger 2012, Eq. 14, with alpha = q/N:
// N (log alpha + (alpha + 2) log c - 1/c) - log(c + 2/alpha)/2,  c = 1/2 + sqrt(1 + 4/alpha)/2.
double uniform_expansion(double N, double q) {
    const double alpha = q / N;
    const double t = 4.0 / alpha;
    const double below = 0.5 * t / (1.0 + std::sqrt(1.0 + t));  // c - 1 without cancellation
    const double c = 1.0 + below;
    return N * (std::log(alpha) + (alpha + 2.0) * std::log1p(below) - 1.0 / c) -
           0.5 * std::log(c + 2.0 / alpha);
}

void check_N(double N) {
    if (!(N >= 0.0) || std::isinf(N)) {
        throw Error("the NML regret needs a finite number of rows, not " + std::to_string(N));
    }
}

// Calls visit(q, log C(N, q)) for q = 1, 2, ..., last. The ratio C(N, q+1)/C(N, q) obeys ratio' = 1 +
// (N/q)/ratio, so nothing overflows.
template <class Visit>
void walk(double N, int last, Visit visit) {
    double log_c = 0.0;
    double carried = 0.0;  // Kahan's compensation
    visit(1, log_c);
    double ratio = two_cell_normalizer(N);
    for (int q = 2; q <= last; ++q) {
        const double increment = std::log(ratio) - carried;
        const double next = log_c + increment;
        carried = (next - log_c) - increment;
        log_c = next;
        visit(q, log_c);
        ratio = 1.0 + N / (static_cast<double>(q) - 1.0) / ratio;
    }
}

}  // namespace

NmlRegret::NmlRegret(double N, double largest_q) : N_(N) {
    check_N(N);
    const int last = static_cast<int>(std::clamp(largest_q, 1.0, static_cast<double>(exact_cells)));
    log_c_.resize(static_cast<std::size_t>(last) + 1);
    if (N > 0.0) walk(N, last, [this](int q, double value) { log_c_[static_cast<std::size_t>(q)] = value; });
}

double NmlRegret::operator()(double q) const {
    if (N_ == 0.0 || q <= 1.0) return 0.0;
    if (q < static_cast<double>(log_c_.size())) return log_c_[static_cast<std::size_t>(q)];
    if (q <= exact_cells) return nml_regret(N_, q);
    return anchor() + (uniform_expansion(N_, q) - uniform_expansion(N_, exact_cells));
}

double NmlRegret::of_log(double log_q) const {
    // The uniform expansion becomes N log(q/N).
    if (N_ == 0.0) return 0.0;
    return anchor() + (N_ * (log_q - std::log(N_)) - uniform_expansion(N_, exact_cells));
}

double NmlRegret::anchor() const {
    return static_cast<int>(log_c_.size()) > exact_cells ? log_c_.back() : nml_regret(N_, exact_cells);
}

double nml_regret(double N, double q) {
    check_N(N);
    if (N == 0.0 || q <= 1.0) return 0.0;
    const int last = static_cast<int>(std::min(q, static_cast<double>(NmlRegret::exact_cells)));
    double log_c = 0.0;
    walk(N, last, [&log_c](int, double value) { log_c = value; });
    if (q <= NmlRegret::exact_cells) return log_c;
    return log_c + (uniform_expansion(N, q) - uniform_expansion(N, NmlRegret::exact_cells));
}

}  // namespace dagwright
