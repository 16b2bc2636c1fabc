// The skeleton by tests of growing size, neighbors frozen per level: PC-stable (Colombo & Maathuis 2014).
//
// With the symbols of the paper: l is the size of the conditioning sets of a level; a(X) = adj(C, X) is
// frozen when the level begins; an edge X - Y goes as soon as X and Y are independent given some S with |S| =
// l inside a(X) - Y or a(Y) - X, and S is kept as sepset(X, Y).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/control.hpp"
#include "dagwright/independence/independence_test.hpp"
#include "dagwright/independence/separated_pairs.hpp"

namespace dagwright {

struct SkeletonProblem {
    BitMatrix linked;          // symmetric: the edges to begin with
    BitMatrix fixed;           // symmetric: edges that are never tested
    BitMatrix ancestors;       // row x: what may stand in a set between x and others
    std::size_t max_size = 0;  // largest conditioning set
    bool keep_levels = false;  // fill `alone` and `largest`
    bool resolve = false;      // put edges back until no removal relies on itself
};

struct TestedPair {
    Var x, y;
    VarSet given;
    Answer answer;
};

// Removals that relied on each other, and the one of them that was taken back.
struct PutBack {
    std::vector<VarPair> region;
    VarPair edge;
};

struct SkeletonFound {
    BitMatrix linked;                   // symmetric: the edges that are left
    std::vector<TestedPair> separated;  // by level, and in the order of the pairs within a round
    std::vector<TestedPair> alone;      // of every tested pair, the test given nothing
    std::vector<TestedPair> largest;    // of every tested pair, the first test with the largest p-value
    std::vector<std::uint64_t> asked;   // tests by size of the conditioning set
    std::vector<PutBack> put_back;      // in the order of what was done
    Stop stop = Stop::none;
};

// What follows from edges and separated pairs is asked of this.
SeparatedPairs separated_pairs(const BitMatrix& linked, std::span<const TestedPair> separated);

// Each round asks one question about every edge that still waits, so that questions with the same
// conditioning set are counted together.
//
// Uncertain regions (see `SeparatedPairs`) are resolved by putting back the edge whose ends depend on each
// other most with nothing given; of equals the last. Each edge that was put back is then asked about once
// more, by sets without the variables that separated it before, and regions that this makes are resolved in
// the same way.
SkeletonFound stable_skeleton(IndependenceTest& test, SkeletonProblem problem, Control& control);

}  // namespace dagwright
