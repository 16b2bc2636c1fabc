#include "dagwright/exact/family_orders.hpp"

#include <algorithm>
#include <stdexcept>

#include "dagwright/base/random.hpp"

namespace dagwright {

namespace {

constexpr double kWeightless = 1e-9;
constexpr double kGain = 1e-9;
// What a variable costs for which no family fits: more than any difference of scores.
constexpr double kUnfit = 1e12;

bool within(std::span<const Word> set, std::span<const Word> other) {
    for (std::size_t w = 0; w < set.size(); ++w)
        if ((set[w] & ~other[w]) != 0) return false;
    return true;
}

class Climber {
  public:
    explicit Climber(const Families& families) : families_(families), before_(families.words()) {}

    // The best family of v whose parents are in `before_`, together with the edges that are; size() if none.
    std::size_t best(Var v) const {
        const std::span<const Word> links = families_.links(v);
        for (std::size_t f = families_.begin(v); f < families_.end(v); ++f) {
            const std::span<const Word> parents = families_.parents(f);
            bool fits = true;
            for (std::size_t w = 0; w < parents.size() && fits; ++w)
                fits = (parents[w] & ~before_[w]) == 0 && (links[w] & before_[w] & ~parents[w]) == 0;
            if (fits) return f;
        }
        return families_.size();
    }

    double cost(Var v) const {
        const std::size_t f = best(v);
        return f == families_.size() ? kUnfit : families_.loss(f);
    }

    double evaluate(const std::vector<Var>& order, std::vector<double>& costs) {
        std::fill(before_.begin(), before_.end(), 0);
        double total = 0.0;
        for (const Var v : order) {
            total += costs[v] = cost(v);
            set_bit(before_, v);
        }
        return total;
    }

    // Moves every variable to its best place until none gains.
    double climb(std::vector<Var>& order, Control& control) {
        std::vector<double> costs(order.size());
        double total = evaluate(order, costs);
        std::vector<Var> movers = order;
        for (bool gained = true; gained && control.should_stop() == Stop::none;) {
            gained = false;
            for (const Var v : movers) {
                const double gain = place(order, costs, v);
                if (gain > kGain) {
                    total = evaluate(order, costs);
                    gained = true;
                }
            }
        }
        return total;
    }

    std::vector<std::int64_t> choice(const std::vector<Var>& order) {
        std::fill(before_.begin(), before_.end(), 0);
        std::vector<std::int64_t> chosen(order.size());
        for (const Var v : order) {
            const std::size_t f = best(v);
            if (f == families_.size()) return {};
            chosen[v] = static_cast<std::int64_t>(f);
            set_bit(before_, v);
        }
        return chosen;
    }

  private:
    // Tries all places for v by neighbors changing places: each change touches two families only.
    double place(std::vector<Var>& order, const std::vector<double>& costs, Var v) {
        const auto at = static_cast<std::size_t>(std::find(order.begin(), order.end(), v) - order.begin());
        double best_gain = 0.0;
        std::size_t best_at = at;
        std::fill(before_.begin(), before_.end(), 0);
        for (std::size_t i = 0; i < at; ++i) set_bit(before_, order[i]);
        double passed = 0.0;
        for (std::size_t i = at; i > 0; --i) {  // v goes before order[i - 1]
            const Var u = order[i - 1];
            clear_bit(before_, u);
            set_bit(before_, v);
            passed += costs[u] - cost(u);
            clear_bit(before_, v);
            const double gain = passed + costs[v] - cost(v);
            if (gain > best_gain + kGain) {
                best_gain = gain;
                best_at = i - 1;
            }
        }
        std::fill(before_.begin(), before_.end(), 0);
        for (std::size_t i = 0; i < at; ++i) set_bit(before_, order[i]);
        passed = 0.0;
        for (std::size_t i = at + 1; i < order.size(); ++i) {  // v goes after order[i]
            const Var u = order[i];
            passed += costs[u] - cost(u);
            set_bit(before_, u);
            const double gain = passed + costs[v] - cost(v);
            if (gain > best_gain + kGain) {
                best_gain = gain;
                best_at = i;
            }
        }
        if (best_at < at)
            std::rotate(order.begin() + static_cast<std::ptrdiff_t>(best_at),
                        order.begin() + static_cast<std::ptrdiff_t>(at),
                        order.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        else if (best_at > at)
            std::rotate(order.begin() + static_cast<std::ptrdiff_t>(at),
                        order.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                        order.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
        return best_gain;
    }

    const Families& families_;
    BitRow before_;
};

}  // namespace

std::vector<Var> order_by_weights(const Families& families, std::span<const double> weights) {
    if (weights.size() != families.size()) throw std::invalid_argument("one weight per family is needed");
    const std::size_t n = families.variables();
    std::vector<std::vector<std::size_t>> support(n);
    for (Var v = 0; v < n; ++v)
        for (std::size_t f = families.begin(v); f < families.end(v); ++f)
            if (weights[f] > kWeightless) support[v].push_back(f);
    std::vector<Var> order;
    std::vector<bool> placed(n, false);
    BitRow before(families.words(), 0);
    while (order.size() < n) {
        Var next = 0;
        double most = -1.0;
        for (Var v = 0; v < n; ++v) {
            if (placed[v]) continue;
            double ready = 0.0;
            for (const std::size_t f : support[v])
                if (within(families.parents(f), before)) ready += weights[f];
            if (ready > most + kGain) {
                most = ready;
                next = v;
            }
        }
        order.push_back(next);
        placed[next] = true;
        set_bit(before, next);
    }
    return order;
}

OrderedChoice climb_orders(const Families& families, std::vector<Var> order, std::size_t rounds,
                           std::uint64_t seed, Control& control) {
    const std::size_t n = families.variables();
    std::vector<bool> seen(n, false);
    for (const Var v : order) {
        if (v >= n || seen[v]) throw std::invalid_argument("an order names every variable once");
        seen[v] = true;
    }
    if (order.size() != n) throw std::invalid_argument("an order names every variable once");
    Climber climber(families);
    Random random(seed);
    double best = climber.climb(order, control);
    for (std::size_t round = 0; round < rounds && n > 1 && control.should_stop() == Stop::none; ++round) {
        std::vector<Var> trial = order;
        const std::size_t moves = 2 + random.below(4);
        for (std::size_t move = 0; move < moves; ++move) {
            const std::size_t from = random.below(n), to = random.below(n);
            const Var v = trial[from];
            trial.erase(trial.begin() + static_cast<std::ptrdiff_t>(from));
            trial.insert(trial.begin() + static_cast<std::ptrdiff_t>(to), v);
        }
        const double loss = climber.climb(trial, control);
        if (loss < best - kGain) {
            best = loss;
            order = std::move(trial);
        }
    }
    return {climber.choice(order), best};
}

}  // namespace dagwright
