// Graphs with directed and undirected edges as sorted adjacency lists: linear memory, linear-time traversal.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dagwright {

using Node = std::uint32_t;

struct Arc {
    Node from;
    Node to;
    auto operator<=>(const Arc&) const = default;
};

// For each node the ascending list of the nodes it points to, without repeats.
class Adjacency {
  public:
    Adjacency() = default;
    Adjacency(std::size_t n, std::span<const Arc> arcs);

    std::size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
    std::size_t arc_count() const { return targets_.size(); }
    std::span<const Node> operator[](std::size_t node) const {
        return {targets_.data() + starts_[node], starts_[node + 1] - starts_[node]};
    }
    // Position of the first target of `node` in the concatenation of all lists.
    std::size_t start(std::size_t node) const { return starts_[node]; }
    bool contains(Node from, Node to) const;
    Adjacency transpose() const;
    std::vector<Arc> arcs() const;

    bool operator==(const Adjacency&) const = default;

  private:
    std::vector<std::size_t> starts_;
    std::vector<Node> targets_;
};

class MixedGraph {
  public:
    MixedGraph() = default;
    // An undirected edge may be given in either direction. Throws Error for a self-loop or an unknown node.
    MixedGraph(std::size_t n, std::span<const Arc> directed, std::span<const Arc> undirected);

    std::size_t size() const { return n_; }
    const Adjacency& children() const { return children_; }
    const Adjacency& parents() const { return parents_; }
    const Adjacency& neighbors() const { return neighbors_; }

    std::vector<Arc> directed() const { return children_.arcs(); }
    std::vector<Arc> undirected() const;  // each once, as (smaller, larger)
    bool adjacent(Node a, Node b) const;
    Adjacency skeleton() const;

    bool operator==(const MixedGraph&) const = default;

  private:
    std::size_t n_ = 0;
    Adjacency children_;
    Adjacency parents_;
    Adjacency neighbors_;
};

// The start nodes and everything that can be reached from them along `lists`, ascending.
std::vector<Node> reachable(const Adjacency& lists, std::span<const Node> starts);

}  // namespace dagwright
