#include <cmath>
#include <limits>

#include "check.hpp"
#include "dagwright/evidence/parent_counts.hpp"
#include "dagwright/exact/find_candidates.hpp"
#include "dagwright/exact/regret_steps.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

constexpr double kMost = std::numeric_limits<double>::infinity();

std::shared_ptr<LocalScore> qnml(const sample::Sample& drawn) {
    auto sums = std::make_shared<CellSums>(drawn.table, std::size_t{1} << 22);
    auto measure = std::make_shared<CountingMeasure>(std::move(sums), CountingMeasure::Kind::nml);
    return std::make_shared<CriterionScore>(std::move(measure), 0.0);
}

// -log C(n - 1, k), made never to rise: as FanIn(monotone=True).
std::vector<double> fan_in(std::size_t n) {
    std::vector<double> values;
    for (std::size_t k = 0; k < n; ++k) {
        const auto others = static_cast<double>(n - 1), size = static_cast<double>(k);
        const double one = std::lgamma(size + 1.0) + std::lgamma(others - size + 1.0) - std::lgamma(n);
        values.push_back(k == 0 ? one : std::min(values.back(), one));
    }
    return values;
}

VarSet set_of(std::size_t mask) {
    std::vector<Var> members;
    for (Var v = 0; mask >> v != 0; ++v)
        if ((mask >> v & 1u) != 0) members.push_back(v);
    return VarSet::of(members);
}

// The score of every set of parents of a child; NaN for sets with the child itself.
std::vector<double> all_scores(LocalScore& score, Var child) {
    std::vector<Family> families;
    std::vector<std::size_t> masks;
    for (std::size_t mask = 0; mask < std::size_t{1} << score.variables(); ++mask)
        if ((mask >> child & 1u) == 0) {
            families.push_back({child, set_of(mask)});
            masks.push_back(mask);
        }
    std::vector<double> values(families.size()), all(std::size_t{1} << score.variables(), std::nan(""));
    Control control;
    score.local(families, values, control);
    for (std::size_t i = 0; i < masks.size(); ++i) all[masks[i]] = values[i];
    return all;
}

}  // namespace

TEST("the quotient regret never falls as configurations are added") {
    for (const double N : {1.0, 2.0, 7.0, 99.0, 100.0, 5000.0, 1e5, 3e6}) {
        const QuotientRegret regret(N);
        for (const double r : {1.0, 2.0, 3.0, 11.0, 70.0}) {
            double before = 0.0;
            for (double q = 1.0; q < 1e13; q = q < 3000.0 ? q + 1.0 : std::ceil(q * 1.003)) {
                const double value = regret(r, q);
                // The recurrence is exact but for rounding; beyond it the margin counts.
                const double margin = r * q <= NmlRegret::exact_cells ? 5e-12 * N : regret.margin();
                CHECK(value >= before - margin);
                CHECK(value <= N * std::log(r) + regret.margin());
                CHECK(regret.least_from(r, q) <= value);
                before = std::max(before, value);
            }
            CHECK_CLOSE(regret(r, 1e308 * 10.0), N * std::log(r), 1e-9);
        }
    }
}

TEST("the least step of the quotient regret is never above one that is taken") {
    for (const double N : {40.0, 5000.0})
        for (const double r : {2.0, 5.0})
            for (const double s : {1.0, 2.0, 3.0, 7.0})
                for (const double most : {1.0, 96.0, 5000.0})
                    for (const double enough : {0.01 * N, 0.6 * N * std::log(r), 2.0 * N * std::log(r)}) {
                        const QuotientRegret regret(N);
                        const RegretLevels levels(regret, r, most);
                        const RegretSteps steps(regret, r, s, levels.size());
                        const std::size_t end = levels.reaching(enough);
                        double least = kMost;
                        for (double q = most; q >= 1.0; q -= 1.0) {
                            if (std::fmod(q, s) == 0.0 && regret(r, q) < enough)
                                least = std::min(least, regret(r, q) - regret(r, q / s));
                            CHECK(steps.from(q, end) <= least);
                        }
                        // Not far below it either, where the penalty is far from its limit.
                        if (s == 2.0 && N == 5000.0 && most == 96.0 && end == levels.size())
                            CHECK(steps.from(2.0, end) > 0.9 * least - 1e-3);
                    }
}

TEST("no superset of the parents scores above the bound of qNML") {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const std::size_t rows = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 60 : 900;
        const auto drawn = sample::draw(seed, {rows, {2, 3, 2, 5, seed % 4 == 0 ? 1u : 2u, 4}, false, {}});
        const auto plain = qnml(drawn);
        const auto with_prior = std::make_shared<ParentCountScore>(plain, fan_in(6));
        for (LocalScore* score : {plain.get(), static_cast<LocalScore*>(with_prior.get())}) {
            CHECK(score->bounded() && !score->bounds_families());
            for (Var child = 0; child < 6; ++child) {
                const std::vector<double> values = all_scores(*score, child);
                for (std::size_t set = 0; set < values.size(); ++set) {
                    if (std::isnan(values[set])) continue;
                    const double above = score->superset_bound({child, set_of(set)});
                    CHECK(values[set] <= score->family_bound({child, set_of(set)}));
                    for (std::size_t other = set + 1; other < values.size(); ++other)
                        if ((other & set) == set && !std::isnan(values[other])) CHECK(values[other] <= above);
                }
            }
        }
    }
}

TEST("candidate sets of qNML are those that beat all their subsets") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const std::size_t rows = seed % 2 == 0 ? 150 : 2500;
        const std::uint32_t odd = seed % 5 == 0 ? 1 : 3;
        const auto drawn = sample::draw(50 + seed, {rows, {2, odd, 2, 4, 2, 2, 3, 2}, false, {}});
        const auto plain = qnml(drawn);
        const auto with_prior = std::make_shared<ParentCountScore>(plain, fan_in(8));
        const Knowledge knowledge(8);
        for (LocalScore* score : {plain.get(), static_cast<LocalScore*>(with_prior.get())})
            for (const double gain : {score->tolerance(), -2.0}) {
                Control control(2);
                CandidatePlan plan;
                plan.least_gain = gain;
                const CandidatesFound found = find_candidates(*score, knowledge, plan, control);
                for (Var child = 0; child < 8; ++child) {
                    const std::vector<double> values = all_scores(*score, child);
                    std::size_t expected = 0;
                    double best = -kMost;
                    for (std::size_t set = 0; set < values.size(); ++set) {
                        bool beats = !std::isnan(values[set]);
                        for (std::size_t sub = set; beats && sub != 0;) {
                            sub = (sub - 1) & set;
                            beats = values[set] > values[sub] + gain;
                        }
                        expected += beats;
                        if (beats) best = std::max(best, values[set]);
                    }
                    CHECK(found.sets.end(child) - found.sets.begin(child) == expected);
                    CHECK(found.sets.best(child) == best);
                }
                if (rows == 2500) CHECK(found.evaluations < 8 * 128);
            }
    }
}
