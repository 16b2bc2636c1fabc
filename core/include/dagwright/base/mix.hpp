// The one way to mix the bits of a 64-bit number, for hash tables and random streams.
#pragma once
#include <cstdint>

namespace dagwright {

// 2^64 divided by the golden ratio, made odd: the step of SplitMix64 (Steele, Lea & Flood 2014).
inline constexpr std::uint64_t kGoldenStep = 0x9e3779b97f4a7c15ULL;

// The output function of SplitMix64: every bit of the result depends on every bit of `h`.
constexpr std::uint64_t mix(std::uint64_t h) noexcept {
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
    return h ^ (h >> 31);
}

// One multiplication, for tables that are looked up in innermost loops (Knuth's multiplicative hashing).
constexpr std::uint64_t quick_mix(std::uint64_t h) noexcept {
    h *= kGoldenStep;
    return h ^ (h >> 32);
}

}  // namespace dagwright
