// Population counts of bitmaps, in the fastest form this processor has (chosen at run time).
#pragma once
#include <cstddef>
#include <cstdint>

namespace dagwright {

// A line is as long as a line of the cache.
inline constexpr std::size_t kLineWords = 8;
inline constexpr std::size_t kLineBits = 64 * kLineWords;

struct BitKernels {
    // popcount(a)
    std::uint64_t (*count)(const std::uint64_t* a, std::size_t words);
    // popcount(a & b)
    std::uint64_t (*and_count)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
    // out = a & b, returns popcount(out)
    std::uint64_t (*and_store)(std::uint64_t* out, const std::uint64_t* a, const std::uint64_t* b,
                               std::size_t words);
    // How many of the lines `which` have each of their kLineBits bits set, as planes: bit p of these numbers
    // is in planes[p * kLineWords ...], for p < depth. Depth is at least 4 and holds `count`, which is a
    // multiple of 8.
    void (*add_lines)(const std::uint64_t* lines, const std::uint32_t* which, std::size_t count,
                      std::uint64_t* planes, std::size_t depth);
    // How many words one step of the kernel handles: the cost model's unit.
    std::size_t lanes;
    const char* name;
};

// Bitmaps are padded to a multiple of this many words, and aligned to 64 bytes.
inline constexpr std::size_t kBitmapPad = 8;

// The kernels for the processor we run on. `name` asks for one of them ("avx512", "avx2", "popcnt",
// "portable"); empty means the best. An unavailable one falls back to portable.
BitKernels bit_kernels(const char* name = "");

}  // namespace dagwright
