// The table of all sets for fits that follow from the determinants of one matrix.
#pragma once
#include <vector>

#include "dagwright/evidence/set_table.hpp"

namespace dagwright {

// For the correlations R of the columns of all variables and a set S of l variables with determinants |R_v|
// of their own, up to a number for each member,
//
//   fit(S) = constant[l] + weight[l] (sum of own over S) + factor[l] (log|R_S| - sum of log|R_v| over S)
struct DeterminantFits {
    std::vector<double> correlations;              // square
    std::vector<std::size_t> starts;               // of the columns of each variable, and their number
    std::vector<double> constant, weight, factor;  // by l, from 0 to n
    std::vector<double> own;                       // by variable
    double least_share = 1.0;  // what all other columns leave of the variance of one, at least
};

// A set with one variable more has the pivots of the Schur complement of that variable: sets grow depth first
// by variables that come later, and what is left of the matrix shrinks as their number grows. So a set takes
// a few operations on average, whatever its size.
class DeterminantTable final : public SetTable {
  public:
    // With less than this share the sums of pivots have too few digits for the table.
    static constexpr double kLeastShare = 1e-8;

    DeterminantTable(DeterminantFits fits, Control& control);

  private:
    class Worker;

    // The largest distance of a fit from 0, or its rounding where that is more, in units of the table.
    double smallest_unit() const;

    DeterminantFits of_;
    std::vector<double> own_logs_;  // log|R_v|
};

}  // namespace dagwright
