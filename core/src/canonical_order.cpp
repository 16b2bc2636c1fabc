// Colour refinement on the columns: every column starts with a colour and is recoloured by what it looks like
// from the others, until the number of colours stops growing. Colours are ranks of invariants, so they depend
// neither on names nor on positions.
#include "dagwright/canonical_order.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace dagwright {

namespace {

using Signature = std::vector<double>;

class Refinement {
  public:
    Refinement(CellSums& sums, Control& control)
        : sums_(sums), control_(control), n_(sums.table().variables()), colour_(n_, 0) {}

    std::vector<std::size_t> run() {
        by_marginals();
        while (!tied().empty() && by_pairs()) {
        }
        while (!control_.halted() && !tied().empty() && by_rows()) {
        }
        return colour_;
    }

  private:
    static constexpr std::size_t kStretch = 1024;         // fits of a column that are compared at a time
    static constexpr std::size_t kPairsAtOnce = 1 << 18;  // pairs that are counted together

    // Ranks (colour, signature); true when there are more colours than before.
    bool recolour(const std::vector<Signature>& signatures) {
        std::map<std::pair<std::size_t, Signature>, std::size_t> ranks;
        for (Var v = 0; v < n_; ++v) ranks.emplace(std::pair(colour_[v], signatures[v]), 0);
        // A colour is the number of columns that come before, so that untouched classes keep theirs.
        std::map<std::pair<std::size_t, Signature>, std::size_t> members;
        for (Var v = 0; v < n_; ++v) ++members[{colour_[v], signatures[v]}];
        std::size_t before = 0;
        for (auto& [key, rank] : ranks) {
            rank = before;
            before += members[key];
        }
        const std::size_t colours = std::exchange(colours_, ranks.size());
        for (Var v = 0; v < n_; ++v) colour_[v] = ranks[{colour_[v], signatures[v]}];
        return colours_ > colours;
    }

    // Columns that share their colour with another.
    std::vector<Var> tied() const {
        std::vector<std::size_t> members(n_, 0);
        for (const std::size_t colour : colour_) ++members[colour];
        std::vector<Var> result;
        for (Var v = 0; v < n_; ++v)
            if (members[colour_[v]] > 1) result.push_back(v);
        return result;
    }

    std::vector<double> fits(const std::vector<VarSet>& sets) {
        std::vector<double> result(sets.size());
        if (sets.empty()) return result;
        std::vector<SumRequest> requests;
        for (const VarSet& set : sets) requests.push_back({set, {}});
        // All on the same rows: those where every column that has gaps is known.
        std::vector<Var> all(n_);
        std::iota(all.begin(), all.end(), Var{0});
        sums_.sums(requests, VarSet::of(all), result, control_);
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
            signatures.push_back({values[v], static_cast<double>(sums_.table().column(v).cardinality)});
        recolour(signatures);
    }

    // Columns of one colour have as many neighbours of each other colour, so that the fits alone, in the
    // order of the colours, tell them apart. Only a stretch of them is kept at a time, with a hash of all:
    // memory grows with the number of columns, not with its square.
    bool by_pairs() {
        const std::vector<std::size_t> before = colour_;
        std::vector<Var> doubtful = tied();
        std::vector<std::uint64_t> hashes(n_, 0);
        bool finer = false;
        for (std::size_t from = 0; !doubtful.empty() && from + 1 < n_; from += kStretch) {
            std::vector<Signature> signatures(n_);
            for_each_row_of_fits(doubtful, before, [&](Var v, const std::vector<double>& row) {
                if (from == 0) hashes[v] = hash_of(row);
                signatures[v].assign(
                    row.begin() + static_cast<std::ptrdiff_t>(from),
                    row.begin() + static_cast<std::ptrdiff_t>(std::min(from + kStretch, n_ - 1)));
            });
            if (control_.halted()) return false;
            finer = recolour(signatures) || finer;
            doubtful = tied_with_other(hashes);
        }
        return finer;
    }

