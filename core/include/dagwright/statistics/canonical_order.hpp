// A numbering of the columns that follows from the data alone, so that no search sees the order they came in.
#pragma once
#include <vector>

#include "dagwright/statistics/cell_sums.hpp"

namespace dagwright {

struct CanonicalOrder {
    std::vector<Var> order;  // order[i]: the column that becomes number i
    std::vector<std::vector<Var>>
        tied;              // columns the data cannot tell apart; in `order` they keep name order
    bool complete = true;  // false: stopped, and columns are told apart by what each is alone
};

// The order and the ties that colors mean: equal colors for columns that the data cannot tell apart.
void order_by_colors(const std::vector<std::size_t>& colors, const std::vector<std::size_t>& name_rank,
                     CanonicalOrder& result);

// Columns are told apart by, in turn: the fit of the column alone and its cardinality; the fits of the pairs
// it forms; which rows each of its states falls on. What is still tied is put in the order of `name_rank`.
CanonicalOrder canonical_order(CellSums& sums, const std::vector<std::size_t>& name_rank, Control& control);

}  // namespace dagwright
