#include "dagwright/statistics/block_cells.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace dagwright {

namespace {

// Sets with more cells than this are kept as lists of the cells that occur.
constexpr double kLargestTable = 1 << 22;
// Cells of the tables of one visit to all blocks; a larger batch visits them more than once.
constexpr double kCellsAtOnce = 1 << 25;

// Adds the counts of `more` to the counts of `cells`, both in lexicographic order of `width` codes.
Cells added(const Cells& cells, const Cells& more, std::size_t width) {
    Cells merged;
    const auto codes = [width](const Cells& from, std::size_t i) {
        return std::span(from.codes).subspan(i * width, width);
    };
    std::size_t a = 0, b = 0;
    while (a < cells.counts.size() || b < more.counts.size()) {
        int order = 0;
        if (a == cells.counts.size()) {
            order = 1;
        } else if (b == more.counts.size()) {
            order = -1;
        } else {
            const auto one = codes(cells, a), other = codes(more, b);
            const auto [x, y] = std::mismatch(one.begin(), one.end(), other.begin());
            order = x == one.end() ? 0 : *x < *y ? -1 : 1;
        }
        const auto from = order <= 0 ? codes(cells, a) : codes(more, b);
        merged.codes.insert(merged.codes.end(), from.begin(), from.end());
        merged.counts.push_back((order <= 0 ? cells.counts[a] : 0) + (order >= 0 ? more.counts[b] : 0));
        a += order <= 0;
        b += order >= 0;
    }
    return merged;
}

// Sorted lists of cells of blocks, added in pairs of about equal length.
class CellLists {
  public:
    void add(Cells list, std::size_t width) {
        std::size_t level = 0;
        while (!lists_.empty() && lists_.back().level <= level) {
            list = added(lists_.back().cells, list, width);
            level = lists_.back().level + 1;
            lists_.pop_back();
        }
        lists_.push_back({level, std::move(list)});
    }
    Cells take(std::size_t width) {
        Cells all;
        while (!lists_.empty()) {
            all =
                all.counts.empty() ? std::move(lists_.back().cells) : added(lists_.back().cells, all, width);
            lists_.pop_back();
        }
        return all;
    }

  private:
    struct Level {
        std::size_t level;
        Cells cells;
    };
    std::vector<Level> lists_;
};

}  // namespace

// The cells of one set: a whole table, the variables of the base in order and the extension last, or lists.
struct BlockCells::Tally {
    bool dense = false;
    std::vector<std::uint64_t> table;
    CellLists lists;
};

// Adds the cells of a stretch of the extensions of a group, in one block.
struct BlockCells::TallySink final : CellSink {
    const TableShape& shape;
    const CellGroup& group;
    std::span<Tally> tallies;
    std::size_t begin;
    std::vector<std::size_t> open;      // extensions whose cells came without codes
    std::vector<std::size_t> position;  // of each configuration of the base, where the order differs
    bool dense = false;

    TallySink(const TableShape& of, const CellGroup& from, std::span<Tally> into, std::size_t first)
        : shape(of), group(from), tallies(into), begin(first) {}

    void layout(std::span<const Var> base, bool whole) override {
        dense = whole;
        position.clear();
        if (!whole || std::ranges::equal(base, group.base)) return;
        // One digit after the other: the configurations of the first variables, each times its states.
        position.push_back(0);
        for (const Var v : base) {
            std::size_t step = 1;
            bool after = false;
            for (const Var other : group.base) {
                if (after) step *= shape.cardinality(other);
                after = after || other == v;
            }
            std::vector<std::size_t> longer;
            longer.reserve(position.size() * shape.cardinality(v));
            for (const std::size_t start : position)
                for (std::size_t s = 0; s < shape.cardinality(v); ++s) longer.push_back(start + s * step);
            position = std::move(longer);
        }
    }
    void cells(std::size_t extension, std::span<const std::uint32_t> counts) override {
        take(begin + extension, counts);
    }
    void cells(std::size_t extension, std::span<const std::uint64_t> counts) override {
        take(begin + extension, counts);
    }

