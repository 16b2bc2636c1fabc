// Population counts of bitmaps, in the fastest form this processor has (chosen at run time).
#pragma once
#include <cstddef>
#include <cstdint>

namespace dagwright {

struct BitKernels {
    // popcount(a)
    std::uint64_t (*count)(const std::uint64_t* a, std::size_t words);
    // popcount(a & b)
    std::uint64_t (*and_count)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
    // out = a & b, returns popcount(out)
    std::uint64_t (*and_store)(std::uint64_t* out, const std::uint64_t* a, const std::uint64_t* b,
                               std::size_t words);
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
