#include <algorithm>
#include <map>

#include "check.hpp"
#include "dagwright/base/special.hpp"
#include "dagwright/graph/block_cut.hpp"
#include "dagwright/independence/cell_test.hpp"
#include "dagwright/independence/independence.hpp"
#include "dagwright/independence/measure_test.hpp"
#include "dagwright/independence/pc_stable_skeleton.hpp"
#include "dagwright/independence/separated_pairs.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

std::shared_ptr<CellSums> sums_of(const sample::Sample& sample) {
    return std::make_shared<CellSums>(sample.table, std::size_t{1} << 22);
}

// G2 against chi-squared at this level.
MeasureTest g_square(const sample::Sample& sample, double alpha, double rows_per_cell = 0.0) {
    const std::span<const std::uint32_t> r = sample.table->cardinalities();
    return {std::make_shared<CountingMeasure>(sums_of(sample), CountingMeasure::Kind::multinomial),
            ChiSquaredNull{alpha, rows_per_cell}, std::vector<std::uint32_t>(r.begin(), r.end())};
}

SkeletonProblem everything(std::size_t n) {
    SkeletonProblem problem;
    problem.linked = problem.ancestors = BitMatrix(n);
    problem.fixed = BitMatrix(n);
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < n; ++y)
            if (x != y) problem.linked.set(x, y), problem.ancestors.set(x, y);
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
    const std::vector<SetFit> found = interactions(measure, questions, VarSet{}, control);
    std::vector<VarSet> sets{VarSet::of({0, 1, 2}), VarSet::of({2}), VarSet::of({0, 2}), VarSet::of({1, 2})};
    std::vector<SetFit> fits(sets.size());
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
    MeasureTest test = g_square(sample, 1e-4);
    Control one(1), two(2);
    const SkeletonFound found = stable_skeleton(test, everything(4), one);
    for (Var x = 0; x < 4; ++x)
        for (Var y = 0; y < 4; ++y) CHECK(found.linked.get(x, y) == (x + 1 == y || y + 1 == x));
    CHECK(found.separated.size() == 3 && found.stop == Stop::none);
    for (const TestedPair& pair : found.separated) {
        CHECK(pair.given.size() == 1 && pair.given[0] > pair.x && pair.given[0] < pair.y);
        CHECK(chi2_sf(pair.answer.statistic, pair.answer.df) > 1e-4);
        CHECK_CLOSE(pair.answer.df, 12.0, 0.0);
    }
    CHECK(found.asked.size() >= 2 && found.asked[0] == 6);
    const SkeletonFound again = stable_skeleton(test, everything(4), two);
    CHECK(again.asked == found.asked);
    for (std::size_t i = 0; i < found.separated.size(); ++i)
        CHECK(again.separated[i].given == found.separated[i].given &&
              again.separated[i].answer.statistic == found.separated[i].answer.statistic);
}

TEST("fixed links are not tested, sizes are bounded, sets hold possible ancestors only") {
    const sample::Sample sample = sample::draw(44, {20000, {3, 3, 3, 3}, false, {}});
    MeasureTest test = g_square(sample, 1e-4);
    Control control;
    SkeletonProblem fixed = everything(4);
    fixed.fixed.set(0, 2), fixed.fixed.set(2, 0);
    CHECK(stable_skeleton(test, fixed, control).linked.get(0, 2));
    SkeletonProblem bounded = everything(4);
    bounded.max_size = 0;
    const SkeletonFound marginal = stable_skeleton(test, bounded, control);
    CHECK(marginal.separated.empty() && marginal.asked.size() == 1);
    SkeletonProblem none = everything(4);
    none.ancestors = BitMatrix(4);
    CHECK(stable_skeleton(test, none, control).separated.empty());
    MeasureTest starved = g_square(sample, 1e-4, 1e6);
    CHECK(stable_skeleton(starved, everything(4), control).separated.size() == 6);
}

TEST("a column with one state has no degrees of freedom, and a deadline leaves what is untested linked") {
    const sample::Sample sample = sample::draw(45, {500, {1, 2, 2}, false, {}});
    MeasureTest test = g_square(sample, 0.05);
    Control control;
    const SkeletonFound found = stable_skeleton(test, everything(3), control);
    CHECK(found.linked.row_count(0) == 0);
    Control late(1, 0.0);
    const SkeletonFound stopped = stable_skeleton(test, everything(3), late);
    CHECK(stopped.stop == Stop::deadline && stopped.linked.row_count(0) == 2 && stopped.separated.empty());
}

