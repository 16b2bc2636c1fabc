#include "dagwright/inference/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

void scale_to_one(std::vector<double>& values) {
    double total = 0;
    for (const double value : values) total += value;
    for (double& value : values) value /= total;
}

}  // namespace

Propagation::Propagation(std::shared_ptr<const NetworkTables> network,
                         std::shared_ptr<const JunctionTree> tree, double max_cells)
    : network_(std::move(network)),
      tree_(std::move(tree)),
      tables_with_(network_->nodes()),
      tables_at_(tree_->cliques.size()),
      observed_(network_->nodes(), kUnobserved),
      likelihoods_(network_->nodes()),
      slices_(network_->tables),
      messages_(2 * tree_->edges.size()),
      max_cells_(max_cells) {
    require_tree_of_network();
    for (std::uint32_t t = 0; t < network_->nodes(); ++t) {
        tables_at_[tree_->home[t]].push_back(t);
        for (const Var v : network_->tables[t]->variables) tables_with_[v].push_back(t);
    }
}

// Messages are indexed by the cliques and tables of the tree.
void Propagation::require_tree_of_network() const {
    bool fits = tree_->home.size() == network_->nodes();
    for (std::size_t t = 0; fits && t < network_->nodes(); ++t) {
        const Scope& clique = tree_->cliques[tree_->home[t]];
        const Scope& scope = network_->tables[t]->variables;
        fits = std::includes(clique.begin(), clique.end(), scope.begin(), scope.end());
    }
    if (!fits) throw Error("the junction tree was made for another network");
}

void Propagation::observe(std::span<const std::uint32_t> observed, std::span<const FactorPtr> likelihoods) {
    std::vector<std::uint32_t> to_slice;
    for (Var v = 0; v < network_->nodes(); ++v) {
        if (observed_[v] != observed[v]) {
            observed_[v] = observed[v];
            to_slice.insert(to_slice.end(), tables_with_[v].begin(), tables_with_[v].end());
        }
        const FactorPtr& new_one = likelihoods[v];
        const FactorPtr& old = likelihoods_[v];
        if (old != new_one && !(old && new_one && *old->cells == *new_one->cells)) {
            likelihoods_[v] = new_one;
            forget_beyond(tree_->home[v], kNone);
        }
    }
    std::sort(to_slice.begin(), to_slice.end());
    to_slice.erase(std::unique(to_slice.begin(), to_slice.end()), to_slice.end());
    for (const std::uint32_t t : to_slice) {
        const Factor& table = *network_->tables[t];
        const bool touched = std::any_of(table.variables.begin(), table.variables.end(),
                                         [&](Var v) { return observed_[v] != kUnobserved; });
        slices_[t] = touched ? std::make_shared<const Factor>(sliced(table, observed_)) : network_->tables[t];
        forget_beyond(tree_->home[t], kNone);
    }
    if (!(tree_->largest_cells > max_cells_)) return;
    const CellLimit limit{max_cells_, network_->names};
    for (const Scope& clique : tree_->cliques) {
        Scope open;
        for (const Var v : clique)
            if (observed_[v] == kUnobserved) open.push_back(v);
        limit.require(open, cells_of(open, network_->cards));
    }
}

// A message that is no longer valid has no valid message beyond it: those were made from it.
void Propagation::forget_beyond(std::size_t clique, std::size_t arrived_by) {
    std::vector<std::pair<std::size_t, std::size_t>> open{{clique, arrived_by}};
    while (!open.empty()) {
        const auto [here, came_by] = open.back();
        open.pop_back();
        for (const std::size_t edge : tree_->edges_at[here]) {
            if (edge == came_by) continue;
            const bool from_a = tree_->edges[edge].a == here;
            Message& outward = messages_[2 * edge + (from_a ? 0 : 1)];
            if (!outward.valid) continue;
            outward = {};
            open.emplace_back(from_a ? tree_->edges[edge].b : tree_->edges[edge].a, edge);
        }
    }
}

const Propagation::Message& Propagation::message(std::size_t edge, bool from_a) {
    // Without recursion: a long chain of cliques must not exhaust the stack.
    std::vector<std::pair<std::size_t, bool>> wanted{{edge, from_a}};
    while (!wanted.empty()) {
        const auto [e, forward] = wanted.back();
        Message& here = messages_[2 * e + (forward ? 0 : 1)];
        if (here.valid) {
            wanted.pop_back();
            continue;
        }
        const std::size_t source = forward ? tree_->edges[e].a : tree_->edges[e].b;
        const std::size_t before = wanted.size();
        for (const std::size_t other : tree_->edges_at[source]) {
            if (other == e) continue;
            const bool inward = tree_->edges[other].b == source;
            if (!messages_[2 * other + (inward ? 0 : 1)].valid) wanted.emplace_back(other, inward);
        }
        if (wanted.size() > before) continue;
        FactorSet factors;
        double scale = gather(source, e, factors);
        if (scale != -std::numeric_limits<double>::infinity())
            scale += sum_out(factors, tree_->edges[e].separator, network_->cards);
        here = {true, std::move(factors), scale};
        ++sent_;
        wanted.pop_back();
    }
    return messages_[2 * edge + (from_a ? 0 : 1)];
}

