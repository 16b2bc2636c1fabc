// Cells of rows that are counted block by block: rows in mapped files, rows that came in pieces.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dagwright/statistics/cell_source.hpp"
#include "dagwright/statistics/poisson_weights.hpp"

namespace dagwright {

// A batch visits each block once and counts all its sets there, on all threads; the counts of the blocks are
// added. The working memory is that of one block, the tables of the batch, and bitmaps of as many blocks as
// `kept_bytes` allows.
class BlockCells final : public CellSource {
  public:
    // The rows of one table, so many at a time; with a draw, a bootstrap replicate of them.
    BlockCells(std::shared_ptr<const Table> table, std::size_t rows_at_once, std::size_t kept_bytes,
               std::optional<PoissonDraw> draw = {});
    // Blocks that are tables of their own, with the same cardinalities and the same unit.
    BlockCells(std::vector<std::shared_ptr<const Table>> blocks, std::size_t kept_bytes);

    const TableShape& shape() const override { return shape_; }
    void count(std::span<const CellGroup> groups, Control& control) override;
    using CellSource::cells;
    std::vector<Cells> cells(std::span<const CellQuestion> questions, Control& control) override;
    const Table* rows() const override { return draw_ ? nullptr : whole_.get(); }
    std::size_t blocks() const noexcept { return blocks_.size(); }

  private:
    struct Tally;
    struct TallySink;

    std::shared_ptr<const Counter> block(std::size_t b) const;
    void keep_bitmaps(std::size_t kept_bytes);
    // tallies[g][i] is to hold the cells of extension i of group g.
    void tally(std::span<const CellGroup> groups, std::vector<std::vector<Tally>>& tallies, Control& control);
    // The groups from `begin` on whose tables fit into memory together.
    std::size_t round(std::span<const CellGroup> groups, std::size_t begin) const;
    Cells listed(const CellQuestion& question, const VarSet& base, const Tally& tally) const;

    std::shared_ptr<const Table> whole_;  // null where the blocks are tables of their own
    std::optional<PoissonDraw> draw_;
    TableShape shape_;
    std::vector<std::shared_ptr<const Counter>> blocks_;
    std::vector<std::size_t> starts_;  // of the blocks of one table
    std::size_t kept_ = 0;             // blocks that keep their bitmaps
    Scratches scratches_;
};

// The shape of blocks taken together; they must have the same cardinalities and the same unit.
TableShape joint_shape(std::span<const std::shared_ptr<const Table>> blocks);

}  // namespace dagwright
