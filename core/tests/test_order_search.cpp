#include "check.hpp"
#include "dagwright/search/boss.hpp"
#include "dagwright/search/order_search.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

std::shared_ptr<LocalScore> bic(const sample::Sample& sample, double lambda) {
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 24);
    return std::make_shared<CriterionScore>(
        std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial), lambda);
}

double local(LocalScore& score, Var child, const VarSet& parents) {
    const Family family{child, parents};
    double value = 0.0;
    Control control;
    score.local({&family, 1}, {&value, 1}, control);
    return value;
}

VarSet from_mask(std::uint32_t mask) {
    VarSet set;
    for (Var v = 0; v < 32; ++v)
        if ((mask >> v) & 1u) set = set.with(v);
    return set;
}

// The best score over all orders, by dynamic programming over sets of predecessors.
double best_over_orders(LocalScore& score, std::size_t n) {
    std::vector<double> best(std::size_t{1} << n, -1e300);
    best[0] = 0.0;
    for (std::uint32_t placed = 0; placed < best.size(); ++placed)
        for (Var next = 0; next < n; ++next) {
            if ((placed >> next) & 1u) continue;
            double top = -1e300;
            for (std::uint32_t set = placed;; set = (set - 1) & placed) {
                top = std::max(top, local(score, next, from_mask(set)));
                if (set == 0) break;
            }
            double& after = best[placed | (1u << next)];
            after = std::max(after, best[placed] + top);
        }
    return best.back();
}

}  // namespace

TEST("complete lists hold every set that beats its subsets, best first") {
    const sample::Sample sample = sample::draw(41, {400, {2, 3, 2, 2, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bic(sample, 1.0);
    Control control;
    const ParentLists lists(*score, Knowledge(5), {}, std::vector<VarSet>(5), 0.0, control);
    CHECK(lists.complete());
    for (Var child = 0; child < 5; ++child) {
        std::size_t expected = 0;
        for (std::uint32_t mask = 0; mask < 32; ++mask) {
            if ((mask >> child) & 1u) continue;
            const double value = local(*score, child, from_mask(mask));
            bool beaten = false;
            for (std::uint32_t sub = mask; sub != 0;) {
                sub = (sub - 1) & mask;
                beaten = beaten || local(*score, child, from_mask(sub)) >= value - score->tolerance();
            }
            if (!beaten) ++expected;
        }
        CHECK(lists.size(child) == expected);
        for (std::uint32_t i = 0; i + 1 < lists.size(child); ++i)
            CHECK(lists.score(child, i) >= lists.score(child, i + 1));
        // Nothing before it: only the empty set fits.
        const Word none = 0;
        CHECK(lists.parents(child, lists.first_fitting(child, &none)).empty());
    }
}

TEST("order search finds the best of all networks, whatever the threads and the moves") {
    for (const unsigned seed : {51u, 52u, 53u, 54u}) {
        const sample::Sample sample = sample::draw(seed, {300, {2, 2, 3, 2, 2}, false, {}});
        const std::shared_ptr<LocalScore> score = bic(sample, 0.5);
        OrderPlan options;
        options.perturbations = 100;
        Control one(1), two(2);
        const OrderFound found = order_search(*score, Knowledge(5), std::vector<VarSet>(5), options, one);
        CHECK_CLOSE(found.score, best_over_orders(*score, 5), 1e-12);
        CHECK(found.parents ==
              order_search(*score, Knowledge(5), std::vector<VarSet>(5), options, two).parents);
        options.moves = OrderMoves::swap;
        CHECK_CLOSE(order_search(*score, Knowledge(5), std::vector<VarSet>(5), options, one).score,
                    found.score, 1e-12);
    }
}

TEST("order search obeys required arcs, links and bounds, and stops at the deadline") {
    const sample::Sample sample = sample::draw(61, {500, {2, 2, 2, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bic(sample, 0.1);
    Knowledge knowledge(4);
    knowledge.require_arc(3, 0);
    knowledge.require_link(1, 2);
    knowledge.forbid_arc(2, 0);
    knowledge.bound_parents(1, 1);
    std::vector<VarSet> start(4);
    start[0] = VarSet::of({3});
    start[2] = VarSet::of({1});
    OrderPlan options;
    options.perturbations = 50;
    Control control;
    const OrderFound found = order_search(*score, knowledge, start, options, control);
    CHECK(found.parents[0].contains(3) && !found.parents[0].contains(2) && found.parents[1].size() <= 1);
    CHECK(found.parents[2].contains(1) || found.parents[1].contains(2));

    Control hurried(1, 0.0);
    const OrderFound stopped = order_search(*score, knowledge, start, options, hurried);
    CHECK(stopped.stop == Stop::deadline && stopped.parents == start);
}

TEST("a first order among few parents tries those that gain most alone, and those it began with") {
    const sample::Sample sample = sample::draw(61, {400, {2, 3, 2, 2, 3, 2}, false, {}});
    const std::shared_ptr<LocalScore> score = bic(sample, 0.5);
    Control control;
    BossPlan plan;
    plan.candidates = 2;
    std::vector<VarSet> start(6);
    start[0] = VarSet::of({5});
    const BossFound found = boss(*score, Knowledge(6), start, plan, control);
    double given = 0.0;
    for (Var child = 0; child < 6; ++child) given += local(*score, child, start[child]);
    CHECK(found.score > given);
    for (Var child = 0; child < 6; ++child) {
        std::vector<Var> others;
        for (Var v = 0; v < 6; ++v)
            if (v != child) others.push_back(v);
        std::ranges::stable_sort(others, [&](Var a, Var b) {
            return local(*score, child, VarSet::of({a})) > local(*score, child, VarSet::of({b}));
        });
        for (const Var parent : found.parents[child])
            CHECK(parent == others[0] || parent == others[1] || start[child].contains(parent));
    }
    // As many as there are: nothing is left out.
    BossPlan all;
    all.candidates = 6;
    const BossFound whole = boss(*score, Knowledge(6), start, all, control);
    CHECK_CLOSE(whole.score, boss(*score, Knowledge(6), start, BossPlan{}, control).score, 0.0);
}
