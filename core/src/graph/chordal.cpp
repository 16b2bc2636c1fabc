#include "dagwright/graph/chordal.hpp"

#include <algorithm>

namespace dagwright {

std::vector<Node> maximum_cardinality_order(const Adjacency& graph) {
    const std::size_t n = graph.size();
    std::vector<std::size_t> label(n, 0);
    std::vector<char> visited(n, 0);
    // Buckets by label may hold outdated entries; they are skipped when met.
    std::vector<std::vector<Node>> buckets(1);
    for (std::size_t node = n; node > 0; --node) buckets[0].push_back(static_cast<Node>(node - 1));
    std::vector<Node> order;
    order.reserve(n);
    std::size_t top = 0;
    while (order.size() < n) {
        while (buckets[top].empty()) --top;
        const Node node = buckets[top].back();
        buckets[top].pop_back();
        if (visited[node] || label[node] != top) continue;
        visited[node] = 1;
        order.push_back(node);
        for (const Node next : graph[node]) {
            if (visited[next]) continue;
            const std::size_t raised = ++label[next];
            if (raised >= buckets.size()) buckets.resize(raised + 1);
            buckets[raised].push_back(next);
        }
        top = std::min(top + 1, buckets.size() - 1);
    }
    return order;
}

bool is_perfect_order(const Adjacency& graph, const std::vector<Node>& order) {
    std::vector<std::size_t> position(graph.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    // Enough to ask that the earlier neighbors of v, but for the last of them, are neighbors of that last
    // one.
    for (const Node node : order) {
        Node last = node;
        for (const Node next : graph[node]) {
            if (position[next] < position[node] && (last == node || position[next] > position[last]))
                last = next;
        }
        if (last == node) continue;
        for (const Node next : graph[node]) {
            if (position[next] < position[last] && !graph.contains(last, next)) return false;
        }
    }
    return true;
}

CliqueTree clique_tree(const Adjacency& graph) {
    // Blair & Peyton (1993): a node with no more earlier neighbors than its predecessor starts a new clique,
    // joined to the clique of the latest of them.
    const std::vector<Node> order = maximum_cardinality_order(graph);
    std::vector<std::size_t> position(graph.size()), clique_of(graph.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    CliqueTree tree;
    std::size_t previous = 0;
    for (const Node node : order) {
        std::vector<Node> earlier;
        Node last = node;
        for (const Node next : graph[node]) {
            if (position[next] > position[node]) continue;
            earlier.push_back(next);
            if (last == node || position[next] > position[last]) last = next;
        }
        if (tree.cliques.empty() || earlier.size() <= previous) {
            tree.cliques.push_back(earlier);
            tree.parents.push_back(last == node ? 0 : clique_of[last]);
            tree.separators.push_back(earlier);
        }
        previous = earlier.size();
        tree.cliques.back().push_back(node);
        clique_of[node] = tree.cliques.size() - 1;
    }
    for (std::vector<Node>& clique : tree.cliques) std::sort(clique.begin(), clique.end());
    return tree;
}

std::vector<std::vector<Node>> components(const Adjacency& graph) {
    std::vector<char> seen(graph.size(), 0);
    std::vector<std::vector<Node>> found;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        if (seen[start]) continue;
        std::vector<Node> members{static_cast<Node>(start)};
        seen[start] = 1;
        for (std::size_t next = 0; next < members.size(); ++next) {
            for (const Node node : graph[members[next]]) {
                if (seen[node]) continue;
                seen[node] = 1;
                members.push_back(node);
            }
        }
        std::sort(members.begin(), members.end());
        found.push_back(std::move(members));
    }
    return found;
}

}  // namespace dagwright
