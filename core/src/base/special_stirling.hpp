// The remainder of Stirling's formula, shared by the gamma function, the chi-squared tail and the NML regret.
#pragma once

namespace dagwright {

// log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2] for x > 0.
double stirling_error(double x);

}  // namespace dagwright