// The tables of a clique and the messages that reach it, all but one.
double Propagation::gather(std::size_t clique, std::size_t except_edge, FactorSet& factors) {
    double scale = 0.0;
    for (const std::uint32_t t : tables_at_[clique]) {
        factors.push_back(slices_[t]);
        if (likelihoods_[t]) factors.push_back(likelihoods_[t]);
    }
    for (const std::size_t edge : tree_->edges_at[clique]) {
        if (edge == except_edge) continue;
        const Message& arriving = message(edge, tree_->edges[edge].b == clique);
        factors.insert(factors.end(), arriving.factors.begin(), arriving.factors.end());
        scale += arriving.log_scale;
    }
    return scale;
}

double Propagation::log_evidence() {
    std::size_t smallest = 0;
    for (std::size_t c = 1; c < tree_->cliques.size(); ++c)
        if (open_cells(tree_->cliques[c]) < open_cells(tree_->cliques[smallest])) smallest = c;
    if (tree_->cliques.empty()) return 0.0;
    FactorSet factors;
    const double scale = gather(smallest, kNone, factors);
    return scale + sum_out(factors, {}, network_->cards);
}

double Propagation::open_cells(const Scope& scope) const {
    double cells = 1;
    for (const Var v : scope)
        if (observed_[v] == kUnobserved) cells *= network_->cards[v];
    return cells;
}

std::vector<Propagation::Site> Propagation::best_sites(std::span<const Var> nodes) const {
    std::vector<Site> best(network_->nodes());
    std::vector<double> cost(network_->nodes(), -1.0);
    for (const Var v : nodes) cost[v] = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Scope& scope, Site site) {
        const double cells = open_cells(scope);
        for (const Var v : scope) {
            if (cells < cost[v]) {
                cost[v] = cells;
                best[v] = site;
            }
        }
    };
    for (std::size_t e = 0; e < tree_->edges.size(); ++e) offer(tree_->edges[e].separator, {false, e});
    for (std::size_t c = 0; c < tree_->cliques.size(); ++c) offer(tree_->cliques[c], {true, c});
    return best;
}

void Propagation::belief_factors(const Site& site, FactorSet& factors) {
    if (site.clique) {
        (void)gather(site.number, kNone, factors);
        return;
    }
    for (const bool from_a : {true, false}) {
        const Message& one = message(site.number, from_a);
        factors.insert(factors.end(), one.factors.begin(), one.factors.end());
    }
}

std::vector<double> Propagation::belief(FactorSet factors, const Scope& keep) const {
    (void)sum_out(factors, keep, network_->cards);
    std::vector<double> values = product_over(factors, keep, network_->cards);
    scale_to_one(values);
    return values;
}

std::vector<std::vector<double>> Propagation::marginals(std::span<const Var> nodes) {
    const std::vector<Site> sites = best_sites(nodes);
    std::map<std::pair<bool, std::size_t>, Scope> asked;
    for (const Var v : nodes)
        if (observed_[v] == kUnobserved) asked[{sites[v].clique, sites[v].number}].push_back(v);
    std::vector<std::vector<double>> by_node(network_->nodes());
    for (auto& [site, members] : asked) {
        FactorSet factors;
        belief_factors({site.first, site.second}, factors);
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        if (members.size() > 1) (void)sum_out(factors, members, network_->cards);
        for (const Var v : members) by_node[v] = belief(factors, {v});
    }
    std::vector<std::vector<double>> result;
    for (const Var v : nodes) {
        if (observed_[v] != kUnobserved) {
            result.emplace_back(network_->cards[v], 0.0);
            result.back()[observed_[v]] = 1.0;
        } else {
            result.push_back(by_node[v]);
        }
    }
    return result;
}

std::vector<double> Propagation::family(Var v, Scope& scope) {
    scope.clear();
    for (const Var member : network_->tables[v]->variables)
        if (observed_[member] == kUnobserved) scope.push_back(member);
    FactorSet factors;
    (void)gather(tree_->home[v], kNone, factors);
    return belief(std::move(factors), scope);
}

}  // namespace dagwright
