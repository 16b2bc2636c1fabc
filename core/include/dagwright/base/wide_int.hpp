// Whole numbers of 256 bits: sums of products that no order of the terms can change.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

namespace dagwright {

// The 128 bits of a product of two 64-bit numbers.
struct Product64 {
    std::uint64_t high, low;
};

inline Product64 multiply(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const std::uint64_t low = a0 * b0;
    const std::uint64_t middle = a1 * b0 + (low >> 32);
    const std::uint64_t other = a0 * b1 + (middle & 0xffffffffu);
    return {a1 * b1 + (middle >> 32) + (other >> 32), (other << 32) | (low & 0xffffffffu)};
}

// Two's complement, the lowest word first; sums and products are taken modulo 2^256.
class WideInt {
  public:
    WideInt() = default;
    WideInt(std::int64_t value) : words_{} {  // NOLINT(google-explicit-constructor): as a number converts
        words_.fill(value < 0 ? ~std::uint64_t{0} : 0);
        words_[0] = static_cast<std::uint64_t>(value);
    }

    WideInt& operator+=(const WideInt& other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < kWords; ++i) {
            const std::uint64_t sum = words_[i] + carry;
            carry = sum < carry ? 1 : 0;
            words_[i] = sum + other.words_[i];
            carry += words_[i] < sum ? 1 : 0;
        }
        return *this;
    }
    WideInt operator-() const {
        WideInt result;
        for (std::size_t i = 0; i < kWords; ++i) result.words_[i] = ~words_[i];
        return result += WideInt(1);
    }
    WideInt& operator-=(const WideInt& other) { return *this += -other; }
    friend WideInt operator+(WideInt a, const WideInt& b) { return a += b; }
    friend WideInt operator-(WideInt a, const WideInt& b) { return a -= b; }
    friend WideInt operator*(const WideInt& a, const WideInt& b) {
        WideInt result;
        for (std::size_t i = 0; i < kWords; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t k = 0; i + k < kWords; ++k) {
                auto [high, low] = multiply(a.words_[i], b.words_[k]);
                low += carry;
                high += low < carry ? 1 : 0;
                std::uint64_t& word = result.words_[i + k];
                word += low;
                carry = high + (word < low ? 1 : 0);
            }
        }
        return result;
    }
    friend bool operator==(const WideInt&, const WideInt&) = default;

    // Adds value * 2^shift, shift < 192.
    void add(std::int64_t value, unsigned shift) {
        WideInt moved(value);
        const std::size_t words = shift / 64;
        const unsigned bits = shift % 64;
        for (std::size_t i = kWords; i-- > 0;) {
            const std::uint64_t here = i >= words ? moved.words_[i - words] : 0;
            const std::uint64_t below = i > words ? moved.words_[i - words - 1] : 0;
            moved.words_[i] = bits == 0 ? here : (here << bits) | (below >> (64 - bits));
        }
        *this += moved;
    }

    bool negative() const { return (words_.back() >> 63) != 0; }

    // The nearest double; halfway cases go to the even one.
    double to_double() const {
        if (negative()) return -(-*this).magnitude();
        return magnitude();
    }

  private:
    static constexpr std::size_t kWords = 4;

    double magnitude() const {
        std::size_t top = kWords;
        while (top > 0 && words_[top - 1] == 0) --top;
        if (top == 0) return 0.0;
        const int shift = std::countl_zero(words_[top - 1]);
        // The highest 64 bits; that any bit below them is set only matters for halfway cases.
        std::uint64_t high = words_[top - 1] << shift;
        if (top > 1 && shift > 0) high |= words_[top - 2] >> (64 - shift);
        bool below = top > 1 && (words_[top - 2] << shift) != 0;
        for (std::size_t i = 0; i + 2 < top; ++i) below = below || words_[i] != 0;
        if (below) high |= 1;
        // 64 bits to 53: a last bit that is set only when something was cut off keeps the rounding right.
        return std::ldexp(static_cast<double>(high), static_cast<int>(64 * (top - 1)) - shift);
    }

    std::array<std::uint64_t, kWords> words_{};
};

// Numbers as words, the lowest word of each first, and back; std::invalid_argument unless there are `size`.
inline std::vector<std::uint64_t> words_of(std::span<const WideInt> numbers) {
    std::vector<std::uint64_t> words(numbers.size() * (sizeof(WideInt) / sizeof(std::uint64_t)));
    if (!words.empty()) std::memcpy(words.data(), numbers.data(), numbers.size_bytes());
    return words;
}
inline std::vector<WideInt> from_words(std::span<const std::uint64_t> words, std::size_t size) {
    std::vector<WideInt> numbers(size);
    if (words.size_bytes() != size * sizeof(WideInt)) throw std::invalid_argument("sums of another size");
    if (size > 0) std::memcpy(static_cast<void*>(numbers.data()), words.data(), words.size_bytes());
    return numbers;
}

}  // namespace dagwright