TEST("of each pair the test with the largest p-value is kept when asked for") {
    const sample::Sample sample = sample::draw(46, {5000, {2, 2, 2, 2}, false, {}});
    MeasureTest test = g_square(sample, 1e-3);
    Control control;
    SkeletonProblem problem = everything(4);
    CHECK(stable_skeleton(test, problem, control).largest.empty());
    problem.keep_levels = true;
    const SkeletonFound found = stable_skeleton(test, problem, control);
    CHECK(found.largest.size() == 6 && found.alone.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        const TestedPair &alone = found.alone[i], &largest = found.largest[i];
        CHECK(alone.given.empty() && alone.x == largest.x && alone.y == largest.y);
        CHECK(chi2_sf(largest.answer.statistic, largest.answer.df) >=
              chi2_sf(alone.answer.statistic, alone.answer.df));
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

TEST(
    "Pearson's statistic and adjusted degrees of freedom equal sums over the cells, however they are "
    "counted") {
    const sample::Sample sample = sample::draw(47, {400, {3, 4, 2, 5}, false, {}});
    const std::vector<Question> questions{{VarSet::of({0}), VarSet::of({1}), VarSet{}},
                                          {VarSet::of({0}), VarSet::of({3}), VarSet::of({1, 2})},
                                          {VarSet::of({0, 2}), VarSet::of({3}), VarSet::of({1})}};
    for (const auto strategy : {Strategy::bitmap, Strategy::histogram, Strategy::grouped}) {
        const std::shared_ptr<CellSums> sums = sums_of(sample);
        // The source shows its engine for reading only; the engine itself is no constant.
        const_cast<Counter&>(*sums->source().counter()).force(strategy);
        const auto measure = std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial);
        CellTest test(measure, CellTest::Statistic::pearson, /*adjusted=*/true, 0.05, 0.0);
        std::vector<Answer> found(questions.size());
        Control control;
        test.answer(questions, Detail::facts, found, control);
        for (std::size_t i = 0; i < questions.size(); ++i) {
            const auto& [x, y, z] = questions[i];
            std::map<std::vector<std::uint32_t>, double> n_xyz, n_xz, n_yz, n_z;
            for (std::size_t row = 0; row < sample.table->rows(); ++row) {
                const auto codes = [&](std::initializer_list<const VarSet*> sets) {
                    std::vector<std::uint32_t> key;
                    for (const VarSet* set : sets)
                        for (const Var v : *set) key.push_back(sample.table->column(v)[row]);
                    return key;
                };
                ++n_xyz[codes({&z, &x, &y})], ++n_xz[codes({&z, &x})], ++n_yz[codes({&z, &y})],
                    ++n_z[codes({&z})];
            }
            double statistic = 0.0, df = 0.0;
            for (const auto& [stratum, total] : n_z) {
                const auto within = [&](const auto& entry) {
                    return std::equal(stratum.begin(), stratum.end(), entry.first.begin());
                };
                double seen_x = 0.0, seen_y = 0.0;
                for (const auto& one : n_xz) {
                    if (!within(one)) continue;
                    ++seen_x;
                    for (const auto& other : n_yz) {
                        if (!within(other)) continue;
                        std::vector<std::uint32_t> key = one.first;
                        key.insert(key.end(), other.first.begin() + static_cast<std::ptrdiff_t>(z.size()),
                                   other.first.end());
                        const double expected = one.second * other.second / total;
                        const auto at = n_xyz.find(key);
                        const double off = (at == n_xyz.end() ? 0.0 : at->second) - expected;
                        statistic += off * off / expected;
                    }
                }
                for (const auto& other : n_yz) seen_y += within(other) ? 1.0 : 0.0;
                df += (seen_x - 1.0) * (seen_y - 1.0);
            }
            CHECK_CLOSE(found[i].statistic, statistic, 1e-9);
            CHECK_CLOSE(found[i].df, df, 0.0);
        }
    }
}
