#include "dagwright/inference/network_query.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/inference/possible_states.hpp"

namespace dagwright {

namespace {

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
    const Possibility seen = look_for_possible_states(apart, cards);
    if (seen == Possibility::impossible) return {};
    if (seen == Possibility::unknown && std::isinf(sum_out_all(apart, {}, cards, limit))) return {};
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
    return maximize(relevant_tables(network, findings, targets), targets, network.cardinalities(),
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
