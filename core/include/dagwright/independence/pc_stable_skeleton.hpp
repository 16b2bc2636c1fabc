// The skeleton by tests of growing size, neighbors frozen per level: PC-stable (Colombo & Maathuis 2014).
//
// With the symbols of the paper: l is the size of the conditioning sets of a level; a(X) = adj(C, X) is
// frozen when the level begins; an edge X - Y goes as soon as X and Y are independent given some S with |S| =
// l inside a(X) - Y or a(Y) - X, and S is kept as sepset(X, Y).
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/control.hpp"
#include "dagwright/independence/independence_test.hpp"

namespace dagwright {

struct SkeletonProblem {
    BitMatrix linked;          // symmetric: the edges to begin with
    BitMatrix fixed;           // symmetric: edges that are never tested
    BitMatrix ancestors;       // row x: what may stand in a set between x and others
    std::size_t max_size = 0;  // largest conditioning set
    bool keep_levels = false;  // fill `alone` and `largest`
};

struct TestedPair {
    Var x, y;
    VarSet given;
    Answer answer;
};

struct SkeletonFound {
    BitMatrix linked;                   // symmetric: the edges that are left
    std::vector<TestedPair> separated;  // by level, and in the order of the pairs within a round
    std::vector<TestedPair> alone;      // of every tested pair, the test given nothing
    std::vector<TestedPair> largest;    // of every tested pair, the first test with the largest p-value
    std::vector<std::uint64_t> asked;   // tests by size of the conditioning set
    Stop stop = Stop::none;
};

// Each round asks one question about every edge that still waits, so that questions with the same
// conditioning set are counted together.
SkeletonFound stable_skeleton(IndependenceTest& test, SkeletonProblem problem, Control& control);

}  // namespace dagwright
