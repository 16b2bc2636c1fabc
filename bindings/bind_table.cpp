// Coded columns and their counts.
#include "bindings.hpp"
#include "cells.hpp"
#include "code_columns.hpp"
#include "conversions.hpp"
#include "dagwright/statistics/counts.hpp"
#include "dagwright/statistics/table.hpp"

using namespace dagwright;

namespace {

// Keeps the arrays alive for as long as anything uses the table.
struct Owner {
    std::vector<AnyColumn> arrays;
    std::unique_ptr<Table> table;
};

std::shared_ptr<Table> make_table(std::vector<AnyColumn> codes,
                                  const std::vector<std::uint32_t>& cardinalities, std::size_t rows,
                                  const std::optional<Input<double>>& weights, double unit) {
    if (codes.size() != cardinalities.size()) throw nb::value_error("one cardinality per column is needed");
    std::vector<Column> columns;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (codes[i].shape(0) != rows) throw nb::value_error("all columns need the same number of rows");
        columns.push_back(to_column(codes[i], cardinalities[i]));
    }
    std::span<const double> frequencies;
    if (weights) {
        if (weights->shape(0) != rows) throw nb::value_error("one weight per row is needed");
        frequencies = span_of(*weights);
    }
    auto owner = std::make_shared<Owner>();
    owner->table = std::make_unique<Table>(rows, std::move(columns), frequencies, unit);
    owner->arrays = std::move(codes);
    return {owner, owner->table.get()};
}

// Counts each extension of the base and gives the number of occurring cells: the bare engine, for benchmarks.
class OccupiedSink final : public CellSink {
  public:
    explicit OccupiedSink(std::size_t extensions) : occupied(extensions) {}
    void cells(std::size_t i, std::span<const std::uint32_t> counts) override { add(i, counts); }
    void cells(std::size_t i, std::span<const std::uint64_t> counts) override { add(i, counts); }
    std::vector<double> occupied;

  private:
    template <class Count>
    void add(std::size_t i, std::span<const Count> counts) {
        for (const Count n : counts) occupied[i] += n > 0;
    }
};

FloatArray occupied(const Counter& counter, const Members& base, const Members& extensions) {
    const std::size_t n = counter.table().variables();
    (void)to_varset(extensions, n);
    const VarSet set = to_varset(base, n);
    OccupiedSink sink(extensions.size());
    {
        const nb::gil_scoped_release release;
        CountScratch scratch;
        counter.extend(set, extensions, {}, scratch, sink);
    }
    return to_array(std::move(sink.occupied));
}

}  // namespace

void bind_table(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<Table>(m, "Table", "Coded columns as the core sees them.")
        .def_static("from_codes", &make_table, "codes"_a, "cardinalities"_a, "rows"_a,
                    "weights"_a = nb::none(), "unit"_a = 0.0)
        .def_static("unit_for", &Table::unit_for, "sum"_a, "whole"_a)
        .def_prop_ro("rows", &Table::rows)
        .def_prop_ro("variables", &Table::variables)
        .def_prop_ro("total", &Table::total);

    nb::enum_<Strategy>(m, "Strategy", "How the cells of a set are counted.")
        .value("bitmap", Strategy::bitmap)
        .value("histogram", Strategy::histogram)
        .value("grouped", Strategy::grouped);
    nb::class_<CellTable>(m, "Cells", "Occurring cells of a set of variables, in the order of their codes.")
        .def_prop_ro(
            "codes",
            [](nb::handle self) {
                const auto& cells = nb::cast<const CellTable&>(self);
                return MatrixView<std::uint32_t>(cells.codes.data(), {cells.units.size(), cells.width}, self);
            },
            "One row per cell.")
        .def_prop_ro("units", viewed(&CellTable::units), "The count of each cell, in units of the table.")
        .def_prop_ro(
            "counts",
            [](const CellTable& cells) {
                std::vector<double> counts(cells.units.begin(), cells.units.end());
                for (double& count : counts) count *= cells.unit;
                return to_array(std::move(counts));
            },
            nb::rv_policy::automatic, "The sum of the weights of the rows in each cell.");
    nb::class_<Counter>(m, "Counter", "The counting engine over one table.")
        .def(
            "__init__",
            [](Counter* self, std::shared_ptr<Table> table, const std::optional<std::string>& kernels,
               std::optional<Strategy> strategy) {
                new (self) Counter(std::move(table), kernels.value_or("").c_str());
                self->force(strategy);
            },
            "table"_a, "kernels"_a = nb::none(), "strategy"_a = nb::none())
        .def_prop_ro("kernels", &Counter::kernel_name)
        .def_prop_ro("walked_rows", &Counter::walked_rows)
        .def(
            "choose",
            [](const Counter& counter, const Members& base, std::uint32_t extension) {
                const std::size_t n = counter.table().variables();
                (void)to_varset({extension}, n);
                return counter.choose(to_varset(base, n), extension);
            },
            "base"_a, "extension"_a)
        .def("cells", nb::overload_cast<const Counter&, const Members&, const Members&>(&cells_of),
             "variables"_a, "observed"_a = Members{})
        .def("occupied", &occupied, "base"_a, "extensions"_a);
}
