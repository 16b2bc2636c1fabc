// Expected counts: a row with missing cells adds its weight to several cells at once, in shares.
#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

#include "dagwright/statistics/counts.hpp"

namespace dagwright {

namespace {

constexpr std::uint32_t kUntouched = std::numeric_limits<std::uint32_t>::max();
constexpr double kLargestKey = 4.0e18;

// Cells by mixed-radix key: an array where there are few, a hash table where there are many.
class Tally {
  public:
    Tally(double cells, std::size_t rows) {
        if (cells <= 65536.0 + 4.0 * static_cast<double>(rows))
            dense_.assign(static_cast<std::size_t>(cells), 0);
    }
    void add(std::uint64_t key, std::uint64_t units) {
        if (dense_.empty())
            sparse_[key] += units;
        else
            dense_[static_cast<std::size_t>(key)] += units;
    }
    const std::vector<std::uint64_t>& counts() {
        for (const auto& [key, units] : sparse_) dense_.push_back(units);
        sparse_.clear();
        return dense_;
    }
    // (key, count) of the cells that occur, in the order of the keys.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted() const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> cells(sparse_.begin(), sparse_.end());
        for (std::size_t key = 0; key < dense_.size(); ++key)
            if (dense_[key] > 0) cells.emplace_back(key, dense_[key]);
        std::sort(cells.begin(), cells.end());
        return cells;
    }

  private:
    std::vector<std::uint64_t> dense_;
    std::unordered_map<std::uint64_t, std::uint64_t> sparse_;
};

struct Share {
    std::uint64_t key;
    double weight;
};

// The shares of each group of missing cells in the cells of one set, worked out when a row first has it.
class GroupShares {
  public:
    GroupShares(const Table& table, std::span<const Var> variables, std::span<const std::uint64_t> strides)
        : table_(table),
          variables_(variables),
          strides_(strides),
          place_(table.spread()->groups(), kUntouched) {}

    std::span<const Share> of(std::uint32_t group) {
        if (place_[group] == kUntouched) work_out(group);
        const auto [begin, end] = ranges_[place_[group]];
        return std::span(shares_).subspan(begin, end - begin);
    }

  private:
    void work_out(std::uint32_t group) {
        kept_.clear();
        kept_strides_.clear();
        for (const Var v : table_.spread()->missing(group)) {
            const auto at = std::find(variables_.begin(), variables_.end(), v);
            if (at == variables_.end()) continue;
            kept_.push_back(v);
            kept_strides_.push_back(strides_[static_cast<std::size_t>(at - variables_.begin())]);
        }
        const std::size_t begin = shares_.size();
        if (!kept_.empty()) {
            table_.spread()->marginal(group, kept_, probabilities_);
            state_.assign(kept_.size(), 0);
            std::uint64_t key = 0;
            for (const double p : probabilities_) {
                if (p > 0) shares_.push_back({key, p});
                for (std::size_t i = kept_.size(); i-- > 0;) {
                    key += kept_strides_[i];
                    if (++state_[i] < table_.column(kept_[i]).cardinality) break;
                    key -= state_[i] * kept_strides_[i];
                    state_[i] = 0;
                }
            }
        }
        place_[group] = static_cast<std::uint32_t>(ranges_.size());
        ranges_.emplace_back(begin, shares_.size());
    }

