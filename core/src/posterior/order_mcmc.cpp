#include <algorithm>
#include <bit>
#include <cmath>

#include "dagwright/base/errors.hpp"
#include "dagwright/posterior/graph_walk.hpp"

namespace dagwright {

namespace {

// One move in so many exchanges two variables; the others give one variable a new place.
constexpr std::size_t kExchangeEvery = 5;

class OrderWalk final : public GraphWalk {
  public:
    OrderWalk(const FamilySums& sums, std::uint64_t seed)
        : GraphWalk(sums, seed), before_(sums.variables()), log_(sums.variables()) {}

    // A random order of the network: at each place any variable whose parents are placed is as likely.
    void start(std::span<const Mask> network) override {
        const auto n = static_cast<Var>(network.size());
        std::vector<std::uint32_t> order;
        std::vector<bool> placed(n, false);
        while (order.size() < n) {
            std::vector<Var> ready;
            for (Var v = 0; v < n; ++v) {
                const VarSet parents = sums_.weights().parents(v, network[v]);
                if (!placed[v] &&
                    std::all_of(parents.begin(), parents.end(), [&](Var parent) { return placed[parent]; }))
                    ready.push_back(v);
            }
            if (ready.empty()) throw Error("the network to start from has a cycle");
            order.push_back(ready[random_.below(ready.size())]);
            placed[order.back()] = true;
        }
        restore(order);
    }

    void step() override {
        if (order_.size() < 2) return;
        if (random_.below(kExchangeEvery) == 0)
            exchange();
        else
            relocate();
    }

    double log_weight() const override {
        double total = 0.0;
        for (const double log : log_) total += log;
        return total;
    }

    void draw(std::span<Mask> network) override {
        for (Var v = 0; v < network.size(); ++v) network[v] = sums_.draw(v, before_[v], 0, random_);
    }

    void arcs_into(Var child, std::span<double> probabilities) const override {
        const Mask before = before_[child];
        for (std::size_t at = 0; at < probabilities.size(); ++at) {
            const Mask bit = Mask{1} << at;
            if ((before & bit) == 0)
                probabilities[at] = 0.0;
            else if ((sums_.weights().links(child) & bit) != 0)
                probabilities[at] = 1.0;
            else
                probabilities[at] = -std::expm1(sums_.log_sum(child, before & ~bit) - log_[child]);
        }
    }

    std::vector<std::uint32_t> state() const override { return order_; }

    void restore(std::span<const std::uint32_t> state) override {
        require_one_per_variable(state);
        std::vector<bool> placed(state.size(), false);
        for (const std::uint32_t v : state) {
            if (v >= placed.size() || placed[v])
                throw Error("the state of a chain over orders must name each variable once; got " +
                            std::to_string(v) + " twice or out of range");
            placed[v] = true;
        }
        order_.assign(state.begin(), state.end());
        refresh(0, order_.size());
        if (!(log_weight() > FamilySums::kImpossible)) throw Error("an order without any network");
    }

  private:
    // The predecessors and sums of the variables at these places.
    void refresh(std::size_t from, std::size_t to) {
        for (std::size_t at = from; at < to; ++at) {
            const Var v = order_[at];
            Mask before = 0;
            for (std::size_t i = 0; i < at; ++i) before |= sums_.weights().bit(v, order_[i]);
            before_[v] = before;
            log_[v] = sums_.log_sum(v, before);
        }
    }

    // One variable to any place, each by its weight given the order of the others: no proposal is refused.
    void relocate() {
        const std::size_t n = order_.size(), from = random_.below(n);
        const Var x = order_[from];
        order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(from));
        // places[p]: the sums of those before place p without x among their predecessors, of x itself, and of
        // those after it with x.
        std::vector<double>& places = places_;
        places.assign(n, 0.0);
        Mask own = 0;
        double earlier = 0.0;
        for (std::size_t p = 0; p < n; ++p) {
            places[p] = earlier + sums_.log_sum(x, own);
            if (p + 1 == n) break;
            const Var y = order_[p];
            own |= sums_.weights().bit(x, y);
            earlier += sums_.log_sum(y, before_[y] & ~sums_.weights().bit(y, x));
        }
        double later = 0.0;
        for (std::size_t p = n; p-- > 0;) {
            places[p] += later;
            if (p == 0) break;
            const Var y = order_[p - 1];
            later += sums_.log_sum(y, before_[y] | sums_.weights().bit(y, x));
        }
        const std::size_t to = choose(places);
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(to), x);
        for (std::size_t at = std::min(from, to); at <= std::max(from, to); ++at) {
            const Var y = order_[at];
            if (y == x) continue;
            const Mask bit = sums_.weights().bit(y, x);
            before_[y] = to < from ? before_[y] | bit : before_[y] & ~bit;
            log_[y] = sums_.log_sum(y, before_[y]);
        }
        Mask before = 0;
        for (std::size_t at = 0; at < to; ++at) before |= sums_.weights().bit(x, order_[at]);
        before_[x] = before;
        log_[x] = sums_.log_sum(x, before);
    }

    // Two variables change places; the same exchange leads back, so the ratio of the weights decides.
    void exchange() {
        const std::size_t n = order_.size();
        std::size_t i = random_.below(n), j = random_.below(n - 1);
        j += j >= i ? 1 : 0;
        if (i > j) std::swap(i, j);
        double gain = 0.0;
        kept_.clear();
        for (std::size_t at = i; at <= j; ++at) {
            const Var v = order_[at];
            kept_.push_back({v, before_[v], log_[v]});
            gain -= log_[v];
        }
        std::swap(order_[i], order_[j]);
        refresh(i, j + 1);
        for (std::size_t at = i; at <= j; ++at) gain += log_[order_[at]];
        if (accept(gain)) return;
        std::swap(order_[i], order_[j]);
        for (const Kept& one : kept_) {
            before_[one.variable] = one.before;
            log_[one.variable] = one.log;
        }
    }

    struct Kept {
        Var variable;
        Mask before;
        double log;
    };

    std::vector<std::uint32_t> order_;
    std::vector<Mask> before_;
    std::vector<double> log_;
    std::vector<double> places_;
    std::vector<Kept> kept_;
};

}  // namespace

std::unique_ptr<GraphWalk> order_walk(const FamilySums& sums, std::uint64_t seed) {
    return std::make_unique<OrderWalk>(sums, seed);
}

}  // namespace dagwright
