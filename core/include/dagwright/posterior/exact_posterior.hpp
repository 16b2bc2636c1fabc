// Exact posterior probabilities of features of networks, by dynamic programming over sets of variables.
//
// With a(x, U) the sum of the weights w(x, P) of families over P in U, the sum of the weights of all networks
// is linear in each a(x, U). With g(x, U) its derivative, the weight of all networks with the family (x, P)
// is w(x, P) times the sum of g(x, U) over U that include P: this gives the arcs. Two variables are outside
// each other's Markov blankets if no family holds both, which is a condition on families: the same sums
// without those families give the blankets, one pair at a time. Given that a and b are not joined, a -> c <-
// b is a matter of the family of c alone: the v-structures.
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/posterior/family_weights.hpp"

namespace dagwright {

enum class Counting { orders, networks };

// What is wanted besides the arcs.
struct Features {
    bool paths = false;
    bool blankets = false;
    bool v_structures = false;
};

struct ExactPosterior {
    double log_total = 0.0;     // log of the sum of the weights of all networks (counted per order or once)
    std::vector<double> arcs;   // row: parent, column: child
    std::vector<double> paths;  // row: start, column: end of a directed path
    std::vector<double> blankets;      // symmetric
    std::vector<double> v_structures;  // [(c * n + a) * n + b] for a < b
    Stop stop = Stop::none;            // why something that was wanted is empty
};

// Every variable must have all others that knowledge allows as candidates: masks then stand for sets of
// variables. Throws Error when no network is possible.
ExactPosterior exact_posterior(const FamilyWeights& weights, Counting counting, const Features& features,
                               Control& control);

// The logarithm of the sum alone; minus infinity when no network is possible.
double log_total_weight(const FamilyWeights& weights, Counting counting, Control& control);

// The bytes that all this needs besides the weights themselves.
double exact_posterior_bytes(std::size_t variables, Counting counting, const Features& features,
                             unsigned threads);

}  // namespace dagwright
