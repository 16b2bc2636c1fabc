// Choice of strategy, and the lazily built helpers (bitmaps per column, merged rows) behind it.
#include "dagwright/statistics/counts.hpp"

#include <algorithm>
#include <numeric>

#include "counts_rows.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#define DAGWRIGHT_SSE2 1
#include <emmintrin.h>
#endif

namespace dagwright {

namespace {

// Columns with more states have no bitmaps: beyond this the histogram always wins.
constexpr std::uint32_t kMaxBitmapStates = 24;

// Nanoseconds, measured on a 2.6 GHz x86-64 server; only their ratios matter.
constexpr double kVectorStep = 0.55;   // one and_count step of `lanes` words
constexpr double kKernelCall = 4.0;    // fixed cost of one and_count
constexpr double kHistogramRow = 0.9;  // one increment
constexpr double kSpreadRow = 30.0;    // one row with cells in shares
constexpr double kCell = 0.6;          // clear, read and sum one cell of a dense table

// Bit i of out[s * words + w]: row 64 * w + i is in state s.
void fill_bitmaps(const std::uint8_t* codes, std::size_t rows, std::uint32_t states, std::size_t words,
                  std::uint64_t* out) {
    std::size_t row = 0;
#ifdef DAGWRIGHT_SSE2
    for (; row + 64 <= rows; row += 64) {
        __m128i block[4];
        for (int k = 0; k < 4; ++k)
            block[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + row) + k);
        for (std::uint32_t s = 0; s < states; ++s) {
            const __m128i state = _mm_set1_epi8(static_cast<char>(s));
            std::uint64_t bits = 0;
            for (int k = 0; k < 4; ++k) {
                const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(block[k], state));
                bits |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(equal)) << (16 * k);
            }
            out[s * words + row / 64] = bits;
        }
    }
#endif
    for (; row < rows; ++row)
        if (codes[row] < states) out[codes[row] * words + row / 64] |= std::uint64_t{1} << (row % 64);
}

}  // namespace

double cell_count(std::span<const std::uint32_t> cardinalities, const VarSet& set) {
    double product = 1.0;
    for (const Var v : set) product *= cardinalities[v];
    return product;
}

double log_cell_count(std::span<const std::uint32_t> cardinalities, const VarSet& set) {
    long double sum = 0.0L;  // so that the order of the variables does not show
    for (const Var v : set) sum += std::log(static_cast<double>(cardinalities[v]));
    return static_cast<double>(sum);
}

// One bitmap per state of a column and one of the rows where it is known, built on first use.
struct Counter::Bitmaps {
    explicit Bitmaps(std::size_t columns)
        : once(columns), words(columns), once_known(columns), known(columns) {}
    std::vector<std::once_flag> once;
    std::vector<std::vector<std::uint64_t>> words;
    std::vector<std::once_flag> once_known;
    std::vector<std::vector<std::uint64_t>> known;
};

// The distinct rows of the table with their frequencies, if there are few; built on first use.
struct Counter::Merged {
    std::once_flag once;
    RowSource source;
    std::vector<std::vector<std::uint8_t>> narrow;
    std::vector<std::vector<std::uint16_t>> wide;
    std::vector<Column> columns;
    std::vector<std::uint64_t> weights;

    void build(const Table& table) {
        columns.reserve(table.variables());
        for (Var v = 0; v < table.variables(); ++v) columns.push_back(table.column(v));
        source = {table.rows(), &columns, table.weighted() ? table.weights().data() : nullptr};
        // Merging pays when the distinct rows are a small part. A sample of the rows tells at once whether to
        // try.
        constexpr std::size_t kSample = std::size_t{1} << 14;
        constexpr std::size_t kAtMostOneIn = 8;
        if (table.rows() < 2048) return;
        std::vector<Var> all(table.variables());
        std::iota(all.begin(), all.end(), Var{0});
        RowNumbering numbering;
        if (table.rows() > 4 * kSample &&
            !number_rows({kSample, &columns, nullptr}, all, {}, kSample / kAtMostOneIn, numbering))
            return;
        if (!number_rows(source, all, {}, table.rows() / kAtMostOneIn, numbering)) return;
        weights.assign(numbering.groups, 0);
        for (std::size_t row = 0; row < table.rows(); ++row)
            weights[numbering.ids[row]] += source.weights ? source.weights[row] : 1;
        for (Var v = 0; v < table.variables(); ++v) {
            if (columns[v].narrow) {
                std::vector<std::uint8_t>& codes = narrow.emplace_back(numbering.groups);
                for (std::size_t g = 0; g < numbering.groups; ++g)
                    codes[g] = columns[v].narrow[numbering.example[g]];
            } else {
                std::vector<std::uint16_t>& codes = wide.emplace_back(numbering.groups);
                for (std::size_t g = 0; g < numbering.groups; ++g)
                    codes[g] = columns[v].wide[numbering.example[g]];
            }
        }
        std::size_t next_narrow = 0, next_wide = 0;
        for (Column& column : columns) {
            if (column.narrow)
                column.narrow = narrow[next_narrow++].data();
            else
                column.wide = wide[next_wide++].data();
        }
        source = {numbering.groups, &columns, weights.data()};
    }
};