    const Table& table_;
    std::span<const Var> variables_;
    std::span<const std::uint64_t> strides_;
    std::vector<std::uint32_t> place_;
    std::vector<std::pair<std::size_t, std::size_t>> ranges_;
    std::vector<Share> shares_;
    std::vector<double> probabilities_;
    std::vector<Var> kept_;
    std::vector<std::uint64_t> kept_strides_;
    std::vector<std::uint32_t> state_;
};

// keys[row] += what the state of a column is worth; a missing cell adds nothing.
template <class Code>
void add_states(const Code* codes, Code missing, std::uint64_t stride, std::span<std::uint64_t> keys) {
    for (std::size_t row = 0; row < keys.size(); ++row)
        keys[row] += codes[row] == missing ? 0 : codes[row] * stride;
}

// The expected counts of a set; `strides` receives what each variable's state is worth in a key. `known` are
// bitmaps of the rows in which its incomplete columns are known.
Tally expected(const Table& table, std::span<const Var> variables,
               std::span<const std::uint64_t* const> known, std::vector<std::uint64_t>& strides) {
    double cells = 1.0;
    for (const Var v : variables) cells *= table.column(v).cardinality;
    if (cells > kLargestKey)
        throw CapacityError("expected counts of " + std::to_string(variables.size()) +
                            " variables need more cells than can be numbered; bound the number of parents");
    strides.assign(variables.size(), 1);
    for (std::size_t i = variables.size(); i-- > 1;)
        strides[i - 1] = strides[i] * table.column(variables[i]).cardinality;
    Tally tally(cells, table.rows());
    std::vector<std::uint64_t> keys(table.rows(), 0);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Column& column = table.column(variables[i]);
        if (column.narrow)
            add_states(column.narrow, static_cast<std::uint8_t>(Column::kMissingNarrow), strides[i],
                       std::span(keys));
        else
            add_states(column.wide, static_cast<std::uint16_t>(Column::kMissingWide), strides[i],
                       std::span(keys));
    }
    GroupShares groups(table, variables, strides);
    std::vector<Share> now, next;
    for (std::size_t first = 0; first < table.rows(); first += 64) {
        const std::size_t rows_here = std::min<std::size_t>(64, table.rows() - first);
        const std::uint64_t here = ~std::uint64_t{0} >> (64 - rows_here);
        std::uint64_t whole = here;
        for (const std::uint64_t* words : known) whole &= words[first / 64];
        for (std::uint64_t left = whole; left != 0; left &= left - 1) {
            const std::size_t row = first + static_cast<std::size_t>(std::countr_zero(left));
            tally.add(keys[row], table.weights()[row]);
        }
        for (std::uint64_t left = here & ~whole; left != 0; left &= left - 1) {
            const std::size_t row = first + static_cast<std::size_t>(std::countr_zero(left));
            now.assign(1, {keys[row], static_cast<double>(table.weights()[row])});
            for (const std::uint32_t group : table.spread()->groups_of(row)) {
                const std::span<const Share> shares = groups.of(group);
                if (shares.empty()) continue;
                next.clear();
                for (const Share& cell : now)
                    for (const Share& share : shares)
                        next.push_back({cell.key + share.key, cell.weight * share.weight});
                now.swap(next);
            }
            // Weights are not negative: this rounds.
            for (const Share& cell : now) tally.add(cell.key, static_cast<std::uint64_t>(cell.weight + 0.5));
        }
    }
    return tally;
}

}  // namespace

std::vector<const std::uint64_t*> Counter::known_of(std::span<const Var> variables) const {
    std::vector<const std::uint64_t*> result;
    for (const Var v : variables)
        if (table_->column(v).has_missing) result.push_back(known(v));
    return result;
}

void Counter::extend_spread(const VarSet& base, std::span<const Var> extensions,
                            std::span<const std::size_t> which, CellSink& sink) const {
    std::vector<std::uint64_t> strides;
    sink.layout({}, false);
    for (const std::size_t i : which) {
        const VarSet set = base.with(extensions[i]);
        const std::vector<Var> variables(set.begin(), set.end());
        Tally tally = expected(*table_, variables, known_of(variables), strides);
        sink.cells(i, std::span<const std::uint64_t>(tally.counts()));
    }
}

Cells Counter::spread_cells(std::span<const Var> variables) const {
    std::vector<std::uint64_t> strides;
    Cells cells;
    for (const auto& [key, units] : expected(*table_, variables, known_of(variables), strides).sorted()) {
        for (std::size_t i = 0; i < variables.size(); ++i)
            cells.codes.push_back(
                static_cast<std::uint32_t>(key / strides[i] % table_->column(variables[i]).cardinality));
        cells.counts.push_back(units);
    }
    return cells;
}

}  // namespace dagwright
