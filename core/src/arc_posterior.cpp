#include "dagwright/arc_posterior.hpp"

#include <atomic>
#include <bit>

#include "dagwright/errors.hpp"
#include "dagwright/scaled.hpp"

namespace dagwright {

namespace {

using Mask = FamilyWeights::Mask;

// How many sums are kept side by side and added at the end: a fixed number, so that the number of threads
// does not change the last digit.
constexpr std::size_t kLanes = 4;

std::size_t subsets(std::size_t n) { return std::size_t{1} << n; }

// A set of variables without `x` as a mask of the others, and back.
Mask squeeze(Mask set, Var x) {
    const Mask low = (Mask{1} << x) - 1;
    return (set & low) | ((set >> 1) & ~low);
}
Mask spread(Mask others, Var x) {
    const Mask low = (Mask{1} << x) - 1;
    return (others & low) | ((others & ~low) << 1);
}

class Sums {
  public:
    Sums(const FamilyWeights& weights, Counting counting, Control& control)
        : weights_(weights), n_(weights.variables()), counting_(counting), control_(control) {
        if (n_ > kMostExactVariables) throw Error("too many variables for exact sums over all networks");
    }

    bool add_up() {
        sum_.assign(n_, {});
        within_.assign(n_, 0);
        each_child([&](Var x) {
            collect(x);
            transform(x, [](Scaled& with, Scaled& without) { with += without; });
        });
        if (halted()) return false;
        forward_.assign(subsets(n_), Scaled());
        forward_[0] = Scaled(1.0);
        if (counting_ == Counting::orders)
            forward_orders();
        else
            forward_networks();
        return !halted();
    }

    Scaled total() const { return forward_.back(); }

    ArcPosterior arcs() {
        ArcPosterior result;
        if (!add_up()) return {0.0, {}, control_.should_stop()};
        if (total().zero()) throw Error("no network is possible under the prior and the knowledge");
        result.log_total = total().log();
        if (counting_ == Counting::orders)
            backward_orders();
        else
            backward_networks();
        if (halted()) return {0.0, {}, control_.should_stop()};
        std::vector<std::vector<double>> columns(n_);
        each_child([&](Var x) {
            transform(x, [](Scaled& with, Scaled& without) { without += with; });
            columns[x] = arcs_into(x);
        });
        if (halted()) return {0.0, {}, control_.should_stop()};
        result.arcs.assign(n_ * n_, 0.0);
        for (Var x = 0; x < n_; ++x)
            for (Var parent = 0; parent < n_; ++parent) result.arcs[parent * n_ + x] = columns[x][parent];
        return result;
    }

  private:
    bool halted() const { return control_stop_.load(std::memory_order_relaxed); }
    // Only the calling thread may ask; the others hear of it.
    void look(unsigned worker) {
        if (worker == 0 && control_.should_stop() != Stop::none) control_stop_ = true;
    }

    template <class Work>
    void each_child(Work&& work) {
        control_.workers().run(n_, [&](std::size_t x, unsigned worker) {
            look(worker);
            if (!halted()) work(static_cast<Var>(x));
        });
    }

    // The weights of the child's families by the mask of all other variables.
    void collect(Var x) {
        sum_[x].assign(subsets(n_ - 1), Scaled());
        const std::span<const double> logs = weights_.logs(x);
        for (Mask mask = 0; mask < logs.size(); ++mask) sum_[x][wide(x, mask)] = Scaled::exp(logs[mask]);
        Mask links = 0;
        for (Var v = 0; v < n_; ++v)
            if (v != x && weights_.joined(x, v)) links |= squeeze(Mask{1} << v, x);
        within_[x] = links;
    }

    Mask wide(Var x, Mask mask) const {
        const std::span<const Var> candidates = weights_.candidates(x);
        if (candidates.size() == n_ - 1) return mask;
        Mask set = 0;
        for (Mask rest = mask; rest != 0; rest &= rest - 1)
            set |= Mask{1} << candidates[static_cast<std::size_t>(std::countr_zero(rest))];
        return squeeze(set, x);
    }

    // Sums over subsets or supersets, one variable at a time; not over those that must be joined with x.
    template <class Add>
    void transform(Var x, Add&& add) {
        std::vector<Scaled>& sum = sum_[x];
        for (Mask bit = 1; bit < sum.size(); bit <<= 1) {
            if ((within_[x] & bit) != 0) continue;
            for (std::size_t block = 0; block < sum.size(); block += 2 * bit)
                for (std::size_t i = block; i < block + bit; ++i) add(sum[i + bit], sum[i]);
        }
    }

