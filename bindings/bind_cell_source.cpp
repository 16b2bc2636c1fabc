// Where cells come from: rows in memory, blocks of rows, or an object written in Python.
#include <cmath>

#include "bindings.hpp"
#include "cells.hpp"
#include "conversions.hpp"
#include "dagwright/statistics/block_cells.hpp"
#include "python_adapters.hpp"

using namespace dagwright;

namespace {

using CodeRows = InputMatrix<std::uint32_t>;
using Units = Input<std::uint64_t>;
using Counts = Input<double>;

// A source written in Python: cells(list of (variables, known columns)) -> list of (codes, counts), one call
// for a whole batch. Codes have one row per cell, cells in lexicographic order.
class PythonCells final : public ListedCells {
  public:
    PythonCells(nb::object source, std::vector<std::uint32_t> cardinalities, std::vector<bool> incomplete,
                double total, double most_cells, bool whole)
        : held(std::move(source)),
          shape_(std::move(cardinalities), std::move(incomplete), total, Table::unit_for(total, whole),
                 most_cells) {
        if (!nb::hasattr(held, "cells")) throw nb::type_error("a source of cells needs 'cells'");
    }
    const TableShape& shape() const override { return shape_; }

    using CellSource::cells;
    std::vector<Cells> cells(std::span<const CellQuestion> questions, Control&) override {
        const nb::gil_scoped_acquire gil;
        nb::list asked;
        for (const CellQuestion& question : questions) {
            nb::list variables;
            for (const Var v : question.variables) variables.append(nb::int_(v));
            asked.append(nb::make_tuple(nb::tuple(variables), to_frozenset(question.known)));
        }
        std::vector<Cells> found;
        for (const nb::handle answer : nb::iter(held.attr("cells")(asked))) {
            if (found.size() == questions.size()) break;
            found.push_back(cells_in(answer, questions[found.size()].variables.size()));
        }
        if (found.size() != questions.size())
            throw nb::value_error("a source of cells must give one answer for each set it is asked for");
        return found;
    }

    nb::object held;  // the source

  private:
    // Counts are numbers of rows, or whole units of the table, which no rounding touches.
    Cells cells_in(nb::handle answer, std::size_t width) const {
        if (std::pair<CodeRows, Units> exact; nb::try_cast(answer, exact, false)) {
            const auto& [codes, units] = exact;
            if (codes.shape(0) != units.shape(0) || codes.shape(1) != width)
                throw nb::value_error("a source of cells gives one row of codes for each count");
            return {{codes.data(), codes.data() + codes.size()}, {units.data(), units.data() + units.size()}};
        }
        std::pair<CodeRows, Counts> pair;
        if (!nb::try_cast(answer, pair))
            throw nb::type_error("a source of cells gives pairs of codes (uint32) and counts (float64)");
        const auto& [codes, counts] = pair;
        if (codes.shape(0) != counts.shape(0) || codes.shape(1) != width)
            throw nb::value_error("a source of cells gives one row of codes for each count");
        Cells cells;
        cells.codes.assign(codes.data(), codes.data() + codes.size());
        for (std::size_t i = 0; i < counts.shape(0); ++i) {
            if (!(counts.data()[i] >= 0.0)) throw nb::value_error("counts of cells must not be negative");
            cells.counts.push_back(
                static_cast<std::uint64_t>(std::llround(counts.data()[i] / shape_.unit())));
        }
        return cells;
    }

    TableShape shape_;
};

std::size_t bytes(double mib) {
    if (!(mib >= 0)) throw nb::value_error("kept_mib must not be negative");
    return static_cast<std::size_t>(mib * 1048576.0);
}

std::shared_ptr<BlockCells> of_tables(const std::vector<std::shared_ptr<Table>>& tables, double kept_mib) {
    return std::make_shared<BlockCells>(
        std::vector<std::shared_ptr<const Table>>(tables.begin(), tables.end()), bytes(kept_mib));
}

std::shared_ptr<BlockCells> of_rows(std::shared_ptr<Table> table, std::size_t rows, double kept_mib,
                                    std::optional<std::pair<std::uint64_t, std::uint64_t>> draw) {
    std::optional<PoissonDraw> drawn;
    if (draw) drawn = PoissonDraw::of(draw->first, draw->second);
    const nb::gil_scoped_release release;
    return std::make_shared<BlockCells>(std::move(table), rows, bytes(kept_mib), drawn);
}

std::vector<CellTable> answers(CellSource& source, const std::vector<std::pair<Members, Members>>& questions,
                               unsigned threads) {
    const std::size_t n = source.shape().variables();
    std::vector<CellQuestion> asked;
    for (const auto& [variables, known] : questions) {
        (void)to_varset(variables, n);
        asked.push_back(
            {{variables.begin(), variables.end()}, source.shape().incomplete(to_varset(known, n))});
    }
    const nb::gil_scoped_release release;
    Control control(checked_threads(threads));
    std::vector<Cells> found = source.cells(asked, control);
    std::vector<CellTable> given;
    for (std::size_t q = 0; q < found.size(); ++q)
        given.push_back({std::move(found[q].codes), asked[q].variables.size(), std::move(found[q].counts),
                         source.shape().unit()});
    return given;
}

}  // namespace

void bind_cell_source(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<CellSource>(m, "CellSource", "Where the cells of sets of variables come from.")
        .def("answers", &answers, "questions"_a, "threads"_a = 1u,
             "The cells for each pair of variables and columns that must be known.")
        .def_prop_ro("unit", [](const CellSource& source) { return source.shape().unit(); })
        .def_prop_ro("total", [](const CellSource& source) { return source.shape().total(); });
    nb::class_<BlockCells, CellSource>(m, "BlockCells", "Blocks of rows, whose counts are added up.")
        .def_static("of_tables", &of_tables, "tables"_a, "kept_mib"_a = 256.0)
        .def_static("of_rows", &of_rows, "table"_a, "rows_at_once"_a, "kept_mib"_a = 256.0,
                    "draw"_a = nb::none(), "draw: the seed and the number of a bootstrap replicate.")
        .def_prop_ro("blocks", &BlockCells::blocks);
    m.def(
        "poisson_weights",
        [](std::uint64_t seed, std::uint64_t replicate, std::size_t begin, std::size_t end,
           std::optional<Counts> means) {
            if (begin > end || (means && means->shape(0) < end - begin))
                throw nb::value_error("no such rows");
            const PoissonDraw draw = PoissonDraw::of(seed, replicate);
            std::vector<double> drawn(end - begin);
            for (std::size_t row = begin; row < end; ++row)
                drawn[row - begin] = static_cast<double>(means ? draw.weight(row, means->data()[row - begin])
                                                               : draw.weight(row));
            return to_array(std::move(drawn));
        },
        "seed"_a, "replicate"_a, "begin"_a, "end"_a, "means"_a = nb::none(),
        "Weights of these rows in a bootstrap replicate.");
    nb::class_<PythonCells, CellSource>(m, "PythonCells", nb::type_slots(collectable<PythonCells>),
                                        "An object whose cells(questions) counts a batch of sets.")
        .def(nb::init<nb::object, std::vector<std::uint32_t>, std::vector<bool>, double, double, bool>(),
             "source"_a, nb::kw_only(), "cardinalities"_a, "incomplete"_a, "total"_a, "most_cells"_a,
             "whole"_a = true);
}
