#include <algorithm>

#include "dagwright/graph/equivalence.hpp"

namespace dagwright {

std::vector<std::array<Node, 3>> v_structures(const MixedGraph& graph) {
    std::vector<std::array<Node, 3>> found;
    for (std::size_t collider = 0; collider < graph.size(); ++collider) {
        const std::span<const Node> parents = graph.parents()[collider];
        for (std::size_t i = 0; i < parents.size(); ++i) {
            for (std::size_t j = i + 1; j < parents.size(); ++j) {
                if (graph.adjacent(parents[i], parents[j])) continue;
                found.push_back({parents[i], static_cast<Node>(collider), parents[j]});
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace dagwright
