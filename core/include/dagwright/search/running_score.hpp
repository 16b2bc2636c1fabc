// The way of a search in scores, for those that do not walk by single arcs.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "dagwright/base/varset.hpp"

namespace dagwright {

struct RunningScore {
    const char* phase;
    std::uint64_t step;  // within the phase
    double score;        // after the step
    // The variable that the step moved, and its new position in the order.
    std::optional<Var> variable = {};
    std::size_t position = 0;
};

using RunningScores = std::vector<RunningScore>;

}  // namespace dagwright
