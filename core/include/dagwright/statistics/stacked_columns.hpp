// Many columns side by side, one bit for each state but the last: a line of 512 bits of a row holds some
// hundred columns. Adding the lines of the rows of a configuration counts all these columns at once, at a
// cost that hardly depends on the number of configurations. For sets that are extended by each of hundreds of
// variables.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dagwright/base/bit_kernels.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// The rows of each configuration of some columns, filled up to multiples of eight with a row that is empty.
struct RowsByConfiguration {
    std::vector<std::uint32_t> rows;    // of all configurations, one after the other
    std::vector<std::uint32_t> starts;  // of each, and the end
    std::vector<std::uint32_t> sizes;   // without the rows that fill up

    // The first of the columns changes slowest.
    void sort(const Table& table, std::span<const Var> columns, std::vector<std::uint32_t>& keys);
};

class StackedColumns {
  public:
    // Columns with more states are left out: the lines never need more than half of the memory of the codes.
    static constexpr std::uint32_t kMostStates = 5;
    static constexpr std::size_t kMostRows = std::size_t{1} << 24;

    StackedColumns(const Table& table, const BitKernels& kernels);

    bool holds(Var v) const { return place_[v] != kNowhere; }
    std::size_t block(Var v) const { return place_[v] / kLineBits; }
    std::size_t blocks() const noexcept { return blocks_; }

    // counts[c * kLineBits + position(v) + s]: the rows of configuration c where column v of the block has
    // state s. For all states but the last.
    void count(std::size_t block, const RowsByConfiguration& by, std::vector<std::uint32_t>& counts) const;
    std::size_t position(Var v) const { return place_[v] % kLineBits; }

  private:
    static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

    BitKernels kernels_;
    std::size_t rows_, blocks_ = 0;
    std::vector<std::size_t> place_;    // of the first bit of each column
    std::vector<std::uint64_t> lines_;  // of each block: those of all rows, and one that is empty
};

}  // namespace dagwright
