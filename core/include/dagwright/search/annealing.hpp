// Simulated annealing over DAGs (Kirkpatrick, Gelatt & Vecchi 1983).
#pragma once
#include <cstdint>
#include <span>

#include "dagwright/search/arc_moves.hpp"
#include "dagwright/search/best_network.hpp"

namespace dagwright {

// One random legal move per temperature T, taken with probability min(1, exp(gain / T)); at T = 0 only if it
// does not lower the score. The best graph on the way, which is offered to `best`, is then climbed to its
// local maximum.
DagFound anneal(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                std::size_t max_parents, std::span<const double> temperatures, std::uint64_t seed,
                Control& control, BestNetwork* best = nullptr);

}  // namespace dagwright
