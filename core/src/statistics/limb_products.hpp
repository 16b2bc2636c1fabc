// Sums of products of 32-bit whole numbers, 8 columns with 8 columns: the inner loop of moments.
#pragma once
#include <cstddef>
#include <cstdint>

namespace dagwright {

inline constexpr std::size_t kPanel = 8;  // columns that stand side by side

// out[i * stride + k] += sum over the rows of a[row][i] * b[row][k]; a and b hold kPanel numbers for each
// row, each within 32 bits.
using LimbProducts = void (*)(const std::int64_t* a, const std::int64_t* b, std::size_t rows,
                              std::int64_t* out, std::size_t stride);

// The fastest that this processor has; all give the same sums.
LimbProducts limb_products();

}  // namespace dagwright
