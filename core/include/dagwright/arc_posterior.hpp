// Exact posterior probabilities of arcs, by dynamic programming over sets of variables.
//
// With w(x, P) the weight of a family (its score and prior) and a(x, U) the sum of w(x, P) over P in U:
//   order-modular  a network counts once for every order it fits (Koivisto & Sood 2004): the sum over orders
//                  of the products of a(x, predecessors of x), in time n^2 2^n
//   uniform        every network counts once (Tian & He 2009): inclusion and exclusion over the sets of
//                  variables without children, in time 3^n
// Either sum is linear in each a(x, U). With g(x, U) its derivative, the weight of all networks with the
// family (x, P) is w(x, P) times the sum of g(x, U) over U that include P.
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/family_weights.hpp"

namespace dagwright {

enum class Counting { orders, networks };

struct ArcPosterior {
    double log_total = 0.0;    // log of the sum of the weights of all networks (counted per order or once)
    std::vector<double> arcs;  // row: parent, column: child
    Stop stop = Stop::none;    // nothing else is filled in when this says why
};

// Every variable must have all others that knowledge allows as candidates: masks then stand for sets of
// variables. Throws Error when no network is possible.
ArcPosterior arc_posterior(const FamilyWeights& weights, Counting counting, Control& control);

// The logarithm of the sum alone; minus infinity when no network is possible.
double log_total_weight(const FamilyWeights& weights, Counting counting, Control& control);

// The largest number of variables, and the bytes that the sums need besides the weights themselves.
inline constexpr std::size_t kMostExactVariables = 26;
double arc_posterior_bytes(std::size_t variables, Counting counting);

}  // namespace dagwright
