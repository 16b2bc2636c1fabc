#include <bit>
#include <cmath>

#include "check.hpp"
#include "dagwright/base/scaled.hpp"
#include "dagwright/posterior/exact_posterior.hpp"
#include "dagwright/posterior/graph_sampler.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

using Mask = FamilyWeights::Mask;

std::shared_ptr<LocalScore> bayesian(const sample::Sample& sample) {
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 22);
    return std::make_shared<CellScore>(sums, CellScore::Kind::k2);
}

std::vector<VarSet> everyone(std::size_t n) {
    std::vector<VarSet> candidates(n);
    for (Var child = 0; child < n; ++child)
        for (Var other = 0; other < n; ++other)
            if (other != child) candidates[child] = candidates[child].with(other);
    return candidates;
}

bool acyclic(const FamilyWeights& weights, std::span<const Mask> network) {
    std::vector<bool> placed(network.size(), false);
    for (std::size_t round = 0; round < network.size(); ++round)
        for (Var v = 0; v < network.size(); ++v) {
            const VarSet parents = weights.parents(v, network[v]);
            if (std::all_of(parents.begin(), parents.end(), [&](Var p) { return placed[p]; }))
                placed[v] = true;
        }
    return std::all_of(placed.begin(), placed.end(), [](bool yes) { return yes; });
}

// The sum of the weights of all networks that the visitor accepts.
template <class Accept>
double log_total_listed(const FamilyWeights& weights, Accept&& accept) {
    const std::size_t n = weights.variables(), sets = weights.logs(0).size();
    std::vector<Mask> network(n, 0);
    Scaled total;
    for (;;) {
        if (acyclic(weights, network) && accept(network)) {
            double log = 0.0;
            for (Var v = 0; v < n; ++v) log += weights.log(v, network[v]);
            total += Scaled::exp(log);
        }
        std::size_t at = 0;
        while (at < n && ++network[at] == sets) network[at++] = 0;
        if (at == n) return total.log();
    }
}

bool reaches(const FamilyWeights& weights, const std::vector<Mask>& network, Var start, Var end) {
    const VarSet parents = weights.parents(end, network[end]);
    return std::any_of(parents.begin(), parents.end(),
                       [&](Var p) { return p == start || reaches(weights, network, start, p); });
}

bool in_one_family(const FamilyWeights& weights, const std::vector<Mask>& network, Var a, Var b) {
    for (Var child = 0; child < network.size(); ++child) {
        const VarSet family = weights.parents(child, network[child]).with(child);
        if (family.contains(a) && family.contains(b)) return true;
    }
    return false;
}

}  // namespace

