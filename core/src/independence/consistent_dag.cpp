#include "dagwright/independence/consistent_dag.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "dagwright/base/errors.hpp"
#include "dagwright/graph/equivalence.hpp"

namespace dagwright {

namespace {

VarPair as_pair(Var a, Var b) { return a < b ? VarPair{a, b} : VarPair{b, a}; }

class Repair {
  public:
    Repair(BitMatrix linked, std::span<const Arc> arcs, const Knowledge& knowledge,
           const PairStrengths& strengths)
        : near_(std::move(linked)),
          out_(near_.size()),
          knowledge_(knowledge),
          bounds_(near_.size()),
          strengths_(strengths),
          left_(near_.size(), true),
          count_left_(near_.size()) {
        for (const Arc& arc : arcs) out_.set(arc.from, arc.to);
        for (Node v = 0; v < near_.size(); ++v)
            if (knowledge.max_parents(v) != Knowledge::kUnbounded)
                bounds_.bound_parents(v, knowledge.max_parents(v));
    }

    ConsistentDag run() {
        while (count_left_ > 0) {
            for (const Node node : sink_order(graph_left(), &bounds_))
                if (left_[node]) take(node);
            if (count_left_ == 0) break;
            const std::optional<Node> fewest = with_fewest_new_v_structures();
            take(fewest ? *fewest : make_room());
        }
        return {MixedGraph(near_.size(), arcs_, {}), std::move(dropped_)};
    }

  private:
    MixedGraph graph_left() const {
        std::vector<Arc> arcs, edges;
        for (Node a = 0; a < near_.size(); ++a) {
            out_.for_each_in_row(a, [&](std::size_t b) { arcs.push_back({a, static_cast<Node>(b)}); });
            near_.for_each_in_row(a, [&](std::size_t b) {
                if (a < b && !out_.get(a, b) && !out_.get(b, a)) edges.push_back({a, static_cast<Node>(b)});
            });
        }
        return MixedGraph(near_.size(), arcs, edges);
    }

    std::vector<Node> row_of(const BitMatrix& matrix, Node node) const {
        std::vector<Node> members;
        matrix.for_each_in_row(node, [&](std::size_t v) { members.push_back(static_cast<Node>(v)); });
        return members;
    }

    // The node comes after all others that are left: its neighbors are its parents.
    void take(Node last) {
        for (const Node other : row_of(near_, last)) {
            arcs_.push_back({other, last});
            near_.clear(other, last);
            near_.clear(last, other);
            out_.clear(other, last);
        }
        left_[last] = false;
        --count_left_;
    }

    std::size_t new_v_structures(Node node) const {
        std::size_t found = 0;
        near_.for_each_in_row(node, [&](std::size_t other) {
            if (out_.get(other, node)) return;
            const std::span<const Word> mine = near_.row(node), its = near_.row(other);
            for (std::size_t w = 0; w < mine.size(); ++w)
                found += static_cast<std::size_t>(std::popcount(mine[w] & ~its[w]));
            --found;  // the other node itself
        });
        return found;
    }

    std::optional<Node> with_fewest_new_v_structures() const {
        std::optional<Node> best;
        std::size_t fewest = 0;
        for (Node node = 0; node < near_.size(); ++node) {
            if (!left_[node] || out_.row_count(node) > 0 ||
                near_.row_count(node) > knowledge_.max_parents(node))
                continue;
            const std::size_t found = new_v_structures(node);
            if (!best || found < fewest) best = node, fewest = found;
        }
        return best;
    }

    std::vector<Node> must_leave(Node node) const {
        std::vector<Node> members = row_of(out_, node);
        std::erase_if(members, [&](Node other) { return knowledge_.allows_arc(other, node); });
        return members;
    }

    bool can_come_last(Node node) const {
        std::size_t required = 0;
        near_.for_each_in_row(node, [&](std::size_t other) {
            required += knowledge_.requires_link(node, static_cast<Node>(other)) ? 1 : 0;
        });
        if (required > knowledge_.max_parents(node)) return false;
        return std::ranges::none_of(row_of(out_, node),
                                    [&](Node other) { return knowledge_.requires_arc(node, other); });
    }

    std::size_t excess(std::size_t parents, Node node) const {
        const std::size_t most = knowledge_.max_parents(node);
        return parents > most ? parents - most : 0;
    }

    // Reverses and drops whatever keeps a node from coming last, where that costs least.
    Node make_room() {
        using Cost = std::tuple<std::size_t, std::size_t, Node>;
        std::optional<Cost> least;
        for (Node node = 0; node < near_.size(); ++node) {
            if (!left_[node] || !can_come_last(node)) continue;
            const std::size_t leaving = must_leave(node).size();
            const Cost cost{leaving + excess(near_.row_count(node) - leaving, node), out_.row_count(node),
                            node};
            if (!least || cost < *least) least = cost;
        }
        if (!least) throw Error("no DAG obeys the knowledge");
        const Node node = std::get<2>(*least);
        for (const Node other : must_leave(node)) drop(as_pair(node, other));
        for (const Node other : row_of(out_, node)) out_.clear(node, other);
        const std::size_t surplus = excess(near_.row_count(node), node);
        if (surplus > 0) drop_weakest(node, surplus);
        return node;
    }

    void drop_weakest(Node node, std::size_t count) {
        std::vector<VarPair> free;
        for (const Node other : row_of(near_, node))
            if (!knowledge_.requires_link(node, other)) free.push_back(as_pair(node, other));
        std::ranges::sort(free);
        const std::vector<double> values = strengths_(free);
        if (values.size() != free.size()) throw Error("a strength is needed for each pair");
        std::vector<std::pair<double, VarPair>> ranked;
        for (std::size_t i = 0; i < free.size(); ++i)
            ranked.emplace_back(std::isnan(values[i]) ? 0.0 : values[i], free[i]);
        std::ranges::sort(ranked);
        for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i) drop(ranked[i].second);
    }

    void drop(const VarPair& pair) {
        const auto [a, b] = pair;
        for (BitMatrix* matrix : {&near_, &out_}) {
            matrix->clear(a, b);
            matrix->clear(b, a);
        }
        dropped_.push_back(pair);
    }

    BitMatrix near_, out_;  // the edges between nodes that were not taken, and the arcs among them
    const Knowledge& knowledge_;
    Knowledge bounds_;  // the bounds on parents alone
    const PairStrengths& strengths_;
    std::vector<bool> left_;
    std::size_t count_left_;
    std::vector<Arc> arcs_;
    std::vector<VarPair> dropped_;
};

}  // namespace

ConsistentDag consistent_dag(BitMatrix linked, std::span<const Arc> arcs, const Knowledge& knowledge,
                             const PairStrengths& strengths) {
    return Repair(std::move(linked), arcs, knowledge, strengths).run();
}

}  // namespace dagwright
