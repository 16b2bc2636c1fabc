// Histogram and grouped strategies: one walk over the rows (or over the distinct rows with their weights).
#include "counts_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "dagwright/base/mix.hpp"

namespace dagwright {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Most rows whose numbers are kept from set to set: some megabytes for each thread.
constexpr std::size_t kKeptRows = std::size_t{1} << 18;

// Numbers for 64-bit keys in order of first appearance: open addressing, at most half full.
class KeyNumbers {
  public:
    explicit KeyNumbers(std::size_t expected)
        : slots_(std::bit_ceil(std::max<std::size_t>(16, 2 * expected)), Slot{0, kNone}) {}

    std::uint32_t number(std::uint64_t key, std::uint32_t fresh) {
        std::size_t at = static_cast<std::size_t>(quick_mix(key)) & (slots_.size() - 1);
        while (slots_[at].number != kNone) {
            if (slots_[at].key == key) return slots_[at].number;
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = {key, fresh};
        return fresh;
    }

  private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t number;
    };
    std::vector<Slot> slots_;
};

// Calls body with the column's code pointer in its own width.
template <class Body>
void with_codes(const Column& column, Body&& body) {
    if (column.narrow)
        body(column.narrow);
    else
        body(column.wide);
}

// Takes one more column into the numbers of the configurations; false when there are more than `limit`
// groups.
bool refine(const RowSource& source, Var v, std::span<const std::uint32_t> rows, bool selected,
            std::size_t limit, std::vector<std::uint32_t>& remap, std::vector<std::uint32_t>& ids,
            std::size_t& groups) {
    const Column& column = (*source.columns)[v];
    const std::size_t count = ids.size();
    // One more state for a missing cell.
    const std::uint64_t states = std::uint64_t{column.cardinality} + 1;
    const std::uint64_t keys = groups * states;
    std::uint32_t found = 0;
    bool within = true;
    const auto number = [&](auto codes, auto&& numbering) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t row = selected ? rows[i] : i;
            const std::uint64_t code = std::min<std::uint64_t>(codes[row], states - 1);
            const std::uint32_t id = numbering(ids[i] * states + code, found);
            if (id == found && ++found > limit) {
                within = false;
                return;
            }
            ids[i] = id;
        }
    };
    with_codes(column, [&](auto codes) {
        if (keys <= 65536 + 4 * std::uint64_t{count}) {
            remap.assign(static_cast<std::size_t>(keys), kNone);
            number(codes, [&](std::uint64_t key, std::uint32_t fresh) {
                std::uint32_t& id = remap[static_cast<std::size_t>(key)];
                if (id == kNone) id = fresh;
                return id;
            });
        } else {
            KeyNumbers numbers(std::min(count, limit + 1));
            number(codes, [&](std::uint64_t key, std::uint32_t fresh) { return numbers.number(key, fresh); });
        }
    });
    groups = found;
    return within;
}

}  // namespace

bool number_rows(const RowSource& source, std::span<const Var> variables, std::span<const std::uint32_t> rows,
                 std::size_t limit, RowNumbering& out, bool selected) {
    const std::size_t count = selected ? rows.size() : source.rows;
    out.ids.assign(count, 0);
    out.groups = count > 0 ? 1 : 0;
    std::vector<std::uint32_t> remap;
    for (const Var v : variables)
        if (!refine(source, v, rows, selected, limit, remap, out.ids, out.groups)) return false;
    out.example.assign(out.groups, 0);
    for (std::size_t i = count; i-- > 0;)
        out.example[out.ids[i]] = selected ? rows[i] : static_cast<std::uint32_t>(i);
    return true;
}