TEST("scaled numbers add, multiply and divide far outside the range of a double") {
    const Scaled tiny = Scaled::exp(-5000.0), huge = Scaled::exp(5000.0);
    CHECK_CLOSE((tiny * huge).log(), 0.0, 1e-9);
    CHECK_CLOSE((tiny + tiny).log(), -5000.0 + std::log(2.0), 1e-9);
    CHECK_CLOSE((huge + tiny).log(), 5000.0, 1e-9);
    CHECK_CLOSE((tiny + huge).log(), 5000.0, 1e-9);
    CHECK_CLOSE((tiny + tiny) / tiny, 2.0, 1e-12);
    CHECK(tiny / huge == 0.0);
    CHECK((tiny + -tiny).zero());
    CHECK(Scaled().zero());
    CHECK(Scaled::exp(-std::numeric_limits<double>::infinity()).zero());
    CHECK_CLOSE((Scaled() + tiny).log(), -5000.0, 1e-9);
    CHECK((Scaled() * huge).zero());
    // Neighboring exponents meet in the middle.
    const double edge = 128 * std::log(2.0);
    for (const double shift : {-1e-9, 1e-9, 3.0}) {
        const Scaled sum = Scaled::exp(edge + shift) + Scaled::exp(edge - shift);
        CHECK_CLOSE(sum.log(), edge + std::log(2.0 * std::cosh(shift)), 1e-12);
    }
    for (const double logarithm : {-7000.25, -0.5, 0.0, 88.0, 6000.5}) {
        const Scaled::Binary parts = Scaled::exp(logarithm).binary();
        CHECK(parts.mantissa >= 0.5 && parts.mantissa < 1.0);
        CHECK_CLOSE(Scaled::binary(parts.mantissa, parts.exponent).log(), logarithm, 1e-9);
    }
    CHECK(Scaled::binary(0.0, 5000).zero());
    CHECK_CLOSE(huge.over(tiny).log(), 10'000.0, 1e-8);
    CHECK_CLOSE((huge.over(huge) - Scaled(0.25)).value(), 0.75, 1e-12);
    Scaled product(1.0);
    for (int i = 0; i < 1000; ++i) product = product * Scaled(0.001);
    CHECK_CLOSE(product.log(), 1000 * std::log(0.001), 1e-8);
}

TEST("sums over networks and arcs are those of the networks listed") {
    const sample::Sample sample = sample::draw(5, {120, {2, 3, 2, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bayesian(sample);
    Control control(2);
    const FamilyWeights weights(*score, Knowledge(4), everyone(4), Knowledge::kUnbounded, control);
    CHECK(weights.evaluations() == 32);
    const ExactPosterior found = exact_posterior(weights, Counting::networks, {true, true, true}, control);
    CHECK_CLOSE(found.log_total, log_total_listed(weights, [](const auto&) { return true; }), 1e-9);
    CHECK_CLOSE(log_total_weight(weights, Counting::networks, control), found.log_total, 1e-12);
    for (Var parent = 0; parent < 4; ++parent)
        for (Var child = 0; child < 4; ++child) {
            if (parent == child) continue;
            const double with = log_total_listed(weights, [&](const std::vector<Mask>& network) {
                return (network[child] & weights.bit(child, parent)) != 0;
            });
            CHECK_CLOSE(found.arcs[parent * 4 + child], std::exp(with - found.log_total), 1e-10);
            const double reached = log_total_listed(weights, [&](const std::vector<Mask>& network) {
                return reaches(weights, network, parent, child);
            });
            CHECK_CLOSE(found.paths[parent * 4 + child], std::exp(reached - found.log_total), 1e-10);
            const double married = log_total_listed(weights, [&](const std::vector<Mask>& network) {
                return in_one_family(weights, network, parent, child);
            });
            CHECK_CLOSE(found.blankets[parent * 4 + child], std::exp(married - found.log_total), 1e-10);
        }
    for (Var c = 0; c < 4; ++c)
        for (Var b = 0; b < 4; ++b)
            for (Var a = 0; a < b; ++a) {
                if (a == c || b == c) continue;
                const double with = log_total_listed(weights, [&](const std::vector<Mask>& network) {
                    return (network[c] & weights.bit(c, a)) != 0 && (network[c] & weights.bit(c, b)) != 0 &&
                           (network[a] & weights.bit(a, b)) == 0 && (network[b] & weights.bit(b, a)) == 0;
                });
                CHECK_CLOSE(found.v_structures[(c * 4 + a) * 4 + b], std::exp(with - found.log_total), 1e-10);
            }
}

TEST("sums over networks stop when asked") {
    const sample::Sample sample = sample::draw(5, {60, {2, 2, 2, 2, 2, 2, 2, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bayesian(sample);
    Control control(2);
    const FamilyWeights weights(*score, Knowledge(8), everyone(8), Knowledge::kUnbounded, control);
    for (const Counting counting : {Counting::orders, Counting::networks}) {
        Control hurried(2, 0.0);
        const ExactPosterior found = exact_posterior(weights, counting, {true, true, true}, hurried);
        CHECK(found.stop == Stop::deadline);
        CHECK(found.arcs.empty() && found.paths.empty() && found.v_structures.empty());
    }
}

TEST("sums over parent sets, and draws from them, respect what must be joined") {
    const sample::Sample sample = sample::draw(6, {100, {2, 2, 2, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bayesian(sample);
    Control control;
    Knowledge knowledge(4);
    knowledge.require_link(0, 2);
    knowledge.forbid_arc(3, 0);
    const auto weights =
        std::make_shared<FamilyWeights>(*score, knowledge, everyone(4), std::size_t{2}, control);
    CHECK(weights->candidates(0).size() == 2);
    CHECK(weights->joined(0, 2) && weights->joined(2, 0));
    CHECK(weights->log(1, 0b111) == FamilyWeights::kImpossible);
    const FamilySums sums(weights, control);
    Random random(3);
    for (Var child = 0; child < 4; ++child)
        for (Mask within = 0; within < weights->logs(child).size(); ++within)
            for (Mask touched = 0; touched <= within; ++touched) {
                if ((touched & ~within) != 0) continue;
                const Mask must = weights->links(child) & within;
                double total = 0.0;
                for (Mask set = 0; set <= within; ++set)
                    if ((set & ~within) == 0 && (set & weights->links(child)) == must &&
                        (touched == 0 || (set & touched) != 0))
                        total += std::exp(weights->log(child, set));
                const double found = touched == 0 ? sums.log_sum(child, within)
                                                  : sums.log_sum_touching(child, within, touched);
                CHECK_CLOSE(found, std::log(total), 1e-9);
                if (total == 0.0) continue;
                const Mask drawn = sums.draw(child, within, touched, random);
                CHECK((drawn & ~within) == 0 && (drawn & weights->links(child)) == must);
                CHECK(touched == 0 || (drawn & touched) != 0);
            }
}

TEST("walks come close to the exact posterior, whatever the threads, and go on from a saved state") {
    const sample::Sample sample = sample::draw(7, {150, {2, 2, 3, 2, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bayesian(sample);
    Control control(2);
    const auto weights =
        std::make_shared<FamilyWeights>(*score, Knowledge(5), everyone(5), Knowledge::kUnbounded, control);
    const auto sums = std::make_shared<FamilySums>(weights, control);
    const std::vector<std::uint64_t> seeds{11, 12, 13};
    for (const WalkKind kind : {WalkKind::order, WalkKind::partition, WalkKind::structure}) {
        const ExactPosterior exact = exact_posterior(
            *weights, kind == WalkKind::order ? Counting::orders : Counting::networks, {}, control);
        GraphSampler sampler(sums, kind, seeds, std::vector<VarSet>(5));
        sampler.advance(200, 20, false, control);
        const std::vector<std::uint32_t> state = sampler.walk(1).state();
        const std::uint64_t random = sampler.walk(1).random().state();
        const Visits seen = sampler.advance(4000, 25, true, control);
        CHECK(seen.per_chain == 4000);
        for (std::size_t arc = 0; arc < 25; ++arc) {
            double mean = 0.0;
            for (std::size_t visit = 0; visit < 12'000; ++visit)
                mean += static_cast<double>(seen.arcs[visit * 25 + arc]) / 12'000.0;
            CHECK_CLOSE(mean, exact.arcs[arc], 0.03);
        }
        // The middle chain alone, from where it was.
        Control alone(1);
        GraphSampler again(sums, kind, {1}, std::vector<VarSet>(5));
        again.walk(0).restore(state);
        again.walk(0).random() = Random(random);
        const Visits repeated = again.advance(50, 25, true, alone);
        for (std::size_t visit = 0; visit < 50; ++visit) {
            CHECK(repeated.log_weights[visit] == seen.log_weights[4000 + visit]);
            for (Var v = 0; v < 5; ++v)
                CHECK(repeated.networks[visit * 5 + v] == seen.networks[(4000 + visit) * 5 + v]);
        }
    }
}
