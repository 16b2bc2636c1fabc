// Sums over networks that count once each (Tian & He 2009), in time 3^n.
//
// forward(U), the sum over all networks on U, follows from smaller sets by inclusion and exclusion over the
// sets T of variables without children, completions(U), the sum over all ways to add the rest after U, from
// larger sets over the sets T of variables with parents in U only:
//   forward(U + T)  gets  (-1)^(|T|+1) forward(U) a(T, U)            a(T, U): the product of a(x, U) over T
//   completions(U)  gets  (-1)^(|T|+1) a(T, U) completions(U + T)
// Either term is part of a sum of positive numbers, so it is at most the sum, and it falls as T grows. Hence:
// values are doubles in units of a power of two that an order of the variables gives beforehand, and a
// variable whose term alone is negligible needs no larger T.
//
// The probability that t and its ancestors are A is the sum of forward(U) a(T, U) completions(A) over U + T =
// A, t in T, with the sign (-1)^(|T|+1): t is the one variable without children in A. So the terms of the
// completions also give the probabilities of all paths.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/posterior/parent_sums.hpp"

namespace dagwright {

// A number for every set, value * 2^exponent.
struct SetValues {
    std::vector<double> value;
    std::vector<std::int64_t> exponent;

    Scaled at(SetMask set) const { return Scaled::binary(value[set], exponent[set]); }
};

class NetworkSums {
  public:
    // How many sums are kept side by side and added at the end: a fixed number, so that the number of threads
    // does not change the last digit.
    static constexpr std::size_t kLanes = 4;
    using Restricted = SetValues;

    NetworkSums(const ParentSums& sums, Watch& watch);

    Scaled total() const { return forward_.at(static_cast<SetMask>(sums_.sets() - 1)); }
    Scaled forward(SetMask set) const { return forward_.at(set); }
    void look_back();
    // The derivative of the completions of `set` by a(x, set).
    Scaled after(Var x, SetMask set) const;
    // The forward sums over the networks that keep a pair apart, for the sets that hold both.
    void keep_apart(const Apart& pair, Restricted& found, unsigned worker) const;
    static Scaled at(const Restricted& found, SetMask set) { return found.at(set); }
    // Row: start, column: end; the probability of a directed path. After look_back.
    const std::vector<double>& paths() const { return paths_; }

  private:
    struct Looking;
    void unit_forward();
    void unit_completions();
    void complete(SetMask set, Looking& scratch, std::vector<double>& paths);
    std::vector<std::vector<SetMask>> by_size() const;

    const ParentSums& sums_;
    Watch& watch_;
    SetValues forward_, completions_;
    std::vector<std::vector<double>> shares_;  // of the terms of completions(U) with x in T, in its unit
    std::vector<double> paths_;
};

}  // namespace dagwright
