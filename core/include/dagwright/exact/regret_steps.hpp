// The least that one more parent adds to the penalty of quotient NML, for the walk through the lattice.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "dagwright/base/quotient_regret.hpp"

namespace dagwright {

// Intervals of numbers of configurations, narrow in proportion: 32 between q and 2 q, up to 2^40.
struct RegretIntervals {
    static constexpr std::size_t kBits = 5;
    static constexpr std::size_t kMany = 40 << kBits;

    static std::size_t of(double q) {
        if (!(q >= 1.0)) return 0;
        constexpr std::uint64_t one = std::uint64_t{1023} << kBits;
        return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(q) >> (52 - kBits)) - one);
    }
    // The least and the largest whole number; empty where the second is below the first.
    static double first(std::size_t i) { return std::ceil(begin(i)); }
    static double last(std::size_t i) { return std::ceil(begin(i + 1)) - 1.0; }

  private:
    static double begin(std::size_t i) {
        const auto fraction = static_cast<double>(i & ((std::size_t{1} << kBits) - 1));
        return std::ldexp(1.0 + std::ldexp(fraction, -static_cast<int>(kBits)), static_cast<int>(i >> kBits));
    }
};

// The penalties of a child of r states at the beginnings of the intervals, up to `most` configurations.
class RegretLevels {
  public:
    RegretLevels() = default;
    RegretLevels(const QuotientRegret& regret, double states, double most) {
        for (std::size_t i = 0; i < RegretIntervals::kMany && RegretIntervals::first(i) <= most; ++i)
            least_.push_back(regret.least_from(states, RegretIntervals::first(i)));
    }
    std::size_t size() const { return least_.size(); }
    // The interval from which on the penalty is at least this, or the one behind the last.
    std::size_t reaching(double penalty) const {
        return static_cast<std::size_t>(
            std::lower_bound(least_.begin(), least_.end(), penalty,
                             [](double one, double wanted) { return one < wanted; }) -
            least_.begin());
    }

  private:
    std::vector<double> least_;  // never falls, as the penalty does not
};

// For a child of r states and a parent of s states, a lower bound on D(r, q') - D(r, q'/s) over the whole q'
// of a range. The difference rises with q' and then falls, as D is bounded by N log r, so it has to be
// looked up. D never falls, so on a <= q' <= b the difference is at least D(r, a) - D(r, b/s): that is taken
// for each interval, and is exact where the interval holds one number.
class RegretSteps {
  public:
    RegretSteps() = default;
    RegretSteps(const QuotientRegret& regret, double states, double parent_states, std::size_t intervals) {
        if (parent_states <= 1.0) return;  // a constant parent changes nothing
        margin_ = 2.0 * regret.margin();
        for (std::size_t i = 0; i < intervals; ++i) {
            const double low = RegretIntervals::first(i), high = RegretIntervals::last(i);
            const double shared = std::max(1.0, std::floor(high / parent_states));
            least_.push_back(high < low ? kMost : regret(states, low) - regret(states, shared) - margin_);
        }
        // Before the highest of them the least up to it, behind it the least since.
        for (std::size_t i = 0; i < least_.size(); ++i)
            if (least_[i] < kMost && (least_[peak_] == kMost || least_[i] >= least_[peak_])) peak_ = i;
        for (std::size_t i = peak_; i-- > 0;) least_[i] = std::min(least_[i], least_[i + 1]);
        for (std::size_t i = peak_ + 1; i < least_.size(); ++i)
            least_[i] = std::min(least_[i], least_[i - 1]);
    }

    // For q' from q on up to the interval before `end`; infinite where there are none. Larger numbers than
    // the intervals hold count if `end` is behind the last.
    double from(double q, std::size_t end) const {
        const std::size_t i = RegretIntervals::of(q);
        if (end >= RegretIntervals::kMany || least_.empty()) return -margin_;
        if (i >= end) return kMost;
        const double before = i <= peak_ ? least_[i] : kMost;
        return end - 1 > peak_ ? std::min(before, least_[end - 1]) : before;
    }

  private:
    static constexpr double kMost = std::numeric_limits<double>::infinity();

    double margin_ = 0.0;
    std::size_t peak_ = 0;
    std::vector<double> least_;
};

}  // namespace dagwright
