#include "dagwright/statistics/set_moments.hpp"

#include <algorithm>

namespace dagwright {

namespace {

std::vector<MomentColumn> columns_of(std::span<const MomentColumn> columns, const VarSet& variables) {
    std::vector<MomentColumn> found;
    for (const MomentColumn& column : columns)
        if (variables.contains(column.variable)) found.push_back(column);
    return found;
}

VarSet complete_variables(const MixedTable& table) {
    std::vector<Var> found;
    for (Var v = 0; v < table.variables(); ++v)
        if (table.incomplete(VarSet::of({v})).empty()) found.push_back(v);
    return VarSet::of(found);
}

// The columns of a table whose variable i is order[i] of other columns, on the same grids.
std::vector<MomentColumn> columns_in_order(const MixedTable& table, std::span<const MomentColumn> others,
                                           std::span<const Var> order) {
    if (order.size() != table.variables()) throw Error("the order needs each variable of the table once");
    std::vector<MomentColumn> found;
    for (Var v = 0; v < order.size(); ++v) {
        std::size_t number = 0;
        for (const MomentColumn& other : others) {
            if (other.variable != order[v]) continue;
            MomentColumn& column = found.emplace_back(other);
            column.variable = v;
            column.codes = table.variable(v).codes;
            if (!column.indicator()) column.numbers = table.variable(v).numbers.at(number++);
        }
    }
    return found;
}

VariableMoments moments_of(const MixedTable& table, const std::vector<MomentColumn>& columns,
                           Workers& workers, std::optional<std::span<const std::uint32_t>> rows = {}) {
    MomentSums sums(columns.size());
    sums.add(table, columns, workers, rows);
    return {sums.matrix(columns), columns, table.variables()};
}

}  // namespace

VariableMoments::VariableMoments(MomentMatrix matrix, std::span<const MomentColumn> columns,
                                 std::size_t variables)
    : matrix_(std::move(matrix)), columns_(variables), numbers_(variables) {
    std::vector<bool> first_state(variables, true);
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
        const Var v = columns[i].variable;
        if (!columns[i].indicator()) numbers_[v].push_back(i);
        if (!(matrix_.steps(i, i) > 0.0)) continue;
        if (columns[i].indicator() && first_state[v]) {
            first_state[v] = false;
            continue;
        }
        columns_[v].push_back(i);
    }
}

void VariableMoments::list(const VarSet& set, std::vector<std::uint32_t>& out) const {
    out.clear();
    for (const Var v : set) out.insert(out.end(), columns_[v].begin(), columns_[v].end());
}

void VariableMoments::list_numbers(const VarSet& set, std::vector<std::uint32_t>& out) const {
    out.clear();
    for (const Var v : set) out.insert(out.end(), numbers_[v].begin(), numbers_[v].end());
}

SetMoments::SetMoments(std::shared_ptr<const MixedTable> table, Workers& workers)
    : table_(std::move(table)),
      variables_(table_->variables()),
      columns_(moment_columns(*table_)),
      whole_(moments_of(*table_, columns_of(columns_, complete_variables(*table_)), workers)),
      total_(table_->total()) {
    find_widths(columns_);
}

SetMoments::SetMoments(MomentMatrix matrix, std::span<const MomentColumn> columns, std::size_t variables)
    : variables_(variables), whole_(std::move(matrix), columns, variables), total_(whole_.N()) {
    find_widths(columns);
}

SetMoments::SetMoments(std::shared_ptr<const MixedTable> table, const SetMoments& other,
                       std::span<const Var> order)
    : table_(std::move(table)),
      variables_(table_->variables()),
      columns_(columns_in_order(*table_, other.columns_, order)),
      whole_(other.selected(order), columns_of(columns_, complete_variables(*table_)), variables_),
      total_(other.total_) {
    find_widths(columns_);
}

MomentMatrix SetMoments::selected(std::span<const Var> order) const {
    std::vector<std::vector<std::size_t>> places(variables_);  // in the matrix, by variable
    std::size_t next = 0;
    for (const MomentColumn& column : columns_of(columns_, complete_variables(*table_)))
        places[column.variable].push_back(next++);
    std::vector<std::size_t> chosen;
    for (const Var v : order) chosen.insert(chosen.end(), places.at(v).begin(), places.at(v).end());
    return whole_.matrix().selected(chosen);
}

void SetMoments::find_widths(std::span<const MomentColumn> columns) {
    numbers_.assign(variables_, 0);
    for (const MomentColumn& column : columns) numbers_[column.variable] += column.indicator() ? 0 : 1;
    for (Var v = 0; v < variables_; ++v) {
        widths_.push_back(whole_.columns(v).size());
        if (incomplete(VarSet::of({v})).empty()) continue;
        const MixedVariable& variable = table_->variable(v);
        std::vector<bool> occurs(variable.codes.cardinality, false);
        for (std::size_t row = 0; row < table_->rows() && !variable.continuous(); ++row)
            if (!variable.codes.missing(row)) occurs[variable.codes[row]] = true;
        const auto states = static_cast<std::size_t>(std::count(occurs.begin(), occurs.end(), true));
        widths_.back() =
            variable.continuous() ? variable.numbers.size() : states - std::min<std::size_t>(states, 1);
    }
}

double SetMoments::total_known(const VarSet& observed) const {
    return incomplete(observed).empty() ? total_ : table_->total_of(table_->known_rows(observed));
}

VariableMoments SetMoments::on_rows(const VarSet& known, const VarSet& asked, Workers& workers) const {
    return moments_of(*table_, columns_of(columns_, asked), workers, table_->known_rows(known));
}

}  // namespace dagwright
