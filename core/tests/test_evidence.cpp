#include <cmath>

#include "check.hpp"
#include "dagwright/evidence/measure.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/statistics/canonical_order.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

constexpr std::size_t kMiB = 1048576;

std::vector<VarSet> subsets(Var n) {
    std::vector<VarSet> sets;
    for (Var mask = 0; mask < (Var{1} << n); ++mask) {
        std::vector<Var> members;
        for (Var v = 0; v < n; ++v)
            if (mask >> v & 1) members.push_back(v);
        sets.push_back(VarSet::of(members));
    }
    return sets;
}

std::vector<double> fits(Measure& measure, const std::vector<VarSet>& sets, unsigned threads) {
    std::vector<SetFit> evidence(sets.size());
    Control control(threads);
    measure.evidence(sets, {}, evidence, control);
    std::vector<double> result;
    for (const SetFit& e : evidence) result.push_back(e.fit);
    return result;
}

}  // namespace

TEST("the same evidence to the last bit for any threads, batch order and size of the memo") {
    const sample::Sample sample = sample::draw(11, {30000, {2, 3, 4, 5, 2, 3, 2, 4, 30, 2}, false, {}});
    const std::vector<VarSet> sets = subsets(10);
    std::vector<VarSet> backwards(sets.rbegin(), sets.rend());
    for (const auto kind :
         {CountingMeasure::Kind::multinomial, CountingMeasure::Kind::dirichlet, CountingMeasure::Kind::nml}) {
        CountingMeasure one(std::make_shared<CellSums>(sample.table, 64 * kMiB), kind, 1.0);
        CountingMeasure two(std::make_shared<CellSums>(sample.table, 1), kind, 1.0);
        const std::vector<double> expected = fits(one, sets, 1);
        std::vector<double> other = fits(two, backwards, 3);
        std::reverse(other.begin(), other.end());
        CHECK(expected == other);
        CHECK(fits(one, sets, 2) == expected);
        CHECK(one.sums().statistics().counted == sets.size());
        CHECK(two.sums().statistics().forgotten > 0);
    }
}

TEST("the empty set: N log N, dim 1") {
    const sample::Sample sample = sample::draw(1, {1000, {2, 3}, false, {}});
    CountingMeasure measure(std::make_shared<CellSums>(sample.table, kMiB),
                            CountingMeasure::Kind::multinomial);
    std::vector<SetFit> evidence(1);
    Control control;
    measure.evidence(std::vector<VarSet>{VarSet{}}, {}, evidence, control);
    CHECK_CLOSE(evidence[0].fit, 1000.0 * std::log(1000.0), 1e-15);
    CHECK(evidence[0].dim == 1.0);
}

TEST("the memo stays within its budget") {
    Memo memo(kMiB);
    for (Var v = 0; v < 60000; ++v) memo.insert({VarSet::of({v}), {}, 0}, v);
    CHECK(memo.bytes() <= kMiB);
    CHECK(memo.forgotten() > 0);
    double value = 0;
    CHECK(memo.find({VarSet::of({59999}), {}, 0}, value) && value == 59999);
    CHECK(!memo.find({VarSet::of({0}), {}, 0}, value));
    CHECK(!memo.find({VarSet::of({59999}), {CellKind::rising, 1.0}, 0}, value));
    CHECK(!memo.find({VarSet::of({59999}), {}, 1}, value));
}

TEST("the canonical order follows the data, not the position") {
    const std::vector<std::uint32_t> shape{2, 2, 3, 2, 2};
    const sample::Sample sample = sample::draw(21, {400, shape, false, {}});
    std::vector<Column> shuffled;
    const std::vector<Var> permutation{3, 0, 4, 2, 1};
    for (const Var v : permutation) shuffled.push_back(sample.table->column(v));
    const auto moved = std::make_shared<const Table>(400, shuffled, std::span<const double>{});
    Control control;
    CellSums first(sample.table, kMiB), second(moved, kMiB);
    const CanonicalOrder a = canonical_order(first, {0, 1, 2, 3, 4}, control);
    const CanonicalOrder b = canonical_order(second, {3, 0, 4, 2, 1}, control);
    for (std::size_t i = 0; i < 5; ++i) CHECK(a.order[i] == permutation[b.order[i]]);
}

TEST("only columns that are exchangeable are tied") {
    const sample::Sample sample = sample::draw(22, {300, {2, 2, 2}, false, {}});
    std::vector<Column> twice{sample.table->column(0), sample.table->column(1), sample.table->column(0)};
    const auto table = std::make_shared<const Table>(300, twice, std::span<const double>{});
    CellSums sums(table, kMiB);
    Control control;
    const CanonicalOrder found = canonical_order(sums, {2, 1, 0}, control);
    CHECK(found.tied.size() == 1 && found.tied[0] == (std::vector<Var>{2, 0}));
}
