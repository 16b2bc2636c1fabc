#include "dagwright/evidence/fits_of_all_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

#include "fits_of_all_sets_tail.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kMostFunctions = 16384;  // numbers of configurations with a cell function each
constexpr double kLargest = 0x1p30;            // units: differences of two cannot overflow
constexpr std::size_t kTaskBits = 10;          // the first variables, whose subsets are tasks

double entropy(const Column& column, std::size_t rows) {
    std::vector<double> counts(column.cardinality, 0.0);
    for (std::size_t row = 0; row < rows; ++row) ++counts[column[row]];
    double sum = 0.0;
    for (const double n : counts) sum -= n > 0.0 ? n * std::log(n / static_cast<double>(rows)) : 0.0;
    return sum;
}

}  // namespace

// Grows sets depth first by the variables that come later in the order.
class FitsOfAllSets::Worker {
  public:
    explicit Worker(FitsOfAllSets& all)
        : all_(all),
          splitter_(all.table_),
          depths_(all.head_ + 1),
          tail_(all.table_, std::span(all.order_).subspan(all.head_)),
          fits_(tail_.subsets()),
          functions_(tail_.subsets()),
          sums_(tail_.subsets() * kAdaptiveEss.size()) {
        std::vector<RowGroups::Row> rows(all.table_.rows());
        std::iota(rows.begin(), rows.end(), RowGroups::Row{0});
        depths_.front() = RowGroups::of(std::move(rows));
    }

    // All sets that share these members of the first variables, as bits from the first on.
    void run(std::size_t members, std::size_t first) {
        std::size_t depth = 0;
        Mask set = 0;
        double q = 1.0;
        for (std::size_t k = 0; k < first; ++k) {
            if ((members >> k & 1u) == 0) continue;
            splitter_.split(depths_[depth], all_.order_[k], depths_[depth + 1]);
            ++depth;
            set |= bit(k);
            q *= states(k);
        }
        grow(depth, first, set, q);
    }

  private:
    struct Fit {
        std::shared_ptr<const CellFunction> function;
        double subtracted = 0.0;
    };

    std::int32_t rounded(double fit) const {
        return static_cast<std::int32_t>(std::lround(std::clamp(fit / all_.unit_, -kLargest, kLargest)));
    }
    Mask bit(std::size_t k) const { return all_.bit(k); }
    double states(std::size_t k) const {
        return static_cast<double>(all_.table_.column(all_.order_[k]).cardinality);
    }

    void grow(std::size_t depth, std::size_t first, Mask set, double q) {
        for (std::size_t t = 0; t < fits_.size(); ++t) fits_[t] = &fit_of(q * tail_.size(t));
        const std::size_t parts = fits_.front()->function->parts();
        for (std::size_t t = 0; t < fits_.size(); ++t) functions_[t] = fits_[t]->function.get();
        tail_.sum(depths_[depth], functions_, std::span(sums_).first(fits_.size() * parts));
        for (std::size_t t = 0; t < fits_.size(); ++t) {
            const std::span<const std::int64_t> sums(sums_.data() + t * parts, parts);
            all_.fits_[set | t] =
                rounded(functions_[t]->fit(sums, all_.table_.total()) - fits_[t]->subtracted);
        }
        for (std::size_t k = first; k < all_.head_; ++k) {
            splitter_.split(depths_[depth], all_.order_[k], depths_[depth + 1]);
            grow(depth + 1, k + 1, set | bit(k), q * states(k));
        }
    }

    const Fit& fit_of(double q) {
        Fit& known = known_[q];
        if (known.function == nullptr)
            known = {all_.functions_.get(all_.measure_.cell_function(q)), all_.measure_.subtracted(q)};
        return known;
    }

    FitsOfAllSets& all_;
    RowSplitter splitter_;
    std::vector<RowGroups> depths_;
    SetTail tail_;
    std::vector<const Fit*> fits_;  // of the subsets of the tail
    std::vector<const CellFunction*> functions_;
    std::vector<std::int64_t> sums_;
    std::unordered_map<double, Fit> known_;  // by the number of configurations
};

bool FitsOfAllSets::possible(const Table& table) {
    if (!RowGroups::fit(table) || table.variables() == 0) return false;
    std::set<double> configurations{1.0};
    for (const std::uint32_t r : table.cardinalities()) {
        std::vector<double> more;
        for (const double q : configurations) more.push_back(q * r);
        configurations.insert(more.begin(), more.end());
        if (configurations.size() > kMostFunctions) return false;
    }
    return true;
}

// With q cells in all, sum n log n is at most N log N, the logarithm of the regret at most N log q, and a row
// adds at most |log(ess / q)| + log(N + ess) to a Dirichlet fit.
double FitsOfAllSets::largest_fit() const {
    double log_q = 0.0;
    for (const std::uint32_t r : table_.cardinalities()) log_q += std::log(static_cast<double>(r));
    const double ess = measure_.is_dirichlet() ? measure_.ess() : 1.0;
    const double N = table_.total();
    return N * (std::log(N + ess + 2.0) + std::fabs(std::log(ess)) + log_q + 1.0);
}

// Few states make a small cube; of those, variables that split the rows least.
void FitsOfAllSets::choose_tail() {
    const auto states = [this](Var v) { return table_.column(v).cardinality; };
    std::vector<Var> ranked(order_.rbegin(), order_.rend());
    std::stable_sort(ranked.begin(), ranked.end(), [&](Var a, Var b) { return states(a) < states(b); });
    std::size_t cells = 1, length = 0;
    while (length < std::min(SetTail::kMost, ranked.size()) &&
           cells * (states(ranked[length]) + 1) <= SetTail::kMostCells)
        cells *= states(ranked[length++]) + 1;
    const std::span<const Var> tail(ranked.data(), length);
    std::stable_partition(order_.begin(), order_.end(),
                          [&](Var v) { return std::find(tail.begin(), tail.end(), v) == tail.end(); });
    head_ = order_.size() - length;
}

FitsOfAllSets::FitsOfAllSets(CountingMeasure& measure, Control& control)
    : SetTable(measure.variables()),
      measure_(measure),
      table_(*measure.sums().rows()),
      functions_(table_.total(), table_.most_cells(), table_.unit()) {
    const std::size_t n = order_.size();
    unit_ = largest_fit() / kLargest;
    std::vector<double> entropies;
    for (Var v = 0; v < n; ++v) entropies.push_back(entropy(table_.column(v), table_.rows()));
    std::stable_sort(order_.begin(), order_.end(), [&](Var a, Var b) { return entropies[a] > entropies[b]; });
    choose_tail();
    place();

    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned w = 0; w < control.workers().threads(); ++w)
        workers.push_back(std::make_unique<Worker>(*this));
    const std::size_t first = std::min(kTaskBits, head_);
    const std::size_t tasks = std::size_t{1} << first;
    const std::size_t round = workers.size() * 2;
    for (std::size_t begin = 0; begin < tasks; begin += round) {
        if ((stop_ = control.should_stop()) != Stop::none) return;
        const std::size_t end = std::min(begin + round, tasks);
        control.workers().run(
            end - begin, [&](std::size_t at, unsigned worker) { workers[worker]->run(begin + at, first); });
        control.report({.phase = "counting all sets of variables",
                        .done = end << (n - first),
                        .total = std::uint64_t{1} << n,
                        .unit = "sets"});
    }
}

}  // namespace dagwright
