#include "dagwright/exact/order_astar.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>

#include "dagwright/base/mix.hpp"
#include "dagwright/exact/pattern_bounds.hpp"

namespace dagwright {

namespace {

struct Node {
    Mask set;
    double score;
    std::uint32_t parent;
    std::uint8_t first;  // the variable chosen after the parent, before the closure
};

struct Open {
    double bound;
    double score;
    std::uint32_t node;
    // The highest bound first; of equal ones the larger score, which is nearer to the end.
    bool operator<(const Open& other) const {
        if (bound != other.bound) return bound < other.bound;
        if (score != other.score) return score < other.score;
        return node > other.node;
    }
};

class Search {
  public:
    Search(const MaskedFamilies& families, const AstarPlan& plan, Control& control)
        : families_(families),
          plan_(plan),
          control_(control),
          bounds_(families, plan.largest_group, plan.partitions, control),
          all_(families.everything()) {
        for (std::size_t x = 0; x < families.size(); ++x) {
            const MaskedFamilies::List& list = families.lists[x];
            // What must be joined makes it matter who comes first.
            if (list.links == 0 && !list.masks.empty()) eager_ |= bit(x);
        }
    }

    PieceSolution run() {
        PieceSolution found;
        found.stop = bounds_.stop();
        if (found.stop != Stop::none) {
            found.bound = sum_of_best();
            return found;
        }
        slots_.assign(1024, 0);
        Mask start = 0;
        double score = 0.0;
        close(start, score);
        push(start, score, 0, 0);
        while (!open_.empty()) {
            const Open top = open_.top();
            if (nodes_[top.node].score > top.score) {  // reached better in the meantime
                open_.pop();
                continue;
            }
            if (found.steps % 1024 == 0) {
                found.stop = control_.should_stop();
                control_.report({.phase = "A*", .done = found.steps, .unit = "sets of variables"});
            }
            found.full = nodes_.size() + families_.size() > plan_.most_nodes;
            if (found.stop != Stop::none || found.full) {
                found.bound = std::max(plan_.incumbent, top.bound);
                return found;
            }
            open_.pop();
            ++found.steps;
            if (nodes_[top.node].set == all_) {
                found.score = found.bound = top.score;
                found.entries = entries(top.node);
                return found;
            }
            expand(top.node);
        }
        found.bound = plan_.incumbent;
        return found;
    }

  private:
    double sum_of_best() const {
        double sum = 0.0;
        for (const MaskedFamilies::List& list : families_.lists)
            sum += list.scores.empty() ? kImpossible : list.scores.front();
        return sum;
    }

    bool satisfied(std::size_t x, Mask set) const { return (families_.lists[x].masks.front() & ~set) == 0; }

    // Adds every variable that has its best parents, lowest number first.
    void close(Mask& set, double& score) const {
        for (bool grew = true; grew;) {
            grew = false;
            for (Mask rest = eager_ & ~set; rest != 0; rest &= rest - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(rest));
                if (!satisfied(x, set)) continue;
                set |= bit(x);
                score += families_.lists[x].scores.front();
                grew = true;
            }
        }
    }

    void expand(std::uint32_t at) {
        const Mask set = nodes_[at].set;
        const double score = nodes_[at].score;
        for (Mask rest = all_ & ~set; rest != 0; rest &= rest - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(rest));
            const double gain = families_.lists[x].best_in(set);
            if (gain == kImpossible) continue;
            Mask next = set | bit(x);
            double total = score + gain;
            if (!(total + bounds_(all_ & ~next) > plan_.incumbent + plan_.tolerance)) continue;
            close(next, total);
            push(next, total, at, static_cast<std::uint8_t>(x));
        }
    }

    void push(Mask set, double score, std::uint32_t parent, std::uint8_t first) {
        const double bound = score + bounds_(all_ & ~set);
        if (!(bound > plan_.incumbent + plan_.tolerance)) return;
        if (2 * (nodes_.size() + 1) > slots_.size()) grow();
        std::size_t at = find(set);
        if (slots_[at] == 0) {
            nodes_.push_back({set, score, parent, first});
            slots_[at] = static_cast<std::uint32_t>(nodes_.size());
        } else {
            Node& node = nodes_[slots_[at] - 1];
            if (!(score > node.score)) return;
            node = {set, score, parent, first};
        }
        open_.push({bound, score, slots_[at] - 1});
    }

    std::size_t find(Mask set) const {
        std::size_t at = quick_mix(set) & (slots_.size() - 1);
        while (slots_[at] != 0 && nodes_[slots_[at] - 1].set != set) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        slots_.assign(2 * slots_.size(), 0);
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            slots_[find(nodes_[i].set)] = static_cast<std::uint32_t>(i + 1);
    }

    std::vector<std::size_t> entries(std::uint32_t last) const {
        std::vector<std::uint32_t> path;
        for (std::uint32_t at = last; at != 0; at = nodes_[at].parent) path.push_back(at);
        std::vector<std::size_t> chosen(families_.size());
        const auto take = [&](std::size_t x, Mask& set) {
            const MaskedFamilies::List& list = families_.lists[x];
            chosen[x] = list.entries[list.first_fitting(set)];
            set |= bit(x);
        };
        const auto take_rest = [&](Mask goal, Mask& set) {
            while (set != goal)
                for (Mask rest = goal & ~set; rest != 0; rest &= rest - 1) {
                    const auto x = static_cast<std::size_t>(std::countr_zero(rest));
                    if (satisfied(x, set)) take(x, set);
                }
        };
        Mask set = 0;
        take_rest(nodes_[0].set, set);
        for (auto at = path.rbegin(); at != path.rend(); ++at) {
            take(nodes_[*at].first, set);
            take_rest(nodes_[*at].set, set);
        }
        return chosen;
    }

    const MaskedFamilies& families_;
    const AstarPlan& plan_;
    Control& control_;
    PatternBounds bounds_;
    Mask all_, eager_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> slots_;  // open addressing: node + 1
    std::priority_queue<Open> open_;
};

}  // namespace

PieceSolution order_astar(const MaskedFamilies& families, const AstarPlan& plan, Control& control) {
    return Search(families, plan, control).run();
}

}  // namespace dagwright
