// An essential graph (CPDAG) while a search walks from class to class: who points at whom, who is joined to
// whom.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/varset.hpp"
#include "dagwright/graph/dag_state.hpp"
#include "dagwright/graph/knowledge.hpp"
#include "dagwright/graph/mixed_graph.hpp"

namespace dagwright {

class EssentialState {
  public:
    // The essential graph of the DAG with these parents, under a family of intervention targets.
    explicit EssentialState(const std::vector<VarSet>& dag, std::span<const VarSet> targets = {});

    std::size_t size() const noexcept { return parents_.size(); }
    bool has_arc(Var from, Var to) const { return parents_.get(to, from); }
    bool has_link(Var a, Var b) const { return neighbors_.get(a, b); }
    bool adjacent(Var a, Var b) const { return adjacent_.get(a, b); }
    std::span<const Word> parents(Var node) const { return parents_.row(node); }
    std::span<const Word> neighbors(Var node) const { return neighbors_.row(node); }
    std::span<const Word> adjacent(Var node) const { return adjacent_.row(node); }
    VarSet parent_set(Var node) const;

    // A path from `from` to `to` along arcs and edges, never against an arc, that meets no node of `blocked`
    // (which must not hold `to`). The edge between the two themselves does not count.
    bool has_open_path(Var from, Var to, std::span<const Word> blocked) const;

    // Directs the edges of `node`: those from `chosen` into it, the others out of it. What remains may have
    // no extension.
    void direct_links(Var node, const VarSet& chosen);

    // A DAG with this skeleton and these v-structures that keeps the arcs and obeys the knowledge, or nothing
    // if there is none (see `sink_order`).
    std::optional<std::vector<VarSet>> extension(const Knowledge& knowledge) const;

    MixedGraph graph() const;

  private:
    void direct(Var from, Var to);

    BitMatrix parents_, children_, neighbors_, adjacent_;  // row: node
};

}  // namespace dagwright
