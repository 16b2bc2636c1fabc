// Sums over networks that count once for every order they fit (Koivisto & Sood 2004).
//
// With the symbols of the paper: a(x, U) is alpha_x(U), forward(U) is L(U) = sum over x in U of
// alpha_x(U - x) L(U - x), and completions(U) is R(V - U), the same for the rest after U. In time n 2^n.
#pragma once
#include <vector>

#include "dagwright/posterior/parent_sums.hpp"

namespace dagwright {

class OrderSums {
  public:
    using Restricted = std::vector<Scaled>;

    OrderSums(const ParentSums& sums, Watch& watch);

    Scaled total() const { return forward_.back(); }
    Scaled forward(SetMask set) const { return forward_[set]; }
    void look_back();
    // The derivative of the completions of `set` by a(x, set).
    Scaled after(Var x, SetMask set) const { return completions_[set | (SetMask{1} << x)]; }

    // The forward sums over the networks that keep a pair apart, for the sets that hold both.
    void keep_apart(const Apart& pair, Restricted& found, unsigned worker) const;
    static Scaled at(const Restricted& found, SetMask set) { return found[set]; }

    // Row: start, column: end; the probability of a directed path. Each start needs its own sums, over the
    // sets placed and the descendants of the start among them, in time n 3^(n-1) (after Chen, Meng & Tian
    // 2015).
    std::vector<double> paths() const;

  private:
    std::vector<double> descendants(Var start, unsigned worker) const;

    const ParentSums& sums_;
    Watch& watch_;
    std::vector<Scaled> forward_, completions_;
};

}  // namespace dagwright