    const Scaled& sum(Var x, Mask set) const { return sum_[x][squeeze(set, x)]; }

    std::vector<double> arcs_into(Var x) const {
        std::vector<double> found(n_, 0.0);
        const std::span<const double> logs = weights_.logs(x);
        const std::span<const Var> candidates = weights_.candidates(x);
        for (Mask mask = 0; mask < logs.size(); ++mask) {
            if (logs[mask] == FamilyWeights::kImpossible) continue;
            const double probability = (Scaled::exp(logs[mask]) * sum_[x][wide(x, mask)]) / total();
            for (Mask rest = mask; rest != 0; rest &= rest - 1)
                found[candidates[static_cast<std::size_t>(std::countr_zero(rest))]] += probability;
        }
        return found;
    }

    // --- a network counts once for every order it fits ---

    void forward_orders() {
        for (Mask set = 1; set < forward_.size(); ++set) {
            Scaled value;
            for (Mask rest = set; rest != 0; rest &= rest - 1) {
                const auto last = static_cast<Var>(std::countr_zero(rest));
                const Mask before = set & ~(Mask{1} << last);
                value += forward_[before] * sum(last, before);
            }
            forward_[set] = value;
            if ((set & 0xffff) == 0) look(0);
            if (halted()) return;
        }
    }

    // Replaces the sums by their derivatives.
    void backward_orders() {
        const auto all = static_cast<Mask>(forward_.size() - 1);
        std::vector<Scaled> after(forward_.size());
        after[all] = Scaled(1.0);
        for (Mask set = all; set-- > 0;) {
            Scaled value;
            for (Mask rest = all & ~set; rest != 0; rest &= rest - 1) {
                const auto next = static_cast<Var>(std::countr_zero(rest));
                Scaled& here = sum_[next][squeeze(set, next)];
                const Scaled& then = after[set | (Mask{1} << next)];
                value += here * then;
                here = forward_[set] * then;
            }
            after[set] = value;
            if ((set & 0xffff) == 0) look(0);
            if (halted()) return;
        }
    }

    // --- every network counts once ---

    // All networks over `set` + T in which no member of T has a child, for all T: the sum over T with
    // alternating signs counts each network over the union once.
    struct Push {
        const Sums& sums;
        Mask set;
        std::span<const Var> others;
        std::vector<Scaled>& into;

        void extend(std::size_t from, Mask joint, const Scaled& product) {
            for (std::size_t at = from; at < others.size(); ++at) {
                const Var x = others[at];
                if (sums.linked(x, joint & ~set)) continue;
                const Scaled next = -(product * sums.sum(x, set));
                if (next.zero()) continue;
                const Mask grown = joint | (Mask{1} << x);
                into[grown] += next;
                extend(at + 1, grown, next);
            }
        }
    };

    // Two that must be joined cannot both be without children.
    bool linked(Var x, Mask others) const { return within_[x] != 0 && (spread(within_[x], x) & others) != 0; }

    std::vector<Var> outside(Mask set) const {
        std::vector<Var> others;
        for (Var x = 0; x < n_; ++x)
            if (((set >> x) & 1u) == 0) others.push_back(x);
        return others;
    }

    std::vector<std::vector<Mask>> by_size() const {
        std::vector<std::vector<Mask>> levels(n_ + 1);
        for (Mask set = 0; set < forward_.size(); ++set)
            levels[static_cast<std::size_t>(std::popcount(set))].push_back(set);
        return levels;
    }

    void forward_networks() {
        std::vector<std::vector<Scaled>> lanes(kLanes, std::vector<Scaled>(forward_.size()));
        for (const std::vector<Mask>& level : by_size()) {
            control_.workers().run(kLanes, [&](std::size_t lane, unsigned worker) {
                for (std::size_t i = lane; i < level.size() && !halted(); i += kLanes) {
                    look(worker);
                    const Mask set = level[i];
                    Scaled& here = forward_[set];
                    if (set != 0) {
                        here = Scaled();
                        for (const std::vector<Scaled>& one : lanes) here += one[set];
                    }
                    if (here.zero()) continue;
                    const std::vector<Var> others = outside(set);
                    Push{*this, set, others, lanes[lane]}.extend(0, set, -here);
                }
            });
            control_.report("summing over networks", level.size(), 0.0);
            if (halted()) return;
        }
    }

