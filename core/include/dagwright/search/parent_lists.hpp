// For every variable the parent sets that can matter, best first: what an order-based search looks up.
//
// A set that scores no better than one of its subsets is never needed, because a subset fits into every
// order that the set fits into (Teyssier & Koller 2005). Sets are made level by level from those one
// smaller. While a whole level is affordable every set is scored, except those that a bound on all supersets
// rules out (de Campos & Ji 2011); after that only sets that beat their subsets are extended, best first.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

struct ParentListPlan {
    std::uint64_t evaluations_per_child = 100'000;
    std::size_t max_parents = Knowledge::kUnbounded;
    std::size_t longest = 50'000;  // entries kept per variable
};

class ParentLists {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    // `seeds` (a legal family per variable) are always in the lists, and so are their neighborhoods looked
    // at. Stops early when `control` says so; the lists are then those of the evaluations made so far.
    // `best` is only told to whoever follows the progress.
    ParentLists(LocalScore& score, const Knowledge& knowledge, const ParentListPlan& plan,
                std::span<const VarSet> seeds, double best, Control& control);

    // Makes the lists that lack their seed again, around it, and joins them with what they held. True if
    // there was any.
    bool extend(LocalScore& score, const Knowledge& knowledge, const ParentListPlan& plan,
                std::span<const VarSet> seeds, double best, Control& control);

    std::size_t variables() const noexcept { return lists_.size(); }
    std::size_t size(Var child) const noexcept { return lists_[child].scores.size(); }
    double score(Var child, std::uint32_t entry) const noexcept { return lists_[child].scores[entry]; }
    const VarSet& parents(Var child, std::uint32_t entry) const noexcept { return lists_[child].sets[entry]; }
    double best(Var child) const noexcept { return lists_[child].scores.front(); }
    // `parent` matters to `child`: it occurs in some entry, or must be joined.
    bool candidate(Var parent, Var child) const noexcept { return candidates_.get(child, parent); }
    bool contains(Var child, std::uint32_t entry, Var parent) const noexcept {
        const List& list = lists_[child];
        if (words_ == 0) return list.sets[entry].contains(parent);
        return has_bit(list.masks.data() + entry * words_, parent);
    }

    // The first entry from `from` on that fits the predecessors (a bit row), or kNone. An entry fits when its
    // members all come before the child and everything that must be joined with it and comes before is in it.
    std::uint32_t first_fitting(Var child, const Word* before, std::uint32_t from = 0) const;
    // The first entry below `below` that fits and holds `gained`, or kNone.
    std::uint32_t first_with(Var child, Var gained, const Word* before, std::uint32_t below) const;
    // Whether more predecessors can only help: not when some neighbor must be joined.
    bool monotone(Var child) const noexcept { return lists_[child].links.empty(); }

    // No set outside the lists can be in a best network (as far as the parent bound allows sets at all).
    bool complete() const noexcept { return complete_; }
    std::uint64_t evaluations() const noexcept { return evaluations_; }
    Stop stop() const noexcept { return stop_; }
    std::size_t bytes() const noexcept;

  private:
    struct List {
        std::vector<double> scores;  // descending
        std::vector<VarSet> sets;
        std::vector<Word> masks;  // the sets as bit rows, if these are short
        BitRow links;             // bit row of variables to be joined with the child; empty if none
        // The entries that hold members[k], ascending: holders[offsets[k]] .. holders[offsets[k+1] - 1].
        std::vector<Var> members;
        std::vector<std::uint32_t> offsets, holders;

        bool holds(const VarSet& set) const;
        void join(const List& other);
        void index(std::size_t variables, std::size_t words);
    };
    class Builder;

    void settle(Var child);
    bool fits(const List& list, std::uint32_t entry, const Word* before) const;

    std::vector<List> lists_;
    std::size_t words_;     // per bit row; 0 with so many variables that members are looked at one by one
    BitMatrix candidates_;  // row: child
    bool complete_ = true;
    std::uint64_t evaluations_ = 0;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
