// The way of a search in scores, as Python sees it.
#pragma once
#include "conversions.hpp"
#include "dagwright/search/running_score.hpp"

// (phase, step, score, variable or None, position) for each.
inline nb::list to_tuples(const dagwright::RunningScores& running) {
    nb::list result;
    for (const dagwright::RunningScore& at : running)
        result.append(nb::make_tuple(at.phase, at.step, at.score, at.variable, at.position));
    return result;
}
