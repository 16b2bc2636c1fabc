#include "dagwright/inference/junction_tree.hpp"

#include <algorithm>
#include <limits>

namespace dagwright {

JunctionTree make_junction_tree(const NetworkTables& network, unsigned tries, std::uint64_t seed) {
    const Cards cards = network.cardinalities();
    std::vector<Scope> scopes;
    for (const FactorPtr& table : network.tables) scopes.push_back(table->variables);
    Triangulation plan = triangulate(scopes, cards, {}, tries, seed);

    JunctionTree tree;
    std::vector<std::size_t> position(network.nodes()), clique_of(network.nodes());
    for (std::size_t i = 0; i < plan.order.size(); ++i) position[plan.order[i]] = i;
    std::size_t root = std::numeric_limits<std::size_t>::max();
    // Backwards, so that the clique which holds the later neighbors of a variable is already there.
    for (std::size_t i = plan.order.size(); i-- > 0;) {
        const Var v = plan.order[i];
        Scope separator = plan.cliques[i];
        std::erase(separator, v);
        if (separator.empty()) {
            clique_of[v] = tree.cliques.size();
            if (root != std::numeric_limits<std::size_t>::max())
                tree.edges.push_back({root, tree.cliques.size(), {}});
            else
                root = tree.cliques.size();
            tree.cliques.push_back({v});
            continue;
        }
        const Var next = *std::min_element(separator.begin(), separator.end(),
                                           [&](Var a, Var b) { return position[a] < position[b]; });
        const std::size_t above = clique_of[next];
        if (tree.cliques[above].size() == separator.size()) {
            tree.cliques[above] = std::move(plan.cliques[i]);
            clique_of[v] = above;
        } else {
            clique_of[v] = tree.cliques.size();
            tree.edges.push_back({above, tree.cliques.size(), std::move(separator)});
            tree.cliques.push_back(std::move(plan.cliques[i]));
        }
    }
    tree.edges_at.resize(tree.cliques.size());
    for (std::size_t e = 0; e < tree.edges.size(); ++e) {
        tree.edges_at[tree.edges[e].a].push_back(e);
        tree.edges_at[tree.edges[e].b].push_back(e);
    }
    // The first variable of a family to be eliminated has the whole family in its clique.
    for (const Scope& scope : scopes) {
        const Var first = *std::min_element(scope.begin(), scope.end(),
                                            [&](Var a, Var b) { return position[a] < position[b]; });
        tree.home.push_back(clique_of[first]);
    }
    for (const Scope& clique : tree.cliques) {
        const double cells = cells_of(clique, cards);
        tree.cells += cells;
        if (cells > tree.largest_cells) {
            tree.largest_cells = cells;
            tree.largest = clique;
        }
    }
    return tree;
}

}  // namespace dagwright
