// Counts of a set of variables with all subsets of a few variables more at once.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "dagwright/statistics/cell_function.hpp"
#include "dagwright/statistics/row_groups.hpp"

namespace dagwright {

// The last variables of the order: given the groups of a set S without them, counts S + T for all their
// subsets T at once. A cell of the cube has one state of every member of T and sums over the others.
class SetTail {
  public:
    static constexpr std::size_t kMost = 4;         // members,
    static constexpr std::size_t kMostCells = 256;  // and cells of the cube

    SetTail(const Table& table, std::span<const Var> members)
        : cells_(table.rows(), 0), codes_(table.rows(), 0) {
        std::vector<std::uint8_t> states{0};  // of the cells: which members have one
        std::vector<double> sizes{1.0};
        for (auto v = members.rbegin(); v != members.rend(); ++v) {  // the last has the lowest bit
            const Column& column = table.column(*v);
            const std::size_t r = column.cardinality, stride = states.size(), codes = code_count_;
            const auto bit = static_cast<std::uint8_t>(sizes.size());
            for (std::size_t row = 0; row < table.rows(); ++row) {
                cells_[row] = static_cast<std::uint16_t>(cells_[row] + column[row] * stride);
                codes_[row] = static_cast<std::uint8_t>(codes_[row] + column[row] * codes);
            }
            std::vector<std::uint8_t> more;
            for (std::size_t k = 0; k < r; ++k)
                for (const std::uint8_t with : states) more.push_back(static_cast<std::uint8_t>(with | bit));
            more.insert(more.end(), states.begin(), states.end());
            states = std::move(more);
            for (std::size_t t = 0; t < bit; ++t) sizes.push_back(sizes[t] * static_cast<double>(r));
            axes_.push_back({r, stride});
            code_count_ *= r;
        }
        subset_of_ = std::move(states);
        sizes_ = std::move(sizes);
        find_agreement();
        for (std::size_t agreed = 0; agreed < kLanes; ++agreed) {
            Lanes within;
            for (std::size_t t = 0; t < kLanes; ++t) within[t] = (t & ~agreed) == 0 ? 1 : 0;
            std::memcpy(within_[agreed], within.data(), sizeof within);
        }
    }

    std::size_t subsets() const { return sizes_.size(); }
    // The configurations of a subset.
    double size(std::size_t subset) const { return sizes_[subset]; }

    // out[T * parts + k] = what part k of functions[T] sums to over the cells of S + T. All have as many
    // parts.
    void sum(const RowGroups& groups, std::span<const CellFunction* const> functions,
             std::span<std::int64_t> out) {
        begin(groups);
        std::fill(out.begin(), out.end(), std::int64_t{0});
        const RowGroups::Row* row = groups.rows.data();
        for (const std::uint32_t at : groups.ends) {
            const RowGroups::Row* end = groups.rows.data() + at;
            if (end - row <= static_cast<std::ptrdiff_t>(kSmall))
                count_small(row, end);
            else
                sum_large(row, end, functions, out);
            row = end;
        }
        put_down();
        if (functions.front()->parts() == 1)
            add_small<1>(functions, out);
        else
            add_small<kAdaptiveEss.size()>(functions, out);
    }

  private:
    static constexpr std::size_t kLanes = std::size_t{1} << kMost;
    static constexpr std::size_t kSmall = 12;  // rows of a group in which all pairs are compared
    using Lanes = std::array<std::uint8_t, kLanes>;
    using Sums = std::array<std::int64_t, kAdaptiveEss.size()>;

    struct Axis {
        std::size_t states, stride;
    };

    // Which members two rows agree in, by their codes.
    void find_agreement() {
        agreement_.assign(code_count_ * code_count_, 0);
        for (std::size_t a = 0; a < code_count_; ++a)
            for (std::size_t b = 0; b < code_count_; ++b) {
                std::size_t one = a, other = b, agreed = 0;
                for (std::size_t k = 0; k < axes_.size(); ++k) {
                    if (one % axes_[k].states == other % axes_[k].states) agreed |= std::size_t{1} << k;
                    one /= axes_[k].states;
                    other /= axes_[k].states;
                }
                agreement_[a * code_count_ + b] = static_cast<std::uint8_t>(agreed);
            }
    }

