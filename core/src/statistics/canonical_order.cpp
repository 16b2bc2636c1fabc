// Color refinement on the columns: every column starts with a color and is recolored by what it looks like
// from the others, until the number of colors stops growing. Colors are ranks of invariants, so they depend
// neither on names nor on positions.
#include "dagwright/statistics/canonical_order.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <unordered_map>

#include "dagwright/base/mix.hpp"

namespace dagwright {

namespace {

using Signature = std::vector<double>;

// The first column with the same partition of the rows: only the labels of the states may differ.
std::vector<Var> first_twins(const Table& table) {
    constexpr std::uint32_t kNotSeen = ~std::uint32_t{0};
    std::vector<std::uint32_t> labels;
    const auto relabeled = [&](Var v, auto&& visit) {
        const Column& column = table.column(v);
        labels.assign(column.cardinality, kNotSeen);
        std::uint32_t next = 1;  // 0 stands for a missing value
        for (std::size_t row = 0; row < table.rows(); ++row) {
            if (column.missing(row)) {
                visit(row, std::uint32_t{0});
                continue;
            }
            std::uint32_t& label = labels[column[row]];
            if (label == kNotSeen) label = next++;
            visit(row, label);
        }
    };
    std::vector<Var> twin(table.variables());
    std::unordered_multimap<std::uint64_t, Var> firsts;
    std::vector<std::uint32_t> mine(table.rows());
    for (Var v = 0; v < table.variables(); ++v) {
        std::uint64_t hash = table.column(v).cardinality;
        relabeled(v, [&](std::size_t row, std::uint32_t label) {
            mine[row] = label;
            hash = quick_mix(hash ^ label);
        });
        twin[v] = v;
        const auto [begin, end] = firsts.equal_range(hash);
        for (auto at = begin; at != end && twin[v] == v; ++at) {
            bool same = table.column(at->second).cardinality == table.column(v).cardinality;
            if (same)
                relabeled(at->second,
                          [&](std::size_t row, std::uint32_t label) { same = same && label == mine[row]; });
            if (same) twin[v] = at->second;
        }
        if (twin[v] == v) firsts.emplace(hash, v);
    }
    return twin;
}

class Refinement {
  public:
    Refinement(CellSums& sums, Control& control)
        : sums_(sums), control_(control), n_(sums.shape().variables()), color_(n_, 0), all_(n_) {
        std::iota(all_.begin(), all_.end(), Var{0});
        observed_ = VarSet::of(all_);
    }

    // The colors, and whether they are final: when stopped, those of the columns alone.
    std::pair<std::vector<std::size_t>, bool> run() {
        by_marginals();
        const std::vector<std::size_t> alone = color_;
        if (!tied(all_).empty() && control_.should_stop() == Stop::none) {
            const Table* rows = sums_.rows();
            twin_ = rows != nullptr ? first_twins(*rows) : all_;
            while (by_pairs()) {
            }
            // Without rows, columns that pairs cannot tell apart are told apart by their names.
            while (rows != nullptr && !control_.halted() && !tied(all_).empty() && by_rows(*rows)) {
            }
        }
        const bool complete = tied(all_).empty() || !control_.halted();
        return {complete ? color_ : alone, complete};
    }

  private:
    static constexpr std::size_t kFirst = 8;       // columns that the others are compared with at first
    static constexpr std::size_t kStretch = 1024;  // fits of a column that are compared at a time
    static constexpr std::size_t kPairsAtOnce = 1 << 16;  // pairs that are counted together

    // Ranks (color, signature); true when there are more colors than before. A color is the number of
    // columns that come before, so that untouched classes keep theirs.
    bool recolor(const std::vector<const Signature*>& signatures) {
        std::vector<Var> order = all_;
        const auto before = [&](Var a, Var b) {
            if (color_[a] != color_[b]) return color_[a] < color_[b];
            return signatures[a] != signatures[b] && *signatures[a] < *signatures[b];
        };
        std::sort(order.begin(), order.end(), before);
        std::vector<std::size_t> next(n_);
        std::size_t colors = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            const bool same = i > 0 && !before(order[i - 1], order[i]);
            colors += same ? 0 : 1;
            next[order[i]] = same ? next[order[i - 1]] : i;
        }
        color_ = std::move(next);
        return std::exchange(colors_, colors) < colors;
    }

    // Those of the columns that share their color with another of them.
    std::vector<Var> tied(const std::vector<Var>& columns) const {
        std::vector<std::size_t> members(n_, 0);
        for (const Var v : columns) ++members[color_[v]];
        std::vector<Var> result;
        for (const Var v : columns)
            if (members[color_[v]] > 1) result.push_back(v);
        return result;
    }

