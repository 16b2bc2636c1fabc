#include "dagwright/statistics/row_refinement.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace dagwright {

namespace {

constexpr std::size_t kLane = 16;  // bytes that are added at once
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
constexpr std::size_t kByte = std::numeric_limits<std::uint8_t>::max();

std::size_t whole_lanes(std::size_t width) { return (width + kLane - 1) / kLane * kLane; }

std::size_t all_states(const Table& table) {
    std::size_t total = 0;
    for (const std::uint32_t r : table.cardinalities()) total += r;
    return total;
}

std::uint64_t load(const std::uint8_t* from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

// Adds what so many cells of a count make to the sum of each part.
void add(std::size_t parts, const std::int64_t* table, std::size_t count, std::int64_t cells,
         Extension::Sums& sums) {
    if (parts == 1) {
        sums[0] += cells * table[count];
        return;
    }
    const std::int64_t* row = table + count * sums.size();
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += cells * row[k];
}

// Adds the sixteen bytes of two words to as many counts, and clears them.
void add_bytes(std::uint64_t (&words)[2], std::uint32_t* counts) {
    std::uint8_t bytes[kLane];
    std::memcpy(bytes, words, kLane);
    for (std::size_t k = 0; k < kLane; ++k) counts[k] += bytes[k];
    words[0] = words[1] = 0;
}

}  // namespace

bool CodedRows::fits(const Table& table) {
    if (!RowGroups::fit(table)) return false;
    return (all_states(table) + table.variables() + 2 * kLane) * table.rows() <= kMostBytes;
}

CodedRows::CodedRows(const Table& table)
    : table_(table), code_stride_(table.variables()), state_stride_(all_states(table)) {
    std::uint32_t next = 0;
    for (Var v = 0; v < table.variables(); ++v) {
        columns_.push_back(next);
        next += table.column(v).cardinality;
    }
    // Whole lanes are read from any column of any row on.
    codes_.assign(rows() * code_stride_ + kLane, 0);
    states_.assign(rows() * state_stride_ + kLane, 0);
    for (std::size_t row = 0; row < rows(); ++row)
        for (Var v = 0; v < table.variables(); ++v) {
            const std::uint8_t code = table.column(v).narrow[row];
            codes_[row * code_stride_ + v] = code;
            states_[row * state_stride_ + columns_[v] + code] = 1;
        }
}

void RowRefinement::begin(Var child) {
    started_ = true;
    child_ = child;
    members_.clear();
    if (depths_.empty()) depths_.resize(1);
    std::vector<std::size_t> at(std::size_t{rows_.table().column(child).cardinality} + 1, 0);
    const std::uint8_t* codes = rows_.table().column(child).narrow;
    for (std::size_t row = 0; row < rows_.rows(); ++row) ++at[codes[row] + 1u];
    for (std::size_t k = 1; k < at.size(); ++k) at[k] += at[k - 1];
    std::vector<Row> sorted(rows_.rows());
    for (std::size_t row = 0; row < rows_.rows(); ++row) sorted[at[codes[row]]++] = static_cast<Row>(row);
    depths_.front() = RowGroups::of(std::move(sorted));
}

void RowRefinement::move_to(Var child, std::span<const Var> members) {
    if (!started_ || child != child_) begin(child);
    std::size_t shared = 0;
    while (shared < members_.size() && shared < members.size() && members_[shared] == members[shared])
        ++shared;
    members_.resize(shared);
    if (depths_.size() <= members.size()) depths_.resize(members.size() + 1);
    for (std::size_t k = shared; k < members.size(); ++k) {
        splitter_.split(depths_[k], members[k], depths_[k + 1]);
        members_.push_back(members[k]);
    }
}

void RowRefinement::begin_counts(std::span<Extension> extensions) {
    const RowGroups& groups = depths_[members_.size()];
    for (Extension& one : extensions) {
        const auto singles = static_cast<std::int64_t>(groups.singles);
        one.given_sum = one.joint_sum = {};
        add(one.parts, one.given, 1, singles, one.given_sum);
        add(one.parts, one.joint, 1, singles, one.joint_sum);
        one.given_cells = one.joint_cells = groups.singles;
    }
    count_pairs(extensions);
    const Var last = extensions.back().variable;
    const std::size_t width = whole_lanes(rows_.column(last) + rows_.table().column(last).cardinality -
                                          rows_.column(extensions.front().variable));
    part_.assign(width, 0);
    whole_.assign(width, 0);
}

void RowRefinement::count(std::span<Extension> extensions) {
    if (extensions.empty()) return;
    begin_counts(extensions);
    const RowGroups& groups = depths_[members_.size()];
    const Row* begin = groups.rows.data();
    for (const std::uint32_t at : groups.ends) {
        const Row* end = groups.rows.data() + at;
        count_group(begin, end, extensions);
        begin = end;
    }
}

// A state occurs where any of the rows has it; what occurs is added up for sixteen states at once.
void RowRefinement::count_cells(std::span<Extension> extensions) {
    if (extensions.empty()) return;
    begin_counts(extensions);
    const RowGroups& groups = depths_[members_.size()];
    const std::uint32_t first = rows_.column(extensions.front().variable);
    const std::uint8_t* child = rows_.table().column(child_).narrow;
    for (std::size_t lane = 0; lane < part_.size(); lane += kLane) {
        std::uint64_t joint[2] = {0, 0}, given[2] = {0, 0};
        std::size_t added = 0;
        const auto put_down = [&] {
            add_bytes(joint, part_.data() + lane);
            add_bytes(given, whole_.data() + lane);
            added = 0;
        };
        const Row* row = groups.rows.data();
        for (const std::uint32_t at : groups.ends) {
            const Row* end = groups.rows.data() + at;
            std::uint64_t whole[2] = {0, 0};
            while (row != end) {  // the rows with one state of the child
                const std::uint8_t state = child[*row];
                std::uint64_t part[2] = {0, 0};
                do {
                    const std::uint8_t* states = rows_.states(*row) + first + lane;
                    part[0] |= load(states);
                    part[1] |= load(states + 8);
                } while (++row != end && child[*row] == state);
                for (const std::size_t k : {0u, 1u}) {
                    whole[k] |= part[k];
                    joint[k] += part[k];
                }
                if (++added == kByte) put_down();
            }
            for (const std::size_t k : {0u, 1u}) given[k] += whole[k];
        }
        put_down();
    }
    for (Extension& one : extensions) {
        const std::size_t begin = rows_.column(one.variable) - first;
        for (std::size_t k = 0; k < rows_.table().column(one.variable).cardinality; ++k) {
            one.joint_cells += part_[begin + k];
            one.given_cells += whole_[begin + k];
        }
    }
}

// Of a pair it matters only whether the rows agree in the child, and whether in the extension.
void RowRefinement::count_pairs(std::span<Extension> extensions) {
    const RowGroups& groups = depths_[members_.size()];
    const Var first = extensions.front().variable;
    const std::size_t width = whole_lanes(extensions.back().variable + 1u - first);
    agreeing_.resize(2 * width);
    std::uint8_t* agreeing[2] = {agreeing_.data(), agreeing_.data() + width};  // child differs, child agrees
    for (std::size_t begin = 0; begin < groups.pairs.size(); begin += 2 * kByte) {
        const std::size_t end = std::min(begin + 2 * kByte, groups.pairs.size());
        std::fill(agreeing_.begin(), agreeing_.end(), std::uint8_t{0});
        std::size_t pairs[2] = {0, 0};
        for (std::size_t i = begin; i < end; i += 2) {
            const std::uint8_t* one = rows_.codes(groups.pairs[i]);
            const std::uint8_t* other = rows_.codes(groups.pairs[i + 1]);
            const std::size_t same_child = one[child_] == other[child_] ? 1 : 0;
            ++pairs[same_child];
            std::uint8_t* to = agreeing[same_child];
            for (std::size_t at = 0; at < width; at += kLane)
                for (std::size_t k = 0; k < kLane; ++k)
                    to[at + k] = static_cast<std::uint8_t>(
                        to[at + k] + (one[first + at + k] == other[first + at + k] ? 1 : 0));
        }
        for (Extension& each : extensions) {
            const std::int64_t together[2] = {agreeing[0][each.variable - first],
                                              agreeing[1][each.variable - first]};
            const std::int64_t all = static_cast<std::int64_t>(pairs[0] + pairs[1]);
            const std::int64_t joined = together[0] + together[1];
            add(each.parts, each.given, 2, joined, each.given_sum);
            add(each.parts, each.given, 1, 2 * (all - joined), each.given_sum);
            add(each.parts, each.joint, 2, together[1], each.joint_sum);
            add(each.parts, each.joint, 1, 2 * (all - together[1]), each.joint_sum);
            each.given_cells += static_cast<std::uint64_t>(2 * all - joined);
            each.joint_cells += static_cast<std::uint64_t>(2 * all - together[1]);
        }
    }
}

// counts = how many of the rows have each state, from column `first` on. Sixteen states are added at once: a
// byte of a word cannot overflow within 255 rows.
void RowRefinement::add_up(const Row* begin, const Row* end, std::uint32_t first,
                           std::vector<std::uint32_t>& counts) const {
    static_assert(kLane == 16);
    std::fill(counts.begin(), counts.end(), 0u);
    for (; begin != end;) {
        const Row* stop = begin + std::min<std::ptrdiff_t>(end - begin, kByte);
        for (std::size_t lane = 0; lane < counts.size(); lane += kLane) {
            std::uint64_t words[2] = {0, 0};
            for (const Row* row = begin; row != stop; ++row) {
                const std::uint8_t* states = rows_.states(*row) + first + lane;
                words[0] += load(states);
                words[1] += load(states + 8);
            }
            add_bytes(words, counts.data() + lane);
        }
        begin = stop;
    }
}

void RowRefinement::count_group(const Row* begin, const Row* end, std::span<Extension> extensions) {
    const std::uint32_t first = rows_.column(extensions.front().variable);
    const std::uint8_t* child = rows_.table().column(child_).narrow;
    std::fill(whole_.begin(), whole_.end(), 0u);
    while (begin != end) {  // the rows with one state of the child
        const Row* stop = begin + 1;
        while (stop != end && child[*stop] == child[*begin]) ++stop;
        add_up(begin, stop, first, part_);
        for (std::size_t at = 0; at < part_.size(); ++at) whole_[at] += part_[at];
        for (Extension& one : extensions) {
            const std::uint32_t* counts = part_.data() + (rows_.column(one.variable) - first);
            const std::size_t states = rows_.table().column(one.variable).cardinality;
            for (std::size_t k = 0; k < states; ++k) {
                add(one.parts, one.joint, counts[k], 1, one.joint_sum);
                one.joint_cells += counts[k] != 0 ? 1u : 0u;
            }
        }
        begin = stop;
    }
    for (Extension& one : extensions) {
        const std::uint32_t* counts = whole_.data() + (rows_.column(one.variable) - first);
        const std::size_t states = rows_.table().column(one.variable).cardinality;
        for (std::size_t k = 0; k < states; ++k) {
            add(one.parts, one.given, counts[k], 1, one.given_sum);
            one.given_cells += counts[k] != 0 ? 1u : 0u;
        }
    }
}

}  // namespace dagwright
