// A square bit matrix: row i holds the set of nodes related to i, for any number of nodes.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/base/bit_row.hpp"

namespace dagwright {

class BitMatrix {
  public:
    BitMatrix() = default;
    explicit BitMatrix(std::size_t n) : n_(n), stride_(words_for(n)), words_(n * stride_, 0) {}

    std::size_t size() const { return n_; }
    std::size_t words_per_row() const { return stride_; }

    bool get(std::size_t row, std::size_t column) const { return has_bit(this->row(row), column); }
    void set(std::size_t row, std::size_t column) { set_bit(this->row(row), column); }
    void clear(std::size_t row, std::size_t column) { clear_bit(this->row(row), column); }

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
