#include "dagwright/statistics/table.hpp"

#include <algorithm>

namespace dagwright {

namespace {

template <class Code>
bool scan(const Code* codes, std::size_t rows, std::uint32_t cardinality, Code missing, std::size_t column) {
    // Nearly all columns have no gap, and a loop without exits tells that 16 or more codes at a time.
    Code largest = 0;
    for (std::size_t i = 0; i < rows; ++i) largest = std::max(largest, codes[i]);
    if (largest < cardinality || rows == 0) return false;
    bool has_missing = false;
    for (std::size_t i = 0; i < rows; ++i) {
        if (codes[i] < cardinality) continue;
        if (codes[i] != missing)
            throw Error("column " + std::to_string(column) + ", row " + std::to_string(i) + ": code " +
                        std::to_string(codes[i]) + " but only " + std::to_string(cardinality) + " states");
        has_missing = true;
    }
    return has_missing;
}

}  // namespace

Table::Table(std::size_t rows, std::vector<Column> columns, std::span<const double> weights)
    : rows_(rows), columns_(std::move(columns)) {
    if (columns_.size() > kMaxVariables)
        throw CapacityError(std::to_string(columns_.size()) + " columns; at most 65,535 can be learned from");
    if (rows_ >= (std::size_t{1} << 32))
        throw CapacityError("tables hold at most 4,294,967,295 rows; merge equal rows into weights first");
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        Column& column = columns_[c];
        column.has_missing = column.narrow
                                 ? scan<std::uint8_t>(column.narrow, rows_, column.cardinality, 255, c)
                                 : scan<std::uint16_t>(column.wide, rows_, column.cardinality, 65535, c);
        cardinalities_.push_back(column.cardinality);
    }
    if (weights.empty()) {
        total_ = static_cast<double>(rows_);
        return;
    }
    bool whole = true;
    for (const double w : weights) whole = whole && w == std::floor(w);
    set_weights(weights, whole);
}

Table::Table(const Table& rows, std::shared_ptr<const Spread> spread)
    : rows_(rows.rows_),
      columns_(rows.columns_),
      cardinalities_(rows.cardinalities_),
      spread_(std::move(spread)) {
    std::vector<double> weights(rows_, 1.0);
    for (std::size_t i = 0; i < rows.weights_.size(); ++i)
        weights[i] = static_cast<double>(rows.weights_[i]) * rows.unit_;
    set_weights(weights, false);
}

double Table::most_cells() const noexcept {
    constexpr double kStatesOfARow = 4096.0;
    return static_cast<double>(rows_) * (spread_ ? kStatesOfARow : 1.0);
}

void Table::set_weights(std::span<const double> weights, bool whole) {
    double sum = 0.0;
    for (const double w : weights) {
        if (!(w >= 0)) throw Error("a weight must not be negative, got " + std::to_string(w));
        sum += w;
    }
    if (!(sum < 9.0e18)) throw CapacityError("the weights add up to more than 64-bit counts can hold");
    if (!whole) {
        // The largest power of two that keeps the sum of all weights below 2^62.
        int exponent = 0;
        std::frexp(std::max(sum, 1e-300), &exponent);
        unit_ = std::ldexp(1.0, exponent - 61);
    }
    weights_.reserve(weights.size());
    std::uint64_t units = 0;
    for (const double w : weights) {
        weights_.push_back(static_cast<std::uint64_t>(std::llround(w / unit_)));
        units += weights_.back();
    }
    total_ = static_cast<double>(units) * unit_;
}

VarSet Table::incomplete(const VarSet& set) const {
    bool any = false;
    for (const Var v : set) any = any || columns_[v].has_missing;
    if (!any) return {};
    std::vector<Var> members;
    for (const Var v : set)
        if (columns_[v].has_missing) members.push_back(v);
    return VarSet::of(members);
}

}  // namespace dagwright
