#include "dagwright/statistics/table.hpp"

#include <algorithm>
#include <numeric>

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

Table::Table(std::size_t rows, std::vector<Column> columns, std::span<const double> weights, double unit)
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
    }
    if (weights.empty()) {
        set_shape(static_cast<double>(rows_), 1.0);
        return;
    }
    bool whole = true;
    for (const double w : weights) whole = whole && w == std::floor(w);
    const double total = set_weights(weights, whole, unit);
    set_shape(total, unit);
}

Table::Table(const Table& rows, std::shared_ptr<const Spread> spread)
    : rows_(rows.rows_), columns_(rows.columns_), spread_(std::move(spread)) {
    std::vector<double> weights(rows_, 1.0);
    for (std::size_t i = 0; i < rows.weights_.size(); ++i)
        weights[i] = static_cast<double>(rows.weights_[i]) * rows.unit();
    double unit = 0.0;
    const double total = set_weights(weights, false, unit);
    set_shape(total, unit);
}

double Table::unit_for(double sum, bool whole) {
    if (whole) return 1.0;
    // The largest power of two that keeps the sum of all weights below 2^62.
    int exponent = 0;
    std::frexp(std::max(sum, 1e-300), &exponent);
    return std::ldexp(1.0, exponent - 61);
}

double Table::set_weights(std::span<const double> weights, bool whole, double& unit) {
    double sum = 0.0;
    for (const double w : weights) {
        if (!(w >= 0)) throw Error("a weight must not be negative, got " + std::to_string(w));
        sum += w;
    }
    if (!(sum < 9.0e18)) throw CapacityError("the weights add up to more than 64-bit counts can hold");
    if (unit == 0.0) unit = unit_for(sum, whole);
    auto held = std::make_shared<std::vector<std::uint64_t>>();
    held->reserve(weights.size());
    std::uint64_t units = 0;
    for (const double w : weights) {
        held->push_back(static_cast<std::uint64_t>(std::llround(w / unit)));
        units += held->back();
    }
    weights_ = *held;
    held_weights_ = std::move(held);
    return static_cast<double>(units) * unit;
}

Table::Table(const Table& whole, std::size_t begin, std::size_t end,
             std::optional<std::vector<std::uint64_t>> weights)
    : rows_(end - begin),
      columns_(whole.columns_),
      held_weights_(whole.held_weights_),
      weights_(whole.weighted() ? whole.weights_.subspan(begin, end - begin) : whole.weights_) {
    if (whole.spread_) throw Error("rows whose missing cells are spread cannot be taken in blocks");
    for (Column& column : columns_) {
        if (column.narrow) column.narrow += begin;
        if (column.wide) column.wide += begin;
    }
    double unit = whole.unit();
    if (weights) {
        held_weights_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(*weights));
        weights_ = *held_weights_;
        unit = 1.0;
    }
    double total = static_cast<double>(rows_);
    if (weighted())
        total =
            static_cast<double>(std::accumulate(weights_.begin(), weights_.end(), std::uint64_t{0})) * unit;
    set_shape(total, unit);
}

void Table::set_shape(double total, double unit) {
    constexpr double kStatesOfARow = 4096.0;
    std::vector<std::uint32_t> cardinalities;
    std::vector<bool> has_missing;
    for (const Column& column : columns_) {
        cardinalities.push_back(column.cardinality);
        has_missing.push_back(column.has_missing);
    }
    const double most = static_cast<double>(rows_) * (spread_ ? kStatesOfARow : 1.0);
    shape_ = TableShape(std::move(cardinalities), std::move(has_missing), total, unit, most);
}

}  // namespace dagwright