    // With x = -a(., set), the polynomial Q(x) = sum over T of after(set + T) times the product of x over T
    // gives after(set) = -Q and the derivatives forward(set) dQ/dx. It is folded variable by variable.
    struct Fold {
        std::vector<std::vector<Scaled>> levels;  // [k]: the last variables folded in, k are left
        std::vector<Scaled> products;
        std::vector<Mask> joint;
    };

    Scaled fold(Mask set, const std::vector<Scaled>& after, Fold& scratch) {
        const std::vector<Var> others = outside(set);
        const std::size_t m = others.size();
        scratch.levels.resize(n_ + 1);
        std::vector<Scaled>& top = scratch.levels[m];
        top.resize(subsets(m));
        scratch.joint.resize(subsets(m));
        scratch.joint[0] = set;
        top[0] = Scaled();  // T is not empty
        for (std::size_t k = 0; k < m; ++k) {
            const Mask bit = Mask{1} << others[k];
            for (std::size_t t = 0; t < subsets(k); ++t) {
                const Mask smaller = scratch.joint[t];
                const Mask grown = smaller | bit;
                scratch.joint[t + subsets(k)] = grown;
                top[t + subsets(k)] = after[grown];
            }
        }
        if (weights_.has_links())
            for (std::size_t t = 1; t < top.size(); ++t)
                if (any_linked(scratch.joint[t] & ~set)) top[t] = Scaled();
        std::vector<Scaled> x;
        for (const Var other : others) x.push_back(-sum(other, set));
        for (std::size_t k = m; k-- > 0;) {
            const std::vector<Scaled>& above = scratch.levels[k + 1];
            std::vector<Scaled>& here = scratch.levels[k];
            here.resize(subsets(k));
            for (std::size_t t = 0; t < here.size(); ++t) here[t] = above[t] + x[k] * above[t + subsets(k)];
        }
        // products[t]: x over the members of t among the first k.
        scratch.products.resize(subsets(m));
        scratch.products[0] = Scaled(1.0);
        for (std::size_t k = 0; k < m; ++k) {
            const std::vector<Scaled>& above = scratch.levels[k + 1];
            Scaled derivative;
            for (std::size_t t = 0; t < subsets(k); ++t) {
                derivative += scratch.products[t] * above[t + subsets(k)];
                scratch.products[t + subsets(k)] = scratch.products[t] * x[k];
            }
            sum_[others[k]][squeeze(set, others[k])] = forward_[set] * derivative;
        }
        return -scratch.levels[0][0];
    }

    bool any_linked(Mask set) const {
        for (Mask rest = set; rest != 0; rest &= rest - 1)
            if (linked(static_cast<Var>(std::countr_zero(rest)), set)) return true;
        return false;
    }

    // Replaces the sums by their derivatives.
    void backward_networks() {
        std::vector<Scaled> after(forward_.size());
        after.back() = Scaled(1.0);
        const std::vector<std::vector<Mask>> levels = by_size();
        std::vector<Fold> scratch(control_.workers().threads());
        for (std::size_t size = n_; size-- > 0;) {
            const std::vector<Mask>& level = levels[size];
            control_.workers().run(level.size(), [&](std::size_t i, unsigned worker) {
                look(worker);
                if (!halted()) after[level[i]] = fold(level[i], after, scratch[worker]);
            });
            control_.report("probabilities of arcs", n_ - size, 0.0);
            if (halted()) return;
        }
    }

    const FamilyWeights& weights_;
    std::size_t n_;
    Counting counting_;
    Control& control_;
    std::atomic<bool> control_stop_{false};
    std::vector<std::vector<Scaled>> sum_;  // a(x, U), later its derivative, by the mask of the others
    std::vector<Mask> within_;              // the others that must be joined with x
    std::vector<Scaled> forward_;           // the sum over the networks on a set
};

}  // namespace

ArcPosterior arc_posterior(const FamilyWeights& weights, Counting counting, Control& control) {
    return Sums(weights, counting, control).arcs();
}

double log_total_weight(const FamilyWeights& weights, Counting counting, Control& control) {
    Sums sums(weights, counting, control);
    if (!sums.add_up()) return FamilyWeights::kImpossible;
    return sums.total().zero() ? FamilyWeights::kImpossible : sums.total().log();
}

double arc_posterior_bytes(std::size_t variables, Counting counting) {
    const auto n = static_cast<double>(variables);
    const double sets = std::ldexp(1.0, static_cast<int>(variables));
    const double scaled = sizeof(Scaled);
    const double arrays = counting == Counting::orders ? 2.0 : 2.0 + kLanes;
    return n * sets / 2.0 * scaled + arrays * sets * scaled;
}

}  // namespace dagwright
