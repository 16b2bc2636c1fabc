#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/graph/equivalence.hpp"

namespace dagwright {

namespace {

// Each arc is looked at once, as the last premise to become true. i - j is undirected, i ~ j adjacent:
//   1   a -> b - c, a and c not adjacent                              b -> c
//   2   a -> b -> c, a - c                                            a -> c
//   3   i - j, i - k -> j, i - l -> j, k and l not adjacent           i -> j
//   4   i - j, i - k -> l -> j, i ~ l, k and j not adjacent           i -> j
class MeekRules {
  public:
    explicit MeekRules(const MixedGraph& graph)
        : links_(graph.size()),
          children_(graph.size()),
          parents_(graph.size()),
          adjacent_(graph.size()),
          open_(graph.size()) {
        for (std::size_t node = 0; node < graph.size(); ++node) open_[node] = graph.neighbors()[node].size();
        for (const Arc& edge : graph.undirected()) {
            link(links_, edge);
            link(adjacent_, edge);
        }
        pending_ = graph.directed();
        for (const Arc& arc : pending_) {
            children_.set(arc.from, arc.to);
            parents_.set(arc.to, arc.from);
            link(adjacent_, arc);
        }
    }

    MixedGraph close() {
        while (!pending_.empty()) {
            const Arc arc = pending_.back();
            pending_.pop_back();
            if (open_[arc.to] != 0) {
                rule_1(arc);
                rule_3(arc);
            }
            if (open_[arc.from] != 0 || open_[arc.to] != 0) rule_2(arc);
            rule_4(arc);
        }
        std::vector<Arc> directed, undirected;
        for (std::size_t i = 0; i < links_.size(); ++i) {
            children_.for_each_in_row(i, [&](std::size_t j) { directed.push_back(arc_of(i, j)); });
            links_.for_each_in_row(i, [&](std::size_t j) {
                if (i < j) undirected.push_back(arc_of(i, j));
            });
        }
        return {links_.size(), directed, undirected};
    }

  private:
    static Arc arc_of(std::size_t i, std::size_t j) { return {static_cast<Node>(i), static_cast<Node>(j)}; }

    static void link(BitMatrix& matrix, const Arc& edge) {
        matrix.set(edge.from, edge.to);
        matrix.set(edge.to, edge.from);
    }

    void orient(std::size_t from, std::size_t to) {
        if (!links_.get(from, to)) return;
        links_.clear(from, to);
        links_.clear(to, from);
        --open_[from];
        --open_[to];
        children_.set(from, to);
        parents_.set(to, from);
        pending_.push_back(arc_of(from, to));
    }

    // Visits the nodes in row i of `a` that are in row j of `b`, as they are before the visits begin, word by
    // word.
    template <class Visit>
    static void for_each_common(const BitMatrix& a, std::size_t i, const BitMatrix& b, std::size_t j,
                                Visit visit) {
        const std::span<const Word> row_a = a.row(i), row_b = b.row(j);
        for (std::size_t w = 0; w < row_a.size(); ++w) {
            const Word both = row_a[w] & row_b[w];
            for_each_bit_of_word(w, both, visit);
        }
    }

    void rule_1(const Arc& arc) {
        const std::span<const Word> links = links_.row(arc.to), around = adjacent_.row(arc.from);
        for (std::size_t w = 0; w < links.size(); ++w) {
            const Word open = links[w] & ~around[w];
            for_each_bit_of_word(w, open, [&](std::size_t node) { orient(arc.to, node); });
        }
    }

    void rule_2(const Arc& arc) {
        for_each_common(links_, arc.from, children_, arc.to, [&](std::size_t c) { orient(arc.from, c); });
        for_each_common(links_, arc.to, parents_, arc.from, [&](std::size_t c) { orient(c, arc.to); });
    }

    void rule_3(const Arc& arc) {
        const std::size_t k = arc.from, j = arc.to;
        for_each_common(links_, k, links_, j, [&](std::size_t i) {
            const std::span<const Word> parents = parents_.row(j), links = links_.row(i),
                                        around = adjacent_.row(k);
            for (std::size_t w = 0; w < parents.size(); ++w) {
                Word other = parents[w] & links[w] & ~around[w];
                other &= ~word_of_bit(w, k);
                if (other != 0) return orient(i, j);
            }
        });
    }

    void rule_4(const Arc& arc) {
        const auto premise = [&](std::size_t k, std::size_t l, std::size_t j) {
            if (open_[k] == 0 || open_[j] == 0 || adjacent_.get(k, j)) return;
            for_each_common(links_, k, links_, j, [&](std::size_t i) {
                if (adjacent_.get(i, l)) orient(i, j);
            });
        };
        if (open_[arc.from] != 0) {
            children_.for_each_in_row(arc.to, [&](std::size_t j) { premise(arc.from, arc.to, j); });
        }
        if (open_[arc.to] != 0) {
            parents_.for_each_in_row(arc.from, [&](std::size_t k) { premise(k, arc.from, arc.to); });
        }
    }

    BitMatrix links_, children_, parents_, adjacent_;
    std::vector<std::size_t> open_;  // undirected edges left at each node
    std::vector<Arc> pending_;
};

}  // namespace

MixedGraph meek_closure(const MixedGraph& graph) {
    if (graph.size() > 65536) throw CapacityError("the orientation rules handle graphs of up to 65536 nodes");
    if (graph.neighbors().arc_count() == 0) return graph;
    return MeekRules(graph).close();
}

}  // namespace dagwright
