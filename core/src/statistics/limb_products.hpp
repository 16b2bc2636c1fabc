// Exact sums of products of whole numbers, 8 columns with 8 columns: the inner loops of moments.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dagwright {

inline constexpr std::size_t kPanel = 8;  // columns that stand side by side

// out[i * stride + k] += sum over the rows of a[row][i] * b[row][k]; a and b hold kPanel numbers for each
// row, each within 32 bits.
using LimbProducts = void (*)(const std::int64_t* a, const std::int64_t* b, std::size_t rows,
                              std::int64_t* out, std::size_t stride);

// The fastest that this processor has; all give the same sums.
LimbProducts limb_products();

// The same for whole numbers of at most 2^47 in doubles, without limbs: adds two parts of the sum,
// high[i * stride + k] * 2^kHighShift + low[i * stride + k], of at most kRowsOfProduct rows.
using WholeProducts = void (*)(const double* a, const double* b, std::size_t rows, std::int64_t* high,
                               std::int64_t* low, std::size_t stride);

inline constexpr unsigned kHighShift = 49;
inline constexpr std::size_t kRowsOfProduct = 48;

// All that this processor can run, the fastest first; all give the same sums. None where it has no fused
// multiplication and addition.
std::vector<WholeProducts> all_whole_products();

// The fastest of them, or null.
WholeProducts whole_products();

}  // namespace dagwright
