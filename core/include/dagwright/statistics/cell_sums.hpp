// Sums of cell functions over the cells of sets of variables: batched, threaded, remembered.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/statistics/cell_function.hpp"
#include "dagwright/statistics/cell_source.hpp"
#include "dagwright/statistics/memo.hpp"
#include "dagwright/statistics/memo_entries.hpp"

namespace dagwright {

struct SumRequest {
    VarSet set;
    CellFunctionId function;
};

struct CountStatistics {
    std::uint64_t hits, misses, forgotten, counted;
    std::size_t memo_bytes;
};

class CellSums {
  public:
    CellSums(std::shared_ptr<CellSource> source, std::size_t memo_bytes);
    CellSums(std::shared_ptr<const Table> table, std::size_t memo_bytes)
        : CellSums(std::make_shared<TableCells>(std::move(table)), memo_bytes) {}

    CellSource& source() const noexcept { return *source_; }
    const TableShape& shape() const noexcept { return source_->shape(); }
    // The rows, where they can be walked over; else null.
    const Table* rows() const { return source_->rows(); }

    // out[i] = sum of the function over the cells of requests[i].set, over the rows on which all columns of
    // `observed` are known. Requests that share all but one variable should stand next to each other: they
    // are then counted together. Safe to call from several threads.
    void sums(std::span<const SumRequest> requests, const VarSet& observed, std::span<double> out,
              Control& control);

    // The same, each request over the rows on which its own observed[i] is known.
    void sums_on(std::span<const VarSet> observed, std::span<const SumRequest> requests,
                 std::span<double> out, Control& control);

    // out[i] = sum of functions[i] over the cells of base+added[i], for complete columns. Nothing is
    // remembered: where this is worth it, counting hundreds of extensions again takes less time than looking
    // them up.
    void extensions(const VarSet& base, std::span<const Var> added, std::span<const CellFunctionId> functions,
                    std::span<double> out, Control& control);
    // Whether that is worth it: all rows are in memory, and so many variables that their pairs outgrow what
    // can be remembered.
    bool extends_at_once() const;

    // N over the rows on which all columns of `observed` are known.
    double known_total(const VarSet& observed) const;

    CountStatistics statistics() const;

    // Everything remembered, and back into sums that were not asked yet; std::invalid_argument for what
    // cannot be entries of this table.
    MemoEntries remembered() const;
    void remember(const MemoEntries& entries);

  private:
    std::uint64_t known_units(const VarSet& known) const;
    std::uint32_t rows_number(const VarSet& set, const VarSet& known);
    void count(std::span<const SumRequest> requests, std::span<const VarSet> known,
               std::span<const std::size_t> missing, std::span<double> out, Control& control);

    std::shared_ptr<CellSource> source_;
    CellFunctions functions_;
    mutable std::mutex mutex_;
    Memo memo_;
    std::map<VarSet, std::uint32_t> row_selections_;  // the unusual ones, numbered for the keys of the memo
    std::uint64_t counted_ = 0;
};

}  // namespace dagwright
