// How much weight the networks of a list with certain features have together: paths, Markov blankets,
// v-structures.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/base/varset.hpp"

namespace dagwright {

// a -> c <- b, a < b, without an edge between a and b.
struct Collider {
    Var a, c, b;
    double weight;
};

struct NetworkFeatures {
    std::vector<double> paths;           // row: start, column: end of a directed path
    std::vector<double> blankets;        // symmetric
    std::vector<Collider> v_structures;  // those that occur, by c, a, b
    Stop stop = Stop::none;              // nothing else is filled in when this says why
};

// `parents` holds the parents of each variable of each network as rows of 64-bit words. The networks are
// acyclic.
NetworkFeatures network_features(std::span<const std::uint64_t> parents, std::size_t variables,
                                 std::span<const double> weights, Control& control);

}  // namespace dagwright
