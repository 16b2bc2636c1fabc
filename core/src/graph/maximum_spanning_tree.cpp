#include "dagwright/graph/maximum_spanning_tree.hpp"

namespace dagwright {

std::vector<std::pair<Var, Var>> maximum_spanning_forest(std::size_t n, std::span<const double> weights,
                                                         double least) {
    std::vector<std::pair<Var, Var>> links;
    std::vector<bool> reached(n, false);
    std::vector<double> heaviest(n, least);  // edge from the trees so far to each node outside
    std::vector<Var> nearest(n, 0);
    for (std::size_t count = 0; count < n; ++count) {
        // The heaviest edge to a new node; without one, the smallest node begins a new tree.
        std::size_t next = n;
        bool linked = false;
        for (std::size_t v = 0; v < n; ++v) {
            if (reached[v]) continue;
            if (next == n) next = v;
            if (heaviest[v] > least && (!linked || heaviest[v] > heaviest[next])) {
                next = v;
                linked = true;
            }
        }
        reached[next] = true;
        if (linked) links.emplace_back(nearest[next], static_cast<Var>(next));
        for (std::size_t v = 0; v < n; ++v) {
            const double weight = weights[next * n + v];
            const bool closer =
                weight > heaviest[v] || (weight > least && weight == heaviest[v] && next < nearest[v]);
            if (reached[v] || !closer) continue;
            heaviest[v] = weight;
            nearest[v] = static_cast<Var>(next);
        }
    }
    return links;
}

}  // namespace dagwright
