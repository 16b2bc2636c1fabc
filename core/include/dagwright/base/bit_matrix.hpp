// A square bit matrix: row i holds the set of nodes related to i, for any number of nodes.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dagwright {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

constexpr std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }

// Calls visit(position) for every set bit, in ascending order.
template <class Visit>
void for_each_bit(std::span<const Word> words, Visit&& visit) {
    for (std::size_t w = 0; w < words.size(); ++w) {
        for (Word rest = words[w]; rest != 0; rest &= rest - 1) {
            visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }
}

inline std::size_t count_bits(std::span<const Word> words) {
    std::size_t total = 0;
    for (const Word word : words) total += static_cast<std::size_t>(std::popcount(word));
    return total;
}

class BitMatrix {
  public:
    BitMatrix() = default;
    explicit BitMatrix(std::size_t n) : n_(n), stride_(words_for(n)), words_(n * stride_, 0) {}

    std::size_t size() const { return n_; }
    std::size_t words_per_row() const { return stride_; }

    bool get(std::size_t row, std::size_t column) const {
        return ((words_[row * stride_ + column / word_bits] >> (column % word_bits)) & Word{1}) != 0;
    }
    void set(std::size_t row, std::size_t column) {
        words_[row * stride_ + column / word_bits] |= Word{1} << (column % word_bits);
    }
    void clear(std::size_t row, std::size_t column) {
        words_[row * stride_ + column / word_bits] &= ~(Word{1} << (column % word_bits));
    }

    std::span<const Word> row(std::size_t i) const { return {words_.data() + i * stride_, stride_}; }
    std::span<Word> row(std::size_t i) { return {words_.data() + i * stride_, stride_}; }
    std::size_t row_count(std::size_t i) const { return count_bits(row(i)); }

    template <class Visit>
    void for_each_in_row(std::size_t i, Visit&& visit) const {
        for_each_bit(row(i), std::forward<Visit>(visit));
    }

    BitMatrix transpose() const {
        BitMatrix result(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            for_each_in_row(i, [&](std::size_t j) { result.set(j, i); });
        }
        return result;
    }

    bool operator==(const BitMatrix&) const = default;

  private:
    std::size_t n_ = 0;
    std::size_t stride_ = 0;
    std::vector<Word> words_;
};

}  // namespace dagwright
