// What follows from the sets that separated pairs: colliders, and removals that rest on each other.
#pragma once
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/varset.hpp"

namespace dagwright {

using VarPair = std::pair<Var, Var>;          // first < second
using UnshieldedTriple = std::array<Var, 3>;  // (a, c, b): a - c - b, a and b not adjacent, a < b

class SeparatedPairs {
  public:
    // `linked` is symmetric; pairs[i] was separated by given[i].
    SeparatedPairs(BitMatrix linked, std::vector<VarPair> pairs, std::vector<VarSet> given);

    const BitMatrix& linked() const { return linked_; }
    // The set that separated a and b; throws Error if nothing was found to.
    const VarSet& given(Var a, Var b) const;

    // Rule 1 (Jensen & Nielsen 2007, section 7.1.2): c is a collider unless the set that separated a and b
    // has it. `open` gets the triples whose ends nothing was found to separate. By c, then by a, then by b.
    std::vector<UnshieldedTriple> colliders(std::vector<UnshieldedTriple>& open) const;

    // Sets of removed edges each of which was removed on the strength of others in the set.
    //
    // That s separates x and y is believed because information passes through s, so it relies on x - s and
    // y - s. Reliance that goes round in a circle is doubtful when what is left has no path from x to y
    // through some s (Jensen & Nielsen 2007, section 7.1.4, Fig. 7.9).
    std::vector<std::vector<VarPair>> uncertain_regions() const;

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t find(Var a, Var b) const;
    std::vector<std::vector<std::size_t>> circles() const;

    BitMatrix linked_;
    std::vector<VarPair> pairs_;
    std::vector<VarSet> given_;
    std::unordered_map<std::size_t, std::size_t> place_;
};

}  // namespace dagwright
