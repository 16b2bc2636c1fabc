// Weights of the rows of a bootstrap replicate that no row has to wait for: each follows from its number.
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/statistics/table.hpp"

namespace dagwright {

// A replicate of rows that are never in memory at once (Hanley & MacGibbon 2006): row i has a weight of
// Poisson(1), or Poisson(w) for a row of weight w, from the place i of a random stream of this key. So any
// split of the rows into blocks gives the same replicate.
struct PoissonDraw {
    std::uint64_t key = 0;

    // The key of a replicate under a seed.
    static PoissonDraw of(std::uint64_t seed, std::uint64_t replicate);

    // The weight of a row; `mean` is its weight before.
    std::uint64_t weight(std::size_t row) const;
    std::uint64_t weight(std::size_t row, double mean) const;
    // The weights of rows `begin` to before `end` of a table.
    std::vector<std::uint64_t> weights(const Table& table, std::size_t begin, std::size_t end) const;
};

}  // namespace dagwright
