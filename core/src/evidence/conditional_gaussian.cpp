#include "dagwright/evidence/conditional_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "dagwright/base/exact_sum.hpp"
#include "gaussian_fit.hpp"

namespace dagwright {

// Sets with the same discrete members on the same rows: their cells are found once, and the moments of all
// their continuous members are taken together.
struct ConditionalGaussianMeasure::Group {
    VarSet discrete, known, continuous;
    std::vector<std::size_t> members;
};

// The rows of each cell that occurs, cell after cell.
struct ConditionalGaussianMeasure::Cells {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> ends;
};

namespace {

constexpr std::size_t kMostColumns = 64;  // whose moments are taken together
constexpr std::size_t kMostSets = 256;    // of a group, so that threads have tasks

}  // namespace

ConditionalGaussianMeasure::ConditionalGaussianMeasure(std::shared_ptr<const MixedTable> table)
    : table_(std::move(table)), columns_of_(table_->variables()) {
    for (const MomentColumn& column : moment_columns(*table_)) {
        if (column.indicator()) continue;
        columns_of_[column.variable].push_back(static_cast<std::uint32_t>(columns_.size()));
        columns_.push_back(column);
    }
}

double ConditionalGaussianMeasure::dim(const VarSet& set) const {
    double q = 1.0, k = 0.0;
    for (const Var v : set) {
        if (table_->continuous(v))
            k += static_cast<double>(columns_of_[v].size());
        else
            q *= std::max(1.0, static_cast<double>(table_->variable(v).codes.cardinality));
    }
    return q * (1.0 + k * (k + 3.0) / 2.0) - 1.0;
}

double ConditionalGaussianMeasure::family_dim(Var child, const VarSet& parents, const SetFit&,
                                              const SetFit&) const {
    return dim(parents.with(child)) - dim(parents);
}

double ConditionalGaussianMeasure::total_known(const VarSet& observed) const {
    return incomplete(observed).empty() ? total() : table_->total_of(table_->known_rows(observed));
}

std::vector<ConditionalGaussianMeasure::Group> ConditionalGaussianMeasure::grouped(
    std::span<const VarSet> sets, const VarSet& observed) const {
    std::vector<Group> groups;
    std::map<std::pair<VarSet, VarSet>, std::size_t> open;  // the last group with these rows and cells
    for (std::size_t i = 0; i < sets.size(); ++i) {
        std::vector<Var> discrete, continuous;
        std::size_t columns = 0;
        for (const Var v : sets[i]) {
            (table_->continuous(v) ? continuous : discrete).push_back(v);
            columns += columns_of_[v].size();
        }
        const VarSet known = complete() ? VarSet{} : incomplete(sets[i].united(observed));
        const auto key = std::pair(known, VarSet::of(discrete));
        const auto [at, fresh] = open.try_emplace(key, groups.size());
        if (!fresh) {
            const Group& group = groups[at->second];
            const VarSet all = group.continuous.united(VarSet::of(continuous));
            std::size_t wide = 0;
            for (const Var v : all) wide += columns_of_[v].size();
            // Moments of many columns cost more than those of the few that each set has.
            const bool full = group.members.size() == kMostSets || (wide > kMostColumns && wide > columns);
            if (!full) {
                groups[at->second].continuous = all;
                groups[at->second].members.push_back(i);
                continue;
            }
            at->second = groups.size();
        }
        groups.push_back({key.second, key.first, VarSet::of(continuous), {i}});
    }
    return groups;
}

ConditionalGaussianMeasure::Cells ConditionalGaussianMeasure::cells(const VarSet& discrete,
                                                                    const VarSet& known) const {
    Cells result;
    result.rows = known.empty() ? std::vector<std::uint32_t>(table_->rows()) : table_->known_rows(known);
    if (known.empty()) std::iota(result.rows.begin(), result.rows.end(), 0u);
    // Numbers of the cells in the order of their codes: one variable splits the cells of those before.
    std::vector<std::uint32_t> cell(table_->rows(), 0);
    std::uint32_t count = result.rows.empty() ? 0 : 1;
    for (const Var v : discrete) {
        const Column& column = table_->variable(v).codes;
        std::map<std::uint64_t, std::uint32_t> numbers;
        for (const std::uint32_t row : result.rows)
            numbers.emplace(std::uint64_t{cell[row]} * column.cardinality + column[row], 0);
        std::uint32_t next = 0;
        for (auto& [key, number] : numbers) number = next++;
        const std::unordered_map<std::uint64_t, std::uint32_t> quick(numbers.begin(), numbers.end());
        for (const std::uint32_t row : result.rows)
            cell[row] = quick.at(std::uint64_t{cell[row]} * column.cardinality + column[row]);
        count = next;
    }
    std::vector<std::size_t> starts(count + 1, 0);
    for (const std::uint32_t row : result.rows) ++starts[cell[row] + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    result.ends.assign(starts.begin() + (count > 0 ? 1 : 0), starts.end());
    if (count == 0) result.ends.clear();
    std::vector<std::uint32_t> sorted(result.rows.size());
    for (const std::uint32_t row : result.rows) sorted[starts[cell[row]]++] = row;
    result.rows = std::move(sorted);
    return result;
}

void ConditionalGaussianMeasure::evaluate(const Group& group, std::span<const VarSet> sets,
                                          std::span<SetFit> out) const {
    const Cells found = cells(group.discrete, group.known);
    const double N = table_->total_of(found.rows);
    std::vector<MomentColumn> columns;
    std::vector<std::uint32_t> place(columns_.size(), 0);
    for (const Var v : group.continuous)
        for (const std::uint32_t column : columns_of_[v]) {
            place[column] = static_cast<std::uint32_t>(columns.size());
            columns.push_back(columns_[column]);
        }
    // Sums that the order of the cells does not change.
    std::vector<ExactSum> sums(group.members.size());
    for (const std::size_t i : group.members) out[i] = {0.0, dim(sets[i])};
    Workers alone(1);
    GaussianScratch scratch;
    for (std::size_t c = 0, begin = 0; c < found.ends.size(); begin = found.ends[c++]) {
        const std::span<const std::uint32_t> rows(found.rows.data() + begin, found.ends[c] - begin);
        const double n = table_->total_of(rows);
        if (!(n > 0.0)) continue;  // rows of weight 0
        MomentSums moments(columns.size());
        if (!columns.empty()) moments.add(*table_, columns, alone, rows);
        const MomentMatrix matrix = moments.matrix(columns);
        for (std::size_t m = 0; m < sums.size(); ++m) {
            const std::size_t i = group.members[m];
            scratch.columns.clear();
            for (const Var v : sets[i])
                for (const std::uint32_t column : columns_of_[v]) scratch.columns.push_back(place[column]);
            const double in_cell = gaussian_log_likelihood(matrix, scratch);
            if (std::isfinite(in_cell)) {
                sums[m].add(n * std::log(n / N));
                sums[m].add(in_cell);
            } else if (out[i].fit != kTooFewRows) {
                out[i].fit = in_cell;
            }
        }
    }
    for (std::size_t m = 0; m < sums.size(); ++m)
        if (std::isfinite(out[group.members[m]].fit)) out[group.members[m]].fit = sums[m].value();
}

void ConditionalGaussianMeasure::evidence(std::span<const VarSet> sets, const VarSet& observed,
                                          std::span<SetFit> out, Control& control) {
    const std::vector<Group> groups = grouped(sets, observed);
    control.workers().run(groups.size(),
                          [&](std::size_t task, unsigned) { evaluate(groups[task], sets, out); });
}

}  // namespace dagwright
