// Candidate sets of up to 64 variables as bit masks, and how a problem falls apart into such pieces.
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/exact/candidate_sets.hpp"

namespace dagwright {

using Mask = std::uint64_t;
inline constexpr std::size_t kMaskBits = 64;
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

constexpr Mask bit(std::size_t v) { return Mask{1} << v; }

// Variables that can be in a cycle together, given which parents the sets offer; the components in an order
// in which every parent outside a component comes in an earlier one (Fan, Malone & Yuan 2014). An edge counts
// as both arcs.
std::vector<std::vector<Var>> strong_components(const CandidateSets& sets);

// The sets of some variables, numbered 0, 1, ... in the given order. Members that are not among them count as
// always available, which is right for a strong component.
struct MaskedFamilies {
    struct List {
        std::vector<Mask> masks;
        std::vector<double> scores;        // descending
        std::vector<std::size_t> entries;  // number in the candidate sets
        Mask links = 0;                    // of those that come before, all these must be parents

        bool fits(std::size_t i, Mask before) const {
            return (masks[i] & ~before) == 0 && (links & before & ~masks[i]) == 0;
        }
        // The best set among the available, or masks.size().
        std::size_t first_fitting(Mask before) const {
            std::size_t i = 0;
            while (i < masks.size() && !fits(i, before)) ++i;
            return i;
        }
        double best_in(Mask before) const {
            const std::size_t i = first_fitting(before);
            return i < masks.size() ? scores[i] : kImpossible;
        }
    };

    MaskedFamilies(const CandidateSets& sets, const std::vector<Var>& variables);

    std::size_t size() const { return lists.size(); }
    Mask everything() const { return size() == kMaskBits ? ~Mask{0} : bit(size()) - 1; }

    std::vector<Var> variables;
    std::vector<List> lists;
};

// One entry of the candidate sets for each variable of a piece, and what is proven about it.
struct PieceSolution {
    std::vector<std::size_t> entries;  // empty: no legal network was found
    double score = kImpossible;
    double bound = kImpossible;  // no network scores more
    std::uint64_t steps = 0;
    Stop stop = Stop::none;
    bool full = false;  // ended for want of memory
};

}  // namespace dagwright
