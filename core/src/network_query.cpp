#include "dagwright/network_query.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dagwright {

namespace {

bool holds_zero(const Factor& factor, Cards cards) {
    const Factor* only = &factor;
    const Factor dense = contract({&only, 1}, factor.variables, cards, Reduction::sum);
    return std::any_of(dense.cells->begin(), dense.cells->end(), [](double value) { return !(value > 0); });
}

// The variables of the factors, each after those it depends on as far as the factors are conditional tables.
std::vector<Var> parents_first(const FactorSet& factors, std::size_t variables) {
    std::vector<const Factor*> own(variables, nullptr);
    for (const FactorPtr& factor : factors)
        if (factor->heads.size() == 1) own[factor->heads[0]] = factor.get();
    std::vector<Var> order, open;
    std::vector<char> seen(variables, 0), done(variables, 0);
    for (const FactorPtr& factor : factors) {
        open.insert(open.end(), factor->variables.begin(), factor->variables.end());
        while (!open.empty()) {
            const Var v = open.back();
            if (seen[v]) {
                open.pop_back();
                if (!done[v]) order.push_back(v);
                done[v] = 1;
                continue;
            }
            seen[v] = 1;
            if (own[v] == nullptr) continue;
            for (const Var u : own[v]->variables)
                if (!seen[u]) open.push_back(u);
        }
    }
    return order;
}

// Whether a short search finds states that make every factor positive; if it does not, that proves nothing.
bool finds_possible_states(const FactorSet& factors, Cards cards) {
    constexpr std::size_t kLooks = 50'000;
    const std::vector<Var> order = parents_first(factors, cards.size());
    std::vector<std::size_t> position(cards.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::vector<std::vector<const Factor*>> decided(order.size());  // by the last of their variables
    for (const FactorPtr& factor : factors) {
        if (factor->variables.empty()) {
            if (!(factor->data()[0] > 0)) return false;
            continue;
        }
        std::size_t last = 0;
        for (const Var v : factor->variables) last = std::max(last, position[v]);
        decided[last].push_back(factor.get());
    }
    std::vector<std::uint32_t> states(cards.size(), 0);
    std::vector<std::vector<std::pair<double, std::uint32_t>>> left(
        order.size());  // states to try, best last
    std::size_t looks = 0;
    bool fresh = true;
    for (std::size_t at = 0; at < order.size();) {
        const Var v = order[at];
        if (fresh) {
            left[at].clear();
            for (std::uint32_t state = 0; state < cards[v]; ++state) {
                states[v] = state;
                double weight = 1.0;
                for (const Factor* factor : decided[at]) weight *= value_at(*factor, states);
                looks += decided[at].size();
                if (weight > 0) left[at].emplace_back(weight, state);
            }
            std::sort(left[at].begin(), left[at].end());
        }
        if (looks > kLooks) return false;
        fresh = !left[at].empty();
        if (fresh) {
            states[v] = left[at].back().second;
            left[at].pop_back();
            ++at;
        } else {
            if (at == 0) return false;
            --at;
        }
    }
    return true;
}

// Moves the factors that share no chain of variables with the targets to the second set.
void split_off(FactorSet& factors, const Scope& targets, std::size_t variables, FactorSet& apart) {
    std::vector<FactorSet> with(variables);
    for (const FactorPtr& factor : factors)
        for (const Var v : factor->variables) with[v].push_back(factor);
    std::vector<char> reached(variables, 0);
    std::vector<Var> open;
    for (const Var v : targets) {
        reached[v] = 1;
        open.push_back(v);
    }
    while (!open.empty()) {
        const Var v = open.back();
        open.pop_back();
        for (const FactorPtr& factor : with[v])
            for (const Var u : factor->variables)
                if (!reached[u]) {
                    reached[u] = 1;
                    open.push_back(u);
                }
        with[v].clear();
    }
    const auto cut = std::stable_partition(factors.begin(), factors.end(), [&](const FactorPtr& factor) {
        return !factor->variables.empty() && reached[factor->variables[0]];
    });
    apart.assign(cut, factors.end());
    factors.erase(cut, factors.end());
}

}  // namespace

FactorSet relevant_tables(const NetworkTables& network, const Findings& findings, const Scope& targets) {
    std::vector<char> needed(network.nodes(), 0);
    std::vector<Var> open(targets.begin(), targets.end());
    for (Var v = 0; v < network.nodes(); ++v)
        if (findings.observed[v] != kUnobserved || findings.likelihoods[v]) open.push_back(v);
    for (const Var v : open) needed[v] = 1;
    while (!open.empty()) {
        const Var v = open.back();
        open.pop_back();
        for (const Var u : network.tables[v]->variables)
            if (!needed[u]) {
                needed[u] = 1;
                open.push_back(u);
            }
    }
    FactorSet factors;
    for (Var v = 0; v < network.nodes(); ++v) {
        if (!needed[v]) continue;
        factors.push_back(std::make_shared<const Factor>(sliced(*network.tables[v], findings.observed)));
        if (findings.likelihoods[v])
            factors.push_back(
                std::make_shared<const Factor>(sliced(*findings.likelihoods[v], findings.observed)));
    }
    return factors;
}

std::vector<double> joint_posterior(const NetworkTables& network, const Findings& findings,
                                    const Scope& targets, double max_cells) {
    const Cards cards = network.cardinalities();
    const CellLimit limit{max_cells, network.names};
    FactorSet factors = relevant_tables(network, findings, targets), apart;
    split_off(factors, targets, network.nodes(), apart);
    drop_barren(apart, {}, network.nodes());
    const bool doubtful = std::any_of(apart.begin(), apart.end(),
                                      [&](const FactorPtr& factor) { return holds_zero(*factor, cards); });
    if (doubtful && !finds_possible_states(apart, cards) && std::isinf(sum_out_all(apart, {}, cards, limit)))
        return {};
    if (std::isinf(sum_out_all(factors, targets, cards, limit))) return {};
    std::vector<double> values = product_over(factors, targets, cards);
    double total = 0;
    for (const double value : values) total += value;
    if (!(total > 0)) return {};
    for (double& value : values) value /= total;
    return values;
}

double log_evidence(const NetworkTables& network, const Findings& findings, double max_cells) {
    FactorSet factors = relevant_tables(network, findings, {});
    return sum_out_all(factors, {}, network.cardinalities(), {max_cells, network.names});
}

double most_probable(const NetworkTables& network, Findings& findings, const Scope& targets,
                     double max_cells) {
    return maximise(relevant_tables(network, findings, targets), targets, network.cardinalities(),
                    {max_cells, network.names}, findings.observed);
}

double log_affinity(const NetworkTables& first, const NetworkTables& second, double max_cells) {
    FactorSet factors;
    for (const NetworkTables* network : {&first, &second}) {
        for (const FactorPtr& table : network->tables) {
            Factor root = *table;
            root.heads.clear();  // a root does not sum to 1
            auto cells = std::make_shared<std::vector<double>>(*table->cells);
            for (double& cell : *cells) cell = std::sqrt(cell);
            root.cells = std::move(cells);
            factors.push_back(std::make_shared<const Factor>(std::move(root)));
        }
    }
    return sum_out_all(factors, {}, first.cards, {max_cells, first.names});
}

}  // namespace dagwright
