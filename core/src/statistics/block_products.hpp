// The products of blocks of columns on their grids, as exact sums over a stretch of rows.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "dagwright/base/wide_int.hpp"
#include "dagwright/statistics/moments.hpp"
#include "limb_products.hpp"

namespace dagwright {

inline constexpr int kGridBits = 47;
inline constexpr std::size_t kRowsOfStretch = 1 << 13;  // rows whose products fit in 64 bits
inline constexpr std::size_t kColumnsOfBlock = 128;

// Rows to be summed.
struct Rows {
    const std::uint32_t* list = nullptr;  // null: consecutive rows from `first`
    std::size_t first = 0;
    std::size_t size = 0;

    std::size_t operator[](std::size_t i) const { return list ? list[i] : first + i; }
    Rows part(std::size_t begin, std::size_t count) const {
        return {list ? list + begin : nullptr, first + begin, count};
    }
};

// Aligned numbers for vector loads.
template <class Number>
class Packed {
  public:
    explicit Packed(std::size_t size)
        : numbers_(
              static_cast<Number*>(::operator new(size * sizeof(Number), std::align_val_t{kAlignment}))) {}
    ~Packed() { ::operator delete(numbers_, std::align_val_t{kAlignment}); }
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;
    Number* data() { return numbers_; }

  private:
    static constexpr std::size_t kAlignment = 64;

    Number* numbers_;
};

// The values of a block of columns on their grids, the columns of a panel side by side.
class PackedBlock {
  public:
    PackedBlock(std::span<const MomentColumn> columns, std::size_t stride)
        : columns_(columns), values_(stride * kRowsOfProduct) {}

    // Reads at most kRowsOfProduct rows; zeros fill the last panel.
    void read(std::size_t block, const Rows& rows);
    const double* panel(std::size_t i) { return values_.data() + i * kRowsOfProduct; }

  private:
    std::span<const MomentColumn> columns_;
    Packed<double> values_;
};

// The products of one block of columns with another, over one stretch of rows. The last column is one of
// ones, for sums of values.
class BlockProducts {
  public:
    BlockProducts(std::span<const MomentColumn> columns, std::span<const std::uint64_t> weights,
                  std::uint64_t largest_weight);

    // visit(i, k, sum of the products of columns i and k) for i in block a, k in block b, i >= k.
    template <class Visit>
    void run(std::size_t a, std::size_t b, const Rows& rows, Visit&& visit) {
        const std::size_t rows_of_a = width(a), columns_of_b = width(b);
        std::fill(sums_.begin(), sums_.end(), 0);
        for (std::size_t begin = 0; begin < rows.size; begin += kRowsOfProduct) {
            const Rows part = rows.part(begin, std::min(kRowsOfProduct, rows.size - begin));
            right_.read(b, part);
            if (a != b) left_.read(a, part);
            PackedBlock& left = a == b ? right_ : left_;
            if (whole_ != nullptr)
                add_whole(left, part.size, rows_of_a, columns_of_b, a == b);
            else
                add_limbs(left, part, rows_of_a, columns_of_b, a == b);
        }
        for (std::size_t i = 0; i < rows_of_a; ++i)
            for (std::size_t k = 0; k < columns_of_b && a * kColumnsOfBlock + i >= b * kColumnsOfBlock + k;
                 ++k)
                visit(a * kColumnsOfBlock + i, b * kColumnsOfBlock + k, total(i, k));
    }

  private:
    std::size_t width(std::size_t block) const {
        return std::min(kColumnsOfBlock, columns_ + 1 - block * kColumnsOfBlock);
    }
    std::int64_t* table(std::size_t number) { return sums_.data() + number * stride_ * stride_; }

    void add_whole(PackedBlock& left, std::size_t rows, std::size_t rows_of_a, std::size_t columns_of_b,
                   bool diagonal);
    void add_limbs(PackedBlock& left, const Rows& rows, std::size_t rows_of_a, std::size_t columns_of_b,
                   bool diagonal);
    WideInt total(std::size_t i, std::size_t k) const;

    std::size_t columns_;
    std::span<const std::uint64_t> weights_;
    WholeProducts whole_;  // null: by limbs
    LimbProducts multiply_;
    std::size_t limbs_;   // of a value times its weight
    std::size_t stride_;  // columns of a block, with those that fill its last panel
    std::size_t part_;    // numbers of a limb
    PackedBlock left_, right_;
    Packed<std::int64_t> left_limbs_, right_limbs_;
    std::vector<std::int64_t> sums_;
};

}  // namespace dagwright
