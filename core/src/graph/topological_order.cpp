#include "dagwright/graph/topological_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace dagwright {

namespace {

// Kahn (1962): remove nodes without remaining parents; Ready decides which of them comes next.
template <class Ready, class Push, class Pop>
std::vector<Node> order_by(const MixedGraph& graph, Ready& ready, Push push, Pop pop) {
    std::vector<std::size_t> waiting(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node) {
        waiting[node] = graph.parents()[node].size();
        if (waiting[node] == 0) push(static_cast<Node>(node));
    }
    std::vector<Node> order;
    order.reserve(graph.size());
    while (!ready.empty()) {
        const Node node = pop();
        order.push_back(node);
        for (const Node child : graph.children()[node]) {
            if (--waiting[child] == 0) push(child);
        }
    }
    return order;
}

// The shortest cycle through `start` by breadth-first search, empty if there is none.
std::vector<Node> shortest_cycle_through(const MixedGraph& graph, Node start) {
    constexpr Node none = static_cast<Node>(-1);
    std::vector<Node> came_from(graph.size(), none);
    std::vector<Node> queue{start};
    for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const Node child : graph.children()[queue[next]]) {
            if (child == start) {
                std::vector<Node> cycle;
                for (Node node = queue[next]; node != start; node = came_from[node]) cycle.push_back(node);
                cycle.push_back(start);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (came_from[child] == none) {
                came_from[child] = queue[next];
                queue.push_back(child);
            }
        }
    }
    return {};
}

}  // namespace

std::vector<Node> smallest_topological_order(const MixedGraph& graph) {
    std::priority_queue<Node, std::vector<Node>, std::greater<>> ready;
    return order_by(
        graph, ready, [&](Node node) { ready.push(node); },
        [&] {
            const Node node = ready.top();
            ready.pop();
            return node;
        });
}

std::vector<Node> topological_order(const MixedGraph& graph) {
    std::vector<Node> ready;
    return order_by(
        graph, ready, [&](Node node) { ready.push_back(node); },
        [&] {
            const Node node = ready.back();
            ready.pop_back();
            return node;
        });
}

std::vector<Node> find_cycle(const MixedGraph& graph) {
    const std::vector<Node> order = topological_order(graph);
    if (order.size() == graph.size()) return {};
    std::vector<char> ordered(graph.size(), 0);
    for (const Node node : order) ordered[node] = 1;
    for (std::size_t node = 0; node < graph.size(); ++node) {
        if (ordered[node]) continue;
        std::vector<Node> cycle = shortest_cycle_through(graph, static_cast<Node>(node));
        if (!cycle.empty()) return cycle;
    }
    return {};
}

}  // namespace dagwright
