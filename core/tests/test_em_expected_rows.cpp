#include <cmath>
#include <memory>

#include "check.hpp"
#include "dagwright/evidence/node_average.hpp"
#include "dagwright/inference/em_expected_rows.hpp"
#include "dagwright/statistics/cell_sums.hpp"

using namespace dagwright;

namespace {

// a -> b, two states each.
std::shared_ptr<NetworkTables> arc() {
    auto network = std::make_shared<NetworkTables>();
    network->names = {"a", "b"};
    network->cards = {2, 2};
    network->tables.push_back(
        std::make_shared<const Factor>(conditional_table({0}, network->cards, {0.75, 0.25})));
    network->tables.push_back(
        std::make_shared<const Factor>(conditional_table({0, 1}, network->cards, {0.8, 0.2, 0.4, 0.6})));
    return network;
}

struct Rows {
    std::vector<std::uint8_t> a{0, 1, 255, 255, 0}, b{0, 255, 1, 255, 1};
    Table table{5, {{a.data(), nullptr, 2}, {b.data(), nullptr, 2}}, {}};
};

Table expected(const Rows& rows) {
    Workers workers(2);
    return Table(rows.table, std::make_shared<const ExpectedRows>(arc(), rows.table, 1e6, workers));
}

}  // namespace

TEST("a row with gaps counts in shares") {
    const Rows rows;
    const auto table = std::make_shared<const Table>(expected(rows));
    const Counter counter(table);
    CountScratch scratch;
    const std::vector<Var> both{0, 1};
    const Cells cells = counter.cells(both, {}, scratch);
    CHECK(cells.counts.size() == 4);
    // P(a | b = 1) = 0.15 : 0.15; a row without values is the joint distribution.
    const double wanted[] = {1 + 0.6, 1 + 0.5 + 0.15, 0.4 + 0.1, 0.6 + 0.5 + 0.15};
    double total = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const double count = static_cast<double>(cells.counts[i]) * table->unit();
        CHECK_CLOSE(count, wanted[i], 1e-12);
        total += count;
    }
    CHECK_CLOSE(total, table->total(), 1e-12);
    CHECK_CLOSE(table->total(), 5.0, 1e-12);
}

TEST("sums over expected counts do not depend on threads") {
    const Rows rows;
    for (const unsigned threads : {1u, 3u}) {
        CellSums sums(std::make_shared<const Table>(expected(rows)), std::size_t{1} << 20);
        Control control(threads);
        const std::vector<SumRequest> requests{
            {VarSet::of({0, 1}), {}}, {VarSet::of({0}), {}}, {VarSet{}, {}}};
        std::vector<double> found(3);
        sums.sums(requests, {}, found, control);
        const double a0 = 1 + 1 + 0.5 + 0.75;
        CHECK_CLOSE(found[1], a0 * std::log(a0) + (5 - a0) * std::log(5 - a0), 1e-11);
        CHECK_CLOSE(found[2], 5 * std::log(5.0), 1e-11);
    }
}

TEST("an impossible row is an error") {
    auto network = arc();
    network->tables[1] =
        std::make_shared<const Factor>(conditional_table({0, 1}, network->cards, {1.0, 0.0, 1.0, 0.0}));
    const Rows rows;
    Workers workers(1);
    CHECK_THROWS(ExpectedRows(network, rows.table, 1e6, workers), Error);
}

TEST("node averages compare families on different rows") {
    const Rows rows;
    auto sums = std::make_shared<CellSums>(
        std::shared_ptr<const Table>(std::shared_ptr<const Table>{}, &rows.table), std::size_t{1} << 20);
    NodeAverageScore score(sums, 0.5);
    const std::vector<Family> families{{0, {}}, {1, VarSet::of({0})}};
    std::vector<double> found(2);
    Control control(1);
    score.local(families, found, control);
    CHECK_CLOSE(found[0], 5.0 / 3 * (2 * std::log(2.0 / 3) + std::log(1.0 / 3)) - 0.5, 1e-11);
    CHECK_CLOSE(found[1], 5.0 / 2 * 2 * std::log(0.5) - 1.0, 1e-11);
}
