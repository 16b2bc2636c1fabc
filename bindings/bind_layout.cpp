// The order within the layers of a drawing.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "dagwright/layout/layer_order.hpp"

using namespace dagwright;

void bind_layout(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<LayerOrder>(m, "LayerOrder", "The order of the vertices within layers.")
        .def_ro("layers", &LayerOrder::layers, "From left to right.")
        .def_ro("crossings", &LayerOrder::crossings);
    m.def(
        "order_layers",
        [](const std::vector<Vertex>& layer_of, const std::vector<Segment>& segments, double effort) {
            const nb::gil_scoped_release release;
            return order_layers(layer_of, segments, effort);
        },
        "layer_of"_a, "segments"_a, "effort"_a, "The vertices of each layer in an order with few crossings.");
}
