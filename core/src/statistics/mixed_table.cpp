#include "dagwright/statistics/mixed_table.hpp"

#include <cmath>

namespace dagwright {

namespace {

std::vector<Column> coded_columns(const std::vector<MixedVariable>& variables) {
    std::vector<Column> columns;
    for (const MixedVariable& variable : variables)
        if (!variable.continuous()) columns.push_back(variable.codes);
    return columns;
}

// Whether a number is missing; an infinite one is an error.
bool any_missing(const double* numbers, std::size_t rows, Var v) {
    bool missing = false;
    for (std::size_t row = 0; row < rows; ++row) {
        if (std::isinf(numbers[row]))
            throw Error("variable " + std::to_string(v) + " has an infinite value in row " +
                        std::to_string(row) + "; replace it or mark it as missing");
        missing = missing || std::isnan(numbers[row]);
    }
    return missing;
}

}  // namespace

MixedTable::MixedTable(std::size_t rows, std::vector<MixedVariable> variables,
                       std::span<const double> weights, double unit)
    : variables_(std::move(variables)), coded_(rows, coded_columns(variables_), weights, unit) {
    if (variables_.size() > kMaxVariables) throw CapacityError("tables have at most 65,535 columns");
    Var coded = 0;
    for (Var v = 0; v < variables_.size(); ++v) {
        MixedVariable& variable = variables_[v];
        bool missing = false;
        for (const double* numbers : variable.numbers) missing = any_missing(numbers, rows, v) || missing;
        if (!variable.continuous()) {
            variable.codes = coded_.column(coded++);
            missing = variable.codes.has_missing;
        }
        has_missing_.push_back(missing);
        complete_ = complete_ && !missing;
    }
}

VarSet MixedTable::incomplete(const VarSet& set) const {
    std::vector<Var> found;
    for (const Var v : set)
        if (has_missing_[v]) found.push_back(v);
    return VarSet::of(found);
}

std::vector<std::uint32_t> MixedTable::known_rows(const VarSet& observed) const {
    std::vector<bool> known(rows(), true);
    for (const Var v : incomplete(observed)) {
        const MixedVariable& variable = variables_[v];
        for (std::size_t row = 0; row < rows(); ++row) {
            if (!variable.continuous() && variable.codes.missing(row)) known[row] = false;
            for (const double* numbers : variable.numbers)
                if (std::isnan(numbers[row])) known[row] = false;
        }
    }
    std::vector<std::uint32_t> result;
    for (std::size_t row = 0; row < rows(); ++row)
        if (known[row]) result.push_back(static_cast<std::uint32_t>(row));
    return result;
}

double MixedTable::total_of(std::span<const std::uint32_t> rows) const {
    if (weights().empty()) return static_cast<double>(rows.size());
    std::uint64_t units = 0;
    for (const std::uint32_t row : rows) units += weights()[row];
    return static_cast<double>(units) * unit();
}

}  // namespace dagwright
