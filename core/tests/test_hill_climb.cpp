#include <algorithm>

#include "check.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/base/workers.hpp"
#include "dagwright/graph/dag_state.hpp"
#include "dagwright/search/hill_climb.hpp"
#include "sample_table.hpp"

using namespace dagwright;

TEST("descendants follow additions, deletions and reversals") {
    DagState dag(std::vector<VarSet>(5));
    dag.add(0, 1);
    dag.add(1, 2);
    dag.add(0, 2);
    dag.add(3, 0);
    CHECK(dag.has_path(3, 2) && !dag.has_path(2, 3));
    CHECK(!dag.can_add(2, 3) && dag.can_add(3, 2));
    CHECK(!dag.can_reverse(0, 2) && dag.can_reverse(1, 2));
    dag.remove(1, 2);
    CHECK(dag.can_reverse(0, 2) && dag.has_path(0, 2));
    dag.reverse(0, 2);
    CHECK(dag.has_arc(2, 0) && !dag.has_path(3, 2) && dag.has_path(2, 1));
    CHECK_THROWS(DagState({VarSet::of({1}), VarSet::of({0})}), CycleError);
}

TEST("descendants after many changes are those of a graph that is made anew") {
    constexpr Var n = 70;
    Random random(3);
    DagState dag{std::vector<VarSet>(n)};
    for (int step = 0; step < 3000; ++step) {
        const auto from = static_cast<Var>(random.below(n)), to = static_cast<Var>(random.below(n));
        if (from == to) continue;
        const DagState before = dag;
        std::vector<bool> touched(n, false);
        if (!dag.has_arc(from, to)) {
            if (dag.can_add(from, to)) dag.add(from, to, &touched);
        } else if (random.below(2) == 0) {
            dag.remove(from, to, &touched);
        } else if (dag.can_reverse(from, to)) {
            dag.reverse(from, to, &touched);
        }
        const DagState anew(dag.families());
        for (Var v = 0; v < n; ++v) {
            CHECK(std::ranges::equal(dag.descendants(v), anew.descendants(v)));
            CHECK(dag.children(v) == anew.children(v));
            CHECK(touched[v] || std::ranges::equal(dag.descendants(v), before.descendants(v)));
        }
    }
}

TEST("hill climbing ends where no single move gains, whatever the threads") {
    const sample::Sample sample = sample::draw(31, {5000, {2, 3, 2, 4, 2, 3, 2}, false, {}});
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 24);
    CriterionScore score(std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial), 4.0);
    const Knowledge nothing(7);
    Control one(1), two(2);
    const DagFound found = hill_climb(score, nothing, std::vector<VarSet>(7), {}, one);
    CHECK(found.parents == hill_climb(score, nothing, std::vector<VarSet>(7), {}, two).parents);
    CHECK(!found.trace.empty());
    // A second climb from the answer does not move.
    CHECK(hill_climb(score, nothing, found.parents, {}, one).trace.empty());
}

TEST("hill climbing obeys knowledge and bounds, and stops at the deadline") {
    const sample::Sample sample = sample::draw(32, {2000, {2, 2, 2, 2}, false, {}});
    const auto sums = std::make_shared<CellSums>(sample.table, std::size_t{1} << 20);
    CriterionScore score(std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial), 0.0);
    Knowledge knowledge(4);
    knowledge.forbid_arc(0, 1);
    knowledge.forbid_arc(1, 0);
    knowledge.require_arc(3, 0);
    knowledge.bound_parents(2, 1);
    std::vector<VarSet> start(4);
    start[0] = VarSet::of({3});
    ClimbPlan plan;
    plan.max_parents = 2;
    Control control;
    const DagFound found = hill_climb(score, knowledge, start, plan, control);
    CHECK(found.parents[0].contains(3) && !found.parents[0].contains(1) && !found.parents[1].contains(0));
    CHECK(found.parents[2].size() <= 1);
    for (const VarSet& parents : found.parents) CHECK(parents.size() <= 2);

    Control hurried(1, 0.0);
    const DagFound stopped = hill_climb(score, knowledge, start, plan, hurried);
    CHECK(stopped.stop == Stop::deadline && stopped.parents == start);
}

TEST("workers run every task once and hand on the first failure") {
    Workers workers(4);
    std::vector<std::atomic<int>> done(1000);
    for (int round = 0; round < 20; ++round)
        workers.run(done.size(), [&](std::size_t i, unsigned worker) {
            CHECK(worker < 4);
            ++done[i];
        });
    for (const std::atomic<int>& times : done) CHECK(times == 20);
    CHECK_THROWS(workers.run(100,
                             [](std::size_t i, unsigned) {
                                 if (i == 50) throw std::runtime_error("task 50");
                             }),
                 std::runtime_error);
    workers.run(10, [&](std::size_t, unsigned) {});
}
