// mu(S) for every set S of the variables, from which all local scores follow: where bounds leave most parent
// sets to be counted, 2^n sets are far fewer than the n 2^(n-1) families made of them. Four bytes for each,
// in units that the largest needs: near enough to rule out all but a few.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dagwright/evidence/measure.hpp"
#include "dagwright/statistics/row_groups.hpp"
#include "dagwright/statistics/table.hpp"

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
    std::span<const std::uint32_t> cardinalities() const noexcept { return table_.cardinalities(); }
    // In units, rounded.
    const std::int32_t* data() const noexcept { return fits_.get(); }
    // Nats.
    double unit() const noexcept { return unit_; }

  private:
    class Worker;

    double largest_fit() const;
    void choose_tail();

    CountingMeasure& measure_;
    const Table& table_;
    CellFunctions functions_;
    std::vector<Var> order_;                // in which sets grow: those that split the rows most come first
    std::vector<std::uint32_t> positions_;  // of the variables' bits: the last that a set gains is the lowest
    std::size_t head_ = 0;                  // variables before the tail, which is counted at once
    double unit_ = 0.0;
    std::unique_ptr<std::int32_t[]> fits_;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