std::size_t number_rows_of(const RowSource& source, const VarSet& set, std::span<const std::uint32_t> rows,
                           const VarSet& observed, CountScratch& scratch) {
    const bool selected = !observed.empty();
    const std::size_t count = selected ? rows.size() : source.rows;
    NumberedRows& known = scratch.numbered;
    std::size_t same = 0;
    if (count <= kKeptRows && !known.ids.empty() && known.observed == observed)
        while (same < known.variables.size() && set.contains(known.variables[same])) ++same;
    known.variables.resize(same);
    known.ids.resize(same + 1);
    known.groups.resize(same + 1);
    known.observed = observed;
    if (same == 0) {
        known.ids[0].assign(count, 0);
        known.groups[0] = count > 0 ? 1 : 0;
    }
    for (const Var v : set) {
        if (std::find(known.variables.begin(), known.variables.end(), v) != known.variables.end()) continue;
        std::vector<std::uint32_t> ids = count <= kKeptRows ? known.ids.back() : std::move(known.ids.back());
        std::size_t groups = known.groups.back();
        refine(source, v, rows, selected, kNone - 1, scratch.remap, ids, groups);
        known.variables.push_back(v);
        known.ids.push_back(std::move(ids));
        known.groups.push_back(groups);
    }
    return known.groups.back();
}

std::span<const std::uint32_t> Counter::select_rows(const VarSet& observed, CountScratch& scratch) const {
    if (observed.empty()) return {};
    if (scratch.selected_for == observed) return scratch.selected;
    scratch.selected.clear();
    const RowSource& from = source();
    if (from.rows < table_->rows()) {  // merged rows have no bitmaps, and are few
        for (std::size_t row = 0; row < from.rows; ++row) {
            bool complete = true;
            for (const Var v : observed) complete = complete && !(*from.columns)[v].missing(row);
            if (complete) scratch.selected.push_back(static_cast<std::uint32_t>(row));
        }
    } else {
        std::vector<const std::uint64_t*> known_in;
        for (const Var v : observed) known_in.push_back(known(v));
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t complete = ~std::uint64_t{0};
            for (const std::uint64_t* words : known_in) complete &= words[w];
            for (; complete != 0; complete &= complete - 1)
                scratch.selected.push_back(static_cast<std::uint32_t>(
                    64 * w + static_cast<std::size_t>(std::countr_zero(complete))));
        }
    }
    scratch.selected_for = observed;
    return scratch.selected;
}

namespace {

template <class Key, class Code>
void histogram(const Key* keys, const Code* codes, std::size_t rows, std::uint32_t states, std::size_t cells,
               std::vector<std::uint32_t>& counts) {
    // Neighboring rows often fall into the same cell; four tables in turn avoid waiting for the last
    // increment.
    if (cells <= 4096) {
        counts.assign(4 * cells, 0);
        std::uint32_t *a = counts.data(), *b = a + cells, *c = b + cells, *d = c + cells;
        std::size_t i = 0;
        for (; i + 4 <= rows; i += 4) {
            ++a[keys[i] * states + codes[i]];
            ++b[keys[i + 1] * states + codes[i + 1]];
            ++c[keys[i + 2] * states + codes[i + 2]];
            ++d[keys[i + 3] * states + codes[i + 3]];
        }
        for (; i < rows; ++i) ++a[keys[i] * states + codes[i]];
        for (std::size_t cell = 0; cell < cells; ++cell) a[cell] += b[cell] + c[cell] + d[cell];
        return;
    }
    counts.assign(cells, 0);
    for (std::size_t i = 0; i < rows; ++i) ++counts[std::size_t{keys[i]} * states + codes[i]];
}

template <class Key, class Code>
void weighted_histogram(const Key* keys, const Code* codes, const std::uint64_t* weights, std::size_t rows,
                        std::uint32_t states, std::size_t cells, std::vector<std::uint64_t>& counts) {
    counts.assign(cells, 0);
    for (std::size_t i = 0; i < rows; ++i) counts[std::size_t{keys[i]} * states + codes[i]] += weights[i];
}

// Rows sorted by group, so that one small counter per group will do. Reports occurring cells only.
template <class Code>
void count_by_group(std::span<const std::uint32_t> ids, std::size_t groups, const Code* codes,
                    const std::uint64_t* weights, std::uint32_t states, CountScratch& scratch,
                    std::size_t extension, CellSink& sink) {
    scratch.starts.assign(groups + 1, 0);
    for (const std::uint32_t id : ids) ++scratch.starts[id + 1];
    for (std::size_t g = 0; g < groups; ++g) scratch.starts[g + 1] += scratch.starts[g];
    scratch.order.resize(ids.size());
    std::vector<std::uint32_t> next(scratch.starts.begin(), scratch.starts.end() - 1);
    for (std::size_t i = 0; i < ids.size(); ++i)
        scratch.order[next[ids[i]]++] = static_cast<std::uint32_t>(i);

    std::vector<std::uint64_t> of_state(states, 0);
    scratch.counts64.clear();
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::uint32_t k = scratch.starts[g]; k < scratch.starts[g + 1]; ++k) {
            const std::size_t row = scratch.order[k];
            of_state[codes[row]] += weights ? weights[row] : 1;
        }
        for (std::uint32_t k = scratch.starts[g]; k < scratch.starts[g + 1]; ++k) {
            std::uint64_t& cell = of_state[codes[scratch.order[k]]];
            if (cell > 0) scratch.counts64.push_back(cell);
            cell = 0;
        }
    }
    sink.cells(extension, std::span<const std::uint64_t>(scratch.counts64));
}

}  // namespace

