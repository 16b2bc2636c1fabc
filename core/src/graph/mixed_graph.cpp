#include "dagwright/graph/mixed_graph.hpp"

#include <algorithm>
#include <string>

#include "dagwright/base/errors.hpp"

namespace dagwright {

// Two stable bucket passes, first by target and then by source, leave every list sorted in O(n + m).
Adjacency::Adjacency(std::size_t n, std::span<const Arc> arcs) : starts_(n + 1, 0), targets_(arcs.size()) {
    std::vector<std::size_t> slots(n + 1, 0);
    for (const Arc& arc : arcs) {
        ++slots[arc.to + 1];
        ++starts_[arc.from + 1];
    }
    for (std::size_t i = 0; i < n; ++i) {
        slots[i + 1] += slots[i];
        starts_[i + 1] += starts_[i];
    }
    std::vector<Arc> by_target(arcs.size());
    for (const Arc& arc : arcs) by_target[slots[arc.to]++] = arc;
    slots.assign(starts_.begin(), starts_.end());
    for (const Arc& arc : by_target) targets_[slots[arc.from]++] = arc.to;

    std::size_t kept = 0;
    for (std::size_t node = 0, begin = 0; node < n; ++node) {
        const std::size_t end = starts_[node + 1];
        const std::size_t list_start = kept;
        for (std::size_t k = begin; k < end; ++k) {
            if (kept == list_start || targets_[kept - 1] != targets_[k]) targets_[kept++] = targets_[k];
        }
        begin = end;
        starts_[node + 1] = kept;
    }
    targets_.resize(kept);
}

bool Adjacency::contains(Node from, Node to) const {
    const std::span<const Node> list = (*this)[from];
    return std::binary_search(list.begin(), list.end(), to);
}

std::vector<Arc> Adjacency::arcs() const {
    std::vector<Arc> result;
    result.reserve(targets_.size());
    for (std::size_t node = 0; node < size(); ++node) {
        for (const Node target : (*this)[node]) result.push_back({static_cast<Node>(node), target});
    }
    return result;
}

Adjacency Adjacency::transpose() const {
    std::vector<Arc> turned = arcs();
    for (Arc& arc : turned) std::swap(arc.from, arc.to);
    return {size(), turned};
}

namespace {

void refuse_bad_edges(std::size_t n, std::span<const Arc> arcs) {
    for (const Arc& arc : arcs) {
        if (arc.from >= n || arc.to >= n) throw Error("an edge names a node that is not in the graph");
        if (arc.from == arc.to) throw Error("node " + std::to_string(arc.from) + " has an edge to itself");
    }
}

std::vector<Arc> both_ways(std::span<const Arc> edges) {
    std::vector<Arc> result(edges.begin(), edges.end());
    result.reserve(2 * edges.size());
    for (const Arc& edge : edges) result.push_back({edge.to, edge.from});
    return result;
}

}  // namespace

MixedGraph::MixedGraph(std::size_t n, std::span<const Arc> directed, std::span<const Arc> undirected)
    : n_(n) {
    refuse_bad_edges(n, directed);
    refuse_bad_edges(n, undirected);
    children_ = Adjacency(n, directed);
    parents_ = children_.transpose();
    neighbors_ = Adjacency(n, both_ways(undirected));
}

std::vector<Arc> MixedGraph::undirected() const {
    std::vector<Arc> result = neighbors_.arcs();
    std::erase_if(result, [](const Arc& edge) { return edge.from > edge.to; });
    return result;
}

bool MixedGraph::adjacent(Node a, Node b) const {
    return children_.contains(a, b) || parents_.contains(a, b) || neighbors_.contains(a, b);
}

Adjacency MixedGraph::skeleton() const {
    std::vector<Arc> all = both_ways(directed());
    const std::vector<Arc> links = neighbors_.arcs();
    all.insert(all.end(), links.begin(), links.end());
    return {n_, all};
}

std::vector<Node> reachable(const Adjacency& lists, std::span<const Node> starts) {
    std::vector<char> seen(lists.size(), 0);
    std::vector<Node> found;
    const auto visit = [&](Node node) {
        if (seen[node]) return;
        seen[node] = 1;
        found.push_back(node);
    };
    for (const Node node : starts) visit(node);
    for (std::size_t next = 0; next < found.size(); ++next) {
        for (const Node node : lists[found[next]]) visit(node);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace dagwright