    template <class Count>
    void take(std::size_t extension, std::span<const Count> counts) {
        Tally& tally = tallies[extension];
        if (!dense || !tally.dense) {
            open.push_back(extension);
            return;
        }
        std::uint64_t* table = tally.table.data();
        if (position.empty()) {
            for (std::size_t i = 0; i < counts.size(); ++i) table[i] += counts[i];
            return;
        }
        const std::size_t states = shape.cardinality(group.extensions[extension]);
        for (std::size_t c = 0; c < position.size(); ++c)
            for (std::size_t s = 0; s < states; ++s)
                table[position[c] * states + s] += counts[c * states + s];
    }
};

BlockCells::BlockCells(std::shared_ptr<const Table> table, std::size_t rows_at_once, std::size_t kept_bytes,
                       std::optional<PoissonDraw> draw)
    : whole_(std::move(table)), draw_(draw), shape_(whole_->shape()) {
    if (rows_at_once == 0) throw Error("a block needs at least one row");
    std::uint64_t drawn = 0;
    for (std::size_t begin = 0; begin == 0 || begin < whole_->rows(); begin += rows_at_once) {
        starts_.push_back(begin);
        const std::size_t end = std::min(begin + rows_at_once, whole_->rows());
        if (draw_) {  // drawn anew at each visit
            for (const std::uint64_t weight : draw_->weights(*whole_, begin, end)) drawn += weight;
            blocks_.push_back(nullptr);
        } else {
            blocks_.push_back(
                std::make_shared<const Counter>(std::make_shared<const Table>(*whole_, begin, end)));
        }
    }
    starts_.push_back(whole_->rows());
    if (draw_) {
        const std::span<const std::uint32_t> states = shape_.cardinalities();
        std::vector<bool> gaps;
        for (Var v = 0; v < whole_->variables(); ++v) gaps.push_back(whole_->column(v).has_missing);
        shape_ = TableShape({states.begin(), states.end()}, std::move(gaps), static_cast<double>(drawn), 1.0,
                            static_cast<double>(whole_->rows()));
    }
    keep_bitmaps(kept_bytes);
}

BlockCells::BlockCells(std::vector<std::shared_ptr<const Table>> blocks, std::size_t kept_bytes)
    : shape_(joint_shape(blocks)) {
    for (std::shared_ptr<const Table>& block : blocks)
        blocks_.push_back(std::make_shared<const Counter>(std::move(block)));
    keep_bitmaps(kept_bytes);
}

void BlockCells::keep_bitmaps(std::size_t kept_bytes) {
    std::size_t states = 0;
    for (const std::uint32_t r : shape_.cardinalities()) states += r;
    for (const std::shared_ptr<const Counter>& block : blocks_) {
        if (block == nullptr) return;
        const std::size_t bytes = block->table().rows() / 8 * states;
        if (bytes > kept_bytes) return;
        kept_bytes -= bytes;
        ++kept_;
    }
}

std::shared_ptr<const Counter> BlockCells::block(std::size_t b) const {
    if (draw_)
        return std::make_shared<const Counter>(std::make_shared<const Table>(
            *whole_, starts_[b], starts_[b + 1], draw_->weights(*whole_, starts_[b], starts_[b + 1])));
    return b < kept_ ? blocks_[b] : std::make_shared<const Counter>(blocks_[b]->without_bitmaps());
}

std::size_t BlockCells::round(std::span<const CellGroup> groups, std::size_t begin) const {
    double cells = 0.0;
    std::size_t end = begin;
    for (; end < groups.size(); ++end) {
        const double base = cell_count(shape_.cardinalities(), groups[end].base);
        for (const Var v : groups[end].extensions)
            cells += std::min(base * shape_.cardinality(v), kLargestTable);
        if (cells > kCellsAtOnce && end > begin) break;
    }
    return end;
}

