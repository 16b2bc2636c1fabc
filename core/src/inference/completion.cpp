#include "dagwright/inference/completion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>

namespace dagwright {

namespace {

constexpr double kOneTable = 4096;  // groups with at most so many cells are solved as one table
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// How one pattern of missing variables falls apart.
std::vector<MissingGroup> groups_of_pattern(const NetworkTables& network, std::vector<char> missing,
                                            std::optional<Var> target) {
    const std::size_t n = network.nodes();
    std::vector<char> relevant(n, 1);
    if (target) {  // tables of missing variables that are no ancestors of anything asked or seen sum to 1
        std::fill(relevant.begin(), relevant.end(), 0);
        std::vector<Var> open;
        for (Var v = 0; v < n; ++v)
            if (!missing[v] || v == *target) open.push_back(v);
        for (const Var v : open) relevant[v] = 1;
        while (!open.empty()) {
            const Var v = open.back();
            open.pop_back();
            for (const Var u : network.tables[v]->variables)
                if (!relevant[u]) {
                    relevant[u] = 1;
                    open.push_back(u);
                }
        }
    }
    std::vector<std::vector<Var>> families_with(n);
    for (Var v = 0; v < n; ++v)
        if (relevant[v])
            for (const Var u : network.tables[v]->variables)
                if (missing[u]) families_with[u].push_back(v);
    std::vector<MissingGroup> groups;
    std::vector<char> family_done(n, 0);
    for (Var first = 0; first < n; ++first) {
        if (!missing[first] || !relevant[first] || (target && first != *target)) continue;
        MissingGroup group;
        std::vector<Var> open{first};
        missing[first] = 0;
        Scope around;
        while (!open.empty()) {
            const Var v = open.back();
            open.pop_back();
            group.missing.push_back(v);
            for (const Var family : families_with[v]) {
                if (family_done[family]) continue;
                family_done[family] = 1;
                group.families.push_back(family);
                for (const Var u : network.tables[family]->variables) {
                    if (missing[u]) {
                        missing[u] = 0;
                        open.push_back(u);
                    }
                    around = union_of(around, {u});
                }
            }
        }
        std::sort(group.missing.begin(), group.missing.end());
        std::sort(group.families.begin(), group.families.end());
        std::set_difference(around.begin(), around.end(), group.missing.begin(), group.missing.end(),
                            std::back_inserter(group.around));
        groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<const Factor*> pointers(const FactorSet& factors) {
    std::vector<const Factor*> result;
    for (const FactorPtr& factor : factors) result.push_back(factor.get());
    return result;
}

void append(std::string& key, std::uint32_t value) {
    for (int byte = 0; byte < 4; ++byte) key.push_back(static_cast<char>(value >> (8 * byte) & 0xff));
}

// Calls visit(cell of `values`, offset in the table that `slice` is a slice of), row-major over the scope.
template <class Visit>
void for_each_cell(const Factor& slice, Cards cards, Visit visit) {
    std::vector<std::uint32_t> place(slice.variables.size(), 0);
    std::size_t offset = slice.offset, cell = 0;
    for (;;) {
        visit(cell++, offset);
        std::size_t i = place.size();
        for (;;) {
            if (i == 0) return;
            --i;
            offset += slice.strides[i];
            if (++place[i] < cards[slice.variables[i]]) break;
            offset -= place[i] * slice.strides[i];
            place[i] = 0;
        }
    }
}

}  // namespace

GroupedRows::GroupedRows(const NetworkTables& network, const Table& rows, const std::vector<int>& columns,
                         std::optional<Var> target) {
    const std::size_t n = network.nodes();
    const auto column = [&](Var v) -> const Column& { return rows.column(static_cast<Var>(columns[v])); };
    const auto missing_at = [&](Var v, std::size_t row) {
        return columns[v] < 0 || (target && v == *target) || column(v).missing(row);
    };
    std::unordered_map<std::string, std::vector<std::uint32_t>> patterns;  // -> templates
    std::unordered_map<std::string, std::uint32_t> template_of, group_of;
    std::vector<MissingGroup> templates;
    std::string key(n, '\0');
    std::string last_pattern;
    const std::vector<std::uint32_t>* current = nullptr;
    starts_.push_back(0);
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        key.resize(n);
        for (Var v = 0; v < n; ++v) key[v] = static_cast<char>(missing_at(v, row));
        if (current == nullptr || key != last_pattern) {
            last_pattern = key;
            const auto [place, is_new] = patterns.try_emplace(key);
            if (is_new) {
                for (MissingGroup& group :
                     groups_of_pattern(network, std::vector<char>(key.begin(), key.end()), target)) {
                    std::string name;
                    for (const Var v : group.missing) append(name, v);
                    append(name, 0xffffffffu);
                    for (const Var v : group.families) append(name, v);
                    const auto [known, fresh] =
                        template_of.try_emplace(name, static_cast<std::uint32_t>(templates.size()));
                    if (fresh) templates.push_back(std::move(group));
                    place->second.push_back(known->second);
                }
            }
            current = &place->second;
        }
        const double weight = rows.weighted() ? static_cast<double>(rows.weights()[row]) * rows.unit() : 1.0;
        for (const std::uint32_t number : *current) {
            const MissingGroup& shape = templates[number];
            key.clear();
            append(key, number);
            for (const Var v : shape.around) append(key, column(v)[row]);
            const auto [place, is_new] =
                group_of.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
            if (is_new) {
                groups_.push_back(shape);
                for (const Var v : shape.around) groups_.back().states.push_back(column(v)[row]);
            }
            groups_[place->second].weight += weight;
            members_.push_back(place->second);
        }
        starts_.push_back(members_.size());
    }
    sort_groups();
    if (!target) count_observed(network, rows, columns);
}

void GroupedRows::sort_groups() {
    std::vector<std::uint32_t> order(groups_.size()), rank(groups_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(groups_[a].missing, groups_[a].families, groups_[a].states) <
               std::tie(groups_[b].missing, groups_[b].families, groups_[b].states);
    });
    std::vector<MissingGroup> sorted;
    for (const std::uint32_t number : order) {
        rank[number] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(groups_[number]));
    }
    groups_ = std::move(sorted);
    for (std::uint32_t& member : members_) member = rank[member];
}