Counter::Counter(std::shared_ptr<const Table> table, const char* kernels)
    : table_(std::move(table)),
      kernels_(bit_kernels(kernels)),
      words_((table_->rows() + 63) / 64),
      bitmaps_(std::make_shared<Bitmaps>(table_->variables())),
      merged_(std::make_shared<Merged>()) {
    words_ = (words_ + kBitmapPad - 1) / kBitmapPad * kBitmapPad;
}

Counter Counter::without_bitmaps() const {
    Counter other = *this;
    other.bitmaps_ = std::make_shared<Bitmaps>(table_->variables());
    return other;
}

const RowSource& Counter::source() const {
    std::call_once(merged_->once, [&] { merged_->build(*table_); });
    return merged_->source;
}

bool Counter::has_bitmaps(Var v) const {
    return !table_->weighted() && table_->column(v).cardinality <= kMaxBitmapStates &&
           table_->column(v).narrow;
}

const std::uint64_t* Counter::bitmap(Var v, std::uint32_t state) const {
    std::call_once(bitmaps_->once[v], [&] {
        const Column& column = table_->column(v);
        std::vector<std::uint64_t> words(words_ * column.cardinality, 0);
        fill_bitmaps(column.narrow, table_->rows(), column.cardinality, words_, words.data());
        bitmaps_->words[v] = std::move(words);
    });
    return bitmaps_->words[v].data() + state * words_;
}

const std::uint64_t* Counter::known(Var v) const {
    std::call_once(bitmaps_->once_known[v], [&] {
        const Column& column = table_->column(v);
        std::vector<std::uint64_t> words(words_, 0);
        for (std::size_t row = 0; row < table_->rows(); ++row)
            words[row / 64] |= std::uint64_t{!column.missing(row)} << (row % 64);
        bitmaps_->known[v] = std::move(words);
    });
    return bitmaps_->known[v].data();
}

std::uint64_t Counter::known_rows(const VarSet& observed) const {
    if (observed.empty()) return table_->rows();
    const std::uint64_t* first = known(observed[0]);
    if (observed.size() == 1) return kernels_.count(first, words_);
    std::vector<std::uint64_t> complete(first, first + words_);
    std::uint64_t rows = 0;
    for (const Var v : observed)
        rows = kernels_.and_store(complete.data(), complete.data(), known(v), words_);
    return rows;
}

double Counter::bitmap_cost(double base_cells, Var extension) const {
    const double leaves = std::min(base_cells, static_cast<double>(table_->rows()));
    const double steps = static_cast<double>(words_) / static_cast<double>(kernels_.lanes);
    return leaves * (table_->column(extension).cardinality - 1) * (steps * kVectorStep + kKernelCall);
}

double Counter::row_cost(double base_cells, Var extension) const {
    const double rows = static_cast<double>(source().rows);
    const double cells = std::min(base_cells, rows) * table_->column(extension).cardinality;
    return rows * kHistogramRow + std::min(cells, 4 * rows + 4096) * kCell;
}

bool Counter::use_bitmap(const VarSet& base, double base_cells, Var extension) const {
    if (forced_ && *forced_ != Strategy::bitmap) return false;
    if (!has_bitmaps(extension)) return false;
    for (const Var v : base)
        if (!has_bitmaps(v)) return false;
    if (base_cells * table_->column(extension).cardinality > 65536.0) return false;
    return forced_.has_value() || bitmap_cost(base_cells, extension) < row_cost(base_cells, extension);
}

Strategy Counter::choose(const VarSet& base, Var extension) const {
    const double base_cells = cell_count(table_->cardinalities(), base);
    if (use_bitmap(base, base_cells, extension)) return Strategy::bitmap;
    if (forced_ == Strategy::grouped) return Strategy::grouped;
    return dense_enough(base_cells, table_->column(extension).cardinality, source().rows)
               ? Strategy::histogram
               : Strategy::grouped;
}

