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
    bool has_arc(Var from, Var to) const { return children_.get(from, to); }
    bool has_path(Var from, Var to) const { return descendants_.get(from, to); }
    // Bit v: v is a descendant of `node` (not counting itself).
    std::span<const Word> descendants(Var node) const { return descendants_.row(node); }

    // from -> to would close no cycle.
    bool can_add(Var from, Var to) const { return from != to && !descendants_.get(to, from); }
    // The arc from -> to can be turned: no other path leads from `from` to `to`.
    bool can_reverse(Var from, Var to) const;

    void add(Var from, Var to);
    void remove(Var from, Var to);
    void reverse(Var from, Var to);

  private:
    void find_descendants();

    std::vector<VarSet> parents_;
    BitMatrix children_, descendants_;
};

}  // namespace dagwright