    // Twins have equal fits with every column: one of them stands for all.
    std::vector<Var> tied_by_pairs() const {
        std::vector<Var> firsts;
        for (const Var v : all_)
            if (twin_[v] == v) firsts.push_back(v);
        return tied(firsts);
    }

    std::vector<double> fits(const std::vector<VarSet>& sets) {
        std::vector<double> result(sets.size());
        if (sets.empty()) return result;
        std::vector<SumRequest> requests;
        requests.reserve(sets.size());
        for (const VarSet& set : sets) requests.push_back({set, {}});
        // All on the same rows: those where every column that has gaps is known.
        sums_.sums(requests, observed_, result, control_);
        return result;
    }

    // Smallest fit first, which is largest entropy first. Among moves of equal gain hill climbing takes the
    // child with the lowest number: over 134 samples of 12 standard networks this order ended above the
    // median of random orders in 66 % (51 % with the cardinality before the fit).
    void by_marginals() {
        std::vector<VarSet> sets;
        for (Var v = 0; v < n_; ++v) sets.push_back(VarSet::of({v}));
        const std::vector<double> values = fits(sets);
        std::vector<Signature> signatures;
        for (Var v = 0; v < n_; ++v)
            signatures.push_back({values[v], static_cast<double>(sums_.shape().cardinality(v))});
        recolor(of_each(signatures));
    }

    static std::vector<const Signature*> of_each(const std::vector<Signature>& signatures) {
        std::vector<const Signature*> result;
        for (const Signature& signature : signatures) result.push_back(&signature);
        return result;
    }

    // Columns of one color have as many neighbors of each other color, so that the fits alone, in the
    // order of the colors, tell them apart. A few neighbors mostly do: more are looked at only for the
    // columns that are tied up to there.
    bool by_pairs() {
        const std::vector<std::size_t> before = color_;
        std::vector<Var> others = all_;
        std::sort(others.begin(), others.end(),
                  [&](Var a, Var b) { return std::pair(before[a], a) < std::pair(before[b], b); });
        bool finer = false;
        std::vector<Var> doubtful = tied_by_pairs();
        for (std::size_t begin = 0, some = kFirst; begin < n_ && !doubtful.empty(); some *= 2) {
            std::size_t end = std::min(begin + some, n_);
            while (end < n_ && before[others[end]] == before[others[end - 1]]) ++end;  // whole classes
            finer = by_pairs_with(std::span(others).subspan(begin, end - begin), before, doubtful) || finer;
            if (control_.should_stop() != Stop::none) return false;
            doubtful = tied_by_pairs();
            begin = end;
        }
        return finer;
    }

    // Only a stretch of the fits is kept at a time, with a hash of all: memory grows with the number of
    // columns, not with its square.
    bool by_pairs_with(std::span<const Var> others, const std::vector<std::size_t>& before,
                       std::vector<Var> doubtful) {
        std::vector<std::uint64_t> hashes(n_, 0);
        bool finer = false;
        for (std::size_t from = 0; !doubtful.empty() && from < others.size(); from += kStretch) {
            std::vector<Signature> signatures(n_);
            for_each_row_of_fits(doubtful, others, before, [&](Var v, const std::vector<double>& row) {
                if (from == 0) hashes[v] = hash_of(row);
                const std::size_t first = std::min(from, row.size());
                signatures[v].assign(
                    row.begin() + static_cast<std::ptrdiff_t>(first),
                    row.begin() + static_cast<std::ptrdiff_t>(std::min(first + kStretch, row.size())));
            });
            if (control_.halted()) return false;
            std::vector<const Signature*> of_twins;
            for (const Var v : all_) of_twins.push_back(&signatures[twin_[v]]);
            finer = recolor(of_twins) || finer;
            doubtful = tied_with_other(doubtful, hashes);
        }
        return finer;
    }

    // visit(v, fits of the pairs of v with the others, by color and size).
    template <class Visit>
    void for_each_row_of_fits(const std::vector<Var>& columns, std::span<const Var> others,
                              const std::vector<std::size_t>& colors, Visit&& visit) {
        const std::size_t block = std::max<std::size_t>(1, kPairsAtOnce / others.size());
        for (std::size_t begin = 0; begin < columns.size(); begin += block) {
            if (control_.should_stop() != Stop::none) return;
            const std::size_t end = std::min(begin + block, columns.size());
            std::vector<VarSet> sets;
            for (std::size_t i = begin; i < end; ++i)
                for (const Var u : others)
                    if (u != columns[i]) sets.push_back(VarSet::of({columns[i], u}));
            const std::vector<double> values = fits(sets);
            std::size_t next = 0;
            for (std::size_t i = begin; i < end; ++i) {
                std::vector<std::pair<std::size_t, double>> seen;
                for (const Var u : others)
                    if (u != columns[i]) seen.emplace_back(colors[u], values[next++]);
                std::sort(seen.begin(), seen.end());
                std::vector<double> row;
                for (const auto& [color, fit] : seen) row.push_back(fit);
                visit(columns[i], row);
            }
        }
    }

