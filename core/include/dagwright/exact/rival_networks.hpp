// All networks that score near the best, each exactly once.
//
// A network is taken apart by removing its highest numbered sink again and again; that order is its only one,
// so no network is met twice. The best score of what is left is known from the dynamic program, so every
// step that is taken leads to a network that is near enough, unless it would have to remove a sink that
// should have been removed before.
#pragma once
#include <functional>
#include <vector>

#include "dagwright/exact/dynamic_programming.hpp"

namespace dagwright {

struct RivalPlan {
    double least = kImpossible;  // networks of this score and more
    std::size_t most = 1'000'000;
    bool best_only = false;  // of more than `most`, keep the best; otherwise give up
};

struct Rivals {
    std::size_t count = 0;
    std::vector<std::int64_t> entries;  // of the candidate sets, one per variable and network
    std::vector<double> scores;         // descending
    bool full = false;                  // there are more than `most`
    Stop stop = Stop::none;
};

Rivals rival_networks(const MaskedFamilies& families, const SubsetProgram& program, const RivalPlan& plan,
                      Control& control);

// Every network over a handful of variables: the best, all that score the same, and the best for each number
// of arcs.
struct Enumerated {
    std::uint64_t count = 0;
    double best = kImpossible;
    std::vector<std::int64_t> ties;  // entries, one per variable and network
    struct PerArcs {
        double score = kImpossible;
        std::vector<std::int64_t> entries;  // empty: no network with so many arcs
        std::uint64_t ties = 0;
    };
    std::vector<PerArcs> per_arcs;
    Stop stop = Stop::none;
};

Enumerated enumerate_networks(const MaskedFamilies& families, double tolerance, Control& control);

}  // namespace dagwright
