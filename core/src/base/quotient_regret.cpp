#include "dagwright/base/quotient_regret.hpp"

#include <algorithm>
#include <cmath>

namespace dagwright {

namespace {

constexpr double kRegretError = 1e-5;  // of each regret, see NmlRegret
constexpr double kRounding = 5e-12;    // of two penalties of at most N log(q), by row

}  // namespace

// Two penalties of two regrets each.
QuotientRegret::QuotientRegret(double N, double largest)
    : regret_(N, largest), margin_(4.0 * kRegretError + kRounding * N) {}

double QuotientRegret::operator()(double states, double configurations) const {
    // With cells without number every row has its own.
    if (std::isinf(states * configurations)) return regret_.N() * std::log(std::max(states, 1.0));
    return regret_(states * configurations) - regret_(configurations);
}

}  // namespace dagwright
