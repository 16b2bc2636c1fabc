#include <cmath>

#include "check.hpp"
#include "dagwright/graph/dag_state.hpp"
#include "dagwright/search/chow_liu_weights.hpp"
#include "dagwright/search/mdl_search.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

struct Scores {
    explicit Scores(unsigned seed, std::vector<std::uint32_t> cardinalities)
        : sample(sample::draw(seed, {800, std::move(cardinalities), false, {}})),
          sums(std::make_shared<CellSums>(sample.table, std::size_t{1} << 22)),
          measure(std::make_shared<CountingMeasure>(sums, CountingMeasure::Kind::multinomial)),
          weight(measure, 0.0),
          score(measure, 3.5) {}

    double total(LocalScore& local, const std::vector<VarSet>& parents) {
        double sum = 0.0;
        for (Var child = 0; child < parents.size(); ++child) {
            double value = 0.0;
            const Family family{child, parents[child]};
            local.local({&family, 1}, {&value, 1}, control);
            sum += value;
        }
        return sum;
    }

    sample::Sample sample;
    std::shared_ptr<CellSums> sums;
    std::shared_ptr<CountingMeasure> measure;
    CriterionScore weight, score;
    Control control;
};

std::size_t arcs_of(const std::vector<VarSet>& parents) {
    std::size_t arcs = 0;
    for (const VarSet& set : parents) arcs += set.size();
    return arcs;
}

}  // namespace

TEST("gains of links do not depend on the size of a batch") {
    Scores scores(3, {2, 3, 2, 4, 2, 3, 2});
    const std::vector<double> whole = edge_gains(scores.score, {}, scores.control);
    for (const std::size_t size : {1u, 2u, 5u, 21u})
        CHECK(edge_gains(scores.score, {}, scores.control, size) == whole);
    const std::vector<double> given = edge_gains(scores.weight, VarSet::of({1}), scores.control);
    for (std::size_t x = 0; x < 7; ++x)
        for (std::size_t y = 0; y < 7; ++y) {
            CHECK_CLOSE(given[x * 7 + y], given[y * 7 + x], 0.0);
            CHECK(given[x * 7 + y] >= -1e-9);
            if (x == 1 || x == y) CHECK(given[x * 7 + y] == 0.0);
        }
    Control late(1, 0.0);
    CHECK(edge_gains(scores.score, {}, late).empty());
}

TEST("every DAG is seen, and the search never finds more than there is") {
    const std::size_t counts[] = {1, 1, 3, 25, 543, 29281};
    for (unsigned seed = 0; seed < 4; ++seed)
        for (std::size_t n = 1; n <= 5; ++n) {
            Scores scores(seed, std::vector<std::uint32_t>(n, 2));
            const Knowledge free(n);
            const std::vector<VarSet> empty(n);
            const ArcCountPlan plan{n * n, n * n, Knowledge::kUnbounded, false, false};
            const ArcCountFound all =
                arc_count_enumeration(scores.weight, scores.score, free, empty, plan, scores.control);
            CHECK(all.expansions == counts[n]);
            const ArcCountFound found =
                arc_count_search(scores.weight, scores.score, free, empty, plan, scores.control);
            CHECK(found.score <= all.score + 1e-9);
            CHECK_CLOSE(found.score, scores.total(scores.score, found.parents), 1e-8);
            for (std::size_t arcs = 0; arcs < found.frontier.size(); ++arcs) {
                const ArcCountPoint& point = found.frontier[arcs];
                CHECK(arcs_of(point.heaviest) == arcs && arcs_of(point.best) == arcs);
                CHECK_CLOSE(point.weight, scores.total(scores.weight, point.heaviest), 1e-8);
                CHECK(point.weight <= all.frontier[arcs].weight + 1e-9);
                CHECK(point.score <= all.frontier[arcs].score + 1e-9);
                const DagState acyclic(point.heaviest);
                CHECK(acyclic.size() == n);
            }
        }
    Scores large(1, std::vector<std::uint32_t>(7, 2));
    CHECK_THROWS(arc_count_enumeration(large.weight, large.score, Knowledge(7), std::vector<VarSet>(7), {},
                                       large.control),
                 Error);
}

TEST("pieces are counted") {
    CHECK(joined({VarSet{}, VarSet::of({0}), VarSet::of({1})}));
    CHECK(!joined({VarSet{}, VarSet::of({0}), VarSet{}}));
    CHECK(joined({}));
}
