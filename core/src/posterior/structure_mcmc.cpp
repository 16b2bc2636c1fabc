#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/posterior/graph_walk.hpp"

namespace dagwright {

namespace {

// Of ten moves so many change one pair of variables, turn one arc, draw the parents of one variable anew; the
// rest turn an arc and draw the parents of both ends.
constexpr std::size_t kPairMoves = 2, kTurns = 4, kParentMoves = 2, kMoves = 10;
constexpr Var kNobody = std::numeric_limits<Var>::max();

class StructureWalk final : public GraphWalk {
  public:
    StructureWalk(const FamilySums& sums, std::uint64_t seed)
        : GraphWalk(sums, seed),
          parents_(sums.variables(), 0),
          counts_(sums.variables(), 0),
          children_(sums.variables()) {}

    void start(std::span<const Mask> network) override { restore(network); }

    void step() override {
        if (parents_.size() < 2) return;
        const std::size_t kind = random_.below(kMoves);
        if (kind < kPairMoves)
            change_pair();
        else if (kind < kPairMoves + kTurns)
            turn_arc();
        else if (kind < kPairMoves + kTurns + kParentMoves)
            draw_parents();
        else
            reverse_with_new_parents();
    }

    double log_weight() const override {
        double total = 0.0;
        for (Var v = 0; v < parents_.size(); ++v) total += weights().log(v, parents_[v]);
        return total;
    }

    void draw(std::span<Mask> network) override {
        std::copy(parents_.begin(), parents_.end(), network.begin());
    }

    // Given the parents of all other variables.
    void arcs_into(Var child, std::span<double> probabilities) const override {
        const Mask within = not_below(child);
        const double all = sums_.log_sum(child, within);
        for (std::size_t at = 0; at < probabilities.size(); ++at) {
            const Mask bit = Mask{1} << at;
            if ((within & bit) == 0)
                probabilities[at] = 0.0;
            else if ((weights().links(child) & bit) != 0)
                probabilities[at] = 1.0;
            else
                probabilities[at] = -std::expm1(sums_.log_sum(child, within & ~bit) - all);
        }
    }

    std::vector<std::uint32_t> state() const override { return {parents_.begin(), parents_.end()}; }

    void restore(std::span<const std::uint32_t> state) override {
        require_one_per_variable(state);
        for (Var v = 0; v < state.size(); ++v)
            if (state[v] >= weights().logs(v).size())
                throw Error("the state of a chain gives variable " + std::to_string(v) +
                            " a parent that is no candidate");
        depths_of(state, depths_);
        for (Var v = 0; v < state.size(); ++v) set_parents(v, state[v]);
        if (!(log_weight() > FamilySums::kImpossible)) throw Error("a network that is impossible");
    }

  private:
    const FamilyWeights& weights() const { return sums_.weights(); }

    void set_parents(Var child, Mask mask) {
        const Mask old = parents_[child];
        for (Mask rest = old & ~mask; rest != 0; rest &= rest - 1)
            children_.clear(candidate(child, rest), child);
        for (Mask rest = mask & ~old; rest != 0; rest &= rest - 1)
            children_.set(candidate(child, rest), child);
        parents_[child] = mask;
        arcs_ -= counts_[child];
        counts_[child] = static_cast<std::uint8_t>(std::popcount(mask));
        arcs_ += counts_[child];
    }
    Var candidate(Var child, Mask rest) const {
        return weights().candidates(child)[static_cast<std::size_t>(std::countr_zero(rest))];
    }

    // Fills `reached` with the variables that a directed path leads to; not all, once it is found that one
    // leads to `target`.
    bool reach(Var from, BitRow& reached, Var target = kNobody) const {
        reached.assign(words_for(parents_.size()), 0);
        front_.assign(1, from);
        while (!front_.empty()) {
            const Var v = front_.back();
            front_.pop_back();
            const std::span<const Word> row = children_.row(v);
            for (std::size_t w = 0; w < row.size(); ++w) {
                Word fresh = row[w] & ~reached[w];
                reached[w] |= fresh;
                for_each_bit_of_word(w, fresh, [&](std::size_t u) { front_.push_back(static_cast<Var>(u)); });
            }
            if (target != kNobody && has_bit(reached, target)) return true;
        }
        return false;
    }
    bool on_cycle(Var v) const { return reach(v, reached_, v); }
    Mask outside(Var child, const BitRow& reached) const {
        Mask mask = 0;
        const std::span<const Var> candidates = weights().candidates(child);
        for (std::size_t at = 0; at < candidates.size(); ++at)
            mask |= Mask{!has_bit(reached, candidates[at])} << at;
        return mask;
    }
    // The candidates of a child that no path from it leads to.
    Mask not_below(Var child) const {
        reach(child, reached_);
        return outside(child, reached_);
    }

    // A pair that is joined one way, the other way or not at all becomes one of the other two, each as likely
    // as the way back: Hastings' ratio is 1.
    void change_pair() {
        const std::size_t n = parents_.size();
        const auto a = static_cast<Var>(random_.below(n));
        auto b = static_cast<Var>(random_.below(n - 1));
        b += b >= a ? 1u : 0u;
        const Mask into_b = weights().bit(b, a), into_a = weights().bit(a, b);
        const bool forward = (parents_[b] & into_b) != 0, backward = (parents_[a] & into_a) != 0;
        // States 0 none, 1 a -> b, 2 b -> a.
        const int now = forward ? 1 : backward ? 2 : 0;
        const int next = (now + 1 + static_cast<int>(random_.below(2))) % 3;
        if ((next == 0 && weights().joined(a, b)) || (next == 1 && into_b == 0) ||
            (next == 2 && into_a == 0)) {
            ++proposed_;
            return;
        }
        propose(a, next == 2 ? parents_[a] | into_a : parents_[a] & ~into_a, b,
                next == 1 ? parents_[b] | into_b : parents_[b] & ~into_b);
    }

