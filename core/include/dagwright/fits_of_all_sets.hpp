// mu(S) for every set S of the variables, from which all local scores follow: where bounds leave most parent
// sets to be counted, 2^n sets are far fewer than the n 2^(n-1) families made of them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "dagwright/measure.hpp"
#include "dagwright/row_groups.hpp"
#include "dagwright/table.hpp"

namespace dagwright {

class FitsOfAllSets {
  public:
    using Mask = std::uint64_t;

    // Whether the rows can be grouped and the cell functions of all sets kept.
    static bool possible(const Table& table);
    static double bytes(std::size_t variables);

    FitsOfAllSets(CountingMeasure& measure, Control& control);

    // Why the table was not completed, if it was not; then it must not be read.
    Stop stop() const noexcept { return stop_; }

    Mask bit_of(Var v) const { return Mask{1} << positions_[v]; }
    VarSet members(Mask set) const;
    double operator[](Mask set) const { return fits_[set]; }
    const double* data() const noexcept { return fits_.get(); }

  private:
    class Worker;

    void choose_tail();

    CountingMeasure& measure_;
    const Table& table_;
    CellFunctions functions_;
    std::vector<Var> order_;                // in which sets grow: those that split the rows most come first
    std::vector<std::uint32_t> positions_;  // of the variables' bits: the last that a set gains is the lowest
    std::size_t head_ = 0;                  // variables before the tail, which is counted at once
    std::unique_ptr<double[]> fits_;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
