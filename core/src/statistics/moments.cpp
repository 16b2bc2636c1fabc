// Sums of the values of columns and of their products, over blocks of columns and stretches of rows.
#include "dagwright/statistics/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "block_products.hpp"

namespace dagwright {

void Grid::include(const double* numbers, std::size_t rows) {
    constexpr std::size_t lanes = 8;  // that need not wait for each other
    double low[lanes], high[lanes];
    std::fill(low, low + lanes, least);
    std::fill(high, high + lanes, largest);
    const auto take = [&](std::size_t lane, double x) {  // comparisons with NaN are false
        low[lane] = x < low[lane] ? x : low[lane];
        high[lane] = x > high[lane] ? x : high[lane];
    };
    std::size_t row = 0;
    for (; row + lanes <= rows; row += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, numbers[row + lane]);
    for (; row < rows; ++row) take(0, numbers[row]);
    least = *std::min_element(low, low + lanes);
    largest = *std::max_element(high, high + lanes);
}

void Grid::include(const Grid& other) {
    least = std::min(least, other.least);
    largest = std::max(largest, other.largest);
}

double Grid::center() const {
    // Zero, not minus zero, and halves first: the sum of two large numbers could overflow.
    return least <= largest ? (least == largest ? least : least / 2.0 + largest / 2.0) + 0.0 : 0.0;
}

int Grid::exponent() const {
    const double half = largest / 2.0 - least / 2.0;
    if (!(half > 0.0)) return 0;
    int exponent = 0;
    (void)std::frexp(std::max(half, std::max(largest - center(), center() - least)), &exponent);
    return kGridBits - exponent;
}

std::vector<Grid> grids_of(const MixedTable& table) {
    std::vector<Grid> grids;
    for (Var v = 0; v < table.variables(); ++v)
        for (const double* numbers : table.variable(v).numbers) {
            grids.emplace_back();
            grids.back().include(numbers, table.rows());
        }
    return grids;
}

std::vector<MomentColumn> moment_columns(const MixedTable& table, std::span<const Grid> grids) {
    const std::vector<Grid> own = grids.empty() ? grids_of(table) : std::vector<Grid>{};
    if (grids.empty()) grids = own;
    std::vector<MomentColumn> columns;
    std::size_t next = 0;
    for (Var v = 0; v < table.variables(); ++v) {
        const MixedVariable& variable = table.variable(v);
        for (const double* numbers : variable.numbers) {
            if (next == grids.size()) throw Error("moments need one grid for each column of numbers");
            const Grid& grid = grids[next++];
            columns.push_back({.variable = v,
                               .numbers = numbers,
                               .center = grid.center(),
                               .exponent = grid.exponent(),
                               .codes = {},
                               .state = 0});
        }
        for (std::uint32_t state = 0; !variable.continuous() && state < variable.codes.cardinality; ++state)
            columns.push_back({.variable = v,
                               .numbers = nullptr,
                               .center = 0.0,
                               .exponent = 0,
                               .codes = variable.codes,
                               .state = state});
    }
    return columns;
}

double MomentMatrix::covariance(std::size_t i, std::size_t k) const {
    return std::ldexp(steps(i, k), -(exponents_[i] + exponents_[k]));
}

std::optional<int> MomentMatrix::resolution(std::size_t i) const {
    if (!(steps(i, i) > 0.0)) return {};
    return static_cast<int>(std::floor(std::log2(std::sqrt(steps(i, i)))));
}

MomentMatrix MomentMatrix::selected(std::span<const std::size_t> columns) const {
    MomentMatrix result;
    result.N_ = N_;
    result.packed_.reserve(columns.size() * (columns.size() + 1) / 2);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        result.means_.push_back(means_[columns[i]]);
        result.exponents_.push_back(exponents_[columns[i]]);
        for (std::size_t k = 0; k <= i; ++k) result.packed_.push_back(steps(columns[i], columns[k]));
    }
    return result;
}

MomentMatrix::MomentMatrix(double N, std::vector<double> means, std::vector<double> packed)
    : N_(N), means_(std::move(means)), packed_(std::move(packed)), exponents_(means_.size(), 0) {
    if (packed_.size() != columns() * (columns() + 1) / 2)
        throw Error("a moment matrix needs a covariance for each pair of columns");
}

MomentSums::MomentSums(std::size_t columns) : columns_(columns), sums_((columns + 1) * (columns + 2) / 2) {}

