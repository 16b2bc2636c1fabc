#include <map>
#include <optional>
#include <set>
#include <string>

#include "check.hpp"
#include "dagwright/statistics/counts.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

// The multiset of positive cell counts, one per extension.
class Collect final : public CellSink {
  public:
    explicit Collect(std::size_t extensions) : found(extensions) {}
    void cells(std::size_t i, std::span<const std::uint32_t> counts) override { add(i, counts); }
    void cells(std::size_t i, std::span<const std::uint64_t> counts) override { add(i, counts); }
    std::vector<std::multiset<std::uint64_t>> found;

  private:
    template <class Count>
    void add(std::size_t i, std::span<const Count> counts) {
        for (const Count n : counts)
            if (n > 0) found[i].insert(n);
    }
};

std::multiset<std::uint64_t> plain_counts(const Table& table, const VarSet& set, const VarSet& observed) {
    std::map<std::vector<std::uint32_t>, std::uint64_t> cells;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        bool known = true;
        for (const Var v : observed) known = known && !table.column(v).missing(row);
        if (!known) continue;
        std::vector<std::uint32_t> key;
        for (const Var v : set) key.push_back(table.column(v)[row]);
        cells[key] += table.weighted() ? table.weights()[row] : 1;
    }
    std::multiset<std::uint64_t> counts;
    for (const auto& [key, n] : cells)
        if (n > 0) counts.insert(n);
    return counts;
}

void compare(const sample::Sample& sample, std::optional<Strategy> strategy, const char* kernels) {
    const Table& table = *sample.table;
    const auto n = static_cast<Var>(table.variables());
    Counter counter(sample.table, kernels);
    counter.allow_stack();
    counter.force(strategy);
    CountScratch scratch;
    for (Var size = 0; size < n; ++size) {
        VarSet base;
        for (Var v = 0; v < size; ++v) base = base.with(v);
        std::vector<Var> extensions;
        for (Var v = size; v < n; ++v) extensions.push_back(v);
        std::vector<Var> all(extensions);
        all.insert(all.end(), base.begin(), base.end());
        const VarSet observed = table.incomplete(VarSet::of(all));
        Collect sink(extensions.size());
        counter.extend(base, extensions, observed, scratch, sink);
        for (std::size_t i = 0; i < extensions.size(); ++i)
            CHECK(sink.found[i] == plain_counts(table, base.with(extensions[i]), observed));
    }
}

}  // namespace

TEST("every strategy and every kernel counts what a plain loop counts") {
    const std::vector<std::vector<std::uint32_t>> shapes{
        {2, 2, 2, 2, 2}, {3, 4, 2, 5}, {2, 300, 3}, {1, 7, 1}, {24, 25, 3}};
    unsigned seed = 0;
    for (const std::vector<std::uint32_t>& shape : shapes)
        for (const std::size_t rows :
             {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{640}, std::size_t{5000}})
            for (const bool missing : {false, true}) {
                const sample::Sample sample = sample::draw(++seed, {rows, shape, missing, {}});
                for (const char* kernels : {"avx512", "avx2", "popcnt", "portable"})
                    for (const Strategy strategy : {Strategy::bitmap, Strategy::stacked})
                        compare(sample, strategy, kernels);
                compare(sample, Strategy::histogram, "");
                compare(sample, Strategy::grouped, "");
                compare(sample, std::nullopt, "");
            }
}

TEST("weights count as so many rows") {
    std::vector<double> weights(3000);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 4);
    const sample::Sample sample = sample::draw(7, {weights.size(), {3, 2, 40, 300}, false, weights});
    CHECK(sample.table->unit() == 1.0);
    for (const Strategy strategy : {Strategy::histogram, Strategy::grouped}) compare(sample, strategy, "");
}

