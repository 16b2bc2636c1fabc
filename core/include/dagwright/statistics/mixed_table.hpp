// Rows with numbers and codes: what moments are taken of.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dagwright/base/varset.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// A variable is either discrete, with codes, or continuous, with one column of numbers or several: the basis
// functions of one number. NaN stands for a missing number.
struct MixedVariable {
    std::vector<const double*> numbers;
    Column codes;

    bool continuous() const noexcept { return !numbers.empty(); }
};

// The arrays behind the variables must outlive the table; it is immutable and may be shared between threads.
class MixedTable {
  public:
    // Weights and their unit as in Table. Infinite numbers are refused.
    MixedTable(std::size_t rows, std::vector<MixedVariable> variables, std::span<const double> weights,
               double unit = 0.0);

    std::size_t rows() const noexcept { return coded_.rows(); }
    std::size_t variables() const noexcept { return variables_.size(); }
    const MixedVariable& variable(Var v) const { return variables_[v]; }
    bool continuous(Var v) const { return variables_[v].continuous(); }

    std::span<const std::uint64_t> weights() const noexcept { return coded_.weights(); }
    double unit() const noexcept { return coded_.unit(); }
    double total() const noexcept { return coded_.total(); }

    bool complete() const noexcept { return complete_; }
    // The members of a set that have missing values.
    VarSet incomplete(const VarSet& set) const;
    // The rows on which every member of the set is known.
    std::vector<std::uint32_t> known_rows(const VarSet& observed) const;
    // N over these rows.
    double total_of(std::span<const std::uint32_t> rows) const;

  private:
    std::vector<MixedVariable> variables_;
    Table coded_;  // the discrete variables, in their order, and the weights
    std::vector<bool> has_missing_;
    bool complete_ = true;
};

}  // namespace dagwright
