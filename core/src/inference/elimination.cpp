#include "dagwright/inference/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dagwright/base/errors.hpp"
#include "dagwright/inference/triangulation.hpp"

namespace dagwright {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kFewFactors = 8;  // that many are multiplied without rescaling in between
constexpr double kScaleBelow = 1e-12, kScaleAbove = 1e12;

bool within(const Scope& scope, Var v) { return std::binary_search(scope.begin(), scope.end(), v); }

// A product of conditional tables sums to 1 over their children as long as none was observed.
Scope joint_heads(std::span<const Factor* const> factors, Var summed) {
    Scope heads;
    for (const Factor* factor : factors) {
        if (factor->heads.empty()) return {};
        heads = union_of(heads, factor->heads);
    }
    std::erase(heads, summed);
    return heads;
}

// Reduces v out of the product; a factor that lost its last variable or became 1 is not kept.
double eliminate(std::span<const Factor* const> touching, Var v, Cards cards, Reduction reduction,
                 FactorSet& result) {
    if (reduction == Reduction::sum && touching.size() == 1 && touching[0]->heads == Scope{v}) return 0.0;
    Scope scope;
    for (const Factor* factor : touching) scope = union_of(scope, factor->variables);
    std::erase(scope, v);
    double scale = 0.0;
    const Scope heads = reduction == Reduction::sum ? joint_heads(touching, v) : Scope{};
    const bool many = touching.size() > kFewFactors && heads.empty();
    auto made = std::make_shared<Factor>(many ? contract_scaled(touching, scope, cards, reduction, scale)
                                              : contract(touching, scope, cards, reduction));
    made->heads = heads;
    if (scale == kImpossible) return kImpossible;
    if (scope.empty()) {
        const double value = made->data()[0];
        return value > 0 ? scale + std::log(value) : kImpossible;
    }
    if (heads.empty() && !many) {
        const double largest = *std::max_element(made->cells->begin(), made->cells->end());
        if (!(largest > 0)) return kImpossible;
        if (largest < kScaleBelow || largest > kScaleAbove) scale = normalize_by_max(*made);
    }
    result.push_back(std::move(made));
    return scale;
}

double take_scalars(FactorSet& factors) {
    double log_value = 0.0;
    std::erase_if(factors, [&](const FactorPtr& factor) {
        if (!factor->variables.empty()) return false;
        const double value = factor->data()[0];
        log_value += value > 0 ? std::log(value) : kImpossible;
        return true;
    });
    return log_value;
}

// For one use a second look at the order pays only where the tables are large.
Triangulation good_plan(const FactorSet& factors, Cards cards, const Scope& last) {
    // A further order takes microseconds for each variable, in which thousands of cells are summed.
    constexpr double kCellsPerVariable = 20'000;
    std::vector<Scope> scopes;
    for (const FactorPtr& factor : factors) scopes.push_back(factor->variables);
    Triangulation plan = triangulate(scopes, cards, last);
    const double variables = static_cast<double>(plan.order.size());
    return plan.cells > kCellsPerVariable * variables ? triangulate(scopes, cards, last, 6, 1) : plan;
}

// Each factor waits at the first of its variables to be eliminated.
class Buckets {
  public:
    Buckets(const Triangulation& plan, std::size_t stop, std::size_t variables)
        : position_(variables, stop), waiting_(stop + 1) {
        for (std::size_t i = 0; i < stop; ++i) position_[plan.order[i]] = i;
    }
    void add(FactorPtr factor) {
        std::size_t first = waiting_.size() - 1;
        for (const Var v : factor->variables) first = std::min(first, position_[v]);
        waiting_[first].push_back(std::move(factor));
    }
    FactorSet& at(std::size_t i) { return waiting_[i]; }

  private:
    std::vector<std::size_t> position_;
    std::vector<FactorSet> waiting_;
};

double reduce_bucket(Buckets& buckets, std::size_t i, Var v, Cards cards, Reduction reduction) {
    std::vector<const Factor*> touching;
    for (const FactorPtr& factor : buckets.at(i)) touching.push_back(factor.get());
    if (touching.empty()) return 0.0;
    FactorSet result;
    const double scale = eliminate(touching, v, cards, reduction, result);
    for (FactorPtr& factor : result) buckets.add(std::move(factor));
    return scale;
}

}  // namespace

void CellLimit::require(const Scope& scope, double needed) const {
    if (!(needed > cells)) return;
    std::string shown;
    for (std::size_t i = 0; i < scope.size() && i < 8; ++i) shown += (i ? ", " : "") + names[scope[i]];
    if (scope.size() > 8) shown += " and " + std::to_string(scope.size() - 8) + " more";
    throw CapacityError("exact inference needs a table of about 10^" +
                        std::to_string(static_cast<int>(std::log10(needed))) + " cells over the " +
                        std::to_string(scope.size()) + " variables " + shown +
                        "; observe some of them, raise max_bytes (method=ExactInference(max_bytes=...)), or "
                        "use likelihood weighting or loopy "
                        "propagation (method=)");
}

