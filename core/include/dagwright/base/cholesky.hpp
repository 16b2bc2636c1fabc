// Determinants of covariance matrices.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace dagwright {

// A column is taken as a linear function of those before it where they leave less than this share of its
// variance: about 1 - r^2.
inline constexpr double kCollinear = 1e-10;

// log|A| as log(mantissa) + exponent log 2.
struct LogDeterminant {
    double mantissa = 1.0;
    std::int64_t exponent = 0;

    void multiply(double factor);
    double value() const;
};

class Cholesky {
  public:
    // A symmetric matrix of this size; only its lower triangle is read. Values from an earlier matrix are
    // left in place.
    void resize(std::size_t size) {
        size_ = size;
        if (matrix_.size() < size * size) matrix_.resize(size * size);
    }
    std::size_t size() const noexcept { return size_; }
    double& at(std::size_t row, std::size_t column) { return matrix_[row * size_ + column]; }
    double at(std::size_t row, std::size_t column) const { return matrix_[row * size_ + column]; }

    // A = L L' in place, column after column. Returns the first column that the columns before it determine
    // up to the tolerance (see kCollinear), or the size where there is none; then the diagonal holds the
    // pivots' roots.
    std::size_t factor(double tolerance = kCollinear);
    // Of a matrix that is factored.
    LogDeterminant log_determinant() const { return determinant_; }

  private:
    std::size_t size_ = 0;
    std::vector<double> matrix_;
    LogDeterminant determinant_;
};

}  // namespace dagwright