void BlockCells::tally(std::span<const CellGroup> groups, std::vector<std::vector<Tally>>& tallies,
                       Control& control) {
    tallies.resize(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        tallies[g].resize(groups[g].extensions.size());
        const double base = cell_count(shape_.cardinalities(), groups[g].base);
        for (std::size_t i = 0; i < groups[g].extensions.size(); ++i) {
            const double cells = base * shape_.cardinality(groups[g].extensions[i]);
            tallies[g][i].dense = cells <= kLargestTable && cells <= 65536.0 + 4.0 * shape_.most_cells();
            if (tallies[g][i].dense) tallies[g][i].table.assign(static_cast<std::size_t>(cells), 0);
        }
    }
    Scratches::Lent scratch = scratches_.borrow(control.workers().threads());
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::shared_ptr<const Counter> counter = block(b);
        for (CountScratch& own : *scratch) own.forget_rows();
        count_in_pieces(*counter, groups, control, *scratch, [&](const CellPiece& piece, CountScratch& own) {
            const CellGroup& group = groups[piece.group];
            const VarSet known = counter->table().incomplete(group.known);
            TallySink sink(shape_, group, tallies[piece.group], piece.begin);
            counter->extend(group.base,
                            std::span(group.extensions).subspan(piece.begin, piece.end - piece.begin), known,
                            own, sink);
            std::vector<Var> variables(group.base.begin(), group.base.end());
            variables.push_back(0);
            for (const std::size_t i : sink.open) {
                variables.back() = group.extensions[i];
                Cells cells = counter->cells(variables, known, own);
                Tally& into = tallies[piece.group][i];
                if (!into.dense) {
                    into.lists.add(std::move(cells), variables.size());
                    continue;
                }
                for (std::size_t c = 0; c < cells.counts.size(); ++c) {
                    std::size_t at = 0;
                    for (std::size_t k = 0; k < variables.size(); ++k)
                        at = at * shape_.cardinality(variables[k]) + cells.codes[c * variables.size() + k];
                    into.table[at] += cells.counts[c];
                }
            }
        });
    }
    scratches_.give_back(std::move(scratch));
}

void BlockCells::count(std::span<const CellGroup> groups, Control& control) {
    for (std::size_t begin = 0; begin < groups.size();) {
        const std::size_t end = round(groups, begin);
        const std::span<const CellGroup> here = groups.subspan(begin, end - begin);
        std::vector<std::vector<Tally>> tallies;
        tally(here, tallies, control);
        for (std::size_t g = 0; g < here.size(); ++g) {
            for (std::size_t i = 0; i < here[g].extensions.size(); ++i) {
                Tally& found = tallies[g][i];
                const Cells listed = found.dense ? Cells{} : found.lists.take(here[g].base.size() + 1);
                here[g].sink->cells(
                    i, std::span<const std::uint64_t>(found.dense ? found.table : listed.counts));
            }
        }
        begin = end;
    }
}

Cells BlockCells::listed(const CellQuestion& question, const VarSet& base, const Tally& tally) const {
    // Steps of the variables in the table, in the order of the question.
    std::vector<std::size_t> steps, states;
    const Var last = question.variables.back();
    for (const Var v : question.variables) {
        std::size_t step = 1;
        if (v != last) {
            bool after = false;
            for (const Var other : base) {
                if (after) step *= shape_.cardinality(other);
                after = after || other == v;
            }
            step *= shape_.cardinality(last);
        }
        steps.push_back(step);
        states.push_back(shape_.cardinality(v));
    }
    Cells cells;
    std::vector<std::uint32_t> digits(steps.size(), 0);
    std::size_t at = 0;
    for (std::size_t visited = 0; visited < tally.table.size(); ++visited) {
        if (tally.table[at] > 0) {
            cells.codes.insert(cells.codes.end(), digits.begin(), digits.end());
            cells.counts.push_back(tally.table[at]);
        }
        for (std::size_t k = digits.size(); k-- > 0;) {  // the next cell in lexicographic order
            at += steps[k];
            if (++digits[k] < states[k]) break;
            at -= steps[k] * states[k];
            digits[k] = 0;
        }
    }
    return cells;
}

