// The order within the layers of a drawing, and lines around its nodes.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "dagwright/layout/layer_order.hpp"
#include "dagwright/layout/route_around.hpp"

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
    m.def(
        "routes_around",
        [](const std::vector<Spot>& centers, const std::vector<Spot>& sizes,
           const std::vector<std::pair<std::size_t, std::size_t>>& edges, double clear, std::size_t most) {
            if (centers.size() != sizes.size())
                throw std::invalid_argument("every node has a center and a size");
            const nb::gil_scoped_release release;
            std::vector<Box> boxes;
            for (std::size_t at = 0; at < centers.size(); ++at) boxes.push_back({centers[at], sizes[at]});
            std::vector<std::vector<Spot>> routes;
            for (const auto& [from, to] : edges) {
                routes.push_back(route_around(boxes, from, to, clear, most));
            }
            return routes;
        },
        "centers"_a, "sizes"_a, "edges"_a, "clear"_a, "most"_a,
        "For each edge the shortest line between two nodes that goes around the others.");
}