void drop_barren(FactorSet& factors, const Scope& keep, std::size_t variables) {
    std::vector<std::uint32_t> occurs(variables, 0);
    for (const FactorPtr& factor : factors)
        for (const Var v : factor->variables) ++occurs[v];
    for (bool changed = true; changed;) {
        changed = false;
        std::erase_if(factors, [&](const FactorPtr& factor) {
            const bool barren = !factor->heads.empty() &&
                                std::all_of(factor->heads.begin(), factor->heads.end(),
                                            [&](Var v) { return occurs[v] == 1 && !within(keep, v); });
            if (!barren) return false;
            for (const Var v : factor->variables) --occurs[v];
            changed = true;
            return true;
        });
    }
}

double sum_out(FactorSet& factors, const Scope& keep, Cards cards) {
    drop_barren(factors, keep, cards.size());
    double log_value = take_scalars(factors);
    std::vector<const Factor*> touching;
    for (;;) {
        Var chosen = 0;
        double smallest = std::numeric_limits<double>::infinity();
        Scope open;
        for (const FactorPtr& factor : factors)
            for (const Var v : factor->variables)
                if (!within(keep, v) && std::find(open.begin(), open.end(), v) == open.end())
                    open.push_back(v);
        if (open.empty() || log_value == kImpossible) return log_value;
        for (const Var v : open) {
            Scope scope;
            for (const FactorPtr& factor : factors)
                if (factor->has(v)) scope = union_of(scope, factor->variables);
            const double cells = cells_of(scope, cards);
            if (cells < smallest || (cells == smallest && v < chosen)) {
                smallest = cells;
                chosen = v;
            }
        }
        FactorSet rest, gone;
        touching.clear();
        for (FactorPtr& factor : factors) (factor->has(chosen) ? gone : rest).push_back(std::move(factor));
        for (const FactorPtr& factor : gone) touching.push_back(factor.get());
        log_value += eliminate(touching, chosen, cards, Reduction::sum, rest);
        factors = std::move(rest);
    }
}

double sum_out_all(FactorSet& factors, const Scope& keep, Cards cards, const CellLimit& limit) {
    drop_barren(factors, keep, cards.size());
    double log_value = take_scalars(factors);
    const Triangulation plan = good_plan(factors, cards, keep);
    limit.require(plan.largest, plan.largest_cells);
    std::size_t stop = plan.order.size();
    while (stop > 0 && within(keep, plan.order[stop - 1])) --stop;
    Buckets buckets(plan, stop, cards.size());
    for (FactorPtr& factor : factors) buckets.add(std::move(factor));
    factors.clear();
    for (std::size_t i = 0; i < stop && log_value != kImpossible; ++i) {
        log_value += reduce_bucket(buckets, i, plan.order[i], cards, Reduction::sum);
        buckets.at(i).clear();
    }
    factors = std::move(buckets.at(stop));
    return log_value;
}

std::vector<double> product_over(const FactorSet& factors, const Scope& keep, Cards cards) {
    std::size_t cells = 1;
    for (const Var v : keep) cells *= cards[v];
    Factor ones;
    ones.variables = keep;
    ones.strides.resize(keep.size());
    std::size_t step = 1;
    for (std::size_t i = keep.size(); i-- > 0; step *= cards[keep[i]]) ones.strides[i] = step;
    ones.cells = std::make_shared<const std::vector<double>>(cells, 1.0);
    std::vector<const Factor*> all;
    Scope covered;
    for (const FactorPtr& factor : factors) {
        all.push_back(factor.get());
        covered = union_of(covered, factor->variables);
    }
    if (covered.size() != keep.size() || all.empty()) all.push_back(&ones);
    double scale = 0.0;
    return *contract_scaled(all, keep, cards, Reduction::sum, scale).cells;
}

double maximize(FactorSet factors, const Scope& maximized, Cards cards, const CellLimit& limit,
                std::span<std::uint32_t> states) {
    drop_barren(factors, maximized, cards.size());
    double log_value = take_scalars(factors);
    const Triangulation plan = good_plan(factors, cards, maximized);
    limit.require(plan.largest, plan.largest_cells);
    Buckets buckets(plan, plan.order.size(), cards.size());
    for (FactorPtr& factor : factors) buckets.add(std::move(factor));
    for (std::size_t i = 0; i < plan.order.size() && log_value != kImpossible; ++i) {
        const bool summed = !within(maximized, plan.order[i]);
        log_value +=
            reduce_bucket(buckets, i, plan.order[i], cards, summed ? Reduction::sum : Reduction::max);
        if (summed) buckets.at(i).clear();
    }
    if (log_value == kImpossible) return log_value;
    for (std::size_t i = plan.order.size(); i-- > 0 && within(maximized, plan.order[i]);) {
        const Var v = plan.order[i];
        double best = -1.0;
        std::uint32_t best_state = 0;
        for (std::uint32_t state = 0; state < cards[v]; ++state) {
            states[v] = state;
            double value = 1.0;
            for (const FactorPtr& factor : buckets.at(i)) value *= value_at(*factor, states);
            if (value > best) {
                best = value;
                best_state = state;
            }
        }
        states[v] = best_state;
    }
    return log_value;
}

}  // namespace dagwright
