// The skeleton by G2 tests of growing size, neighbours frozen per level (Colombo & Maathuis 2014).
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/bit_matrix.hpp"
#include "dagwright/control.hpp"
#include "dagwright/independence.hpp"
#include "dagwright/measure.hpp"

namespace dagwright {

struct SkeletonProblem {
    BitMatrix linked;            // symmetric: the links to begin with
    BitMatrix fixed;             // symmetric: links that are never tested
    BitMatrix ancestors;         // row x: what may stand in a set between x and others
    double alpha = 0.05;         // independent if p > alpha
    double rows_per_cell = 0.0;  // with fewer rows than this for each cell: independent
    std::size_t max_size = 0;    // largest conditioning set
    bool keep_levels = false;    // fill `alone` and `largest`
};

struct TestedPair {
    Var x, y;
    VarSet given;
    double statistic, df;
};

struct SkeletonFound {
    BitMatrix linked;                   // symmetric: the links that are left
    std::vector<TestedPair> separated;  // by level, and in the order of the pairs within a round
    std::vector<TestedPair> alone;      // of every tested pair, the test given nothing
    std::vector<TestedPair> largest;    // of every tested pair, the first test with the largest p-value
    std::vector<std::uint64_t> asked;   // tests by size of the conditioning set
    Stop stop = Stop::none;
};

// Each round asks one question about every link that still waits, so that questions with the same
// conditioning set are counted together. The measure must be the multinomial one, on complete data.
SkeletonFound stable_skeleton(Measure& measure, SkeletonProblem problem, Control& control);

}  // namespace dagwright
