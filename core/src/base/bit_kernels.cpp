#include "dagwright/base/bit_kernels.hpp"

#include <bit>
#include <cstring>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define DAGWRIGHT_X86_DISPATCH 1
#include <immintrin.h>
#endif

namespace dagwright {

namespace {

// Plain C++: baseline x86-64 and every other processor. Compilers turn this into NEON cnt on arm64.
std::uint64_t count_portable(const std::uint64_t* a, std::size_t words) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i) total += static_cast<std::uint64_t>(std::popcount(a[i]));
    return total;
}
std::uint64_t and_count_portable(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i) total += static_cast<std::uint64_t>(std::popcount(a[i] & b[i]));
    return total;
}
std::uint64_t and_store_portable(std::uint64_t* out, const std::uint64_t* a, const std::uint64_t* b,
                                 std::size_t words) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i) {
        out[i] = a[i] & b[i];
        total += static_cast<std::uint64_t>(std::popcount(out[i]));
    }
    return total;
}

// Carry-save adders on bits side by side (Harley & Seal; Mula, Kurz & Lemire 2018): eight lines become ones,
// twos and fours, and a carry of eights that ripples through the planes above.
struct Sum {
    std::uint64_t low, high;
};
inline Sum add_bits(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t either = a ^ b;
    return {either ^ c, (a & b) | (either & c)};
}
void add_lines_portable(const std::uint64_t* lines, const std::uint32_t* which, std::size_t count,
                        std::uint64_t* planes, std::size_t depth) {
    std::memset(planes, 0, depth * kLineWords * sizeof(std::uint64_t));
    for (std::size_t i = 0; i < count; i += 8) {
        const std::uint64_t* line[8];
        for (std::size_t k = 0; k < 8; ++k) line[k] = lines + std::size_t{which[i + k]} * kLineWords;
        for (std::size_t w = 0; w < kLineWords; ++w) {
            const auto a = add_bits(planes[w], line[0][w], line[1][w]);
            const auto b = add_bits(a.low, line[2][w], line[3][w]);
            const auto c = add_bits(b.low, line[4][w], line[5][w]);
            const auto d = add_bits(c.low, line[6][w], line[7][w]);
            const auto e = add_bits(planes[kLineWords + w], a.high, b.high);
            const auto f = add_bits(e.low, c.high, d.high);
            const auto g = add_bits(planes[2 * kLineWords + w], e.high, f.high);
            planes[w] = d.low;
            planes[kLineWords + w] = f.low;
            planes[2 * kLineWords + w] = g.low;
            std::uint64_t carry = g.high;
            for (std::size_t p = 3; p < depth; ++p) {
                std::uint64_t& plane = planes[p * kLineWords + w];
                const std::uint64_t next = plane & carry;
                plane ^= carry;
                carry = next;
            }
        }
    }
}

#ifdef DAGWRIGHT_X86_DISPATCH

__attribute__((target("popcnt"))) std::uint64_t count_popcnt(const std::uint64_t* a, std::size_t words) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i) total += static_cast<std::uint64_t>(__builtin_popcountll(a[i]));
    return total;
}
__attribute__((target("popcnt"))) std::uint64_t and_count_popcnt(const std::uint64_t* a,
                                                                 const std::uint64_t* b, std::size_t words) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i)
        total += static_cast<std::uint64_t>(__builtin_popcountll(a[i] & b[i]));
    return total;
}
__attribute__((target("popcnt"))) std::uint64_t and_store_popcnt(std::uint64_t* out, const std::uint64_t* a,
                                                                 const std::uint64_t* b, std::size_t words) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i) {
        out[i] = a[i] & b[i];
        total += static_cast<std::uint64_t>(__builtin_popcountll(out[i]));
    }
    return total;
}

// Nibble look-up by pshufb, byte sums by psadbw (Mula, Kurz & Lemire 2018).
__attribute__((target("avx2"))) inline __m256i popcount_avx2(__m256i v) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                                           2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i mask = _mm256_set1_epi8(0x0f);
    const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, mask));
    const __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), mask));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
}
__attribute__((target("avx2"))) inline std::uint64_t sum_avx2(__m256i v) {
    alignas(32) std::uint64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), v);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}
__attribute__((target("avx2"))) inline __m256i load_avx2(const std::uint64_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
__attribute__((target("avx2"))) std::uint64_t count_avx2(const std::uint64_t* a, std::size_t words) {
    __m256i total = _mm256_setzero_si256();
    for (std::size_t i = 0; i < words; i += 4)
        total = _mm256_add_epi64(total, popcount_avx2(load_avx2(a + i)));
    return sum_avx2(total);
}
__attribute__((target("avx2"))) std::uint64_t and_count_avx2(const std::uint64_t* a, const std::uint64_t* b,
                                                             std::size_t words) {
    __m256i total = _mm256_setzero_si256();
    for (std::size_t i = 0; i < words; i += 4)
        total = _mm256_add_epi64(total, popcount_avx2(_mm256_and_si256(load_avx2(a + i), load_avx2(b + i))));
    return sum_avx2(total);
}
__attribute__((target("avx2"))) std::uint64_t and_store_avx2(std::uint64_t* out, const std::uint64_t* a,
                                                             const std::uint64_t* b, std::size_t words) {
    __m256i total = _mm256_setzero_si256();
    for (std::size_t i = 0; i < words; i += 4) {
        const __m256i both = _mm256_and_si256(load_avx2(a + i), load_avx2(b + i));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), both);
        total = _mm256_add_epi64(total, popcount_avx2(both));
    }
    return sum_avx2(total);
}

