// Greedy hill climbing over DAGs: add, delete or reverse the arc that raises the score most, until none does.
#pragma once
#include <vector>

#include "dagwright/control.hpp"
#include "dagwright/knowledge.hpp"
#include "dagwright/score.hpp"

namespace dagwright {

enum class Move : std::uint8_t { add, remove, reverse };

struct Step {
    Move move;
    Var from, to;
    double gain;
};

struct Climb {
    std::vector<VarSet> parents;
    double score = 0.0;
    std::vector<Step> trace;
    std::uint64_t evaluations = 0;  // families scored
    Stop stop = Stop::none;
};

// `start` must obey the knowledge. Moves that gain the same (within the score's tolerance) are taken in the
// order additions, deletions, reversals, then by child and parent number.
Climb hill_climb(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                 std::size_t max_parents, std::size_t max_steps, Control& control);

}  // namespace dagwright
