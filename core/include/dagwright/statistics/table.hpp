// Coded columns as the core sees them: borrowed code arrays, cardinalities, optional frequency weights.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/varset.hpp"
#include "dagwright/statistics/spread.hpp"

namespace dagwright {

// One column. Exactly one of the two pointers is set: `narrow` for up to 255 states (missing cell = 255),
// `wide` for up to 65,535 (missing cell = 65535).
struct Column {
    const std::uint8_t* narrow = nullptr;
    const std::uint16_t* wide = nullptr;
    std::uint32_t cardinality = 0;
    bool has_missing = false;

    static constexpr std::uint32_t kMissingNarrow = 255;
    static constexpr std::uint32_t kMissingWide = 65535;

    std::uint32_t operator[](std::size_t row) const { return narrow ? narrow[row] : wide[row]; }
    bool missing(std::size_t row) const {
        return narrow ? narrow[row] == kMissingNarrow : wide[row] == kMissingWide;
    }
};

// The arrays behind the columns must outlive the Table; it is immutable and may be shared between threads.
class Table {
  public:
    // Weights are frequencies; empty means 1 for each row. Whole weights are counted exactly; fractional ones
    // are held in fixed point, so that a cell's total never depends on the order of the rows.
    Table(std::size_t rows, std::vector<Column> columns, std::span<const double> weights);

    // The same rows with their missing cells spread over their states; every count is then an expected one.
    // `rows` must outlive the new table.
    Table(const Table& rows, std::shared_ptr<const Spread> spread);

    std::size_t rows() const noexcept { return rows_; }
    std::size_t variables() const noexcept { return columns_.size(); }
    const Column& column(Var v) const { return columns_[v]; }
    std::span<const std::uint32_t> cardinalities() const noexcept { return cardinalities_; }

    bool weighted() const noexcept { return !weights_.empty(); }
    std::span<const std::uint64_t> weights() const noexcept { return weights_; }
    // What one unit of a count is worth: 1, or a power of two below 1 for fractional weights.
    double unit() const noexcept { return unit_; }
    // N: the number of rows, or the sum of the weights.
    double total() const noexcept { return total_; }
    // How the missing cells are spread over states; null where they are just missing.
    const Spread* spread() const noexcept { return spread_.get(); }
    // More cells of a set than this cannot occur.
    double most_cells() const noexcept;

    // The columns of `set` that have missing cells: which rows a query on `set` can use depends on these
    // alone.
    VarSet incomplete(const VarSet& set) const;

  private:
    void set_weights(std::span<const double> weights, bool whole);

    std::size_t rows_;
    std::vector<Column> columns_;
    std::vector<std::uint32_t> cardinalities_;
    std::vector<std::uint64_t> weights_;
    double unit_ = 1.0;
    double total_ = 0.0;
    std::shared_ptr<const Spread> spread_;
};

}  // namespace dagwright