    // visit(v, fits of the pairs of v with all others, by colour and size).
    template <class Visit>
    void for_each_row_of_fits(const std::vector<Var>& columns, const std::vector<std::size_t>& colours,
                              Visit&& visit) {
        const std::size_t block = std::max<std::size_t>(1, kPairsAtOnce / n_);
        for (std::size_t begin = 0; begin < columns.size(); begin += block) {
            if (control_.should_stop() != Stop::none) return;
            const std::size_t end = std::min(begin + block, columns.size());
            std::vector<VarSet> sets;
            for (std::size_t i = begin; i < end; ++i)
                for (Var u = 0; u < n_; ++u)
                    if (u != columns[i]) sets.push_back(VarSet::of({columns[i], u}));
            const std::vector<double> values = fits(sets);
            std::size_t next = 0;
            for (std::size_t i = begin; i < end; ++i) {
                std::vector<std::pair<std::size_t, double>> seen;
                for (Var u = 0; u < n_; ++u)
                    if (u != columns[i]) seen.emplace_back(colours[u], values[next++]);
                std::sort(seen.begin(), seen.end());
                std::vector<double> row;
                for (const auto& [colour, fit] : seen) row.push_back(fit);
                visit(columns[i], row);
            }
        }
    }

    // Columns that share their colour with one of another hash.
    std::vector<Var> tied_with_other(const std::vector<std::uint64_t>& hashes) const {
        std::map<std::size_t, std::uint64_t> first;
        std::vector<bool> mixed(n_, false);  // by colour
        for (Var v = 0; v < n_; ++v)
            if (first.emplace(colour_[v], hashes[v]).first->second != hashes[v]) mixed[colour_[v]] = true;
        std::vector<Var> result;
        for (Var v = 0; v < n_; ++v)
            if (mixed[colour_[v]]) result.push_back(v);
        return result;
    }

    static std::uint64_t mix(std::uint64_t h) {
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
        return h ^ (h >> 31);
    }
    static std::uint64_t hash_of(const std::vector<double>& row) {
        std::uint64_t hash = 1;
        for (const double value : row) hash = mix(hash + std::bit_cast<std::uint64_t>(value));
        return hash;
    }

    // Each row is hashed over the columns by colour (columns of one colour commute), each column over the
    // rows it meets: columns then share a colour only where exchanging them leaves the data as they are.
    bool by_rows() {
        const Table& table = sums_.table();
        const std::vector<Var> doubtful = tied();
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
        for (Var v = 0; v < n_; ++v)
            for_each_row(v, std::uint64_t{colour_[v]} << 20,
                         [&](std::size_t row, std::uint64_t mixed) { signature[row] += mixed; });
        std::vector<std::uint64_t> seen(doubtful.size(), 0);
        for (std::size_t i = 0; i < doubtful.size(); ++i)
            for_each_row(doubtful[i], 0, [&](std::size_t row, std::uint64_t mixed) {
                seen[i] += (table.weighted() ? table.weights()[row] : 1) * mix(signature[row] ^ mixed);
            });
        std::vector<Signature> signatures(n_);
        for (std::size_t i = 0; i < doubtful.size(); ++i)
            signatures[doubtful[i]] = {static_cast<double>(seen[i] >> 32),
                                       static_cast<double>(seen[i] & 0xffffffffu)};
        return recolour(signatures);
    }

    CellSums& sums_;
    Control& control_;
    std::size_t n_;
    std::vector<std::size_t> colour_;
    std::size_t colours_ = 0;
};

}  // namespace

CanonicalOrder canonical_order(CellSums& sums, const std::vector<std::size_t>& name_rank, Control& control) {
    const std::vector<std::size_t> colour = Refinement(sums, control).run();
    CanonicalOrder result;
    result.order.resize(colour.size());
    std::iota(result.order.begin(), result.order.end(), Var{0});
    std::sort(result.order.begin(), result.order.end(), [&](Var a, Var b) {
        return std::pair(colour[a], name_rank[a]) < std::pair(colour[b], name_rank[b]);
    });
    for (std::size_t i = 0; i < result.order.size();) {
        std::size_t end = i + 1;
        while (end < result.order.size() && colour[result.order[end]] == colour[result.order[i]]) ++end;
        if (end - i > 1)
            result.tied.emplace_back(result.order.begin() + static_cast<std::ptrdiff_t>(i),
                                     result.order.begin() + static_cast<std::ptrdiff_t>(end));
        i = end;
    }
    return result;
}

}  // namespace dagwright
