// mu(S) for every set S of the variables, from which all local scores follow: where bounds leave most parent
// sets to be scored, 2^n sets are far fewer than the n 2^(n-1) families made of them. Four bytes for each,
// in units that the largest needs: near enough to rule out all but a few.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/base/varset.hpp"

namespace dagwright {

class SetTable {
  public:
    using Mask = std::uint64_t;

    static double bytes(std::size_t variables);

    // Why the table was not completed, if it was not; then it must not be read.
    Stop stop() const noexcept { return stop_; }

    Mask bit_of(Var v) const { return Mask{1} << positions_[v]; }
    VarSet members(Mask set) const;
    // In units, rounded; up to a number for each variable, which every set with it has in addition.
    const std::int32_t* data() const noexcept { return fits_.get(); }
    // Nats.
    double unit() const noexcept { return unit_; }

  protected:
    explicit SetTable(std::size_t variables);
    ~SetTable() = default;
    // The bit of the k-th variable of the order.
    Mask bit(std::size_t k) const { return Mask{1} << (order_.size() - 1 - k); }
    // After the order has changed.
    void place();

    std::vector<Var> order_;                // in which sets grow
    std::vector<std::uint32_t> positions_;  // of the variables' bits: the last that a set gains is the lowest
    double unit_ = 1.0;
    std::unique_ptr<std::int32_t[]> fits_;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