void GroupedRows::count_observed(const NetworkTables& network, const Table& rows,
                                 const std::vector<int>& columns) {
    for (Var v = 0; v < network.nodes(); ++v) {
        const Factor& table = *network.tables[v];
        observed_counts_.emplace_back(table.cells->size(), 0.0);
        if (std::any_of(table.variables.begin(), table.variables.end(),
                        [&](Var u) { return columns[u] < 0; }))
            continue;
        std::vector<std::uint64_t> whole(table.cells->size(), 0);  // whole numbers: no order of rows can show
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            std::size_t cell = table.offset;
            bool seen = true;
            for (std::size_t i = 0; i < table.variables.size(); ++i) {
                const Column& column = rows.column(static_cast<Var>(columns[table.variables[i]]));
                seen = seen && !column.missing(row);
                cell += column[row] * table.strides[i];
            }
            if (seen) whole[cell] += rows.weighted() ? rows.weights()[row] : 1;
        }
        for (std::size_t i = 0; i < whole.size(); ++i)
            observed_counts_.back()[i] = static_cast<double>(whole[i]) * rows.unit();
    }
}

FactorSet GroupSolver::enter(const MissingGroup& group) {
    for (std::size_t i = 0; i < group.around.size(); ++i) observed_[group.around[i]] = group.states[i];
    FactorSet factors;
    for (const Var family : group.families)
        factors.push_back(std::make_shared<const Factor>(sliced(*network_->tables[family], observed_)));
    return factors;
}

void GroupSolver::leave(const MissingGroup& group) {
    for (const Var v : group.around) observed_[v] = kUnobserved;
}

double GroupSolver::log_sum(const MissingGroup& group) {
    FactorSet factors = enter(group);
    leave(group);
    return sum_out_all(factors, {}, network_->cards, {max_cells_, network_->names});
}

std::vector<double> GroupSolver::posterior(const MissingGroup& group, const Scope& targets) {
    FactorSet factors = enter(group);
    leave(group);
    double scale = 0.0;
    std::vector<double> values;
    if (cells_of(group.missing, network_->cards) <= kOneTable) {
        values = *contract_scaled(pointers(factors), targets, network_->cards, Reduction::sum, scale).cells;
    } else {
        scale = sum_out_all(factors, targets, network_->cards, {max_cells_, network_->names});
        if (scale != kImpossible) values = product_over(factors, targets, network_->cards);
    }
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    if (scale == kImpossible || !(total > 0)) return {};
    for (double& value : values) value /= total;
    return values;
}

std::vector<std::uint32_t> GroupSolver::completion(const MissingGroup& group) {
    FactorSet factors = enter(group);
    leave(group);
    std::vector<std::uint32_t> states(network_->nodes(), 0), result;
    const double best =
        maximize(std::move(factors), group.missing, network_->cards, {max_cells_, network_->names}, states);
    if (best == kImpossible) return {};
    for (const Var v : group.missing) result.push_back(states[v]);
    return result;
}

double GroupSolver::add_expected_counts(const MissingGroup& group, std::vector<std::vector<double>>& counts) {
    const Cards cards = network_->cardinalities();
    if (cells_of(group.missing, cards) > kOneTable) return add_by_propagation(group, counts);
    const FactorSet factors = enter(group);
    leave(group);
    double scale = 0.0;
    const Factor joint = contract_scaled(pointers(factors), group.missing, cards, Reduction::sum, scale);
    const double total = std::accumulate(joint.cells->begin(), joint.cells->end(), 0.0);
    if (scale == kImpossible || !(total > 0)) return kImpossible;
    const double share = group.weight / total;
    const Factor* only = &joint;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        std::vector<double>& of_family = counts[group.families[i]];
        const Factor& slice = *factors[i];
        const bool whole = slice.variables.size() == group.missing.size();
        const Factor marginal = whole ? joint : contract({&only, 1}, slice.variables, cards, Reduction::sum);
        for_each_cell(slice, cards, [&](std::size_t cell, std::size_t offset) {
            of_family[offset] += share * (*marginal.cells)[cell];
        });
    }
    return scale + std::log(total);
}

double GroupSolver::add_by_propagation(const MissingGroup& group, std::vector<std::vector<double>>& counts) {
    if (!propagation_) {
        auto tree = std::make_shared<const JunctionTree>(make_junction_tree(*network_, 6, 1));
        propagation_ = std::make_unique<Propagation>(network_, std::move(tree), max_cells_);
    }
    const FactorSet factors = enter(group);
    // The states around a group are a Markov blanket: the rest of the network does not matter.
    propagation_->observe(observed_, std::vector<FactorPtr>(network_->nodes()));
    leave(group);
    if (propagation_->log_evidence() == kImpossible) return kImpossible;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        Scope scope;
        const std::vector<double> marginal = propagation_->family(group.families[i], scope);
        std::vector<double>& of_family = counts[group.families[i]];
        for_each_cell(*factors[i], network_->cardinalities(), [&](std::size_t cell, std::size_t offset) {
            of_family[offset] += group.weight * marginal[cell];
        });
    }
    return log_sum(group);
}

}  // namespace dagwright
