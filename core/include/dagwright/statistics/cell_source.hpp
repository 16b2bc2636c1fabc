// Where the cells of sets of variables come from: a whole batch of sets in one call.
//
// Counts are whole numbers, or fixed-point numbers in one unit, so the counts of blocks of rows add up to
// the counts of all rows to the last bit. Memo, measures and searches know nothing of where the rows are.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/statistics/counts.hpp"
#include "dagwright/statistics/table_shape.hpp"

namespace dagwright {

// The cells of base+v for every extension v, over the rows on which all of `known` is known, go to `sink`.
// Different extensions may arrive from different threads at the same time.
struct CellGroup {
    VarSet base, known;
    std::vector<Var> extensions;
    CellSink* sink = nullptr;
};

// The cells of `variables`, over the rows on which all of `known` is known.
struct CellQuestion {
    std::vector<Var> variables;
    VarSet known;
};

// Working memory for threads, lent to one call at a time.
class Scratches {
  public:
    using Lent = std::unique_ptr<std::vector<CountScratch>>;
    Lent borrow(unsigned threads);
    void give_back(Lent scratch);

  private:
    std::mutex mutex_;
    std::vector<Lent> spare_;
};

// The extensions `begin` to before `end` of the group of this number.
struct CellPiece {
    std::size_t group, begin, end;
};

// Calls work(piece, scratch) for pieces of about equal cost, some four per thread; small batches stay on this
// thread.
void count_in_pieces(const Counter& counter, std::span<const CellGroup> groups, Control& control,
                     std::span<CountScratch> scratch,
                     const std::function<void(const CellPiece&, CountScratch&)>& work);

class CellSource {
  public:
    virtual ~CellSource() = default;

    virtual const TableShape& shape() const = 0;
    // Safe to call from several threads.
    virtual void count(std::span<const CellGroup> groups, Control& control) = 0;
    // The cells of each set that occur, in lexicographic order of the codes of its variables as given.
    virtual std::vector<Cells> cells(std::span<const CellQuestion> questions, Control& control) = 0;
    Cells cells(std::span<const Var> variables, const VarSet& known);
    // The engine over all rows at once, where one counts them; else null.
    virtual const Counter* counter() const { return nullptr; }
    // The rows, where they can be walked over, in memory or in mapped files; else null.
    virtual const Table* rows() const { return nullptr; }
};

// All rows in memory.
class TableCells final : public CellSource {
  public:
    explicit TableCells(std::shared_ptr<const Table> table);
    const TableShape& shape() const override { return counter_.table().shape(); }
    void count(std::span<const CellGroup> groups, Control& control) override;
    using CellSource::cells;
    std::vector<Cells> cells(std::span<const CellQuestion> questions, Control& control) override;
    const Counter* counter() const override { return &counter_; }
    const Table* rows() const override { return &counter_.table(); }

  private:
    Counter counter_;
    Scratches scratches_;
};

// A source that lists the cells of a batch of sets; counts are read off the lists.
class ListedCells : public CellSource {
  public:
    void count(std::span<const CellGroup> groups, Control& control) final;
};

}  // namespace dagwright
