#include "dagwright/statistics/stacked_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "dagwright/base/bit_row.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kMostPlanes = 25;

// The eight bits of a byte as eight bytes.
std::array<std::uint64_t, 256> spread_bytes() {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        std::uint8_t bits[8];
        for (std::size_t k = 0; k < 8; ++k) bits[k] = static_cast<std::uint8_t>((byte >> k) & 1U);
        std::memcpy(&table[byte], bits, sizeof bits);
    }
    return table;
}

// The numbers that the planes hold, one for each bit of a line.
void read_planes(const std::uint64_t* planes, std::size_t depth, std::uint32_t* counts) {
    static const std::array<std::uint64_t, 256> spread = spread_bytes();
    std::fill_n(counts, kLineBits, 0U);
    for (std::size_t first = 0; first < depth; first += 8) {
        const std::size_t end = std::min(depth, first + 8);
        for (std::size_t w = 0; w < kLineWords; ++w) {
            std::uint64_t eight[8] = {};  // numbers of eight bits, in the planes from `first` on
            for (std::size_t p = first; p < end; ++p) {
                const std::uint64_t word = planes[p * kLineWords + w];
                for (std::size_t k = 0; k < 8; ++k)
                    eight[k] |= spread[(word >> (8 * k)) & 0xff] << (p - first);
            }
            std::uint8_t bytes[64];
            std::memcpy(bytes, eight, sizeof bytes);
            for (std::size_t k = 0; k < 64; ++k) counts[64 * w + k] += std::uint32_t{bytes[k]} << first;
        }
    }
}

}  // namespace

void RowsByConfiguration::sort(const Table& table, std::span<const Var> columns,
                               std::vector<std::uint32_t>& keys) {
    keys.assign(table.rows(), 0);
    std::size_t configurations = 1;
    for (const Var v : columns) {
        const Column& column = table.column(v);
        const std::uint32_t states = column.cardinality;
        const auto refine = [&](const auto* codes) {
            for (std::size_t row = 0; row < keys.size(); ++row) keys[row] = keys[row] * states + codes[row];
        };
        column.narrow ? refine(column.narrow) : refine(column.wide);
        configurations *= states;
    }
    sizes.assign(configurations, 0);
    for (const std::uint32_t key : keys) ++sizes[key];
    starts.assign(1, 0);
    for (const std::uint32_t size : sizes) starts.push_back(starts.back() + (size + 7) / 8 * 8);
    rows.assign(starts.back(), static_cast<std::uint32_t>(table.rows()));
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t row = 0; row < keys.size(); ++row)
        rows[next[keys[row]]++] = static_cast<std::uint32_t>(row);
}

StackedColumns::StackedColumns(const Table& table, const BitKernels& kernels)
    : kernels_(kernels), rows_(table.rows()), place_(table.variables(), kNowhere) {
    std::size_t next = 0;
    for (Var v = 0; v < table.variables(); ++v) {
        const Column& column = table.column(v);
        if (!column.narrow || column.has_missing || column.cardinality > kMostStates ||
            column.cardinality == 0)
            continue;
        const std::size_t bits = column.cardinality - 1;
        if (next % kLineBits + bits > kLineBits) next = (next / kLineBits + 1) * kLineBits;
        place_[v] = next;
        next += bits;
        blocks_ = std::max(blocks_, place_[v] / kLineBits + 1);
    }
    lines_.assign(blocks_ * (rows_ + 1) * kLineWords, 0);
    for (Var v = 0; v < table.variables(); ++v) {
        if (!holds(v)) continue;
        const Column& column = table.column(v);
        std::uint64_t* lines = lines_.data() + block(v) * (rows_ + 1) * kLineWords;
        for (std::size_t row = 0; row < rows_; ++row) {
            const std::uint32_t code = column.narrow[row];
            if (code + 1 < column.cardinality) set_bit(lines + row * kLineWords, position(v) + code);
        }
    }
}

void StackedColumns::count(std::size_t block, const RowsByConfiguration& by,
                           std::vector<std::uint32_t>& counts) const {
    const std::uint64_t* lines = lines_.data() + block * (rows_ + 1) * kLineWords;
    std::uint64_t planes[kMostPlanes * kLineWords];
    counts.resize(by.sizes.size() * kLineBits);
    for (std::size_t c = 0; c < by.sizes.size(); ++c) {
        std::uint32_t* out = counts.data() + c * kLineBits;
        if (by.sizes[c] == 0) {
            std::fill_n(out, kLineBits, 0U);
            continue;
        }
        const auto depth = std::max<std::size_t>(4, static_cast<std::size_t>(std::bit_width(by.sizes[c])));
        kernels_.add_lines(lines, by.rows.data() + by.starts[c], by.starts[c + 1] - by.starts[c], planes,
                           depth);
        read_planes(planes, depth, out);
    }
}

}  // namespace dagwright