void MomentSums::add(const MixedTable& table, std::span<const MomentColumn> columns, Workers& workers,
                     std::optional<std::span<const std::uint32_t>> rows) {
    if (columns.size() != columns_) throw Error("moments of blocks need the same columns in each");
    if (unit_ != 0.0 && unit_ != table.unit())
        throw Error("moments of blocks need weights in the same unit: whole numbers, or one block");
    unit_ = table.unit();
    // Of weighted rows, those that count.
    std::vector<std::uint32_t> counted;
    std::uint64_t largest = 1;
    const std::span<const std::uint64_t> weights = table.weights();
    if (!weights.empty()) {
        const std::size_t size = rows ? rows->size() : table.rows();
        for (std::size_t i = 0; i < size; ++i) {
            const auto row = rows ? (*rows)[i] : static_cast<std::uint32_t>(i);
            if (weights[row] > 0) counted.push_back(row);
            largest = std::max(largest, weights[row]);
        }
        rows = counted;
    }
    const Rows all = rows ? Rows{rows->data(), 0, rows->size()} : Rows{nullptr, 0, table.rows()};
    const std::size_t blocks = (columns_ + kColumnsOfBlock) / kColumnsOfBlock;
    const std::size_t pairs = blocks * (blocks + 1) / 2;
    const std::size_t stretches = (all.size + kRowsOfStretch - 1) / kRowsOfStretch;
    std::vector<std::unique_ptr<BlockProducts>> products(workers.threads());
    std::vector<std::mutex> mutexes(pairs);
    workers.run(pairs * stretches, [&](std::size_t task, unsigned worker) {
        if (!products[worker]) products[worker] = std::make_unique<BlockProducts>(columns, weights, largest);
        const std::size_t pair = task % pairs, begin = task / pairs * kRowsOfStretch;
        std::size_t a = 0;
        while ((a + 1) * (a + 2) / 2 <= pair) ++a;
        std::unique_lock<std::mutex> lock;
        products[worker]->run(a, pair - a * (a + 1) / 2,
                              all.part(begin, std::min(kRowsOfStretch, all.size - begin)),
                              [&](std::size_t i, std::size_t k, const WideInt& found) {
                                  if (!lock) lock = std::unique_lock(mutexes[pair]);
                                  sum(i, k) += found;
                              });
    });
}

void MomentSums::add(const MomentSums& other) {
    if (other.columns_ != columns_) throw Error("moments of blocks need the same columns in each");
    if (other.unit_ == 0.0) return;
    if (unit_ != 0.0 && unit_ != other.unit_)
        throw Error("moments of blocks need weights in the same unit: whole numbers, or one block");
    unit_ = other.unit_;
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
}

std::vector<std::uint64_t> MomentSums::words() const { return words_of(sums_); }

void MomentSums::set_words(double unit, std::span<const std::uint64_t> words) {
    sums_ = from_words(words, sums_.size());
    unit_ = unit;
}

// With m the whole number nearest to the mean, sum (q - m)(q' - m') is exact, and the rest of the mean,
// at most half a step, is all that is left to rounding.
MomentMatrix MomentSums::matrix(std::span<const MomentColumn> columns) const {
    MomentMatrix result;
    const double units = sum(columns_, columns_).to_double();
    const WideInt& W = sum(columns_, columns_);
    result.N_ = units * unit_;
    result.packed_.assign(columns_ * (columns_ + 1) / 2, 0.0);
    std::vector<std::int64_t> middle(columns_, 0);
    std::vector<double> rest(columns_, 0.0);
    for (std::size_t i = 0; i < columns_; ++i) {
        const WideInt& S = sum(columns_, i);
        if (units > 0.0) {
            middle[i] = std::llrint(S.to_double() / units);
            rest[i] = (S - W * WideInt(middle[i])).to_double();
        }
        result.exponents_.push_back(columns[i].exponent);
        const double steps = static_cast<double>(middle[i]) + (units > 0.0 ? rest[i] / units : 0.0);
        result.means_.push_back(columns[i].center + std::ldexp(steps, -columns[i].exponent));
    }
    for (std::size_t i = 0; i < columns_ && units > 0.0; ++i)
        for (std::size_t k = 0; k <= i; ++k) {
            const WideInt mi(middle[i]), mk(middle[k]);
            const WideInt about = sum(i, k) - mi * sum(columns_, k) - mk * sum(columns_, i) + W * mi * mk;
            result.packed_[i * (i + 1) / 2 + k] = (about.to_double() - rest[i] * rest[k] / units) / units;
        }
    return result;
}

}  // namespace dagwright
