// Sums of the weights of families over sets of parent sets, looked up in constant time, and draws from them.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/base/random.hpp"
#include "dagwright/posterior/family_weights.hpp"

namespace dagwright {

class FamilySums {
  public:
    using Mask = FamilyWeights::Mask;
    static constexpr double kImpossible = FamilyWeights::kImpossible;

    FamilySums(std::shared_ptr<const FamilyWeights> weights, Control& control);

    const FamilyWeights& weights() const noexcept { return *weights_; }
    std::size_t variables() const noexcept { return weights_->variables(); }

    // The logarithm of the sum over the parent sets within `within` that hold all its members which must be
    // joined with the child.
    double log_sum(Var child, Mask within) const noexcept { return sums_[child][within]; }
    // Of those with a member in `touched` only. Less than 1e-12 of the whole counts as nothing.
    double log_sum_touching(Var child, Mask within, Mask touched) const noexcept;
    // One parent set, drawn by weight from what log_sum adds up, or log_sum_touching if `touched` is not 0.
    Mask draw(Var child, Mask within, Mask touched, Random& random) const;

    std::size_t bytes() const noexcept;

  private:
    struct Entry {
        double log;
        Mask mask;
    };

    std::shared_ptr<const FamilyWeights> weights_;
    std::vector<std::vector<double>> sums_;
    std::vector<std::vector<Entry>> ranked_;  // the possible families of each child, heaviest first
};

}  // namespace dagwright
