// The order within the layers of a drawing.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "dagwright/layout/layer_order.hpp"

using namespace dagwright;

void bind_layout(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def(
        "order_layers",
        [](const std::vector<Vertex>& layer_of, const std::vector<Segment>& segments, double effort) {
            LayerOrder found;
            {
                const nb::gil_scoped_release release;
                found = order_layers(layer_of, segments, effort);
            }
            return std::make_pair(std::move(found.layers), found.crossings);
        },
        "layer_of"_a, "segments"_a, "effort"_a,
        "The vertices of each layer from left to right with few crossings, and how many there are.");
}
