// Every sum is taken in one order, so that a matrix has one factor on every machine.
#include "dagwright/base/cholesky.hpp"

#include <cmath>

namespace dagwright {

void LogDeterminant::multiply(double factor) {
    int shift = 0, more = 0;
    const double part = std::frexp(factor, &shift);
    mantissa = std::frexp(mantissa * part, &more);
    exponent += shift + more;
}

double LogDeterminant::value() const {
    constexpr double log_2 = 0.693147180559945309417;
    return std::log(mantissa) + static_cast<double>(exponent) * log_2;
}

std::size_t Cholesky::factor(double tolerance) {
    determinant_ = {};
    for (std::size_t j = 0; j < size_; ++j) {
        const double* row = &matrix_[j * size_];
        const double variance = row[j];
        double pivot = variance;
        for (std::size_t k = 0; k < j; ++k) pivot -= row[k] * row[k];
        if (!(pivot > tolerance * variance)) return j;
        determinant_.multiply(pivot);
        const double root = std::sqrt(pivot);
        at(j, j) = root;
        for (std::size_t i = j + 1; i < size_; ++i) {
            double* below = &matrix_[i * size_];
            double sum = below[j];
            for (std::size_t k = 0; k < j; ++k) sum -= below[k] * row[k];
            below[j] = sum / root;
        }
    }
    return size_;
}

}  // namespace dagwright
