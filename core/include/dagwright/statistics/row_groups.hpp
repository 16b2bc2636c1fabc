// Rows grouped by the configuration of a set of variables, and how the groups split by one variable more.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/statistics/cell_function.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// Groups of three rows and more, one behind the other; groups of two; how many rows are on their own: those
// never meet another again.
struct RowGroups {
    using Row = std::uint16_t;

    std::vector<Row> rows, pairs;
    std::vector<std::uint32_t> ends;  // of the groups in `rows`
    std::size_t singles = 0;

    // All rows in one group, in this order.
    static RowGroups of(std::vector<Row> all);
    // Complete rows of weight one, few enough to be numbered by a Row, with narrow columns.
    static bool fit(const Table& table);

    // The sum of a cell function over the groups.
    std::int64_t sum(const CellFunction& of) const;
};

// For one thread.
class RowSplitter {
  public:
    explicit RowSplitter(const Table& table) : table_(table) {}

    // The groups of one variable more; within a group rows keep their order.
    void split(const RowGroups& from, Var by, RowGroups& to);

  private:
    using Row = RowGroups::Row;

    void sort(const Row* begin, const Row* end, const std::uint8_t* codes, std::size_t states,
              std::uint32_t* counts);

    const Table& table_;
    std::vector<Row> sorted_;
};

}  // namespace dagwright