std::vector<Cells> BlockCells::cells(std::span<const CellQuestion> questions, Control& control) {
    std::vector<Cells> found(questions.size());
    std::vector<CellGroup> groups;
    std::vector<std::vector<std::size_t>> asked;  // the question of each extension of each group
    std::vector<std::size_t> apart;               // questions counted in blocks of lists
    struct Open {
        std::size_t group;
        double cells;
    };
    std::map<std::pair<VarSet, VarSet>, Open> open;  // by base and known columns
    for (std::size_t q = 0; q < questions.size(); ++q) {
        const std::vector<Var>& variables = questions[q].variables;
        const VarSet set = VarSet::of(variables);
        const double cells = cell_count(shape_.cardinalities(), set);
        if (variables.empty() || cells > kLargestTable || cells > 65536.0 + 4.0 * shape_.most_cells()) {
            apart.push_back(q);
            continue;
        }
        // Questions that differ in the last variable share the rows of each configuration of the others.
        const VarSet base = set.without(variables.back());
        const auto [found_open, fresh] = open.try_emplace({base, questions[q].known});
        Open& into = found_open->second;
        if (fresh || into.cells + cells > kCellsAtOnce) {
            into = {groups.size(), 0.0};
            groups.push_back({base, questions[q].known, {}});
            asked.emplace_back();
        }
        into.cells += cells;
        groups[into.group].extensions.push_back(variables.back());
        asked[into.group].push_back(q);
    }
    for (std::size_t begin = 0; begin < groups.size();) {
        const std::size_t end = round(groups, begin);
        std::vector<std::vector<Tally>> tallies;
        tally(std::span(groups).subspan(begin, end - begin), tallies, control);
        for (std::size_t g = begin; g < end; ++g)
            for (std::size_t i = 0; i < asked[g].size(); ++i)
                found[asked[g][i]] = listed(questions[asked[g][i]], groups[g].base, tallies[g - begin][i]);
        begin = end;
    }
    std::vector<CellLists> lists(apart.size());
    for (std::size_t b = 0; b < blocks_.size() && !apart.empty(); ++b) {
        const std::shared_ptr<const Counter> counter = block(b);
        CountScratch scratch;
        for (std::size_t k = 0; k < apart.size(); ++k) {
            const CellQuestion& question = questions[apart[k]];
            const VarSet known = counter->table().incomplete(question.known);
            lists[k].add(counter->cells(question.variables, known, scratch), question.variables.size());
        }
    }
    for (std::size_t k = 0; k < apart.size(); ++k)
        found[apart[k]] = lists[k].take(questions[apart[k]].variables.size());
    return found;
}

TableShape joint_shape(std::span<const std::shared_ptr<const Table>> blocks) {
    if (blocks.empty()) throw Error("there must be at least one block of rows");
    const TableShape& first = blocks.front()->shape();
    std::vector<bool> has_missing(first.variables(), false);
    std::uint64_t units = 0;  // whole numbers: totals of blocks add up to that of all rows
    double most = 0.0;
    for (const std::shared_ptr<const Table>& block : blocks) {
        const TableShape& shape = block->shape();
        if (!std::ranges::equal(shape.cardinalities(), first.cardinalities()))
            throw Error("blocks of rows must have the same columns with the same states");
        if (shape.unit() != first.unit()) throw Error("blocks of rows must have weights in the same unit");
        if (block->spread() != nullptr) throw Error("blocks of rows cannot have missing cells in shares");
        for (Var v = 0; v < first.variables(); ++v)
            if (block->column(v).has_missing) has_missing[v] = true;
        if (block->weighted())
            for (const std::uint64_t weight : block->weights()) units += weight;
        else
            units += block->rows();
        most += shape.most_cells();
    }
    const std::span<const std::uint32_t> states = first.cardinalities();
    const double total = static_cast<double>(units) * first.unit();
    return TableShape({states.begin(), states.end()}, std::move(has_missing), total, first.unit(), most);
}

}  // namespace dagwright
