#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "dagwright/evidence/fits_of_all_sets.hpp"
#include "dagwright/exact/candidates_of_all_sets.hpp"
#include "dagwright/exact/find_candidates.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

std::vector<std::size_t> sizes(const Table& table, const std::vector<Var>& members) {
    std::map<std::vector<std::uint32_t>, std::size_t> counted;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::vector<std::uint32_t> codes;
        for (const Var v : members) codes.push_back(table.column(v)[row]);
        ++counted[codes];
    }
    std::vector<std::size_t> found;
    for (const auto& [codes, n] : counted) found.push_back(n);
    return found;
}

CriterionScore scored(const sample::Sample& sample, bool bayesian) {
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 24);
    return bayesian ? CriterionScore(
                          std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::dirichlet, 1.5), 0.0)
                    : CriterionScore(
                          std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial), 2.0);
}

}  // namespace

TEST("groups split into the cells of one variable more") {
    for (const std::size_t rows : {1u, 2u, 3u, 50u, 900u}) {
        const sample::Sample drawn =
            sample::draw(static_cast<unsigned>(rows), {rows, {2, 3, 9, 1, 4, 40}, false, {}});
        const Table& table = *drawn.table;
        CHECK(RowGroups::fit(table));
        const CellFunction squares({CellKind::n_log_n, 0.0}, static_cast<double>(rows), 1e3, 1.0);
        std::vector<RowGroups::Row> all(rows);
        std::iota(all.begin(), all.end(), RowGroups::Row{0});
        RowGroups groups = RowGroups::of(all), next;
        RowSplitter splitter(table);
        std::vector<Var> members;
        for (Var v = 0; v < table.variables(); ++v) {
            members.push_back(v);
            std::int64_t plain = 0;
            for (const std::size_t n : sizes(table, members)) plain += squares.of(n);
            splitter.split(groups, v, next);
            CHECK(next.sum(squares) == plain);
            CHECK(next.rows.size() + next.pairs.size() + next.singles == rows);
            std::swap(groups, next);
        }
    }
}

TEST("rows that cannot be grouped are told apart") {
    CHECK(!RowGroups::fit(*sample::draw(1, {10, {2, 300}, false, {}}).table));
    CHECK(!RowGroups::fit(*sample::draw(1, {10, {2, 2}, false, std::vector<double>(10, 2.0)}).table));
    CHECK(!RowGroups::fit(*sample::draw(3, {50, {2, 2, 2, 2, 2, 2}, true, {}}).table));
}

TEST("the table of all sets holds what the measure says of each") {
    const sample::Sample drawn = sample::draw(5, {200, {2, 3, 2, 5, 2, 4, 3}, false, {}});
    const Table& table = *drawn.table;
    const auto sums = std::make_shared<CellSums>(drawn.table, std::size_t{1} << 24);
    CountingMeasure measure(sums, CountingMeasure::Kind::dirichlet, 1.5);
    CHECK(FitsOfAllSets::possible(table));
    CHECK(FitsOfAllSets::bytes(7) == 512.0);
    CHECK(FitsOfAllSets::bytes(7) + CandidatesOfAllSets::bytes(7) == 6.0 * 128.0);
    for (const unsigned threads : {1u, 3u}) {
        Control control(threads);
        const FitsOfAllSets fits(measure, control);
        CHECK(fits.stop() == Stop::none);
        std::vector<VarSet> sets;
        for (FitsOfAllSets::Mask set = 0; set < 128; ++set) sets.push_back(fits.members(set));
        std::vector<SetFit> evidence(sets.size());
        measure.evidence(sets, {}, evidence, control);
        for (FitsOfAllSets::Mask set = 0; set < 128; ++set) {
            CHECK_CLOSE(fits.data()[set] * fits.unit(), evidence[set].fit, fits.unit());
            FitsOfAllSets::Mask bits = 0;
            for (const Var v : sets[set]) bits |= fits.bit_of(v);
            CHECK(bits == set);
        }
    }
    Control late(1, 0.0);
    CHECK(FitsOfAllSets(measure, late).stop() == Stop::deadline);
}

TEST("too many different numbers of configurations are too many tables") {
    CHECK(!FitsOfAllSets::possible(
        *sample::draw(1, {20, {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}, false, {}}).table));
}

TEST("a walk and a table give the same candidates") {
    const sample::Sample drawn =
        sample::draw(8, {150, {2, 3, 2, 5, 2, 4, 3, 2, 2, 2, 3, 2, 2, 2, 2}, false, {}});
    Knowledge knowledge(15);
    knowledge.require_arc(3, 0);
    knowledge.forbid_arc(2, 4);
    for (const bool bayesian : {false, true})
        for (const double gain : {1e-9, -2.0})
            for (const std::size_t most : {std::size_t{3}, Knowledge::kUnbounded}) {
                CriterionScore score = scored(drawn, bayesian);
                Control control(2);
                CandidatePlan plan;
                plan.max_parents = most;
                plan.least_gain = gain;
                const CandidatesFound walked = find_candidates(score, knowledge, plan, control);
                plan.table_bytes = 1e9;
                for (const std::size_t before : {std::size_t{0}, std::size_t{1000}}) {
                    plan.before_table = before;
                    const CandidatesFound looked_up = find_candidates(score, knowledge, plan, control);
                    CHECK(std::ranges::equal(looked_up.sets.offsets(), walked.sets.offsets()));
                    CHECK(std::ranges::equal(looked_up.sets.scores(), walked.sets.scores()));
                    CHECK(std::ranges::equal(looked_up.sets.members(), walked.sets.members()));
                    CHECK(looked_up.bounds == walked.bounds);
                }
                plan.most_sets = 40;
                plan.before_table = 0;
                CHECK(find_candidates(score, knowledge, plan, control).full);
            }
}
