#include "limb_products.hpp"

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define DAGWRIGHT_X86_DISPATCH 1
#include <immintrin.h>
#endif

namespace dagwright {

namespace {

void portable(const std::int64_t* a, const std::int64_t* b, std::size_t rows, std::int64_t* out,
              std::size_t stride) {
    std::int64_t sums[kPanel][kPanel] = {};
    for (std::size_t row = 0; row < rows; ++row, a += kPanel, b += kPanel)
        for (std::size_t i = 0; i < kPanel; ++i)
            for (std::size_t k = 0; k < kPanel; ++k) sums[i][k] += a[i] * b[k];
    for (std::size_t i = 0; i < kPanel; ++i)
        for (std::size_t k = 0; k < kPanel; ++k) out[i * stride + k] += sums[i][k];
}

#ifdef DAGWRIGHT_X86_DISPATCH

// Four columns of a with all of b: eight sums of four lanes stay in registers.
__attribute__((target("avx2"))) void half_avx2(const std::int64_t* a, const std::int64_t* b, std::size_t rows,
                                               std::int64_t* out, std::size_t stride) {
    __m256i sums[4][2];
    for (auto& row : sums) row[0] = row[1] = _mm256_setzero_si256();
    for (std::size_t row = 0; row < rows; ++row, a += kPanel, b += kPanel) {
        const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(b));
        const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(b + 4));
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) {
            const __m256i each = _mm256_set1_epi64x(a[i]);
            sums[i][0] = _mm256_add_epi64(sums[i][0], _mm256_mul_epi32(each, low));
            sums[i][1] = _mm256_add_epi64(sums[i][1], _mm256_mul_epi32(each, high));
        }
    }
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t half = 0; half < 2; ++half) {
            auto* at = reinterpret_cast<__m256i*>(out + i * stride + 4 * half);
            _mm256_storeu_si256(at, _mm256_add_epi64(_mm256_loadu_si256(at), sums[i][half]));
        }
}

__attribute__((target("avx2"))) void avx2(const std::int64_t* a, const std::int64_t* b, std::size_t rows,
                                          std::int64_t* out, std::size_t stride) {
    half_avx2(a, b, rows, out, stride);
    half_avx2(a + 4, b, rows, out + 4 * stride, stride);
}

#endif

}  // namespace

LimbProducts limb_products() {
#ifdef DAGWRIGHT_X86_DISPATCH
    if (__builtin_cpu_supports("avx2")) return &avx2;
#endif
    return &portable;
}

}  // namespace dagwright
