#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/layout/layer_order.hpp"

using namespace dagwright;

namespace {

std::uint64_t counted(const std::vector<std::vector<Vertex>>& layers, const std::vector<Segment>& segments,
                      std::size_t n) {
    std::vector<std::size_t> place(n);
    for (const auto& layer : layers)
        for (std::size_t at = 0; at < layer.size(); ++at) place[layer[at]] = at;
    std::vector<std::size_t> row(n);
    for (std::size_t k = 0; k < layers.size(); ++k)
        for (const Vertex v : layers[k]) row[v] = k;
    std::uint64_t total = 0;
    for (const auto& [a, b] : segments)
        for (const auto& [c, d] : segments)
            if (row[a] == row[c] && place[a] < place[c] && place[b] > place[d]) ++total;
    return total;
}

}  // namespace

TEST("the order of layers counts its crossings") {
    Random random(7);
    for (int round = 0; round < 40; ++round) {
        std::vector<Vertex> layer_of;
        for (Vertex k = 0; k < 4; ++k)
            for (std::size_t at = 0; at <= random.below(6); ++at) layer_of.push_back(k);
        std::vector<Segment> segments;
        for (Vertex a = 0; a < layer_of.size(); ++a)
            for (Vertex b = 0; b < layer_of.size(); ++b)
                if (layer_of[b] == layer_of[a] + 1 && random.uniform() < 0.5) segments.emplace_back(a, b);
        const LayerOrder found = order_layers(layer_of, segments, 1e5);
        CHECK(found.crossings == counted(found.layers, segments, layer_of.size()));
        std::size_t vertices = 0;
        for (const auto& layer : found.layers) vertices += layer.size();
        CHECK(vertices == layer_of.size());
    }
}

TEST("the order of layers untangles a ladder") {
    // Each vertex is joined to one below it, in shuffled order: a planar drawing exists and is found.
    Random random(3);
    std::vector<Vertex> layer_of;
    std::vector<Segment> segments;
    constexpr Vertex kWidth = 30;
    for (Vertex k = 0; k < 3; ++k)
        for (Vertex at = 0; at < kWidth; ++at) layer_of.push_back(k);
    for (Vertex k = 0; k < 2; ++k) {
        std::vector<Vertex> below(kWidth);
        for (Vertex at = 0; at < kWidth; ++at) below[at] = (k + 1) * kWidth + at;
        random.shuffle(std::span<Vertex>(below));
        for (Vertex at = 0; at < kWidth; ++at) segments.emplace_back(k * kWidth + at, below[at]);
    }
    CHECK(order_layers(layer_of, segments, 1.0).crossings == 0);
}

TEST("two by two joined completely cross once") {
    const LayerOrder found = order_layers({0, 0, 1, 1}, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}, 1e4);
    CHECK(found.crossings == 1);
}

TEST("the order of layers refuses long segments") {
    CHECK_THROWS(order_layers({0, 1, 2}, {{0, 2}}, 1.0), std::invalid_argument);
    CHECK_THROWS(order_layers({0, 1}, {{0, 5}}, 1.0), std::invalid_argument);
    CHECK(order_layers({}, {}, 1.0).layers.empty());
}