    // Those of the columns that share their color with one of another hash.
    std::vector<Var> tied_with_other(const std::vector<Var>& columns,
                                     const std::vector<std::uint64_t>& hashes) const {
        std::map<std::size_t, std::uint64_t> first;
        std::vector<bool> mixed(n_, false);  // by color
        for (const Var v : columns)
            if (first.emplace(color_[v], hashes[v]).first->second != hashes[v]) mixed[color_[v]] = true;
        std::vector<Var> result;
        for (const Var v : columns)
            if (mixed[color_[v]]) result.push_back(v);
        return result;
    }

    static std::uint64_t hash_of(const std::vector<double>& row) {
        std::uint64_t hash = 1;
        for (const double value : row) hash = mix(hash + std::bit_cast<std::uint64_t>(value));
        return hash;
    }

    // Each row is hashed over the columns by color (columns of one color commute), each column over the
    // rows it meets: columns then share a color only where exchanging them leaves the data as they are.
    bool by_rows(const Table& table) {
        const std::vector<Var> doubtful = tied(all_);
        // visit(row, mixed) with what a code of the column is mixed to, looked up by state.
        const auto for_each_row = [&](Var v, std::uint64_t salt, auto&& visit) {
            const Column& column = table.column(v);
            std::vector<std::uint64_t> mixed(column.cardinality + 1);
            for (std::uint32_t code = 0; code < column.cardinality; ++code)
                mixed[code] = mix(salt + code + 1);
            mixed.back() = mix(salt + (column.narrow ? Column::kMissingNarrow : Column::kMissingWide) + 1);
            const auto walk = [&](const auto* codes) {
                for (std::size_t row = 0; row < table.rows(); ++row)
                    visit(row, mixed[std::min<std::uint32_t>(codes[row], column.cardinality)]);
            };
            column.narrow ? walk(column.narrow) : walk(column.wide);
        };
        std::vector<std::uint64_t> signature(table.rows(), 0);
        for (Var v = 0; v < n_; ++v) {
            if (control_.should_stop() != Stop::none) return false;
            for_each_row(v, std::uint64_t{color_[v]} << 20,
                         [&](std::size_t row, std::uint64_t mixed) { signature[row] += mixed; });
        }
        std::vector<std::uint64_t> seen(doubtful.size(), 0);
        for (std::size_t i = 0; i < doubtful.size(); ++i) {
            if (control_.should_stop() != Stop::none) return false;
            for_each_row(doubtful[i], 0, [&](std::size_t row, std::uint64_t mixed) {
                seen[i] += (table.weighted() ? table.weights()[row] : 1) * mix(signature[row] ^ mixed);
            });
        }
        std::vector<Signature> signatures(n_);
        for (std::size_t i = 0; i < doubtful.size(); ++i)
            signatures[doubtful[i]] = {static_cast<double>(seen[i] >> 32),
                                       static_cast<double>(seen[i] & 0xffffffffu)};
        return recolor(of_each(signatures));
    }

    CellSums& sums_;
    Control& control_;
    std::size_t n_;
    std::vector<std::size_t> color_;
    std::vector<Var> all_, twin_;
    VarSet observed_;
    std::size_t colors_ = 0;
};

}  // namespace

void order_by_colors(const std::vector<std::size_t>& colors, const std::vector<std::size_t>& name_rank,
                     CanonicalOrder& result) {
    result.order.resize(colors.size());
    std::iota(result.order.begin(), result.order.end(), Var{0});
    std::sort(result.order.begin(), result.order.end(), [&](Var a, Var b) {
        return std::pair(colors[a], name_rank[a]) < std::pair(colors[b], name_rank[b]);
    });
    for (std::size_t i = 0; i < result.order.size();) {
        std::size_t end = i + 1;
        while (end < result.order.size() && colors[result.order[end]] == colors[result.order[i]]) ++end;
        if (end - i > 1)
            result.tied.emplace_back(result.order.begin() + static_cast<std::ptrdiff_t>(i),
                                     result.order.begin() + static_cast<std::ptrdiff_t>(end));
        i = end;
    }
}

CanonicalOrder canonical_order(CellSums& sums, const std::vector<std::size_t>& name_rank, Control& control) {
    const auto [color, complete] = Refinement(sums, control).run();
    CanonicalOrder result;
    result.complete = complete;
    order_by_colors(color, name_rank, result);
    return result;
}

}  // namespace dagwright
