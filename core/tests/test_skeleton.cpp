#include <algorithm>

#include "check.hpp"
#include "dagwright/base/special.hpp"
#include "dagwright/graph/block_cut.hpp"
#include "dagwright/independence/independence.hpp"
#include "dagwright/independence/separated_pairs.hpp"
#include "dagwright/independence/stable_skeleton.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

std::shared_ptr<CellSums> sums_of(const sample::Sample& sample) {
    return std::make_shared<CellSums>(sample.table, std::size_t{1} << 22);
}

SkeletonProblem everything(std::size_t n, double alpha) {
    SkeletonProblem problem;
    problem.linked = problem.ancestors = BitMatrix(n);
    problem.fixed = BitMatrix(n);
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < n; ++y)
            if (x != y) problem.linked.set(x, y), problem.ancestors.set(x, y);
    problem.alpha = alpha;
    problem.max_size = n;
    return problem;
}

}  // namespace

TEST("an interaction is the difference of two conditional fits, its degrees of freedom a product") {
    const sample::Sample sample = sample::draw(41, {800, {2, 3, 4, 2}, false, {}});
    CountingMeasure measure(sums_of(sample), CountingMeasure::Kind::multinomial);
    Control control;
    const std::vector<Question> questions{{VarSet::of({0}), VarSet::of({1}), VarSet::of({2})},
                                          {VarSet::of({0, 3}), VarSet::of({1}), VarSet{}}};
    const std::vector<Evidence> found = interactions(measure, questions, VarSet{}, control);
    std::vector<VarSet> sets{VarSet::of({0, 1, 2}), VarSet::of({2}), VarSet::of({0, 2}), VarSet::of({1, 2})};
    std::vector<Evidence> fits(sets.size());
    measure.evidence(sets, VarSet{}, fits, control);
    CHECK_CLOSE(found[0].fit, (fits[0].fit + fits[1].fit) - (fits[2].fit + fits[3].fit), 0.0);
    CHECK_CLOSE(found[0].dim, 1.0 * 2.0 * 4.0, 0.0);
    CHECK_CLOSE(found[1].dim, 3.0 * 2.0, 0.0);
    CHECK(found[1].fit >= -1e-9);
}

TEST("a measure without degrees of freedom has interactions without them") {
    const sample::Sample sample = sample::draw(42, {300, {2, 2}, false, {}});
    CountingMeasure measure(sums_of(sample), CountingMeasure::Kind::dirichlet, 1.0);
    Control control;
    const std::vector<Question> questions{{VarSet::of({0}), VarSet::of({1}), VarSet{}}};
    CHECK_CLOSE(interactions(measure, questions, VarSet{}, control)[0].dim, 0.0, 0.0);
}

TEST("a chain keeps its links and what is between two nodes separates them, whatever the threads") {
    // Each column leans on the one before it only.
    const sample::Sample sample = sample::draw(43, {20000, {3, 3, 3, 3}, false, {}});
    CountingMeasure measure(sums_of(sample), CountingMeasure::Kind::multinomial);
    Control one(1), two(2);
    const SkeletonFound found = stable_skeleton(measure, everything(4, 1e-4), one);
    for (Var x = 0; x < 4; ++x)
        for (Var y = 0; y < 4; ++y) CHECK(found.linked.get(x, y) == (x + 1 == y || y + 1 == x));
    CHECK(found.separated.size() == 3 && found.stop == Stop::none);
    for (const TestedPair& pair : found.separated) {
        CHECK(pair.given.size() == 1 && pair.given[0] > pair.x && pair.given[0] < pair.y);
        CHECK(chi2_sf(pair.statistic, pair.df) > 1e-4);
        CHECK_CLOSE(pair.df, 12.0, 0.0);
    }
    CHECK(found.asked.size() >= 2 && found.asked[0] == 6);
    const SkeletonFound again = stable_skeleton(measure, everything(4, 1e-4), two);
    CHECK(again.asked == found.asked);
    for (std::size_t i = 0; i < found.separated.size(); ++i)
        CHECK(again.separated[i].given == found.separated[i].given &&
              again.separated[i].statistic == found.separated[i].statistic);
}

