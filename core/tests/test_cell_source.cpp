// Rows in memory, in blocks, and counted by hand give the same sums to the last bit.
#include <map>

#include "check.hpp"
#include "dagwright/evidence/measure.hpp"
#include "dagwright/statistics/block_cells.hpp"
#include "dagwright/statistics/cell_sums.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

// A source that walks over the rows of a table for each set: the plain way.
class PlainCells final : public ListedCells {
  public:
    explicit PlainCells(std::shared_ptr<const Table> table) : table_(std::move(table)) {}
    const TableShape& shape() const override { return table_->shape(); }
    using CellSource::cells;
    std::vector<Cells> cells(std::span<const CellQuestion> questions, Control&) override {
        ++batches;
        std::vector<Cells> found;
        for (const CellQuestion& asked : questions) {
            std::map<std::vector<std::uint32_t>, std::uint64_t> counted;
            for (std::size_t row = 0; row < table_->rows(); ++row) {
                bool known = true;
                for (const Var v : asked.known) known = known && !table_->column(v).missing(row);
                std::vector<std::uint32_t> key;
                for (const Var v : asked.variables) key.push_back(table_->column(v)[row]);
                if (known) counted[key] += table_->weighted() ? table_->weights()[row] : 1;
            }
            Cells& cells = found.emplace_back();
            for (const auto& [key, count] : counted) {
                cells.codes.insert(cells.codes.end(), key.begin(), key.end());
                cells.counts.push_back(count);
            }
        }
        return found;
    }
    std::size_t batches = 0;

  private:
    std::shared_ptr<const Table> table_;
};

// The rows of a table in blocks of this many; the last may be shorter.
std::shared_ptr<BlockCells> in_blocks(const Table& table, std::span<const double> weights, std::size_t size) {
    std::vector<std::shared_ptr<const Table>> blocks;
    for (std::size_t start = 0; start < table.rows(); start += size) {
        const std::size_t length = std::min(size, table.rows() - start);
        std::vector<Column> columns;
        for (Var v = 0; v < table.variables(); ++v) {
            Column column = table.column(v);
            if (column.narrow) column.narrow += start;
            if (column.wide) column.wide += start;
            columns.push_back(column);
        }
        const std::span<const double> own = weights.empty() ? weights : weights.subspan(start, length);
        blocks.push_back(std::make_shared<const Table>(length, std::move(columns), own, table.unit()));
    }
    return std::make_shared<BlockCells>(std::move(blocks), size % 2 == 0 ? 0 : std::size_t{1} << 20);
}

std::vector<SetFit> fits(std::shared_ptr<CellSource> source, CountingMeasure::Kind kind, bool one_by_one) {
    const std::size_t n = source->shape().variables();
    CountingMeasure measure(std::make_shared<CellSums>(std::move(source), std::size_t{1} << 20), kind, 1.5);
    std::vector<VarSet> sets;
    for (std::size_t members = 0; members < (std::size_t{1} << n); ++members) {
        std::vector<Var> chosen;
        for (Var v = 0; v < n; ++v)
            if (members >> v & 1) chosen.push_back(v);
        sets.push_back(VarSet::of(chosen));
    }
    std::vector<Var> all;
    for (Var v = 0; v < n; ++v) all.push_back(v);
    const VarSet observed = measure.incomplete(VarSet::of(all));
    std::vector<SetFit> out(sets.size());
    Control control;
    if (!one_by_one) {
        measure.evidence(sets, observed, out, control);
        return out;
    }
    for (std::size_t i = 0; i < sets.size(); ++i)
        measure.evidence(std::span(&sets[i], 1), observed, std::span(&out[i], 1), control);
    return out;
}

bool same(std::span<const SetFit> a, std::span<const SetFit> b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; equal && i < a.size(); ++i) equal = a[i].fit == b[i].fit && a[i].dim == b[i].dim;
    return equal;
}

}  // namespace

TEST("rows in memory, in blocks and counted by hand give the same evidence to the last bit") {
    std::vector<double> whole(300), fractional(300);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        whole[i] = static_cast<double>(i % 4);
        fractional[i] = 0.1 + static_cast<double>(i % 7) / 3.0;
    }
    for (const bool missing : {false, true}) {
        for (const std::vector<double>& weights : {std::vector<double>{}, whole, fractional}) {
            const sample::Sample sample = sample::draw(5, {300, {2, 3, 4, 300, 2}, missing, weights});
            for (const auto kind : {CountingMeasure::Kind::multinomial, CountingMeasure::Kind::dirichlet}) {
                const auto expected = fits(std::make_shared<TableCells>(sample.table), kind, false);
                CHECK(same(fits(std::make_shared<PlainCells>(sample.table), kind, false), expected));
                for (const std::size_t size :
                     {std::size_t{1}, std::size_t{7}, std::size_t{299}, std::size_t{300}}) {
                    if (size == 1 && kind != CountingMeasure::Kind::multinomial) continue;
                    const auto blocks = in_blocks(*sample.table, weights, size);
                    CHECK(blocks->shape().total() == sample.table->total());
                    CHECK(same(fits(blocks, kind, size == 7), expected));
                }
            }
        }
    }
}

TEST("a source is asked once for a whole batch") {
    const sample::Sample sample = sample::draw(6, {100, {2, 3, 2, 2}, false, {}});
    const auto source = std::make_shared<PlainCells>(sample.table);
    (void)fits(source, CountingMeasure::Kind::multinomial, false);
    CHECK(source->batches == 2);  // all sets but the empty one, and the empty one
}

TEST("blocks that do not fit together are refused") {
    const sample::Sample one = sample::draw(7, {50, {2, 3}, false, {}});
    const sample::Sample other = sample::draw(8, {50, {2, 4}, false, {}});
    const sample::Sample shares = sample::draw(7, {50, {2, 3}, false, std::vector<double>(50, 0.3)});
    using Blocks = std::vector<std::shared_ptr<const Table>>;
    CHECK_THROWS(joint_shape((Blocks{})), Error);
    CHECK_THROWS(joint_shape((Blocks{one.table, other.table})), Error);
    CHECK_THROWS(joint_shape((Blocks{one.table, shares.table})), Error);
    CHECK(joint_shape(Blocks{one.table, one.table}).total() == 100.0);
}
