// The counting engine: how often each cell of a set of variables occurs.
//
// A request is a base set and some extension variables; the answer is the cells of base+v for each v. All
// that the extensions share (the base's configurations) is worked out once. Four strategies, chosen by cost:
//   bitmap     one bitmap per state; AND along a depth-first walk of the base's configurations, popcount at
//              the leaves. Wins for few cells: 64 rows per word.
//   histogram  one mixed-radix key per row, one increment per row. Wins for more cells.
//   grouped    the base's configurations that occur are numbered first, so that the work is bounded by the
//              rows, however many cells there could be.
//   stacked    many extensions at once: see StackedColumns. Wins for hundreds of extensions.
// Histogram and grouped run over distinct rows with weights when the table has few of them. Where missing
// cells are spread over their states, sets with such columns are counted row by row, in shares.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "dagwright/base/bit_kernels.hpp"
#include "dagwright/statistics/stacked_columns.hpp"
#include "dagwright/statistics/table.hpp"

namespace dagwright {

// Receives the cell counts of one extension. Empty cells may be listed or left out, in any order.
class CellSink {
  public:
    // Said before cells: whether they are the whole table of the base's configurations, the first of these
    // variables changing slowest, times the states of the extension.
    virtual void layout(std::span<const Var> base, bool dense) { (void)base, (void)dense; }
    virtual void cells(std::size_t extension, std::span<const std::uint32_t> counts) = 0;
    virtual void cells(std::size_t extension, std::span<const std::uint64_t> counts) = 0;

  protected:
    ~CellSink() = default;
};

enum class Strategy { bitmap, histogram, grouped, stacked };

// The numbers of the configurations of some variables, taken in one after another: ids[k][i] is that of row i
// in the first k of them. Kept for the next set, which often has most of the same variables.
struct NumberedRows {
    std::vector<Var> variables;
    std::vector<std::vector<std::uint32_t>> ids;
    std::vector<std::size_t> groups;
    VarSet observed;
};

// Working memory of one thread, reused from call to call.
struct CountScratch {
    std::vector<std::uint16_t> keys16, gathered;
    std::vector<std::uint32_t> keys32, counts32, remap, selected, order, starts;
    std::vector<std::uint64_t> counts64, slots, levels;
    VarSet selected_for;
    NumberedRows numbered;
    RowsByConfiguration by_configuration;

    // Of the rows of another table nothing is known.
    void forget_rows() {
        selected_for = {};
        numbered = {};
    }
};

// Rows to walk over: those of the table, or its distinct rows with weights.
struct RowSource {
    std::size_t rows = 0;
    const std::vector<Column>* columns = nullptr;
    const std::uint64_t* weights = nullptr;
};

// The cells of a set that occur: codes[i * variables + k] is the state of the k-th variable in cell i.
struct Cells {
    std::vector<std::uint32_t> codes;
    std::vector<std::uint64_t> counts;
};

class Counter {
  public:
    // Work below these nanoseconds is not worth waking a thread, which costs some 100 microseconds on a
    // virtual machine.
    static constexpr double kWorthAThread = 250000.0;

    // `kernels` names the bitmap kernels to use (see bit_kernels); empty means the best here.
    explicit Counter(std::shared_ptr<const Table> table, const char* kernels = "");

    // Allows the columns to be stacked, which takes up to half of the memory of the codes when it is first
    // worth it.
    void allow_stack();

    // The same engine with bitmaps of its own, none yet; merged rows are shared.
    Counter without_bitmaps() const;

    const Table& table() const noexcept { return *table_; }
    const char* kernel_name() const noexcept { return kernels_.name; }

    // The cells of base+v for every extension v, over the rows where all of `observed` is known. `observed`
    // must contain every incomplete column that is counted. Thread-safe; one scratch per thread.
    void extend(const VarSet& base, std::span<const Var> extensions, const VarSet& observed,
                CountScratch& scratch, CellSink& sink) const;

    // The cells of `variables` (in the given order) that occur, in lexicographic order of their codes.
    Cells cells(std::span<const Var> variables, const VarSet& observed, CountScratch& scratch) const;

    // What extend() would choose for one extension, and the nanoseconds it expects; for benchmarks and plans.
    Strategy choose(const VarSet& base, Var extension) const;
    double expected_cost(const VarSet& base, std::span<const Var> extensions) const;

    // How many rows have all of `observed` known; for tables without weights.
    std::uint64_t known_rows(const VarSet& observed) const;

    // Always use this strategy (tests, benchmarks). Bitmaps still need few states and no weights.
    void force(std::optional<Strategy> strategy) { forced_ = strategy; }

    // Rows that histogram and grouped walk over: fewer than the table's when equal rows were merged.
    std::size_t walked_rows() const { return source().rows; }

  private:
    struct Merged;
    struct Bitmaps;
    struct Stack;

    void require_known(Var v, const VarSet& observed) const;
    double bitmap_cost(double base_cells, Var extension) const;
    double row_cost(double base_cells, Var extension) const;
    bool has_bitmaps(Var v) const;
    bool use_bitmap(const VarSet& base, double base_cells, Var extension) const;
    const std::uint64_t* bitmap(Var v, std::uint32_t state) const;
    // Bit i of word w: column v is known in row 64 * w + i.
    const std::uint64_t* known(Var v) const;
    // The rows of source() on which every column of `observed` is known; empty when observed is empty.
    std::span<const std::uint32_t> select_rows(const VarSet& observed, CountScratch& scratch) const;
    const RowSource& source() const;

    void extend_bitmap(const VarSet& base, std::span<const Var> extensions,
                       std::span<const std::size_t> which, const VarSet& observed, CountScratch& scratch,
                       CellSink& sink) const;
    void extend_rows(const VarSet& base, std::span<const Var> extensions, std::span<const std::size_t> which,
                     const VarSet& observed, CountScratch& scratch, CellSink& sink) const;
    // Those of the extensions that are counted in stacked columns, and the nanoseconds it takes; none where
    // other ways cost less.
    std::pair<std::vector<std::size_t>, double> stacked(const VarSet& base, double base_cells,
                                                        std::span<const Var> extensions) const;
    void extend_stacked(const VarSet& base, std::span<const Var> extensions,
                        std::span<const std::size_t> which, CountScratch& scratch, CellSink& sink) const;
    bool is_spread(const VarSet& set) const;
    void extend_spread(const VarSet& base, std::span<const Var> extensions,
                       std::span<const std::size_t> which, CellSink& sink) const;
    std::vector<const std::uint64_t*> known_of(std::span<const Var> variables) const;
    Cells spread_cells(std::span<const Var> variables) const;

    std::shared_ptr<const Table> table_;
    BitKernels kernels_;
    std::size_t words_;
    std::optional<Strategy> forced_;
    std::shared_ptr<Bitmaps> bitmaps_;
    std::shared_ptr<Merged> merged_;
    std::shared_ptr<Stack> stack_;
};

// The product of the cardinalities of `set`, as a double: exact up to 2^53, infinite from 2^1024 on.
double cell_count(std::span<const std::uint32_t> cardinalities, const VarSet& set);

// Its logarithm, always finite unless some variable has no states.
double log_cell_count(std::span<const std::uint32_t> cardinalities, const VarSet& set);

}  // namespace dagwright
