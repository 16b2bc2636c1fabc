#include <algorithm>
#include <cmath>
#include <random>

#include "check.hpp"
#include "dagwright/exact/dynamic_programming.hpp"
#include "dagwright/exact/find_candidates.hpp"
#include "dagwright/exact/order_astar.hpp"
#include "dagwright/exact/pattern_bounds.hpp"
#include "dagwright/exact/rival_networks.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

// Random sets with random scores, smaller sets scoring less; the empty set always among them.
CandidateSets random_sets(unsigned seed, std::size_t n, std::size_t per_child,
                          std::vector<CandidateSets::Link> links = {}) {
    std::mt19937 random(seed);
    std::vector<std::int64_t> offsets{0}, starts{0};
    std::vector<double> scores;
    std::vector<std::int32_t> members;
    for (std::size_t child = 0; child < n; ++child) {
        std::vector<std::pair<double, Mask>> sets{{-50.0, 0}};
        for (std::size_t k = 0; k < per_child; ++k) {
            Mask mask = 0;
            for (std::size_t v = 0; v < n; ++v)
                if (v != child && random() % 4 == 0) mask |= bit(v);
            bool known = false;
            for (const auto& one : sets) known = known || one.second == mask;
            if (!known) sets.emplace_back(-static_cast<double>(random() % 4900) / 100.0, mask);
        }
        for (const auto& [one, other] : links)
            if (one == child || other == child)
                for (std::size_t i = sets.size(); i-- > 0;) {
                    const Mask joined = sets[i].second | bit(one == child ? other : one);
                    bool known = false;
                    for (const auto& each : sets) known = known || each.second == joined;
                    if (!known) sets.emplace_back(sets[i].first - 1.0, joined);
                }
        std::sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        for (const auto& [score, mask] : sets) {
            scores.push_back(score);
            for (std::size_t v = 0; v < n; ++v)
                if ((mask & bit(v)) != 0) members.push_back(static_cast<std::int32_t>(v));
            starts.push_back(static_cast<std::int64_t>(members.size()));
        }
        offsets.push_back(static_cast<std::int64_t>(scores.size()));
    }
    return CandidateSets(std::move(offsets), std::move(scores), std::move(starts), std::move(members),
                         std::move(links));
}

std::vector<Var> all_of(std::size_t n) {
    std::vector<Var> all;
    for (Var v = 0; v < n; ++v) all.push_back(v);
    return all;
}

// The recursion of the program, set by set.
double plain_best(const MaskedFamilies& families) {
    std::vector<double> best(std::size_t{1} << families.size(), kImpossible);
    best[0] = 0.0;
    for (Mask set = 1; set < best.size(); ++set)
        for (std::size_t x = 0; x < families.size(); ++x)
            if ((set & bit(x)) != 0)
                best[set] =
                    std::max(best[set], best[set & ~bit(x)] + families.lists[x].best_in(set & ~bit(x)));
    return best.back();
}

double total(const CandidateSets& sets, const std::vector<std::size_t>& entries) {
    double sum = 0.0;
    for (const std::size_t e : entries) sum += sets.score(e);
    return sum;
}

}  // namespace

TEST("blocks give what the plain recursion gives") {
    for (const std::size_t n : {1u, 2u, 5u, 11u, 13u, 15u})
        for (unsigned seed = 0; seed < 4; ++seed) {
            std::vector<CandidateSets::Link> links;
            if (seed % 2 == 1 && n > 3) links = {{0, 2}, {1, static_cast<Var>(n - 1)}};
            const CandidateSets sets = random_sets(seed, n, 12, links);
            const MaskedFamilies families(sets, all_of(n));
            for (const unsigned threads : {1u, 3u}) {
                Control control(threads);
                const SubsetProgram program(families, control);
                const PieceSolution found = program.solution();
                CHECK_CLOSE(found.score, plain_best(families), 1e-9);
                CHECK_CLOSE(total(sets, found.entries), found.score, 1e-9);
            }
        }
}

