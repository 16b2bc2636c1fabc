// The penalty of quotient NML as a function of the number of parent configurations, with lower bounds.
#pragma once
#include "dagwright/base/special.hpp"

namespace dagwright {

// D(r, q) = log C(N, r q) - log C(N, q): what a child of r states costs whose parents have q configurations.
//
// D never falls as q grows. C(N, q) = N!/N^N [z^N] (1 - T(z))^-q with the tree function T (Kontkanen &
// Myllymaki 2007), and (1 - T)^-q = exp(q (T + T^2/2 + T^3/3 + ...)), where all coefficients of T are
// positive. So C(N, q) = sum_k c_k q^k with all c_k >= 0, its logarithm is convex in log q, and
// D(r, q) = g(log q + log r) - g(log q) with a convex g. This holds for whole N only.
class QuotientRegret {
  public:
    // The values are exact up to `largest` cells, as far as NmlRegret allows.
    explicit QuotientRegret(double N, double largest = NmlRegret::exact_cells);

    double operator()(double states, double configurations) const;
    // At most the penalty of every q' >= q, as it is computed.
    double least_from(double states, double configurations) const {
        return (*this)(states, configurations) - margin_;
    }
    // The most by which computed penalties may fall as q grows: beyond its recurrence the regret is known to
    // 1e-5 only. Differences of two penalties are off by no more than twice this.
    double margin() const noexcept { return margin_; }
    const NmlRegret& regret() const noexcept { return regret_; }

  private:
    NmlRegret regret_;
    double margin_;
};

}  // namespace dagwright
