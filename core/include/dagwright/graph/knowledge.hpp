// What an expert decided about the arcs, compiled to one bit per ordered pair of variables, so that a search
// can ask in constant time. Names, tiers, patterns and contradictions are settled before an object of this
// class exists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"

namespace dagwright {

class Knowledge {
  public:
    using Arc = std::pair<std::uint32_t, std::uint32_t>;  // from, to
    static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

    explicit Knowledge(std::size_t n = 0);

    std::size_t size() const { return n_; }

    // True when nothing is forbidden, required or bounded: a search may then skip every question below.
    bool empty() const { return empty_; }

    bool allows_arc(std::uint32_t from, std::uint32_t to) const { return !forbidden_.get(to, from); }
    bool requires_arc(std::uint32_t from, std::uint32_t to) const { return required_.get(to, from); }
    // Adjacent in the answer, either way. True for the ends of a required arc too.
    bool requires_link(std::uint32_t a, std::uint32_t b) const { return linked_.get(a, b); }
    std::size_t max_parents(std::uint32_t child) const { return max_parents_[child]; }

    // All arcs into `child` allowed, its required parents present, their number within the bound. `parents`
    // holds distinct variables in any order.
    bool allows(std::uint32_t child, std::span<const std::uint32_t> parents) const;

    std::span<const std::uint32_t> required_parents(std::uint32_t child) const {
        return required_parents_[child];
    }
    // Bit v is set when the arc v -> child is forbidden.
    std::span<const Word> forbidden_parents(std::uint32_t child) const { return forbidden_.row(child); }
    std::vector<std::uint32_t> allowed_parents(std::uint32_t child) const;
    // Sorted by (from, to).
    std::vector<Arc> required_arcs() const;
    // Each pair once with the smaller variable first, sorted; the ends of required arcs are not repeated
    // here.
    std::vector<Arc> required_links() const;

    void forbid_arc(std::uint32_t from, std::uint32_t to);
    void require_arc(std::uint32_t from, std::uint32_t to);
    void require_link(std::uint32_t a, std::uint32_t b);
    // The smallest of all bounds given for a child holds.
    void bound_parents(std::uint32_t child, std::size_t most);

    // The same knowledge over new numbers: variable v becomes permutation[v].
    Knowledge renumbered(std::span<const std::uint32_t> permutation) const;

  private:
    void need_pair(std::uint32_t a, std::uint32_t b) const;

    std::size_t n_;
    bool empty_ = true;
    BitMatrix forbidden_;  // row: child, column: parent
    BitMatrix required_;   // row: child, column: parent
    BitMatrix linked_;     // symmetric
    std::vector<std::size_t> max_parents_;
    std::vector<std::vector<std::uint32_t>> required_parents_;  // each ascending
};

}  // namespace dagwright
