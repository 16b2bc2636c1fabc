// Dynamic programming over the subsets of the variables (Silander & Myllymäki 2006).
//
//   R(B) = max over x in B of R(B - x) + best(x, B - x)
//
// with best(x, A) the best candidate set of x within A. The subsets are numbered as bit masks and worked on
// in blocks that share their high bits; for one block the tables of best(x, .) over the low bits are made
// from the sets that fit the high bits, by scattering the scores and taking maxima over subsets. So only R
// itself is held: 8 * 2^n bytes.
#pragma once
#include <memory>

#include "dagwright/exact/masked_families.hpp"

namespace dagwright {

class SubsetProgram {
  public:
    // Stops early when the control says so; nothing else may then be asked.
    SubsetProgram(const MaskedFamilies& families, Control& control);

    Stop stop() const noexcept { return stop_; }
    // The score of the best network over a subset.
    double best(Mask subset) const noexcept { return table_[subset]; }
    PieceSolution solution() const;

    static double bytes(std::size_t variables);

  private:
    class Worker;

    const MaskedFamilies& families_;
    std::size_t n_, low_;
    std::unique_ptr<double[]> table_;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
