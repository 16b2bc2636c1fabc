// Orders within the layers of a drawing that make few segments cross.
//
// Sweeps by barycenters (Sugiyama, Tagawa & Toda 1981) from several starts, then sifting: with the
// neighboring layers fixed, every vertex moves to its best place among its layer (Matuszewski, Schoenfeld &
// Molitor 1999), until nothing improves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dagwright {

using Vertex = std::uint32_t;
using Segment = std::pair<Vertex, Vertex>;  // from a vertex to one on the next layer

struct LayerOrder {
    std::vector<std::vector<Vertex>> layers;  // from left to right
    std::uint64_t crossings = 0;
};

// The best order met; `effort` bounds the comparisons of pairs of vertices, beyond one start.
// Throws std::invalid_argument unless every segment leads from one layer to the next.
LayerOrder order_layers(const std::vector<Vertex>& layer_of, const std::vector<Segment>& segments,
                        double effort);

}  // namespace dagwright