void Counter::extend_rows(const VarSet& base, std::span<const Var> extensions,
                          std::span<const std::size_t> which, const VarSet& observed, CountScratch& scratch,
                          CellSink& sink) const {
    const RowSource& from = source();
    const std::span<const std::uint32_t> rows = select_rows(observed, scratch);
    const bool selected = !observed.empty();
    const std::size_t count = selected ? rows.size() : from.rows;

    std::vector<std::uint64_t> gathered_weights;
    const std::uint64_t* weights = from.weights;
    if (selected && weights) {
        for (const std::uint32_t row : rows) gathered_weights.push_back(weights[row]);
        weights = gathered_weights.data();
    }
    // The codes of one column over the rows that count.
    const auto with_column = [&](Var v, auto&& body) {
        const Column& column = (*from.columns)[v];
        if (!selected) return with_codes(column, body);
        scratch.gathered.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            scratch.gathered[i] = static_cast<std::uint16_t>(column[rows[i]]);
        body(static_cast<const std::uint16_t*>(scratch.gathered.data()));
    };

    double base_cells = cell_count(table_->cardinalities(), base);
    std::uint32_t widest = 1;
    for (const std::size_t i : which) widest = std::max(widest, table_->column(extensions[i]).cardinality);

    const std::uint32_t* keys32 = nullptr;
    const bool grouped = forced_ == Strategy::grouped || !dense_enough(base_cells, widest, count);
    const std::vector<Var> members(base.begin(), base.end());
    if (grouped) {
        base_cells = static_cast<double>(number_rows_of(from, base, rows, observed, scratch));
        keys32 = scratch.numbered.ids.back().data();
    }
    const bool narrow_keys = !grouped && base_cells <= 65536.0;
    if (!grouped) {
        const auto build = [&](auto& keys) {
            using Key = typename std::remove_reference_t<decltype(keys)>::value_type;
            keys.assign(count, 0);
            for (const Var v : base) {
                const std::uint32_t states = table_->column(v).cardinality;
                with_column(v, [&](auto codes) {
                    for (std::size_t i = 0; i < count; ++i)
                        keys[i] = static_cast<Key>(keys[i] * states + codes[i]);
                });
            }
        };
        if (narrow_keys) {
            build(scratch.keys16);
        } else {
            build(scratch.keys32);
            keys32 = scratch.keys32.data();
        }
    }

    sink.layout(members, !grouped);
    for (const std::size_t i : which) {
        const std::uint32_t states = table_->column(extensions[i]).cardinality;
        with_column(extensions[i], [&](auto codes) {
            if (grouped && !dense_enough(base_cells, states, count))
                return count_by_group(scratch.numbered.ids.back(), scratch.numbered.groups.back(), codes,
                                      weights, states, scratch, i, sink);
            const std::size_t cells = static_cast<std::size_t>(base_cells) * states;
            const auto tally = [&](auto keys) {
                if (weights) {
                    weighted_histogram(keys, codes, weights, count, states, cells, scratch.counts64);
                    sink.cells(i, std::span<const std::uint64_t>(scratch.counts64));
                } else {
                    histogram(keys, codes, count, states, cells, scratch.counts32);
                    sink.cells(i, std::span<const std::uint32_t>(scratch.counts32.data(), cells));
                }
            };
            if (narrow_keys)
                tally(static_cast<const std::uint16_t*>(scratch.keys16.data()));
            else
                tally(keys32);
        });
    }
    if (count > kKeptRows) scratch.numbered = {};
}

}  // namespace dagwright
