// Networks with numbers: sampling.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/inference/sampling.hpp"

using namespace dagwright;

namespace {

using Drawn = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void draw(const Sampler& sampler, std::uint64_t seed, std::uint64_t first, const std::vector<Drawn>& columns,
          unsigned threads) {
    if (columns.size() != sampler.nodes()) throw nb::value_error("one column per node is needed");
    const std::size_t rows = columns.empty() ? 0 : columns[0].shape(0);
    std::vector<DrawnColumn> out;
    for (std::size_t v = 0; v < columns.size(); ++v) {
        if (columns[v].shape(0) != rows) throw nb::value_error("all columns need the same number of rows");
        const bool narrow = sampler.cardinality(v) <= 255;
        if (columns[v].dtype() != (narrow ? nb::dtype<std::uint8_t>() : nb::dtype<std::uint16_t>()))
            throw nb::type_error("codes must be uint8 (up to 255 states) or uint16 (up to 65,535)");
        out.push_back(narrow ? DrawnColumn{static_cast<std::uint8_t*>(columns[v].data()), nullptr}
                             : DrawnColumn{nullptr, static_cast<std::uint16_t*>(columns[v].data())});
    }
    const nb::gil_scoped_release release;
    Workers workers(checked_threads(threads));
    sampler.draw(seed, first, rows, out, workers);
}

}  // namespace

void bind_model(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<Sampler>(m, "Sampler", "Draws rows from a network.")
        .def(nb::init<>())
        .def(
            "add",
            [](Sampler& sampler, std::uint32_t cardinality, Members parents, std::uint64_t stream,
               const Input<double>& table) {
                sampler.add(cardinality, std::move(parents), stream, span_of(table));
            },
            "cardinality"_a, "parents"_a, "stream"_a, "table"_a)
        .def("draw", &draw, "seed"_a, "first"_a, "columns"_a, "threads"_a);
}
