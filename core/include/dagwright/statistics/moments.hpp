// Means and covariances as exact sums: the order of rows, columns, blocks and threads changes no bit.
#pragma once
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "dagwright/base/wide_int.hpp"
#include "dagwright/base/workers.hpp"
#include "dagwright/statistics/mixed_table.hpp"

namespace dagwright {

// Each column is counted from its midrange in steps of a power of two, so that its values become whole
// numbers of at most 2^47. A value far from the others makes the steps of its column wide.
struct Grid {
    double least = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();

    void include(const double* numbers, std::size_t rows);
    void include(const Grid& other);
    double center() const;
    // One step is 2^-exponent.
    int exponent() const;
};

// A column of a moment matrix: numbers on a grid, or the indicator of a state.
struct MomentColumn {
    Var variable = 0;
    const double* numbers = nullptr;
    double center = 0.0;
    int exponent = 0;
    Column codes;
    std::uint32_t state = 0;

    bool indicator() const noexcept { return codes.cardinality > 0; }
};

// The columns of the variables of a table, in order: their numbers, or all states of a discrete variable.
// `grids` has one grid for each column of numbers, also in order; without it they are taken from the table.
std::vector<MomentColumn> moment_columns(const MixedTable& table, std::span<const Grid> grids = {});
std::vector<Grid> grids_of(const MixedTable& table);

// N, means and covariances with divisor N.
class MomentMatrix {
  public:
    MomentMatrix() = default;
    // Given covariances: their lower triangle, row after row.
    MomentMatrix(double N, std::vector<double> means, std::vector<double> packed);

    std::size_t columns() const noexcept { return exponents_.size(); }
    double N() const noexcept { return N_; }
    double mean(std::size_t i) const { return means_[i]; }
    // In steps of the grids of i and k; the covariance itself is this times 2^-(exponent(i) + exponent(k)).
    double steps(std::size_t i, std::size_t k) const {
        return i >= k ? packed_[i * (i + 1) / 2 + k] : packed_[k * (k + 1) / 2 + i];
    }
    int exponent(std::size_t i) const { return exponents_[i]; }
    double covariance(std::size_t i, std::size_t k) const;
    // How many bits of its grid the standard deviation of a column has: few where an outlier widened the
    // steps. Empty for a constant column.
    std::optional<int> resolution(std::size_t i) const;
    // Those of some of the columns, in this order.
    MomentMatrix selected(std::span<const std::size_t> columns) const;

  private:
    friend class MomentSums;

    double N_ = 0.0;
    std::vector<double> means_, packed_;
    std::vector<int> exponents_;
};

// Sums of the values of columns and of their products; sums over blocks of rows are added.
class MomentSums {
  public:
    explicit MomentSums(std::size_t columns);

    // Adds these rows (all without a list), of columns that are on the same grids in every call. Missing
    // values must not occur in them.
    void add(const MixedTable& table, std::span<const MomentColumn> columns, Workers& workers,
             std::optional<std::span<const std::uint32_t>> rows = {});
    void add(const MomentSums& other);

    MomentMatrix matrix(std::span<const MomentColumn> columns) const;

    // The unit of weight and the sums as words, for transport; std::invalid_argument for another size.
    double unit() const noexcept { return unit_; }
    std::vector<std::uint64_t> words() const;
    void set_words(double unit, std::span<const std::uint64_t> words);

  private:
    WideInt& sum(std::size_t i, std::size_t k) { return sums_[i * (i + 1) / 2 + k]; }
    const WideInt& sum(std::size_t i, std::size_t k) const { return sums_[i * (i + 1) / 2 + k]; }

    std::size_t columns_;
    double unit_ = 0.0;          // what a unit of weight is worth; 0 before the first rows
    std::vector<WideInt> sums_;  // triangle over the columns and, last, a column of ones
};

}  // namespace dagwright
