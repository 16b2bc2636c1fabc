// One order of the variables with the best parents each can have in it, and local search over orders.
//
// An order's score is the sum over the variables of the best parent set among the predecessors (Teyssier &
// Koller 2005). A variable is tried at every position by a sweep of adjacent swaps, each of which concerns
// two variables only; iterated local search shakes the order and climbs again (Lee & van Beek 2017).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/random_order.hpp"
#include "dagwright/search/parent_lists.hpp"

namespace dagwright {

enum class OrderMoves : std::uint8_t { swap, insert };

class OrderChain {
  public:
    OrderChain(const ParentLists& lists, OrderMoves moves, double tolerance, Random random);

    // Begin with a random order of this DAG. False if the lists have no legal network in it.
    bool start(std::span<const VarSet> dag);
    // The same order with other lists, which must outlive the chain.
    bool use(const ParentLists& lists);

    // To a local maximum: no variable gains by another position. `halt` is read often; a halted climb leaves
    // a valid order.
    void climb(const Control& control);
    // One round of iterated local search: shake, climb, keep the better of before and after.
    void iterate(const Control& control);

    double score() const noexcept { return score_; }
    // Rounds since the last gain.
    std::size_t stale() const noexcept { return stale_; }
    std::vector<VarSet> parents() const;

  private:
    bool improve_by_insertion(Var variable);
    bool improve_by_swaps();
    void move(std::size_t from, std::size_t to);
    void queue(Var v);
    void climb_queue(const Control& control);
    void empty_queue();
    void shake();
    void set_order(std::vector<Var> order);
    void prefix(std::size_t position);
    double value(Var v, std::uint32_t entry) const;
    std::uint32_t best_entry(Var v) const;
    std::uint32_t after_loss(Var v, std::uint32_t entry) const;
    std::uint32_t after_gain(Var v, std::uint32_t entry, Var gained) const;
    void set_before(Var v) { set_bit(before_, v); }
    void clear_before(Var v) { clear_bit(before_, v); }
    double total() const;

    const ParentLists* lists_;
    OrderMoves moves_;
    double tolerance_;
    Random random_;
    std::vector<Var> order_;
    std::vector<std::size_t> position_;
    std::vector<std::uint32_t> entry_;  // the chosen entry of each variable's list
    std::vector<Var> queue_;            // variables around which something changed
    std::vector<bool> queued_;
    BitRow before_;  // scratch: a set of predecessors
    double score_ = 0.0;
    std::size_t stale_ = 0;
};

}  // namespace dagwright
