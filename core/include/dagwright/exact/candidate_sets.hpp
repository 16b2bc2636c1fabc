// For every variable the parent sets that a best network can need, complete, in compressed form: what exact
// methods work on.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

// The entries of variable i are offsets[i] .. offsets[i+1]-1, best first; entry e has scores[e] and the
// ascending members[starts[e]] .. members[starts[e+1]-1]. Edges are pairs that must be adjacent: whichever
// end comes later in an order has the other among its parents.
class CandidateSets {
  public:
    using Link = std::pair<Var, Var>;

    CandidateSets() = default;
    CandidateSets(std::vector<std::int64_t> offsets, std::vector<double> scores,
                  std::vector<std::int64_t> starts, std::vector<std::int32_t> members,
                  std::vector<Link> links);

    std::size_t variables() const noexcept { return offsets_.size() - 1; }
    std::size_t size() const noexcept { return scores_.size(); }
    std::size_t size(Var child) const noexcept { return end(child) - begin(child); }
    std::size_t begin(Var child) const noexcept { return static_cast<std::size_t>(offsets_[child]); }
    std::size_t end(Var child) const noexcept { return static_cast<std::size_t>(offsets_[child + 1]); }
    double score(std::size_t entry) const noexcept { return scores_[entry]; }
    double best(Var child) const noexcept { return scores_[begin(child)]; }
    std::span<const std::int32_t> parents(std::size_t entry) const noexcept {
        return std::span(members_).subspan(static_cast<std::size_t>(starts_[entry]),
                                           static_cast<std::size_t>(starts_[entry + 1] - starts_[entry]));
    }

    std::span<const std::int64_t> offsets() const noexcept { return offsets_; }
    std::span<const double> scores() const noexcept { return scores_; }
    std::span<const std::int64_t> starts() const noexcept { return starts_; }
    std::span<const std::int32_t> members() const noexcept { return members_; }
    const std::vector<Link>& links() const noexcept { return links_; }

  private:
    friend class CandidateFinder;
    friend class CandidateLattice;

    // Puts the sets of the next variable behind the others, best first; equal scores by size and members.
    void append(std::span<const VarSet> sets, std::span<const double> scores);

    std::vector<std::int64_t> offsets_{0};
    std::vector<double> scores_;
    std::vector<std::int64_t> starts_{0};
    std::vector<std::int32_t> members_;
    std::vector<Link> links_;
};

struct CandidatePlan {
    std::size_t max_parents = Knowledge::kUnbounded;
    // A set is kept if it scores more than this above its best subset: the tolerance for one best network,
    // minus the distance for all networks within a distance of the best.
    double least_gain = 0.0;
    std::size_t most_sets = Knowledge::kUnbounded;  // of one size and variable held at once, and kept in all
    // Bytes for a table of all sets of variables; without them none is made.
    double table_bytes = 0.0;
    // Families scored one by one before a table is worth while; kUnbounded: a share of its size.
    std::size_t before_table = Knowledge::kUnbounded;
    // Families scored in all; where they do not suffice, the search for sets ends as if they did not fit.
    std::uint64_t most_families = std::numeric_limits<std::uint64_t>::max();
};

struct CandidatesFound {
    CandidateSets sets;
    std::vector<double> bounds;  // no parents of a variable score more, whether they were looked at or not
    double bound = std::numeric_limits<double>::infinity();  // no network scores more, where this is known
    std::uint64_t evaluations = 0;
    Stop stop = Stop::none;
    bool full = false;          // most_sets or most_families was reached: the sets are not complete
    Var full_child = 0;         // where
    std::size_t full_size = 0;  // parents
};

}  // namespace dagwright
