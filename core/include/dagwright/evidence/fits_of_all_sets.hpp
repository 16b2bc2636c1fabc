// The table of all sets for measures that count cells.
#pragma once
#include "dagwright/evidence/measure.hpp"
#include "dagwright/evidence/set_table.hpp"
#include "dagwright/statistics/row_groups.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// Sets grow by the variables that split the rows most first.
class FitsOfAllSets final : public SetTable {
  public:
    // Whether the rows can be grouped and the cell functions of all sets kept.
    static bool possible(const Table& table);

    FitsOfAllSets(CountingMeasure& measure, Control& control);

  private:
    class Worker;

    double largest_fit() const;
    void choose_tail();

    CountingMeasure& measure_;
    const Table& table_;
    CellFunctions functions_;
    std::size_t head_ = 0;  // variables before the tail, which is counted at once
};

}  // namespace dagwright
