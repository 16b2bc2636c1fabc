#include "check.hpp"
#include "dagwright/base/varset.hpp"

using dagwright::Var;
using dagwright::VarSet;

TEST("a set of variables is sorted, without repeats, and compares by content") {
    const VarSet set = VarSet::of({5, 1, 3, 1});
    CHECK(set.size() == 3);
    CHECK(set[0] == 1 && set[1] == 3 && set[2] == 5);
    CHECK(set == VarSet::of({1, 3, 5}));
    CHECK(set.hash() == VarSet::of({5, 3, 1}).hash());
    CHECK(set.contains(3) && !set.contains(2));
    CHECK(set.with(2) == VarSet::of({1, 2, 3, 5}));
    CHECK(set.with(3) == set);
    CHECK(set.without(3) == VarSet::of({1, 5}));
    CHECK(set.without(4) == set);
    CHECK(set.united(VarSet::of({0, 3})) == VarSet::of({0, 1, 3, 5}));
    CHECK(set.includes(VarSet::of({1, 5})) && !set.includes(VarSet::of({1, 2})));
}

TEST("large sets of variables copy, move and shrink") {
    VarSet grown;
    for (Var v = 0; v < 100; ++v) grown = grown.with(99 - v);
    CHECK(grown.size() == 100);
    const VarSet copy = grown;
    VarSet moved = std::move(grown);
    CHECK(copy == moved);
    CHECK(grown.empty());
    for (Var v = 0; v < 100; v += 2) moved = moved.without(v);
    CHECK(moved.size() == 50 && moved[0] == 1);
    moved = VarSet::of({7});
    CHECK(moved == VarSet::of({7}));
    CHECK(copy.size() == 100);
}
