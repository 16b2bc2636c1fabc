#include <algorithm>
#include <utility>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/graph/chordal.hpp"
#include "dagwright/graph/equivalence.hpp"
#include "dagwright/graph/topological_order.hpp"

namespace dagwright {

namespace {

// In a CPDAG the nodes of an undirected component share their parents and the component is chordal; then any
// elimination order of the components is an extension, found in linear time.
std::optional<MixedGraph> extend_chain_graph(const MixedGraph& graph) {
    const Adjacency& links = graph.neighbors();
    const std::vector<Node> order = maximum_cardinality_order(links);
    std::vector<std::size_t> position(graph.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    for (const Node node : order) {
        for (const Node next : links[node]) {
            if (position[next] > position[node]) continue;
            // One earlier neighbor is enough: equality of parents spreads along the search tree.
            if (!std::ranges::equal(graph.parents()[node], graph.parents()[next])) return std::nullopt;
            break;
        }
    }
    if (!is_perfect_order(links, order)) return std::nullopt;
    std::vector<Arc> arcs = graph.directed();
    for (Arc edge : graph.undirected()) {
        if (position[edge.from] > position[edge.to]) std::swap(edge.from, edge.to);
        arcs.push_back(edge);
    }
    MixedGraph dag(graph.size(), arcs, {});
    if (topological_order(dag).size() != graph.size()) return std::nullopt;
    return dag;
}

// A pair (u, v) found adjacent stays so, and a pair found not adjacent is looked at again only when one of
// the two is deleted: each pair is met O(1) times.
class SinkElimination {
  public:
    SinkElimination(const MixedGraph& graph, const Knowledge* knowledge)
        : graph_(graph),
          knowledge_(knowledge),
          skeleton_(graph.skeleton()),
          alive_(words_for(graph.size()), 0),
          children_left_(graph.size()),
          adjacent_left_(graph.size()),
          allowed_(graph.size(), 0),
          checked_(graph.size(), 0),
          blocked_by_(graph.size()) {
        const std::size_t n = graph.size();
        // A row of bits is n/64 words, a list of k nodes needs k binary searches of a few steps each.
        if (n > 0 && n <= 65536 && 4 * skeleton_.arc_count() / n > words_for(n)) {
            dense_ = BitMatrix(n);
            for (const Arc& arc : skeleton_.arcs()) dense_.set(arc.from, arc.to);
        }
        for (std::size_t node = 0; node < n; ++node) {
            set_bit(alive_, node);
            children_left_[node] = graph.children()[node].size();
            adjacent_left_[node] = skeleton_[node].size();
        }
    }

    std::vector<Node> run() {
        for (std::size_t node = 0; node < graph_.size(); ++node) check(static_cast<Node>(node));
        std::vector<Node> woken;
        for (std::size_t next = 0; next < order_.size(); ++next) {
            const Node sink = order_[next];
            clear_bit(alive_, sink);
            woken = std::exchange(blocked_by_[sink], {});
            for (const Node parent : graph_.parents()[sink]) {
                if (--children_left_[parent] == 0) woken.push_back(parent);
            }
            if (knowledge_ != nullptr) {
                for (const Node other : skeleton_[sink]) {
                    if (--adjacent_left_[other] == knowledge_->max_parents(other)) woken.push_back(other);
                }
            }
            std::ranges::sort(woken);
            for (const Node node : woken) check(node);
        }
        return std::move(order_);
    }

  private:
    static constexpr std::size_t done = static_cast<std::size_t>(-1);

    bool alive(std::size_t node) const { return has_bit(alive_, node); }

    // A node adjacent to x, still there, that is not adjacent to u; u itself if there is none.
    Node obstacle(Node x, Node u) const {
        if (dense_.size() != 0) {
            const std::span<const Word> around_x = dense_.row(x), around_u = dense_.row(u);
            for (std::size_t w = 0; w < alive_.size(); ++w) {
                Word missing = around_x[w] & ~around_u[w] & alive_[w];
                missing &= ~word_of_bit(w, u);
                if (missing != 0)
                    return static_cast<Node>(w * word_bits +
                                             static_cast<std::size_t>(std::countr_zero(missing)));
            }
            return u;
        }
        for (const Node v : skeleton_[x]) {
            if (v != u && alive(v) && !skeleton_.contains(u, v)) return v;
        }
        return u;
    }

    // Whether knowledge lets all that is left around x point at it; if not, x waits.
    bool obeys(Node x) {
        if (adjacent_left_[x] > knowledge_->max_parents(x)) return false;
        const std::span<const Node> around = skeleton_[x];
        for (; allowed_[x] < around.size(); ++allowed_[x]) {
            const Node v = around[allowed_[x]];
            if (!alive(v) || knowledge_->allows_arc(v, x)) continue;
            blocked_by_[v].push_back(x);
            return false;
        }
        return true;
    }

    // Becomes a sink, or waits for the deletion of a node that is in the way.
    void check(Node x) {
        if (children_left_[x] != 0 || checked_[x] == done) return;
        if (knowledge_ != nullptr && !obeys(x)) return;
        const std::span<const Node> links = graph_.neighbors()[x];
        for (; checked_[x] < links.size(); ++checked_[x]) {
            const Node u = links[checked_[x]];
            if (!alive(u)) continue;
            const Node v = obstacle(x, u);
            if (v == u) continue;
            blocked_by_[u].push_back(x);
            blocked_by_[v].push_back(x);
            return;
        }
        checked_[x] = done;
        order_.push_back(x);
    }

    const MixedGraph& graph_;
    const Knowledge* knowledge_;
    Adjacency skeleton_;
    BitMatrix dense_;
    BitRow alive_;
    std::vector<std::size_t> children_left_;
    std::vector<std::size_t> adjacent_left_;  // kept with knowledge only
    std::vector<std::size_t> allowed_;        // adjacent nodes that knowledge lets point at a node
    std::vector<std::size_t> checked_;        // undirected neighbors of a node known to be no obstacle
    std::vector<std::vector<Node>> blocked_by_;
    std::vector<Node> order_;  // taken, then those that can be taken
};

}  // namespace

std::vector<Node> sink_order(const MixedGraph& graph, const Knowledge* knowledge) {
    return SinkElimination(graph, knowledge).run();
}

std::optional<MixedGraph> consistent_extension(const MixedGraph& graph) {
    std::optional<MixedGraph> dag = extend_chain_graph(graph);
    if (dag) return dag;
    const std::vector<Node> order = sink_order(graph);
    if (order.size() != graph.size()) return std::nullopt;
    std::vector<std::size_t> taken(graph.size());
    for (std::size_t i = 0; i < order.size(); ++i) taken[order[i]] = i;
    std::vector<Arc> arcs = graph.directed();
    for (const Arc& edge : graph.undirected()) {
        const bool later = taken[edge.from] > taken[edge.to];
        arcs.push_back(later ? edge : Arc{edge.to, edge.from});
    }
    return MixedGraph(graph.size(), arcs, {});
}

}  // namespace dagwright
