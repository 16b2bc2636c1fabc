#include "dagwright/statistics/cell_source.hpp"

#include <algorithm>

namespace dagwright {

namespace {

constexpr std::size_t kBlock = 512;

// Passes on the cells of a stretch of the extensions under their numbers in the whole group.
class StretchSink final : public CellSink {
  public:
    StretchSink(CellSink& whole, std::size_t begin) : whole_(whole), begin_(begin) {}
    void cells(std::size_t extension, std::span<const std::uint32_t> counts) override {
        whole_.cells(begin_ + extension, counts);
    }
    void cells(std::size_t extension, std::span<const std::uint64_t> counts) override {
        whole_.cells(begin_ + extension, counts);
    }

  private:
    CellSink& whole_;
    std::size_t begin_;
};

}  // namespace

VarSet TableShape::incomplete(const VarSet& set) const {
    bool any = false;
    for (const Var v : set) any = any || has_missing_[v];
    if (!any) return {};
    std::vector<Var> members;
    for (const Var v : set)
        if (has_missing_[v]) members.push_back(v);
    return VarSet::of(members);
}

TableCells::TableCells(std::shared_ptr<const Table> table) : counter_(std::move(table)) {
    counter_.allow_stack();
}

Scratches::Lent Scratches::borrow(unsigned threads) {
    const std::lock_guard lock(mutex_);
    Lent scratch;
    if (spare_.empty()) {
        scratch = std::make_unique<std::vector<CountScratch>>();
    } else {
        scratch = std::move(spare_.back());
        spare_.pop_back();
    }
    if (scratch->size() < threads) scratch->resize(threads);
    return scratch;
}

void Scratches::give_back(Lent scratch) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(scratch));
}

void count_in_pieces(const Counter& counter, std::span<const CellGroup> groups, Control& control,
                     std::span<CountScratch> scratch,
                     const std::function<void(const CellPiece&, CountScratch&)>& work) {
    std::vector<CellPiece> pieces;
    const unsigned threads = control.workers().threads();
    double total_cost = 0.0;
    std::vector<double> costs(groups.size(), 0.0);
    if (threads > 1) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            costs[g] = counter.expected_cost(groups[g].base, groups[g].extensions);
            total_cost += costs[g];
        }
    }
    const bool split = total_cost > Counter::kWorthAThread;
    const double piece_cost = std::max(total_cost / (4.0 * threads), Counter::kWorthAThread / 8);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::size_t size = groups[g].extensions.size();
        auto parts = split ? static_cast<std::size_t>(
                                 std::clamp(costs[g] / piece_cost + 0.5, 1.0, static_cast<double>(size)))
                           : std::size_t{1};
        // Hundreds of extensions may be counted together, in blocks of some hundred.
        if (size >= kBlock) parts = std::min(parts, std::max<std::size_t>(threads, size / kBlock));
        for (std::size_t p = 0; p < parts; ++p)
            pieces.push_back({g, size * p / parts, size * (p + 1) / parts});
    }
    if (split)
        control.workers().run(pieces.size(),
                              [&](std::size_t i, unsigned worker) { work(pieces[i], scratch[worker]); });
    else
        for (const CellPiece& piece : pieces) work(piece, scratch[0]);
}

void TableCells::count(std::span<const CellGroup> groups, Control& control) {
    Scratches::Lent scratch = scratches_.borrow(control.workers().threads());
    count_in_pieces(counter_, groups, control, *scratch, [&](const CellPiece& piece, CountScratch& own) {
        const CellGroup& group = groups[piece.group];
        StretchSink sink(*group.sink, piece.begin);
        counter_.extend(group.base, std::span(group.extensions).subspan(piece.begin, piece.end - piece.begin),
                        group.known, own, sink);
    });
    scratches_.give_back(std::move(scratch));
}

std::vector<Cells> TableCells::cells(std::span<const CellQuestion> questions, Control& control) {
    (void)control;
    Scratches::Lent scratch = scratches_.borrow(1);
    std::vector<Cells> found;
    for (const CellQuestion& asked : questions)
        found.push_back(counter_.cells(asked.variables, asked.known, (*scratch)[0]));
    scratches_.give_back(std::move(scratch));
    return found;
}

Cells CellSource::cells(std::span<const Var> variables, const VarSet& known) {
    const CellQuestion question{{variables.begin(), variables.end()}, known};
    Control control;
    return std::move(cells(std::span(&question, 1), control).front());
}

void ListedCells::count(std::span<const CellGroup> groups, Control& control) {
    std::vector<CellQuestion> questions;
    for (const CellGroup& group : groups) {
        for (const Var v : group.extensions) {
            CellQuestion question{{group.base.begin(), group.base.end()}, group.known};
            question.variables.push_back(v);
            questions.push_back(std::move(question));
        }
    }
    const std::vector<Cells> found = cells(questions, control);
    std::size_t next = 0;
    for (const CellGroup& group : groups)
        for (std::size_t i = 0; i < group.extensions.size(); ++i)
            group.sink->cells(i, std::span<const std::uint64_t>(found[next++].counts));
}

}  // namespace dagwright