TEST("fractional weights are held in fixed point and add up") {
    const std::vector<double> weights{0.1, 0.2, 0.3, 0.4};
    const sample::Sample sample = sample::draw(1, {4, {2, 2}, false, weights});
    CHECK(sample.table->unit() < 1e-15);
    CHECK_CLOSE(sample.table->total(), 1.0, 1e-15);
}

TEST("equal rows are merged when there are few distinct ones") {
    const sample::Sample few = sample::draw(3, {20000, {2, 3, 2}, false, {}});
    CHECK(Counter(few.table).walked_rows() == 12);
    const sample::Sample many = sample::draw(3, {20000, {200, 200, 200}, false, {}});
    CHECK(Counter(many.table).walked_rows() == 20000);
}

TEST("occurring cells come in the order of their codes") {
    const sample::Sample sample = sample::draw(5, {500, {3, 2}, false, {}});
    CountScratch scratch;
    const std::vector<Var> variables{1, 0};
    const Cells cells = Counter(sample.table).cells(variables, {}, scratch);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < cells.counts.size(); ++i) {
        total += cells.counts[i];
        if (i > 0)
            CHECK(std::pair(cells.codes[2 * i - 2], cells.codes[2 * i - 1]) <
                  std::pair(cells.codes[2 * i], cells.codes[2 * i + 1]));
    }
    CHECK(total == 500);
}

TEST("an incomplete column without a rule for its gaps is refused") {
    sample::Options options{200, {2, 2, 2, 2}, true, {}};
    for (unsigned seed = 0; seed < 20; ++seed) {
        const sample::Sample sample = sample::draw(seed, options);
        const VarSet gaps = sample.table->incomplete(VarSet::of({0, 1, 2, 3}));
        if (gaps.empty()) continue;
        CountScratch scratch;
        Collect sink(1);
        const std::vector<Var> extension{gaps[0]};
        CHECK_THROWS(Counter(sample.table).extend({}, extension, {}, scratch, sink), Error);
        return;
    }
    CHECK(false);
}

TEST("a code beyond the cardinality is refused by column and row") {
    const std::vector<std::uint8_t> codes{0, 1, 2};
    Column column;
    column.narrow = codes.data();
    column.cardinality = 2;
    CHECK_THROWS(Table(3, {column}, {}), Error);
}

TEST("cell counts multiply without overflow") {
    const std::vector<std::uint32_t> cardinalities(40, 65535);
    std::vector<Var> all;
    for (Var v = 0; v < 40; ++v) all.push_back(v);
    CHECK(cell_count(cardinalities, VarSet::of(all)) > 1e180);
    CHECK(cell_count(cardinalities, {}) == 1.0);
    CHECK(log_cell_count(cardinalities, {}) == 0.0);
    CHECK_CLOSE(log_cell_count(cardinalities, VarSet::of(all)), 40.0 * std::log(65535.0), 1e-10);
}

TEST("what is kept from one set to the next does not change its counts") {
    std::mt19937 draw(5);
    for (const bool missing : {false, true}) {
        const sample::Sample sample = sample::draw(11, {700, {3, 4, 2, 5, 24, 2, 3, 300}, missing, {}});
        const Table& table = *sample.table;
        Counter counter(sample.table);
        counter.force(Strategy::grouped);
        CountScratch scratch;
        for (int step = 0; step < 300; ++step) {
            VarSet base;
            for (Var v = 0; v < 7; ++v)
                if (draw() % 2 == 0) base = base.with(v);
            const Var more = draw() % 3 == 0 ? 7 : 6;
            if (base.contains(more)) base = base.without(more);
            VarSet known = table.incomplete(base.with(more));
            if (draw() % 3 == 0)
                known = table.incomplete(VarSet::of(std::vector<Var>{0, 1, 2, 3, 4, 5, 6, 7}));
            Collect sink(1);
            counter.extend(base, std::vector<Var>{more}, known, scratch, sink);
            CHECK(sink.found[0] == plain_counts(table, base.with(more), known));
        }
    }
}