TEST("astar proves the same optimum") {
    for (const std::size_t n : {2u, 6u, 12u, 14u})
        for (unsigned seed = 0; seed < 6; ++seed) {
            std::vector<CandidateSets::Link> links;
            if (seed % 2 == 1) links = {{0, static_cast<Var>(n - 1)}};
            const CandidateSets sets = random_sets(100 + seed, n, 10, links);
            const MaskedFamilies families(sets, all_of(n));
            const double best = plain_best(families);
            Control control(2);
            AstarPlan plan;
            plan.largest_group = 5;
            PieceSolution found = order_astar(families, plan, control);
            CHECK_CLOSE(found.score, best, 1e-9);
            CHECK_CLOSE(total(sets, found.entries), best, 1e-9);
            plan.incumbent = best;
            plan.tolerance = 1e-9;
            found = order_astar(families, plan, control);
            CHECK(found.entries.empty());
            CHECK_CLOSE(found.bound, best, 1e-9);
            plan.incumbent = best - 5.0;
            plan.most_nodes = 20;
            found = order_astar(families, plan, control);
            CHECK(found.bound >= best - 1e-9);
        }
}

TEST("pattern bounds are never below what is possible") {
    const CandidateSets sets = random_sets(7, 9, 10);
    const MaskedFamilies families(sets, all_of(9));
    Control control;
    const PatternBounds bounds(families, 4, 2, control);
    std::vector<double> rest(std::size_t{1} << 9, kImpossible);  // by the set that is missing
    rest[0] = 0.0;
    for (Mask missing = 1; missing < rest.size(); ++missing)
        for (std::size_t x = 0; x < 9; ++x)
            if ((missing & bit(x)) != 0)
                rest[missing] =
                    std::max(rest[missing], families.lists[x].best_in(families.everything() & ~missing) +
                                                rest[missing & ~bit(x)]);
    for (Mask missing = 0; missing < rest.size(); ++missing) CHECK(bounds(missing) >= rest[missing] - 1e-9);
    const PatternBounds exact(families, 9, 1, control);
    CHECK_CLOSE(exact(families.everything()), rest.back(), 1e-9);
}

TEST("components come parents first") {
    // 0 <-> 1 -> 2 <-> 3, and 4 alone.
    const CandidateSets sets({0, 2, 4, 6, 8, 9}, {-1, -2, -1, -2, -1, -2, -1, -2, -1},
                             {0, 1, 1, 2, 2, 4, 4, 5, 5, 5}, {1, 0, 1, 3, 2}, {});
    const std::vector<std::vector<Var>> found = strong_components(sets);
    CHECK(found.size() == 3);
    CHECK(found[0] == (std::vector<Var>{0, 1}));
    CHECK(found[1] == (std::vector<Var>{2, 3}));
    CHECK(found[2] == (std::vector<Var>{4}));
}

TEST("every network is met once") {
    const auto sample = sample::draw(3, {60, {2, 3, 2, 2}, false, {}});
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 24);
    CriterionScore score(std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial), 2.0);
    Control control;
    CandidatePlan plan;
    plan.least_gain = -std::numeric_limits<double>::infinity();
    const CandidatesFound all = find_candidates(score, Knowledge(4), plan, control);
    CHECK(all.sets.size() == 32);
    const MaskedFamilies families(all.sets, all_of(4));
    const Enumerated found = enumerate_networks(families, 1e-9, control);
    CHECK(found.count == 543);
    const SubsetProgram program(families, control);
    CHECK_CLOSE(found.best, program.best(families.everything()), 1e-9);
    RivalPlan rivals;
    rivals.least = found.best - 1e-9;
    CHECK(rival_networks(families, program, rivals, control).count * 4 == found.ties.size());
    rivals.least = kImpossible;
    CHECK(rival_networks(families, program, rivals, control).count == 543);
    rivals.most = 10;
    CHECK(rival_networks(families, program, rivals, control).full);
    rivals.best_only = true;
    const Rivals best = rival_networks(families, program, rivals, control);
    CHECK(best.count == 10);
    CHECK_CLOSE(best.scores.front(), found.best, 1e-9);
}

TEST("malformed candidate sets are refused") {
    CHECK_THROWS(CandidateSets({0, 1}, {0.0}, {0, 1}, {0}, {}), Error);
    CHECK_THROWS(CandidateSets({0, 2}, {0.0, 1.0}, {0, 0, 0}, {}, {}), Error);
    CHECK_THROWS(CandidateSets({0, 1, 1}, {0.0}, {0, 0}, {}, {}), Error);
    CHECK_THROWS(CandidateSets({0, 1}, {std::nan("")}, {0, 0}, {}, {}), Error);
}
