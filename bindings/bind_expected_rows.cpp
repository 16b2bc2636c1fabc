// Tables whose missing cells are spread over their states, and scores that live with missing cells.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/evidence/node_average.hpp"
#include "dagwright/inference/em_expected_rows.hpp"

using namespace dagwright;

namespace {

// Keeps the codes behind the rows alive for as long as anything uses the new table.
struct Owner {
    std::shared_ptr<Table> rows;
    std::unique_ptr<Table> table;
};

std::shared_ptr<Table> expected_table(std::shared_ptr<Table> rows,
                                      const std::shared_ptr<NetworkTables>& network, double max_cells,
                                      unsigned threads) {
    if (rows->variables() != network->nodes()) throw nb::value_error("one column per node is needed");
    for (Var v = 0; v < network->nodes(); ++v)
        if (rows->column(v).cardinality != network->cards[v])
            throw nb::value_error("a column has other states than its node");
    auto owner = std::make_shared<Owner>();
    {
        const nb::gil_scoped_release release;
        Workers workers(checked_threads(threads));
        owner->table = std::make_unique<Table>(
            *rows, std::make_shared<const ExpectedRows>(network, *rows, max_cells, workers));
    }
    owner->rows = std::move(rows);
    return {owner, owner->table.get()};
}

}  // namespace

void bind_expected_rows(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("expected_table", &expected_table, "rows"_a, "network"_a, "max_cells"_a, "threads"_a,
          "The rows with their missing cells spread over their states by a network.");
    nb::class_<NodeAverageScore, LocalScore>(m, "NodeAverageScore")
        .def(nb::init<std::shared_ptr<CellSums>, double>(), "sums"_a, "penalty"_a);
}
