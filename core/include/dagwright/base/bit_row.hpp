// Sets of numbers as rows of bits, 64 to a word.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dagwright {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

constexpr std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }

// A row of its own. The functions below also take rows of a larger array, as spans or pointers.
using BitRow = std::vector<Word>;

template <class Row>
bool has_bit(const Row& row, std::size_t bit) {
    return ((row[bit / word_bits] >> (bit % word_bits)) & Word{1}) != 0;
}
template <class Row>
void set_bit(Row&& row, std::size_t bit) {
    row[bit / word_bits] |= Word{1} << (bit % word_bits);
}
template <class Row>
void clear_bit(Row&& row, std::size_t bit) {
    row[bit / word_bits] &= ~(Word{1} << (bit % word_bits));
}

// Word `w` of a row that holds `bit` alone.
constexpr Word word_of_bit(std::size_t w, std::size_t bit) {
    return w == bit / word_bits ? Word{1} << (bit % word_bits) : Word{0};
}

// Calls visit(number) for every set bit of word `w` of a row, in ascending order.
template <class Visit>
void for_each_bit_of_word(std::size_t w, Word word, Visit&& visit) {
    for (; word != 0; word &= word - 1)
        visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(word)));
}

// Calls visit(number) for every set bit, in ascending order.
template <class Visit>
void for_each_bit(std::span<const Word> row, Visit&& visit) {
    for (std::size_t w = 0; w < row.size(); ++w) for_each_bit_of_word(w, row[w], visit);
}

inline std::size_t count_bits(std::span<const Word> row) {
    std::size_t total = 0;
    for (const Word word : row) total += static_cast<std::size_t>(std::popcount(word));
    return total;
}

}  // namespace dagwright
