// The special functions behind scores and tests. Pure functions of their arguments: thread-safe, and free of
// the global state and the platform differences of std::lgamma.
#pragma once
#include <vector>

namespace dagwright {

// log Gamma(x) for x > 0, to a few units in the last place, also near its zeros at 1 and 2.
double log_gamma(double x);

// log Gamma(x + n) - log Gamma(x) for x > 0 and n >= 0, without cancellation for large x or small n.
double log_rising(double x, double n);

// P(chi-squared with df degrees of freedom > x). Zero degrees of freedom test nothing: the answer is then 1,
// as it is in the limit of infinitely many.
double chi2_sf(double x, double df);

// Natural logarithm of chi2_sf; finite where chi2_sf underflows.
double log_chi2_sf(double x, double df);

// The x with chi2_sf(x, df) == p. Zero degrees of freedom give 0, infinitely many infinity.
double chi2_isf(double p, double df);

// log C(N, q): the logarithm of the normalizer of the multinomial NML distribution with q cells and N
// observations, where C(N, q) = sum over counts h of N!/prod h_k! prod (h_k/N)^h_k.
//
// Up to q = exact_cells: C(N, 1) = 1, C(N, 2) = 1 + sum_{k>=1} N(N-1)...(N-k+1)/N^k (Mononen & Myllymaki
// 2008) and C(N, q+2) = C(N, q+1) + (N/q) C(N, q) (Kontkanen & Myllymaki 2007), relative error of the
// logarithm below 1e-13. Beyond: the increment of the uniform expansion of Szpankowski & Weinberger (2012),
// anchored at exact_cells; absolute error below 1e-5 nats for every N. A fractional N takes the analytic
// continuation in N.
class NmlRegret {
  public:
    static constexpr int exact_cells = 100000;

    // Holds the values for one N, exact for q up to min(largest_q, exact_cells).
    explicit NmlRegret(double N, double largest_q = exact_cells);

    double operator()(double q) const;
    // For a q = exp(log_q) that is too large for a number.
    double of_log(double log_q) const;
    double N() const { return N_; }

  private:
    double N_;
    double anchor() const;
    std::vector<double> log_c_;  // log_c_[q] = log C(N, q)
};

// The same for a single (N, q), without a table.
double nml_regret(double N, double q);

}  // namespace dagwright
