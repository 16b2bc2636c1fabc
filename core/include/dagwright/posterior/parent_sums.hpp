// The sums a(x, U) of the weights of the families of x with parents in U, for all sets U.
//
// Of the members of U that must be joined with x, all are parents. Sums over families under a condition on
// two variables follow from a few of these by inclusion and exclusion.
#pragma once
#include <vector>

#include "dagwright/base/scaled.hpp"
#include "dagwright/base/watch.hpp"
#include "dagwright/posterior/family_weights.hpp"

namespace dagwright {

using SetMask = FamilyWeights::Mask;

// A set of variables without `x` as a mask of the others, and back.
inline SetMask squeeze(SetMask set, Var x) {
    const SetMask low = (SetMask{1} << x) - 1;
    return (set & low) | ((set >> 1) & ~low);
}
inline SetMask spread(SetMask others, Var x) {
    const SetMask low = (SetMask{1} << x) - 1;
    return (others & low) | ((others & ~low) << 1);
}

// Two variables that are not joined and, if `childless`, have no common child: then neither is in the Markov
// blanket of the other.
struct Apart {
    Var a, b;
    bool childless;

    SetMask both() const { return (SetMask{1} << a) | (SetMask{1} << b); }
};

class ParentSums {
  public:
    ParentSums(const FamilyWeights& weights, Watch& watch);

    std::size_t variables() const noexcept { return n_; }
    std::size_t sets() const noexcept { return std::size_t{1} << n_; }
    bool has_links() const noexcept { return weights_.has_links(); }
    // The variables that must be joined with x.
    SetMask links(Var x) const noexcept { return spread(within_[x], x); }

    const Scaled& sum(Var x, SetMask set) const { return sum_[x][squeeze(set, x)]; }
    // Over the families without a parent in `out`.
    Scaled without(Var x, SetMask set, SetMask out) const {
        return (links(x) & set & out) != 0 ? Scaled() : sum(x, set & ~out);
    }
    // Over the families with both members of the pair as parents.
    Scaled with_both(Var x, SetMask set, const Apart& pair) const;
    // Over the families that keep the pair apart.
    Scaled keeping(Var x, SetMask set, const Apart& pair) const;

    // The weights of all networks with an arc into x, by its start and as a share of `total`. The derivatives
    // of the total by a(x, U), by mask of the others, are used up.
    std::vector<double> arcs_into(Var x, std::vector<Scaled>& derivatives, const Scaled& total) const;

  private:
    void collect(Var x);
    SetMask wide(Var x, SetMask mask) const;

    const FamilyWeights& weights_;
    std::size_t n_;
    std::vector<std::vector<Scaled>> sum_;  // by the mask of the others
    std::vector<SetMask> within_;           // the others that must be joined with x
};

}  // namespace dagwright