__attribute__((target("avx2"))) inline void store_avx2(std::uint64_t* p, __m256i v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
}
struct SumAvx2 {
    __m256i low, high;
};
__attribute__((target("avx2"))) inline SumAvx2 add_bits_avx2(__m256i a, __m256i b, __m256i c) {
    const __m256i either = _mm256_xor_si256(a, b);
    return {_mm256_xor_si256(either, c),
            _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(either, c))};
}
__attribute__((target("avx2"))) void add_lines_avx2(const std::uint64_t* lines, const std::uint32_t* which,
                                                    std::size_t count, std::uint64_t* planes,
                                                    std::size_t depth) {
    std::memset(planes, 0, depth * kLineWords * sizeof(std::uint64_t));
    for (std::size_t half = 0; half < kLineWords; half += 4) {
        __m256i ones = _mm256_setzero_si256(), twos = ones, fours = ones;
        for (std::size_t i = 0; i < count; i += 8) {
            __m256i line[8];
            for (std::size_t k = 0; k < 8; ++k)
                line[k] = load_avx2(lines + std::size_t{which[i + k]} * kLineWords + half);
            const auto a = add_bits_avx2(ones, line[0], line[1]);
            const auto b = add_bits_avx2(a.low, line[2], line[3]);
            const auto c = add_bits_avx2(b.low, line[4], line[5]);
            const auto d = add_bits_avx2(c.low, line[6], line[7]);
            const auto e = add_bits_avx2(twos, a.high, b.high);
            const auto f = add_bits_avx2(e.low, c.high, d.high);
            const auto g = add_bits_avx2(fours, e.high, f.high);
            ones = d.low;
            twos = f.low;
            fours = g.low;
            __m256i carry = g.high;
            for (std::size_t p = 3; p < depth; ++p) {
                std::uint64_t* plane = planes + p * kLineWords + half;
                const __m256i before = load_avx2(plane);
                store_avx2(plane, _mm256_xor_si256(before, carry));
                carry = _mm256_and_si256(before, carry);
            }
        }
        store_avx2(planes + half, ones);
        store_avx2(planes + kLineWords + half, twos);
        store_avx2(planes + 2 * kLineWords + half, fours);
    }
}

#define DAGWRIGHT_AVX512 __attribute__((target("avx512f,avx512vpopcntdq")))
DAGWRIGHT_AVX512 std::uint64_t count_avx512(const std::uint64_t* a, std::size_t words) {
    __m512i total = _mm512_setzero_si512();
    for (std::size_t i = 0; i < words; i += 8)
        total = _mm512_add_epi64(total, _mm512_popcnt_epi64(_mm512_loadu_si512(a + i)));
    return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(total));
}
DAGWRIGHT_AVX512 std::uint64_t and_count_avx512(const std::uint64_t* a, const std::uint64_t* b,
                                                std::size_t words) {
    __m512i even = _mm512_setzero_si512(), odd = _mm512_setzero_si512();
    std::size_t i = 0;
    for (; i + 16 <= words; i += 16) {
        even = _mm512_add_epi64(even, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(a + i),
                                                                           _mm512_loadu_si512(b + i))));
        odd = _mm512_add_epi64(odd, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(a + i + 8),
                                                                         _mm512_loadu_si512(b + i + 8))));
    }
    for (; i < words; i += 8)
        even = _mm512_add_epi64(even, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(a + i),
                                                                           _mm512_loadu_si512(b + i))));
    return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd)));
}
DAGWRIGHT_AVX512 std::uint64_t and_store_avx512(std::uint64_t* out, const std::uint64_t* a,
                                                const std::uint64_t* b, std::size_t words) {
    __m512i total = _mm512_setzero_si512();
    for (std::size_t i = 0; i < words; i += 8) {
        const __m512i both = _mm512_and_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i));
        _mm512_storeu_si512(out + i, both);
        total = _mm512_add_epi64(total, _mm512_popcnt_epi64(both));
    }
    return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(total));
}

#endif

}  // namespace

BitKernels bit_kernels(const char* name) {
#ifdef DAGWRIGHT_X86_DISPATCH
    const bool any = std::strlen(name) == 0;
    const auto wanted = [&](const char* candidate) { return any || std::strcmp(name, candidate) == 0; };
    __builtin_cpu_init();
    if (wanted("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"))
        return {count_avx512, and_count_avx512, and_store_avx512, add_lines_avx2, 8, "avx512"};
    if (wanted("avx2") && __builtin_cpu_supports("avx2"))
        return {count_avx2, and_count_avx2, and_store_avx2, add_lines_avx2, 3, "avx2"};
    if (wanted("popcnt") && __builtin_cpu_supports("popcnt"))
        return {count_popcnt, and_count_popcnt, and_store_popcnt, add_lines_portable, 1, "popcnt"};
#else
    (void)name;
#endif
    return {count_portable, and_count_portable, and_store_portable, add_lines_portable, 1, "portable"};
}

}  // namespace dagwright
