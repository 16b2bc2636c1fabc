// Independence questions as interactions of a measure, in batches.
#pragma once
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/measure.hpp"
#include "dagwright/independence/independence_test.hpp"

namespace dagwright {

// mu(x ; y | z) = (mu(z+x+y) + mu(z)) - (mu(z+x) + mu(z+y)) of each question, all sets in one batch.
std::vector<SetFit> interactions(Measure& measure, std::span<const Question> questions,
                                 const VarSet& observed, Control& control);

// The same on all rows, for a caller that asks again and again. Nearly all questions of a search are given
// nothing or one variable; with the evidence of single variables and pairs at hand, only the joint set of
// such a question is new.
class SmallInteractions {
  public:
    explicit SmallInteractions(Measure& measure) : measure_(measure) {}
    std::vector<SetFit> interactions(std::span<const Question> questions, Control& control);

  private:
    static constexpr std::size_t kMostVariables = 2896;  // 64 MiB of pairs

    bool is_small(std::span<const Question> questions) const;
    SetFit& single(std::size_t v) { return single_[v]; }
    SetFit& pair(std::size_t a, std::size_t b);

    Measure& measure_;
    SetFit empty_;
    std::vector<SetFit> single_, pair_;  // fit NaN: unknown
};

}  // namespace dagwright
