// Walking over rows: numbering the configurations that occur.
#pragma once
#include <span>
#include <vector>

#include "dagwright/statistics/counts.hpp"

namespace dagwright {

// ids[i] is the number of the configuration of row i, in order of first appearance; example[g] is a row of
// group g.
struct RowNumbering {
    std::size_t groups = 0;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint32_t> example;
};

// A dense table of base_cells * states is worth having for this many rows.
inline bool dense_enough(double base_cells, std::uint32_t states, std::size_t rows) {
    return base_cells * states <= 65536.0 + 4.0 * static_cast<double>(rows);
}

// Numbers the configurations of `variables`; a missing cell is a configuration of its own. Gives up,
// returning false, when there are more than `limit` groups. With `selected` only the given rows are numbered.
bool number_rows(const RowSource& source, std::span<const Var> variables, std::span<const std::uint32_t> rows,
                 std::size_t limit, RowNumbering& out, bool selected = false);

// Numbers the configurations of a set and returns how many there are; the numbers of the rows are the last
// ids in `scratch.numbered`. Variables that the previous set had too come first and need no new pass.
std::size_t number_rows_of(const RowSource& source, const VarSet& set, std::span<const std::uint32_t> rows,
                           const VarSet& observed, CountScratch& scratch);

}  // namespace dagwright
