// Order-based search for the best network.
//
// Hill climbing and moves of single variables to their best place give a first graph. Then, in stages with
// ever longer parent lists: several chains of iterated local search over orders, and hill climbing from the
// best graph found, whose families join the next lists. The last stage has the full budget of evaluations.
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/search/hill_climb.hpp"
#include "dagwright/search/order_chain.hpp"
#include "dagwright/search/running_score.hpp"

namespace dagwright {

struct OrderPlan {
    OrderMoves moves = OrderMoves::insert;
    std::size_t chains = 8;
    // Rounds of every chain in the last stage; up to three times as many while the best was improved in the
    // last third of them. Other stages make a quarter.
    std::size_t perturbations = 1000;
    std::uint64_t evaluations_per_child = 50'000;
    std::size_t max_parents = Knowledge::kUnbounded;
    std::uint64_t seed = 0;
    BestNetwork* best = nullptr;  // is offered the best graph so far
};

struct OrderFound {
    std::vector<VarSet> parents;
    double score = 0.0;
    std::uint64_t evaluations = 0;  // families scored
    std::uint64_t rounds = 0;       // of iterated local search, over all chains
    bool complete = false;          // the last lists held every set that a best network can need
    std::size_t list_bytes = 0;     // of the last lists
    RunningScores running;          // every new best score
    Stop stop = Stop::none;
};

// `start` must obey the knowledge. Neither the number of threads nor the time it takes changes the answer,
// unless the control stops the search.
OrderFound order_search(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                        const OrderPlan& plan, Control& control);

}  // namespace dagwright
