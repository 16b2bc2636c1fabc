// Coded columns as the core sees them: borrowed code arrays, cardinalities, optional frequency weights.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/varset.hpp"
#include "dagwright/statistics/spread.hpp"
#include "dagwright/statistics/table_shape.hpp"

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
    // are held in fixed point, so that a cell's total never depends on the order of the rows. `unit` is what
    // one unit of a count is worth, for blocks of a larger table; 0 chooses it by the weights.
    Table(std::size_t rows, std::vector<Column> columns, std::span<const double> weights, double unit = 0.0);

    // The unit for weights with this sum: 1 if all are whole.
    static double unit_for(double sum, bool whole);

    // The same rows with their missing cells spread over their states; every count is then an expected one.
    // `rows` must outlive the new table.
    Table(const Table& rows, std::shared_ptr<const Spread> spread);

    // The rows from `begin` to before `end` of a table without shares. `weights`, if any, takes the place of
    // the weights of these rows, in whole numbers. The arrays of `whole` must outlive the new table.
    Table(const Table& whole, std::size_t begin, std::size_t end,
          std::optional<std::vector<std::uint64_t>> weights = {});

    std::size_t rows() const noexcept { return rows_; }
    const TableShape& shape() const noexcept { return shape_; }
    std::size_t variables() const noexcept { return columns_.size(); }
    const Column& column(Var v) const { return columns_[v]; }
    std::span<const std::uint32_t> cardinalities() const noexcept { return shape_.cardinalities(); }

    bool weighted() const noexcept { return !weights_.empty(); }
    std::span<const std::uint64_t> weights() const noexcept { return weights_; }
    double unit() const noexcept { return shape_.unit(); }
    double total() const noexcept { return shape_.total(); }
    // How the missing cells are spread over states; null where they are just missing.
    const Spread* spread() const noexcept { return spread_.get(); }
    double most_cells() const noexcept { return shape_.most_cells(); }
    VarSet incomplete(const VarSet& set) const { return shape_.incomplete(set); }

  private:
    // The total of the weights, which are put on the grid of the unit; 0 chooses the unit by their sum.
    double set_weights(std::span<const double> weights, bool whole, double& unit);
    void set_shape(double total, double unit);

    std::size_t rows_;
    std::vector<Column> columns_;
    std::shared_ptr<const std::vector<std::uint64_t>> held_weights_;  // shared with the blocks of the table
    std::span<const std::uint64_t> weights_;
    std::shared_ptr<const Spread> spread_;
    TableShape shape_;
};

}  // namespace dagwright
