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

// Two columns of a with all of b. `high` is near 1.5 * 2^101, where doubles are 2^49 apart: adding a product
// rounds it to a multiple of 2^49, and a second multiplication finds exactly what was cut off, a whole number
// of at most 2^48. After half of the rows the sum of these, at most 2^53, gives its own multiples of 2^49 to
// `high`.
__attribute__((target("avx2,fma"))) void quarter_fma(const double* a, const double* b, std::size_t rows,
                                                     std::int64_t* high, std::int64_t* low,
                                                     std::size_t stride) {
    const __m256d start = _mm256_set1_pd(0x1.8p101), whole = _mm256_set1_pd(0x1.8p52);
    __m256d above[2][2], below[2][2];
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t half = 0; half < 2; ++half) {
            above[i][half] = start;
            below[i][half] = _mm256_setzero_pd();
        }
    for (std::size_t begin = 0; begin < rows; begin += kRowsOfProduct / 2) {
        const std::size_t end = begin + kRowsOfProduct / 2 < rows ? begin + kRowsOfProduct / 2 : rows;
        for (std::size_t row = begin; row < end; ++row, a += kPanel, b += kPanel) {
            const __m256d columns[2] = {_mm256_load_pd(b), _mm256_load_pd(b + 4)};
#pragma GCC unroll 2
            for (std::size_t i = 0; i < 2; ++i) {
                const __m256d each = _mm256_broadcast_sd(a + i);
#pragma GCC unroll 2
                for (std::size_t half = 0; half < 2; ++half) {
                    const __m256d sum = _mm256_fmadd_pd(each, columns[half], above[i][half]);
                    const __m256d cut =
                        _mm256_fmadd_pd(each, columns[half], _mm256_sub_pd(above[i][half], sum));
                    above[i][half] = sum;
                    below[i][half] = _mm256_add_pd(below[i][half], cut);
                }
            }
        }
#pragma GCC unroll 2
        for (std::size_t i = 0; i < 2; ++i)
#pragma GCC unroll 2
            for (std::size_t half = 0; half < 2; ++half) {
                const __m256d sum = _mm256_add_pd(above[i][half], below[i][half]);
                below[i][half] = _mm256_add_pd(below[i][half], _mm256_sub_pd(above[i][half], sum));
                above[i][half] = sum;
            }
    }
    // A double between 2^k and 2^(k+1) counts its steps in its lowest bits.
    const auto add = [](std::int64_t* at, __m256d number, __m256d zero) __attribute__((target("avx2,fma"))) {
        auto* to = reinterpret_cast<__m256i*>(at);
        const __m256i steps = _mm256_sub_epi64(_mm256_castpd_si256(number), _mm256_castpd_si256(zero));
        _mm256_storeu_si256(to, _mm256_add_epi64(_mm256_loadu_si256(to), steps));
    };
#pragma GCC unroll 2
    for (std::size_t i = 0; i < 2; ++i)
#pragma GCC unroll 2
        for (std::size_t half = 0; half < 2; ++half) {
            add(high + i * stride + 4 * half, above[i][half], start);
            add(low + i * stride + 4 * half, _mm256_add_pd(below[i][half], whole), whole);
        }
}

// The same for all columns of a at once: eight lanes hold all of b.
__attribute__((target("avx512f"))) void by_avx512(const double* a, const double* b, std::size_t rows,
                                                  std::int64_t* high, std::int64_t* low, std::size_t stride) {
    const __m512d start = _mm512_set1_pd(0x1.8p101), whole = _mm512_set1_pd(0x1.8p52);
    __m512d above[kPanel], below[kPanel];
    for (std::size_t i = 0; i < kPanel; ++i) {
        above[i] = start;
        below[i] = _mm512_setzero_pd();
    }
    for (std::size_t begin = 0; begin < rows; begin += kRowsOfProduct / 2) {
        const std::size_t end = begin + kRowsOfProduct / 2 < rows ? begin + kRowsOfProduct / 2 : rows;
        for (std::size_t row = begin; row < end; ++row, a += kPanel, b += kPanel) {
            const __m512d columns = _mm512_load_pd(b);
#pragma GCC unroll 8
            for (std::size_t i = 0; i < kPanel; ++i) {
                const __m512d each = _mm512_set1_pd(a[i]);
                const __m512d sum = _mm512_fmadd_pd(each, columns, above[i]);
                const __m512d cut = _mm512_fmadd_pd(each, columns, _mm512_sub_pd(above[i], sum));
                above[i] = sum;
                below[i] = _mm512_add_pd(below[i], cut);
            }
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kPanel; ++i) {
            const __m512d sum = _mm512_add_pd(above[i], below[i]);
            below[i] = _mm512_add_pd(below[i], _mm512_sub_pd(above[i], sum));
            above[i] = sum;
        }
    }
    const auto add = [](std::int64_t* at, __m512d number, __m512d zero) __attribute__((target("avx512f"))) {
        const __m512i steps = _mm512_sub_epi64(_mm512_castpd_si512(number), _mm512_castpd_si512(zero));
        _mm512_storeu_si512(at, _mm512_add_epi64(_mm512_loadu_si512(at), steps));
    };
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kPanel; ++i) {
        add(high + i * stride, above[i], start);
        add(low + i * stride, _mm512_add_pd(below[i], whole), whole);
    }
}

void by_fma(const double* a, const double* b, std::size_t rows, std::int64_t* high, std::int64_t* low,
            std::size_t stride) {
    for (std::size_t i = 0; i < kPanel; i += 2)
        quarter_fma(a + i, b, rows, high + i * stride, low + i * stride, stride);
}

#endif

}  // namespace

std::vector<WholeProducts> all_whole_products() {
    std::vector<WholeProducts> found;
#ifdef DAGWRIGHT_X86_DISPATCH
    if (__builtin_cpu_supports("avx512f")) found.push_back(&by_avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(&by_fma);
#endif
    return found;
}

WholeProducts whole_products() {
    const std::vector<WholeProducts> found = all_whole_products();
    return found.empty() ? nullptr : found.front();
}

LimbProducts limb_products() {
#ifdef DAGWRIGHT_X86_DISPATCH
    if (__builtin_cpu_supports("avx2")) return &avx2;
#endif
    return &portable;
}

}  // namespace dagwright