TEST("fixed links are not tested, sizes are bounded, sets hold possible ancestors only") {
    const sample::Sample sample = sample::draw(44, {20000, {3, 3, 3, 3}, false, {}});
    CountingMeasure measure(sums_of(sample), CountingMeasure::Kind::multinomial);
    Control control;
    SkeletonProblem fixed = everything(4, 1e-4);
    fixed.fixed.set(0, 2), fixed.fixed.set(2, 0);
    CHECK(stable_skeleton(measure, fixed, control).linked.get(0, 2));
    SkeletonProblem bounded = everything(4, 1e-4);
    bounded.max_size = 0;
    const SkeletonFound marginal = stable_skeleton(measure, bounded, control);
    CHECK(marginal.separated.empty() && marginal.asked.size() == 1);
    SkeletonProblem none = everything(4, 1e-4);
    none.ancestors = BitMatrix(4);
    CHECK(stable_skeleton(measure, none, control).separated.empty());
    SkeletonProblem starved = everything(4, 1e-4);
    starved.rows_per_cell = 1e6;
    CHECK(stable_skeleton(measure, starved, control).separated.size() == 6);
}

TEST("a column with one state has no degrees of freedom, and a deadline leaves what is untested linked") {
    const sample::Sample sample = sample::draw(45, {500, {1, 2, 2}, false, {}});
    CountingMeasure measure(sums_of(sample), CountingMeasure::Kind::multinomial);
    Control control;
    const SkeletonFound found = stable_skeleton(measure, everything(3, 0.05), control);
    CHECK(found.linked.row_count(0) == 0);
    Control late(1, 0.0);
    const SkeletonFound stopped = stable_skeleton(measure, everything(3, 0.05), late);
    CHECK(stopped.stop == Stop::deadline && stopped.linked.row_count(0) == 2 && stopped.separated.empty());
}

TEST("of each pair the test with the largest p-value is kept when asked for") {
    const sample::Sample sample = sample::draw(46, {5000, {2, 2, 2, 2}, false, {}});
    CountingMeasure measure(sums_of(sample), CountingMeasure::Kind::multinomial);
    Control control;
    SkeletonProblem problem = everything(4, 1e-3);
    CHECK(stable_skeleton(measure, problem, control).largest.empty());
    problem.keep_levels = true;
    const SkeletonFound found = stable_skeleton(measure, problem, control);
    CHECK(found.largest.size() == 6 && found.alone.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        const TestedPair &alone = found.alone[i], &largest = found.largest[i];
        CHECK(alone.given.empty() && alone.x == largest.x && alone.y == largest.y);
        CHECK(chi2_sf(largest.statistic, largest.df) >= chi2_sf(alone.statistic, alone.df));
    }
    for (const TestedPair& pair : found.separated) {
        const auto same = [&](const TestedPair& one) { return one.x == pair.x && one.y == pair.y; };
        const auto at = std::find_if(found.largest.begin(), found.largest.end(), same);
        CHECK(at != found.largest.end() && at->given == pair.given);
    }
}

TEST("nodes on simple paths are those of the blocks between") {
    // A triangle 0 1 2, a bridge 2 - 3, a triangle 3 4 5, and 6 alone.
    BitMatrix linked(7);
    for (const auto& [a, b] : {VarPair{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}})
        linked.set(a, b), linked.set(b, a);
    const BlockCutForest forest(linked);
    const auto on = [&](std::size_t x, std::size_t y, std::vector<std::size_t> nodes) {
        return forest.on_paths(x, y, nodes);
    };
    CHECK(on(0, 1, {2}) && on(0, 3, {1, 2}) && on(1, 5, {0, 2, 3, 4}) && on(4, 5, {3}));
    CHECK(!on(0, 1, {3}) && !on(2, 3, {0}) && !on(0, 3, {4}) && !on(0, 6, {1}) && !on(0, 1, {6}));
    CHECK(on(0, 6, {}));
}

TEST("three pairs that separate each other are an uncertain region, and colliders lack their set") {
    BitMatrix none(3);
    const std::vector<VarPair> pairs{{0, 1}, {0, 2}, {1, 2}};
    const std::vector<VarSet> given{VarSet::of({2}), VarSet::of({1}), VarSet::of({0})};
    const SeparatedPairs circle(none, pairs, given);
    CHECK(circle.uncertain_regions() == std::vector<std::vector<VarPair>>{pairs});
    BitMatrix star(4);
    for (const Var leaf : {1u, 2u, 3u}) star.set(0, leaf), star.set(leaf, 0);
    const SeparatedPairs leaves(star, {{1, 2}, {1, 3}}, {VarSet{}, VarSet::of({0})});
    const UnshieldedTriple collider{1, 0, 2}, undecided{2, 0, 3};
    std::vector<UnshieldedTriple> open;
    CHECK(leaves.colliders(open) == std::vector{collider});
    CHECK(open == std::vector{undecided} && leaves.uncertain_regions().empty());
}
