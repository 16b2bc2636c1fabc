#include "dagwright/statistics/row_groups.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace dagwright {

namespace {

constexpr std::size_t kPacked = 4;  // counts of 16 bits in a register, which spares the wait for stores

std::uint32_t unpacked(std::uint64_t packed, std::size_t at) {
    return static_cast<std::uint32_t>((packed >> (16 * at)) & 0xffff);
}

}  // namespace

bool RowGroups::fit(const Table& table) {
    if (table.weighted() || table.spread() != nullptr || table.rows() == 0) return false;
    if (table.rows() > std::numeric_limits<Row>::max()) return false;
    for (Var v = 0; v < table.variables(); ++v) {
        const Column& column = table.column(v);
        if (column.narrow == nullptr || column.has_missing || column.cardinality == 0) return false;
    }
    return true;
}

RowGroups RowGroups::of(std::vector<Row> all) {
    RowGroups groups;
    if (all.size() == 1) {
        groups.singles = 1;
    } else if (all.size() == 2) {
        groups.pairs = std::move(all);
    } else {
        groups.ends.push_back(static_cast<std::uint32_t>(all.size()));
        groups.rows = std::move(all);
    }
    return groups;
}

std::int64_t RowGroups::sum(const CellFunction& of) const {
    std::int64_t total = static_cast<std::int64_t>(singles) * of.of(1) +
                         static_cast<std::int64_t>(pairs.size() / 2) * of.of(2);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
        total += of.of(end - begin);
        begin = end;
    }
    return total;
}

void RowSplitter::split(const RowGroups& from, Var by, RowGroups& to) {
    const std::uint8_t* codes = table_.column(by).narrow;
    const std::size_t states = table_.column(by).cardinality;
    to.rows.resize(from.rows.size());
    to.pairs.resize(from.pairs.size() + from.rows.size());
    to.ends.clear();
    to.singles = from.singles;
    sorted_.resize(table_.rows());
    Row* rows = to.rows.data();
    Row* pairs = to.pairs.data();
    std::array<std::uint32_t, 256> counts;
    const Row* begin = from.rows.data();
    for (const std::uint32_t at : from.ends) {
        const Row* end = from.rows.data() + at;
        sort(begin, end, codes, states, counts.data());
        const Row* next = sorted_.data();
        for (std::size_t k = 0; k < states; ++k) {
            if (counts[k] > 2) {
                rows = std::copy_n(next, counts[k], rows);
                to.ends.push_back(static_cast<std::uint32_t>(rows - to.rows.data()));
            } else if (counts[k] == 2) {
                pairs = std::copy_n(next, 2, pairs);
            } else {
                to.singles += counts[k];
            }
            next += counts[k];
        }
        begin = end;
    }
    for (std::size_t i = 0; i < from.pairs.size(); i += 2) {
        const Row one = from.pairs[i], other = from.pairs[i + 1];
        const bool same = codes[one] == codes[other];
        pairs[0] = one;
        pairs[1] = other;
        pairs += same ? 2 : 0;
        to.singles += same ? 0u : 2u;
    }
    to.rows.resize(static_cast<std::size_t>(rows - to.rows.data()));
    to.pairs.resize(static_cast<std::size_t>(pairs - to.pairs.data()));
}

// Rows by state, those of a state in the order they had.
void RowSplitter::sort(const Row* begin, const Row* end, const std::uint8_t* codes, std::size_t states,
                       std::uint32_t* counts) {
    if (states <= kPacked) {
        std::uint64_t packed = 0;
        for (const Row* row = begin; row != end; ++row) packed += std::uint64_t{1} << (16 * codes[*row]);
        for (std::size_t k = 0; k < states; ++k) counts[k] = unpacked(packed, k);
        std::uint64_t places = 0;
        for (std::size_t k = 1; k < states; ++k)
            places |= std::uint64_t{unpacked(places, k - 1) + counts[k - 1]} << (16 * k);
        for (const Row* row = begin; row != end; ++row) {
            const std::size_t code = codes[*row];
            sorted_[unpacked(places, code)] = *row;
            places += std::uint64_t{1} << (16 * code);
        }
        return;
    }
    std::fill_n(counts, states, 0u);
    for (const Row* row = begin; row != end; ++row) ++counts[codes[*row]];
    std::array<std::uint32_t, 256> places;
    std::exclusive_scan(counts, counts + states, places.begin(), 0u);
    for (const Row* row = begin; row != end; ++row) sorted_[places[codes[*row]]++] = *row;
}

}  // namespace dagwright
