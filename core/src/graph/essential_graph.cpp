#include "dagwright/base/errors.hpp"
#include "dagwright/graph/equivalence.hpp"
#include "dagwright/graph/topological_order.hpp"

namespace dagwright {

// Chickering (1995), "A transformational characterization of equivalent Bayesian network structures": arcs
// into y are labeled when y is reached in topological order, and the arc from its last parent x decides all
// that are still open:
//   a compelled w -> x with w not a parent of y, or a parent z of y that is not a parent of x, compels every
//   arc into y; otherwise the compelled parents of x compel theirs and the rest is reversible.
MixedGraph essential_graph(const MixedGraph& dag) {
    const std::size_t n = dag.size();
    const std::vector<Node> order = topological_order(dag);
    if (order.size() != n) throw CycleError("the directed edges close a cycle");
    std::vector<std::size_t> position(n);
    for (std::size_t i = 0; i < n; ++i) position[order[i]] = i;

    std::vector<std::vector<Node>> compelled(n);  // compelled parents, ascending
    std::vector<Arc> directed, undirected;
    for (const Node y : order) {
        const std::span<const Node> parents = dag.parents()[y];
        if (parents.empty()) continue;
        Node x = parents.front();
        for (const Node parent : parents) {
            if (position[parent] > position[x]) x = parent;
        }
        bool all = compelled[x].size() >= parents.size();
        for (std::size_t k = 0; !all && k < compelled[x].size(); ++k)
            all = !dag.parents().contains(y, compelled[x][k]);
        for (std::size_t k = 0; !all && k < parents.size(); ++k) {
            all = parents[k] != x && !dag.parents().contains(x, parents[k]);
        }
        compelled[y] = all ? std::vector<Node>(parents.begin(), parents.end()) : compelled[x];

        std::size_t next = 0;
        for (const Node parent : parents) {
            if (next < compelled[y].size() && compelled[y][next] == parent) {
                directed.push_back({parent, y});
                ++next;
            } else {
                undirected.push_back({parent, y});
            }
        }
    }
    return {n, directed, undirected};
}

// The members are the DAGs with this skeleton, these v-structures and these arcs at the border of a target;
// Meek's rules find what they have in common (Meek 1995, Theorem 4).
MixedGraph essential_graph(const MixedGraph& dag, std::span<const VarSet> targets) {
    const MixedGraph plain = essential_graph(dag);
    const auto separated = [&](const Node a, const Node b) {
        for (const VarSet& target : targets)
            if (target.contains(static_cast<Var>(a)) != target.contains(static_cast<Var>(b))) return true;
        return false;
    };
    const std::vector<Arc> links = plain.undirected();
    std::vector<Arc> directed = plain.directed(), undirected;
    for (const Arc& link : links) {
        if (!separated(link.from, link.to))
            undirected.push_back(link);
        else if (dag.parents().contains(link.to, link.from))
            directed.push_back(link);
        else
            directed.push_back({link.to, link.from});
    }
    if (undirected.size() == links.size()) return plain;
    return meek_closure({dag.size(), directed, undirected});
}

}  // namespace dagwright
