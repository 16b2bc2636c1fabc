// Rows grouped by the configuration of a set of variables, refined by one variable after the other, and the
// counts of a child in all one-variable extensions of the set in a single pass over the rows. For walks
// through the lattice of parent sets, where neighbors share all but their last members.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/statistics/cell_function.hpp"
#include "dagwright/statistics/row_groups.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// The rows of a table side by side: codes, and one byte per state that is 1 where the row has it.
class CodedRows {
  public:
    using Row = RowGroups::Row;

    // Rows that can be grouped, and are not too many states of too many rows.
    static bool fits(const Table& table);
    explicit CodedRows(const Table& table);

    const Table& table() const noexcept { return table_; }
    std::size_t rows() const noexcept { return table_.rows(); }
    const std::uint8_t* codes(Row row) const noexcept { return codes_.data() + row * code_stride_; }
    const std::uint8_t* states(Row row) const noexcept { return states_.data() + row * state_stride_; }
    // Where the states of a variable begin.
    std::uint32_t column(Var v) const noexcept { return columns_[v]; }

  private:
    const Table& table_;
    std::size_t code_stride_, state_stride_;
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint8_t> codes_, states_;
};

// A variable y that a set P of parents may gain, what a cell adds to either sum by its count, and the sums:
// over the configurations of P+y, and over those together with the child x.
struct Extension {
    using Sums = std::array<std::int64_t, kAdaptiveEss.size()>;

    Var variable = 0;
    const std::int64_t* given = nullptr;  // the numbers of all parts of the cell function, count by count
    const std::int64_t* joint = nullptr;
    std::size_t parts = 1;
    Sums given_sum{};
    Sums joint_sum{};
    std::uint64_t given_cells = 0;  // that occur
    std::uint64_t joint_cells = 0;
};

// For one thread. Sums are over integers, so that their order does not matter.
class RowRefinement {
  public:
    explicit RowRefinement(const CodedRows& rows) : rows_(rows), splitter_(rows.table()) {}

    // Groups the rows by the members, in this order; what is shared with the call before is kept.
    void move_to(Var child, std::span<const Var> members);

    // Fills in the sums and cells of the extensions, which ascend by their variable.
    void count(std::span<Extension> extensions);
    // Only the cells, which takes much less time.
    void count_cells(std::span<Extension> extensions);

  private:
    using Row = CodedRows::Row;

    void begin(Var child);
    void begin_counts(std::span<Extension> extensions);
    void count_pairs(std::span<Extension> extensions);
    void count_group(const Row* begin, const Row* end, std::span<Extension> extensions);
    void add_up(const Row* begin, const Row* end, std::uint32_t first,
                std::vector<std::uint32_t>& counts) const;

    const CodedRows& rows_;
    bool started_ = false;
    Var child_ = 0;
    std::vector<Var> members_;
    RowSplitter splitter_;
    std::vector<RowGroups> depths_;  // each group in the order of the child's states
    std::vector<std::uint8_t> agreeing_;
    std::vector<std::uint32_t> part_,
        whole_;  // states counted in a group, for one state of the child and all
};

}  // namespace dagwright
