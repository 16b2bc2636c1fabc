#include "dagwright/inference/factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "dagwright/base/errors.hpp"

namespace dagwright {

bool Factor::has(Var v) const { return std::find(variables.begin(), variables.end(), v) != variables.end(); }

Factor conditional_table(const std::vector<Var>& axes, Cards cards, std::vector<double> table) {
    Scope scope = axes;
    std::sort(scope.begin(), scope.end());
    if (axes.empty() || std::adjacent_find(scope.begin(), scope.end()) != scope.end() ||
        scope.back() >= cards.size())
        throw Error("the axes of a table must be different nodes of the network");
    if (static_cast<double>(table.size()) != cells_of(scope, cards) || table.empty())
        throw Error("a table has " + std::to_string(table.size()) + " cells; its axes need " +
                    std::to_string(cells_of(scope, cards)));
    std::vector<std::size_t> order(axes.size()), stride(axes.size());
    std::size_t step = 1;
    for (std::size_t i = axes.size(); i-- > 0; step *= cards[axes[i]]) {
        order[i] = i;
        stride[i] = step;
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return axes[a] < axes[b]; });
    Factor view;
    for (const std::size_t i : order) {
        view.variables.push_back(axes[i]);
        view.strides.push_back(stride[i]);
    }
    view.cells = std::make_shared<const std::vector<double>>(std::move(table));
    // Stored with ascending axes, so that tables met in one product run through memory in the same order.
    if (!std::is_sorted(axes.begin(), axes.end())) {
        const Factor* only = &view;
        view = contract({&only, 1}, view.variables, cards, Reduction::sum);
    }
    view.heads = {axes.back()};
    return view;
}

Factor likelihood(Var v, std::vector<double> values) {
    Factor result;
    result.variables = {v};
    result.strides = {1};
    result.cells = std::make_shared<const std::vector<double>>(std::move(values));
    return result;
}

Factor sliced(const Factor& factor, std::span<const std::uint32_t> observed) {
    Factor result;
    result.cells = factor.cells;
    result.offset = factor.offset;
    for (std::size_t i = 0; i < factor.variables.size(); ++i) {
        const Var v = factor.variables[i];
        if (observed[v] == kUnobserved) {
            result.variables.push_back(v);
            result.strides.push_back(factor.strides[i]);
        } else {
            result.offset += observed[v] * factor.strides[i];
        }
    }
    const bool head_observed = std::any_of(factor.heads.begin(), factor.heads.end(),
                                           [&](Var v) { return observed[v] != kUnobserved; });
    if (!head_observed) result.heads = factor.heads;
    return result;
}

double value_at(const Factor& factor, std::span<const std::uint32_t> states) {
    const double* cell = factor.data();
    for (std::size_t i = 0; i < factor.variables.size(); ++i)
        cell += states[factor.variables[i]] * factor.strides[i];
    return *cell;
}

double cells_of(const Scope& scope, Cards cards) {
    double cells = 1;
    for (const Var v : scope) cells *= cards[v];
    return cells;
}

Scope union_of(const Scope& a, const Scope& b) {
    Scope result;
    result.reserve(a.size() + b.size());
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

Factor contract_scaled(std::span<const Factor* const> factors, const Scope& keep, Cards cards,
                       Reduction reduction, double& log_scale) {
    constexpr std::size_t kAtOnce = 8;  // each with a largest cell that is not tiny itself
    std::vector<const Factor*> left(factors.begin(), factors.end());
    std::vector<std::unique_ptr<Factor>> made;
    while (left.size() > kAtOnce) {
        const std::span<const Factor* const> few(left.data(), kAtOnce);
        Scope scope;
        for (const Factor* factor : few) scope = union_of(scope, factor->variables);
        made.push_back(std::make_unique<Factor>(contract(few, scope, cards, Reduction::sum)));
        log_scale += normalize_by_max(*made.back());
        left.erase(left.begin(), left.begin() + kAtOnce);
        left.push_back(made.back().get());
    }
    Factor result = contract(left, keep, cards, reduction);
    log_scale += normalize_by_max(result);
    return result;
}

double normalize_by_max(Factor& factor) {
    auto values = std::make_shared<std::vector<double>>(*factor.cells);
    const double largest = *std::max_element(values->begin(), values->end());
    if (!(largest > 0)) return -std::numeric_limits<double>::infinity();
    for (double& value : *values) value /= largest;
    factor.cells = std::move(values);
    return std::log(largest);
}

}  // namespace dagwright
