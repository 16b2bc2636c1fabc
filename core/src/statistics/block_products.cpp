// Unweighted rows take whole_products where the processor has them. Else a value q is split into limbs of 24
// bits, q = h 2^24 + l with |h|, |l| <= 2^23. A row takes w q, w its weight or 1, in as many limbs as it
// needs, on the left: products of 32-bit numbers, added in 64 bits over a stretch of rows and then in 256.
#include "block_products.hpp"

#include <cmath>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

constexpr unsigned kLimb = 24;

// The whole number nearest to x, |x| < 2^51; halfway cases go to the even one.
double nearest(double x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 2^52
    return (x + shift) - shift;
}

// In several lanes, so that the compiler may compare them at once.
double largest_of(const double* numbers, std::size_t size) {
    constexpr std::size_t lanes = 8;
    double largest[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double number = std::fabs(numbers[i + lane]);
            largest[lane] = number > largest[lane] ? number : largest[lane];
        }
    for (; i < size; ++i) largest[0] = std::max(largest[0], std::fabs(numbers[i]));
    return *std::max_element(largest, largest + lanes);
}

void values_of(const MomentColumn& column, const Rows& rows, double* out) {
    if (column.indicator()) {
        for (std::size_t i = 0; i < rows.size; ++i)
            out[i] = column.codes[rows[i]] == column.state ? 1.0 : 0.0;
        return;
    }
    // In two steps: for the smallest numbers 2^exponent alone would overflow.
    const double center = column.center, scale = std::ldexp(1.0, std::min(column.exponent, 1000));
    const double more = std::ldexp(1.0, std::max(column.exponent - 1000, 0));
    if (rows.list == nullptr) {
        const double* numbers = column.numbers + rows.first;
        for (std::size_t i = 0; i < rows.size; ++i) out[i] = nearest((numbers[i] - center) * scale * more);
    } else {
        for (std::size_t i = 0; i < rows.size; ++i)
            out[i] = nearest((column.numbers[rows.list[i]] - center) * scale * more);
    }
    if (largest_of(out, rows.size) > 0x1p47)
        throw Error("a number is outside of the range that its column was said to have");
}

std::int64_t low_limb(std::int64_t q) {
    constexpr std::int64_t half = std::int64_t{1} << (kLimb - 1);
    return ((q + half) & ((std::int64_t{1} << kLimb) - 1)) - half;
}

// Digits of w q to the base 2^24, all with the sign of q.
void weighted_limbs(std::int64_t q, std::uint64_t weight, std::size_t limbs, std::int64_t* out,
                    std::size_t stride) {
    auto [high, low] = multiply(static_cast<std::uint64_t>(q < 0 ? -q : q), weight);
    for (std::size_t k = 0; k < limbs; ++k) {
        const auto digit = static_cast<std::int64_t>(low & ((std::uint64_t{1} << kLimb) - 1));
        out[k * stride] = q < 0 ? -digit : digit;
        low = (low >> kLimb) | (high << (64 - kLimb));
        high >>= kLimb;
    }
}

}  // namespace

void PackedBlock::read(std::size_t block, const Rows& rows) {
    const std::size_t first = block * kColumnsOfBlock;
    const std::size_t wide = std::min(kColumnsOfBlock, columns_.size() + 1 - first);
    double values[kRowsOfProduct] = {};
    for (std::size_t i = 0; i < (wide + kPanel - 1) / kPanel * kPanel; ++i) {
        if (i >= wide)
            std::fill(values, values + rows.size, 0.0);
        else if (first + i == columns_.size())
            std::fill(values, values + rows.size, 1.0);
        else
            values_of(columns_[first + i], rows, values);
        double* out = values_.data() + i / kPanel * kPanel * kRowsOfProduct + i % kPanel;
        for (std::size_t row = 0; row < rows.size; ++row) out[row * kPanel] = values[row];
    }
}

BlockProducts::BlockProducts(std::span<const MomentColumn> columns, std::span<const std::uint64_t> weights,
                             std::uint64_t largest_weight)
    : columns_(columns.size()),
      weights_(weights),
      whole_(weights.empty() ? whole_products() : nullptr),
      multiply_(limb_products()),
      limbs_((static_cast<std::size_t>(std::bit_width(largest_weight)) + kGridBits + kLimb - 1) / kLimb),
      stride_(std::min(kColumnsOfBlock, (columns.size() + kPanel) / kPanel * kPanel)),
      part_(stride_ * kRowsOfProduct),
      left_(columns, stride_),
      right_(columns, stride_),
      left_limbs_(whole_ != nullptr ? 0 : limbs_ * part_),
      right_limbs_(whole_ != nullptr ? 0 : 2 * part_),
      sums_((whole_ != nullptr ? 2 : 2 * limbs_) * stride_ * stride_) {}

void BlockProducts::add_whole(PackedBlock& left, std::size_t rows, std::size_t rows_of_a,
                              std::size_t columns_of_b, bool diagonal) {
    for (std::size_t i = 0; i < rows_of_a; i += kPanel)
        for (std::size_t k = 0; k < columns_of_b && (!diagonal || k <= i); k += kPanel)
            whole_(left.panel(i), right_.panel(k), rows, table(0) + i * stride_ + k,
                   table(1) + i * stride_ + k, stride_);
}

void BlockProducts::add_limbs(PackedBlock& left, const Rows& rows, std::size_t rows_of_a,
                              std::size_t columns_of_b, bool diagonal) {
    const auto each = [&](PackedBlock& block, std::size_t columns, auto&& store) {
        for (std::size_t i = 0; i < columns; i += kPanel) {
            const double* values = block.panel(i);
            for (std::size_t row = 0; row < rows.size; ++row)
                for (std::size_t lane = 0; lane < kPanel; ++lane) {
                    const std::size_t at = row * kPanel + lane;
                    store(i * kRowsOfProduct + at, static_cast<std::int64_t>(values[at]), rows[row]);
                }
        }
    };
    each(right_, columns_of_b, [&](std::size_t at, std::int64_t q, std::size_t) {
        right_limbs_.data()[at] = low_limb(q);
        right_limbs_.data()[part_ + at] = (q - low_limb(q)) >> kLimb;
    });
    each(left, rows_of_a, [&](std::size_t at, std::int64_t q, std::size_t row) {
        weighted_limbs(q, weights_.empty() ? 1 : weights_[row], limbs_, left_limbs_.data() + at, part_);
    });
    for (std::size_t t = 0; t < 2 * limbs_; ++t) {
        const std::int64_t* a = left_limbs_.data() + t / 2 * part_;
        const std::int64_t* b = right_limbs_.data() + t % 2 * part_;
        for (std::size_t i = 0; i < rows_of_a; i += kPanel)
            for (std::size_t k = 0; k < columns_of_b && (!diagonal || k <= i); k += kPanel)
                multiply_(a + i * kRowsOfProduct, b + k * kRowsOfProduct, rows.size,
                          table(t) + i * stride_ + k, stride_);
    }
}

WideInt BlockProducts::total(std::size_t i, std::size_t k) const {
    const auto of = [&](std::size_t number) { return sums_[(number * stride_ + i) * stride_ + k]; };
    WideInt sum;
    if (whole_ != nullptr) {
        sum.add(of(0), kHighShift);
        sum.add(of(1), 0);
        return sum;
    }
    // Table t: limb t / 2 of the left with the low limb (t even) or the high one of the right.
    for (std::size_t t = 0; t < 2 * limbs_; ++t) sum.add(of(t), kLimb * static_cast<unsigned>(t / 2 + t % 2));
    return sum;
}

}  // namespace dagwright
