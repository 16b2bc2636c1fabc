// The parent sets of one variable that beat their subsets, from a table of mu(S) for every set S.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "dagwright/evidence/score.hpp"
#include "dagwright/evidence/set_table.hpp"

namespace dagwright {

struct ParentSpace {
    Var child = 0;
    std::vector<Var> required;
    std::vector<Var> added;          // variables that a set may gain
    std::size_t most = 0;            // that it may gain at once
    double price = 0.0;              // penalty for a unit of the size of the parents:
    std::span<const double> sizes;   // by variable, the product of these,
    bool sizes_add = false;          // or their sum
    std::span<const double> counts;  // added by the number of variables that it has gained
};

// For one variable after the other; the memory is used again.
class CandidatesOfAllSets {
  public:
    CandidatesOfAllSets(const SetTable& fits, LocalScore& score) : fits_(fits), score_(score) {}

    struct Kept {
        std::vector<VarSet> sets;  // with what is required
        std::vector<double> scores;
        Stop stop = Stop::none;  // if not none, incomplete
        bool full = false;       // so are more than there may be
    };

    // All sets that score more than `least_gain` above their best proper subset, unless they are more than
    // `most`; the set that gains nothing is always among them.
    Kept find(const ParentSpace& space, double least_gain, std::size_t most, Control& control);

    static double bytes(std::size_t variables);

  private:
    using Mask = SetTable::Mask;

    class Scores;
    struct Gains;
    struct Near;

    Stop find_best(const Scores& scores, Control& control);
    std::vector<Near> choose(const Scores& scores, const Gains& gains, std::size_t most, Control& control,
                             bool& full) const;
    void settle(const ParentSpace& space, std::span<const Near> near, double least_gain, Control& control,
                Kept& kept);

    const SetTable& fits_;
    LocalScore& score_;
    std::size_t room_ = 0;
    std::unique_ptr<std::int32_t[]> best_;  // the highest score among a set and its subsets, in units
};

}  // namespace dagwright
