// Stacked strategy: the rows are sorted by the configurations of the base, and the columns of a block of
// extensions are counted together.
#include <algorithm>
#include <mutex>

#include "dagwright/statistics/counts.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kFewest = 16;           // extensions that can be worth it
constexpr double kMostConfigurations = 1024;  // so that the counts of a block stay in the caches

// Nanoseconds, as in counts.cpp.
constexpr double kSortedRow = 4.0;     // a row of the base, sorted once for all blocks
constexpr double kLine = 3.0;          // one line added to others
constexpr double kReadLine = 700.0;    // the counts of one configuration read from their planes
constexpr double kGatheredCell = 1.0;  // one cell of one extension

}  // namespace

struct Counter::Stack {
    std::once_flag once;
    std::unique_ptr<const StackedColumns> columns;
};

void Counter::allow_stack() { stack_ = std::make_shared<Stack>(); }

std::pair<std::vector<std::size_t>, double> Counter::stacked(const VarSet& base, double base_cells,
                                                             std::span<const Var> extensions) const {
    const bool forced = forced_ == Strategy::stacked;
    if (!stack_ || (forced_ && !forced) || (extensions.size() < kFewest && !forced)) return {};
    if (table_->weighted() || table_->rows() > StackedColumns::kMostRows) return {};
    if (base_cells > kMostConfigurations || base_cells < 1.0) return {};
    for (const Var v : base)
        if (table_->column(v).has_missing) return {};
    std::call_once(stack_->once,
                   [&] { stack_->columns = std::make_unique<const StackedColumns>(*table_, kernels_); });
    const StackedColumns& columns = *stack_->columns;
    std::vector<std::size_t> which;
    std::vector<bool> touched(columns.blocks(), false);
    const double rows = static_cast<double>(table_->rows());
    double cost = rows * kSortedRow, others = 0.0;
    for (std::size_t i = 0; i < extensions.size(); ++i) {
        const Var v = extensions[i];
        if (!columns.holds(v)) continue;
        which.push_back(i);
        if (!touched[columns.block(v)]) cost += rows * kLine + base_cells * kReadLine;
        touched[columns.block(v)] = true;
        cost += base_cells * table_->column(v).cardinality * kGatheredCell;
        others += use_bitmap(base, base_cells, v) ? bitmap_cost(base_cells, v) : row_cost(base_cells, v);
    }
    if (!forced && others <= cost) return {};
    return {std::move(which), cost};
}

void Counter::extend_stacked(const VarSet& base, std::span<const Var> extensions,
                             std::span<const std::size_t> which, CountScratch& scratch,
                             CellSink& sink) const {
    const StackedColumns& columns = *stack_->columns;
    const std::vector<Var> order(base.begin(), base.end());
    RowsByConfiguration& by = scratch.by_configuration;
    by.sort(*table_, order, scratch.keys32);
    std::vector<std::size_t> sorted(which.begin(), which.end());
    const auto block = [&](std::size_t i) { return columns.block(extensions[i]); };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::size_t a, std::size_t b) { return block(a) < block(b); });
    sink.layout(order, true);
    std::vector<std::uint32_t> cells;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        if (k == 0 || block(sorted[k]) != block(sorted[k - 1]))
            columns.count(block(sorted[k]), by, scratch.counts32);
        const Var v = extensions[sorted[k]];
        const std::uint32_t states = table_->column(v).cardinality;
        cells.resize(by.sizes.size() * states);
        const std::uint32_t* from = scratch.counts32.data() + columns.position(v);
        std::uint32_t* to = cells.data();
        for (const std::uint32_t size : by.sizes) {
            std::uint32_t left = size;
            for (std::uint32_t s = 0; s + 1 < states; ++s) left -= * to++ = from[s];
            *to++ = left;
            from += kLineBits;
        }
        sink.cells(sorted[k], std::span<const std::uint32_t>(cells));
    }
}

}  // namespace dagwright