    // Any arc is turned; there are as many afterwards, so Hastings' ratio is 1. This is how a walk gets
    // around within a class of equivalent networks.
    void turn_arc() {
        if (arcs_ == 0) return;
        const auto [from, to] = arc(random_.below(arcs_));
        const Mask back = weights().bit(from, to);
        if (back == 0) {
            ++proposed_;
            return;
        }
        propose(from, parents_[from] | back, to, parents_[to] & ~weights().bit(to, from));
    }

    // New parents for two variables; refused also if they close a cycle.
    void propose(Var a, Mask new_a, Var b, Mask new_b) {
        const double gain = weights().log(a, new_a) - weights().log(a, parents_[a]) +
                            weights().log(b, new_b) - weights().log(b, parents_[b]);
        if (!accept(gain)) return;
        const Mask old_a = parents_[a], old_b = parents_[b];
        set_parents(a, new_a);
        set_parents(b, new_b);
        if (((new_a & ~old_a) != 0 && on_cycle(a)) || ((new_b & ~old_b) != 0 && on_cycle(b))) {
            --accepted_;
            set_parents(a, old_a);
            set_parents(b, old_b);
        }
    }

    // The parents of one variable, by weight given the rest (Goudie & Mukherjee 2016): never refused.
    void draw_parents() {
        const auto child = static_cast<Var>(random_.below(parents_.size()));
        set_parents(child, sums_.draw(child, not_below(child), 0, random_));
    }

    // The parent and child of the arc with this number.
    std::pair<Var, Var> arc(std::size_t number) const {
        Var child = 0;
        while (number >= counts_[child]) number -= counts_[child++];
        Mask rest = parents_[child];
        for (; number > 0; --number) rest &= rest - 1;
        return {candidate(child, rest), child};
    }

    // The sum over parent sets that hold `parent`, among those that close no cycle.
    double log_sum_with(Var child, Mask within, Var parent) const {
        return sums_.log_sum_touching(child, within, weights().bit(child, parent));
    }
    // Every variable that must be joined with x and cannot be its parent any more is its child.
    bool links_kept(Var x, Mask within) const {
        for (Mask rest = weights().links(x) & ~within; rest != 0; rest &= rest - 1)
            if (!children_.get(x, candidate(x, rest))) return false;
        return true;
    }

    // The arc i -> j becomes j -> i and both get new parents (Grzegorczyk & Husmeier 2008). With Z the sums
    // over the parent sets that were possible at each draw, the ratio is
    //   arcs(old) Z(i with j) Z(j) / arcs(new) Z(j with i) Z'(i).
    void reverse_with_new_parents() {
        const std::size_t before = arcs_;
        ++proposed_;
        if (before == 0) return;
        const auto [i, j] = arc(random_.below(before));
        if (weights().bit(i, j) == 0) return;
        const Mask old_i = parents_[i], old_j = parents_[j];

        set_parents(i, 0);
        set_parents(j, 0);
        reach(i, reached_);
        reach(j, reached_too_);
        const Mask free_i = outside(i, reached_), free_j = outside(j, reached_too_);
        const double first = log_sum_with(i, free_i, j), first_back = log_sum_with(j, free_j, i);
        bool moved = false;
        if (first > FamilySums::kImpossible) {
            // Whichever of the two is above the other by their arc is above all that either is above.
            for (std::size_t w = 0; w < reached_.size(); ++w) reached_[w] |= reached_too_[w];
            for (const Var end : {i, j}) set_bit(reached_, end);
            const Mask left_i = outside(i, reached_), left_j = outside(j, reached_);
            const double second_back = sums_.log_sum(i, left_i), second = sums_.log_sum(j, left_j);
            const double ratio =
                first + second - first_back - second_back + std::log(static_cast<double>(before));
            const double level = std::log(random_.uniform());
            const auto accepts = [&](std::size_t after) {
                return level < ratio - std::log(static_cast<double>(after));
            };
            // Most are refused however few arcs there will be: then nothing need be drawn.
            if (accepts(arcs_ + 1)) {
                set_parents(i, sums_.draw(i, free_i, weights().bit(i, j), random_));
                if (links_kept(j, left_j)) {
                    set_parents(j, sums_.draw(j, left_j, 0, random_));
                    moved = accepts(arcs_);
                }
            }
        }
        if (moved) {
            ++accepted_;
            return;
        }
        set_parents(i, old_i);
        set_parents(j, 0);
        set_parents(j, old_j);
    }

    std::vector<Mask> parents_;
    std::vector<std::uint8_t> counts_;  // of the parents of each variable
    std::size_t arcs_ = 0;
    BitMatrix children_;
    std::vector<std::uint32_t> depths_;
    mutable BitRow reached_;
    BitRow reached_too_;
    mutable std::vector<Var> front_;
};

}  // namespace

std::unique_ptr<GraphWalk> structure_walk(const FamilySums& sums, std::uint64_t seed) {
    return std::make_unique<StructureWalk>(sums, seed);
}

}  // namespace dagwright
