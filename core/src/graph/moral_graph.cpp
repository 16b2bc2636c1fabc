#include "dagwright/graph/separation.hpp"

namespace dagwright {

std::vector<Arc> moral_edges(const MixedGraph& dag, std::span<const Node> nodes) {
    std::vector<char> kept(dag.size(), 0);
    for (const Node node : nodes) kept[node] = 1;
    std::vector<Arc> edges;
    std::vector<Node> family;
    for (const Node node : nodes) {
        family.clear();
        for (const Node parent : dag.parents()[node]) {
            if (kept[parent]) family.push_back(parent);
        }
        for (std::size_t i = 0; i < family.size(); ++i) {
            edges.push_back({family[i], node});
            for (std::size_t j = 0; j < i; ++j) edges.push_back({family[j], family[i]});
        }
    }
    return edges;
}

}  // namespace dagwright
