// Upper bounds on what the variables that are still missing can score, from static pattern databases.
//
// Within a group of variables cycles are forbidden, between groups they are allowed; for each group and each
// subset of it that is still missing the best score is tabulated beforehand, and the groups' scores add up
// (Yuan & Malone 2012, 2013). Of several ways to form groups the least bound counts.
#pragma once
#include <vector>

#include "dagwright/exact/masked_families.hpp"

namespace dagwright {

class PatternBounds {
  public:
    // Groups of at most `largest` variables; `partitions` ways to form them.
    PatternBounds(const MaskedFamilies& families, std::size_t largest, std::size_t partitions,
                  Control& control);

    Stop stop() const noexcept { return stop_; }
    // No order of the missing variables, after all others, scores more.
    double operator()(Mask missing) const noexcept {
        double least = 0.0;
        for (std::size_t p = 0; p < partitions_.size(); ++p) {
            double sum = 0.0;
            for (const Group& group : partitions_[p]) sum += group.table[group.index(missing)];
            if (p == 0 || sum < least) least = sum;
        }
        return least;
    }

  private:
    struct Group {
        std::vector<std::size_t> members;
        std::vector<double> table;  // by the subset that is missing
        // For each byte of a mask, the bits of the group's own numbering.
        std::vector<std::uint32_t> bytes;

        std::size_t index(Mask missing) const noexcept {
            std::uint32_t found = 0;
            for (std::size_t b = 0; missing != 0; ++b, missing >>= 8)
                found |= bytes[b * 256 + (missing & 255)];
            return found;
        }
    };

    std::vector<std::vector<std::size_t>> form_groups(const std::vector<double>& weights, std::size_t n,
                                                      std::size_t largest) const;
    Group tabulate(const MaskedFamilies& families, std::vector<std::size_t> members, Control& control) const;

    std::vector<std::vector<Group>> partitions_;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