    // Rows on their own, and pairs: who agrees in some members agrees in each subset of them.
    void begin(const RowGroups& groups) {
        std::uint32_t together[kLanes] = {};
        for (std::size_t i = 0; i < groups.pairs.size(); i += 2)
            ++together[agreement(codes_[groups.pairs[i]], codes_[groups.pairs[i + 1]])];
        for (std::size_t bit = 1; bit < kLanes; bit *= 2)
            for (std::size_t t = 0; t < kLanes; ++t)
                if ((t & bit) == 0) together[t] += together[t | bit];
        preceded_ = {};
        for (std::size_t t = 0; t < kLanes; ++t) {
            preceded_[0][t] = static_cast<std::uint32_t>(groups.singles + groups.pairs.size()) - together[t];
            preceded_[1][t] = together[t];
        }
    }

    // For every row of a group and every subset, how many rows before it agree with it there.
    void count_small(const RowGroups::Row* begin, const RowGroups::Row* end) {
        const auto size = static_cast<std::size_t>(end - begin);
        if (pending_rows_ + size > std::numeric_limits<std::uint8_t>::max()) put_down();
        pending_rows_ += size;
        std::array<std::uint8_t, kSmall> codes;
        for (std::size_t i = 0; i < size; ++i) {
            codes[i] = codes_[begin[i]];
            std::uint64_t words[2] = {0, 0};  // sixteen counts, which cannot overflow
            for (std::size_t j = 0; j < i; ++j) {
                const std::uint64_t* agreed = within_[agreement(codes[i], codes[j])];
                words[0] += agreed[0];
                words[1] += agreed[1];
            }
            Lanes before;
            std::memcpy(before.data(), words, sizeof words);
            for (std::size_t c = 0; c <= i; ++c) {
                const auto wanted = static_cast<std::uint8_t>(c);
                Lanes counted = pending_[c];
                for (std::size_t t = 0; t < kLanes; ++t)
                    counted[t] = static_cast<std::uint8_t>(counted[t] + (before[t] == wanted ? 1 : 0));
                pending_[c] = counted;
            }
        }
    }

    void put_down() {
        for (std::size_t c = 0; c < kSmall; ++c)
            for (std::size_t t = 0; t < kLanes; ++t) preceded_[c][t] += pending_[c][t];
        pending_ = {};
        pending_rows_ = 0;
    }

    // f(n) is the sum of f(c + 1) - f(c) over the rows of a cell, c of which come before each. The empty
    // subset has the largest cells.
    template <std::size_t kParts>
    void add_small(std::span<const CellFunction* const> functions, std::span<std::int64_t> out) const {
        for (std::size_t t = 0; t < subsets(); ++t) {
            Sums before{};
            for (std::size_t c = 0; c < kSmall && preceded_[c][0] != 0; ++c) {
                Sums next{};
                functions[t]->add(c + 1, next);
                const auto rows = static_cast<std::int64_t>(preceded_[c][t]);
                for (std::size_t k = 0; k < kParts; ++k) out[t * kParts + k] += rows * (next[k] - before[k]);
                before = next;
            }
        }
    }

    void sum_large(const RowGroups::Row* begin, const RowGroups::Row* end,
                   std::span<const CellFunction* const> functions, std::span<std::int64_t> out) {
        cube_.assign(subset_of_.size(), 0);
        for (; begin != end; ++begin) ++cube_[cells_[*begin]];
        roll_up();
        for (std::size_t cell = 0; cell < cube_.size(); ++cell) {
            functions[subset_of_[cell]]->add(cube_[cell], out, subset_of_[cell]);
        }
    }

    std::uint8_t agreement(std::uint8_t one, std::uint8_t other) const {
        return agreement_[one * code_count_ + other];
    }

    // Behind the states of each variable stands their sum.
    void roll_up() {
        for (const Axis& axis : axes_) {
            const std::size_t block = axis.stride * (axis.states + 1);
            for (std::size_t begin = 0; begin < cube_.size(); begin += block)
                for (std::size_t k = 0; k < axis.states; ++k)
                    for (std::size_t i = 0; i < axis.stride; ++i)
                        cube_[begin + axis.states * axis.stride + i] += cube_[begin + k * axis.stride + i];
        }
    }

    std::vector<std::uint16_t> cells_;  // of the cube, by row: all states given
    std::vector<std::uint8_t> codes_;   // the states alone, by row
    std::size_t code_count_ = 1;
    std::vector<Axis> axes_;
    std::vector<std::uint8_t> subset_of_;
    std::vector<double> sizes_;
    std::vector<std::uint8_t> agreement_;
    std::vector<std::uint32_t> cube_;
    std::uint64_t within_[kLanes][2];  // bytes [members][subset]: 1 if it has no others
    std::array<std::array<std::uint32_t, kLanes>, kSmall> preceded_;  // [c][subset]: rows with c before them
    std::array<Lanes, kSmall> pending_{};                             // the same, of the last rows
    std::size_t pending_rows_ = 0;
};

}  // namespace dagwright
