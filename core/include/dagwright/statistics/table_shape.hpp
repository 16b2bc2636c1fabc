// What is known of coded columns without their rows.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/varset.hpp"

namespace dagwright {

class TableShape {
  public:
    TableShape() = default;
    // `most_cells`: more cells of a set than this cannot occur. `unit`: what one unit of a count is worth.
    TableShape(std::vector<std::uint32_t> cardinalities, std::vector<bool> has_missing, double total,
               double unit, double most_cells)
        : cardinalities_(std::move(cardinalities)),
          has_missing_(std::move(has_missing)),
          total_(total),
          unit_(unit),
          most_cells_(most_cells) {}

    std::size_t variables() const noexcept { return cardinalities_.size(); }
    std::span<const std::uint32_t> cardinalities() const noexcept { return cardinalities_; }
    std::uint32_t cardinality(Var v) const { return cardinalities_[v]; }
    // N: the number of rows, or the sum of the weights.
    double total() const noexcept { return total_; }
    // What one unit of a count is worth: 1, or a power of two below 1 for fractional weights.
    double unit() const noexcept { return unit_; }
    double most_cells() const noexcept { return most_cells_; }
    // The columns of `set` that have missing cells: which rows a query on `set` can use depends on these
    // alone.
    VarSet incomplete(const VarSet& set) const;

  private:
    std::vector<std::uint32_t> cardinalities_;
    std::vector<bool> has_missing_;
    double total_ = 0.0;
    double unit_ = 1.0;
    double most_cells_ = 0.0;
};

}  // namespace dagwright
