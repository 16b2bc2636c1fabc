// A random stream that is the same on every machine (the standard library's distributions are not).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "dagwright/base/mix.hpp"

namespace dagwright {

// SplitMix64 (Steele, Lea & Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    // Random(state()) goes on where this stream is.
    std::uint64_t state() const noexcept { return state_; }

    std::uint64_t next() noexcept {
        state_ += kGoldenStep;
        return mix(state_);
    }
    // Uniform on 0..bound-1: the incomplete last round of `bound` numbers is drawn again.
    std::size_t below(std::size_t bound) noexcept {
        const std::uint64_t unfair = (0 - std::uint64_t{bound}) % bound;
        std::uint64_t drawn = next();
        while (drawn < unfair) drawn = next();
        return static_cast<std::size_t>(drawn % bound);
    }
    // Uniform on [0, 1).
    double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    template <class Item>
    void shuffle(std::span<Item> items) noexcept {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[below(left)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace dagwright
