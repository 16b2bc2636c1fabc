// A DAG while a search changes it: parent sets, and who descends from whom.
#pragma once
#include <span>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/varset.hpp"

namespace dagwright {

class DagState {
  public:
    // Throws CycleError when the parent sets close a cycle.
    explicit DagState(std::vector<VarSet> parents);

    std::size_t size() const noexcept { return parents_.size(); }
    const VarSet& parents(Var child) const { return parents_[child]; }
    const std::vector<VarSet>& families() const noexcept { return parents_; }
    const VarSet& children(Var parent) const { return children_[parent]; }
    bool has_arc(Var from, Var to) const { return parents_[to].contains(from); }
    bool has_path(Var from, Var to) const { return descendants_.get(from, to); }
    // Bit v: v is a descendant of `node` (not counting itself).
    std::span<const Word> descendants(Var node) const { return descendants_.row(node); }

    // from -> to would close no cycle.
    bool can_add(Var from, Var to) const { return from != to && !descendants_.get(to, from); }
    // The arc from -> to can be turned: no other path leads from `from` to `to`.
    bool can_reverse(Var from, Var to) const;

    // Nodes whose descendants may have become others are marked in `touched`, if it is given.
    void add(Var from, Var to, std::vector<bool>* touched = nullptr);
    void remove(Var from, Var to, std::vector<bool>* touched = nullptr);
    void reverse(Var from, Var to, std::vector<bool>* touched = nullptr);

  private:
    void find_descendants();
    std::vector<Var> with_ancestors(Var node) const;

    std::vector<VarSet> parents_, children_;
    BitMatrix descendants_;
};

}  // namespace dagwright