double Counter::expected_cost(const VarSet& base, std::span<const Var> extensions) const {
    const double base_cells = cell_count(table_->cardinalities(), base);
    const auto [together, stacked_cost] = stacked(base, base_cells, extensions);
    double cost = 200.0 + stacked_cost;
    for (std::size_t i = 0, next = 0; i < extensions.size(); ++i) {
        const Var v = extensions[i];
        if (next < together.size() && together[next] == i) {
            ++next;
            continue;
        }
        if (is_spread(base.with(v))) {
            cost += static_cast<double>(table_->rows()) * kSpreadRow;
            continue;
        }
        cost += use_bitmap(base, base_cells, v) ? bitmap_cost(base_cells, v) : row_cost(base_cells, v);
    }
    return cost;
}

bool Counter::is_spread(const VarSet& set) const {
    return table_->spread() != nullptr && !table_->incomplete(set).empty();
}

void Counter::require_known(Var v, const VarSet& observed) const {
    if (table_->column(v).has_missing && !observed.contains(v))
        throw Error("column " + std::to_string(v) + " has missing values and no rule says which rows to use");
}

void Counter::extend(const VarSet& base, std::span<const Var> extensions, const VarSet& observed,
                     CountScratch& scratch, CellSink& sink) const {
    if (table_->spread() != nullptr && observed.empty()) {
        std::vector<std::size_t> spread, whole;
        for (std::size_t i = 0; i < extensions.size(); ++i)
            (is_spread(base.with(extensions[i])) ? spread : whole).push_back(i);
        extend_spread(base, extensions, spread, sink);
        if (!whole.empty()) extend_rows(base, extensions, whole, observed, scratch, sink);
        return;
    }
    for (const Var v : base) require_known(v, observed);
    for (const Var v : extensions) require_known(v, observed);
    const double base_cells = cell_count(table_->cardinalities(), base);
    std::vector<std::size_t> by_bitmap, by_rows, together;
    if (observed.empty()) together = stacked(base, base_cells, extensions).first;
    if (!together.empty()) extend_stacked(base, extensions, together, scratch, sink);
    for (std::size_t i = 0, next = 0; i < extensions.size(); ++i) {
        if (next < together.size() && together[next] == i)
            ++next;
        else
            (use_bitmap(base, base_cells, extensions[i]) ? by_bitmap : by_rows).push_back(i);
    }
    if (!by_bitmap.empty()) extend_bitmap(base, extensions, by_bitmap, observed, scratch, sink);
    if (!by_rows.empty()) extend_rows(base, extensions, by_rows, observed, scratch, sink);
}

Cells Counter::cells(std::span<const Var> variables, const VarSet& observed, CountScratch& scratch) const {
    if (observed.empty() && is_spread(VarSet::of(variables))) return spread_cells(variables);
    for (const Var v : variables) require_known(v, observed);
    const RowSource& from = source();
    const std::span<const std::uint32_t> rows = select_rows(observed, scratch);
    if (variables.empty()) {  // the number of cases: no row needs a number
        const std::size_t size = observed.empty() ? from.rows : rows.size();
        if (size == 0) return {};
        std::uint64_t total = from.weights ? 0 : size;
        for (std::size_t i = 0; from.weights && i < size; ++i)
            total += from.weights[observed.empty() ? i : rows[i]];
        return {{}, {total}};
    }
    RowNumbering numbering;
    number_rows(from, variables, rows, from.rows, numbering, !observed.empty());
    std::vector<std::uint64_t> counts(numbering.groups, 0);
    for (std::size_t i = 0; i < numbering.ids.size(); ++i) {
        const std::size_t row = observed.empty() ? i : rows[i];
        counts[numbering.ids[i]] += from.weights ? from.weights[row] : 1;
    }
    // Lexicographic order, so that the answer does not depend on the order of the rows.
    std::vector<std::size_t> order(numbering.groups);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto code = [&](std::size_t group, Var v) { return (*from.columns)[v][numbering.example[group]]; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        for (const Var v : variables)
            if (code(a, v) != code(b, v)) return code(a, v) < code(b, v);
        return false;
    });
    Cells cells;
    for (const std::size_t group : order) {
        for (const Var v : variables) cells.codes.push_back(code(group, v));
        cells.counts.push_back(counts[group]);
    }
    return cells;
}

}  // namespace dagwright
