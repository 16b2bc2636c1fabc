// The incomplete beta function and the F distribution.
#pragma once

namespace dagwright {

// Logarithm of the regularized incomplete beta function I_x(a, b), from log x.
double log_incomplete_beta(double a, double b, double log_x);

// Natural logarithm of P(F with df1 and df2 degrees of freedom > f).
double log_f_sf(double f, double df1, double df2);

}  // namespace dagwright
