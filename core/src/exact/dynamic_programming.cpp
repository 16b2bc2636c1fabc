#include "dagwright/exact/dynamic_programming.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kLowBits = 12;  // a table of 32 KiB per variable
constexpr std::size_t kTaskBits = 8;  // high bits that one task shares; their subsets are tasks

struct Item {
    Mask mask;
    double score;
};

// table[L] = max of table over all subsets of L that differ only in the bits of `free`.
void spread(double* table, std::size_t bits, Mask free) {
    const std::size_t size = std::size_t{1} << bits;
    for (std::size_t b = 0; b < bits; ++b) {
        if ((free & bit(b)) == 0) continue;
        const std::size_t half = std::size_t{1} << b;
        for (std::size_t begin = 0; begin < size; begin += 2 * half) {
            const double* without = table + begin;
            double* with = table + begin + half;
            for (std::size_t i = 0; i < half; ++i) with[i] = with[i] < without[i] ? without[i] : with[i];
        }
    }
}

}  // namespace

// Works through the blocks of one task, depth first over the bits between task and low bits, in ascending
// order of the masks.
class SubsetProgram::Worker {
  public:
    explicit Worker(SubsetProgram& program)
        : program_(program),
          families_(program.families_),
          n_(program.n_),
          low_(program.low_),
          table_(program.table_.get()),
          best_(n_, std::vector<double>(std::size_t{1} << low_)) {}

    // `task` is the mask of the task's bits; those from `middle` on are settled by it.
    // The calling thread looks at the clock for all.
    void run(Mask task, std::size_t middle, Control& control, bool calling) {
        control_ = &control;
        calling_ = calling;
        const Mask settled = ~(bit(middle) - 1);
        std::vector<std::vector<Item>> lists(n_);
        for (std::size_t x = 0; x < n_; ++x) {
            const MaskedFamilies::List& list = families_.lists[x];
            const Mask links = list.links & settled & ~bit(x);
            for (std::size_t i = 0; i < list.masks.size(); ++i)
                if ((list.masks[i] & settled & ~task) == 0 && (links & task & ~list.masks[i]) == 0)
                    lists[x].push_back({list.masks[i], list.scores[i]});
        }
        descend(task, middle, lists);
    }

  private:
    void descend(Mask high, std::size_t undecided, const std::vector<std::vector<Item>>& lists) {
        if (undecided == low_) {
            if (calling_) control_->should_stop();
            if (!control_->halted()) fill(high, lists);
            return;
        }
        const std::size_t b = undecided - 1;
        std::vector<std::vector<Item>> without(n_);
        bool linked = false;
        for (std::size_t x = 0; x < n_; ++x) {
            linked = linked || (families_.lists[x].links & bit(b)) != 0;
            for (const Item& item : lists[x])
                if ((item.mask & bit(b)) == 0) without[x].push_back(item);
        }
        descend(high, b, without);
        if (!linked) return descend(high | bit(b), b, lists);
        std::vector<std::vector<Item>> with(n_);
        for (std::size_t x = 0; x < n_; ++x)
            for (const Item& item : lists[x])
                if ((families_.lists[x].links & bit(b) & ~item.mask) == 0) with[x].push_back(item);
        descend(high | bit(b), b, with);
    }

    void fill(Mask high, const std::vector<std::vector<Item>>& lists) {
        const std::size_t size = std::size_t{1} << low_;
        double* block = table_ + high;
        std::fill(block, block + size, kImpossible);
        if (high == 0) block[0] = 0.0;
        for (std::size_t x = 0; x < n_; ++x)
            if (x < low_ || (high & bit(x)) != 0) tabulate(x, lists[x]);
        for (std::size_t x = low_; x < n_; ++x) {
            if ((high & bit(x)) == 0) continue;
            const double* before = table_ + (high & ~bit(x));
            const double* best = best_[x].data();
            for (std::size_t l = 0; l < size; ++l) {
                const double value = before[l] + best[l];
                block[l] = block[l] < value ? value : block[l];
            }
        }
        for (std::size_t l = 1; l < size; ++l) {
            double most = block[l];
            for (std::size_t rest = l; rest != 0; rest &= rest - 1) {
                const auto x = static_cast<std::size_t>(std::countr_zero(rest));
                const std::size_t before = l & ~(std::size_t{1} << x);
                const double value = block[before] + best_[x][before];
                most = most < value ? value : most;
            }
            block[l] = most;
        }
    }

    void tabulate(std::size_t x, const std::vector<Item>& list) {
        std::vector<double>& best = best_[x];
        const Mask low = bit(low_) - 1;
        Mask any = 0;
        for (const Item& item : list) any |= item.mask & low;
        const Mask links = families_.lists[x].links & low & ~bit(x);
        if (any == 0 && links == 0) {
            std::fill(best.begin(), best.end(), list.empty() ? kImpossible : list.front().score);
            return;
        }
        std::fill(best.begin(), best.end(), kImpossible);
        for (const Item& item : list) {
            double& cell = best[item.mask & low];
            cell = std::max(cell, item.score);
        }
        spread(best.data(), low_, low & ~links & ~(x < low_ ? bit(x) : Mask{0}));
    }

    SubsetProgram& program_;
    const MaskedFamilies& families_;
    std::size_t n_, low_;
    double* table_;
    std::vector<std::vector<double>> best_;  // of each variable, over the low bits of the block
    Control* control_ = nullptr;
    bool calling_ = false;
};

double SubsetProgram::bytes(std::size_t variables) { return 8.0 * std::exp2(static_cast<double>(variables)); }

SubsetProgram::SubsetProgram(const MaskedFamilies& families, Control& control)
    : families_(families), n_(families.size()), low_(std::min(n_, kLowBits)) {
    if (n_ >= 40) throw CapacityError("dynamic programming over subsets needs 8 * 2^n bytes");
    try {
        table_.reset(new double[std::size_t{1} << n_]);
    } catch (const std::bad_alloc&) {
        throw CapacityError("no memory for a table of 8 * 2^" + std::to_string(n_) + " bytes");
    }
    const std::size_t task_bits = std::min(n_ - low_, kTaskBits);
    const std::size_t middle = n_ - task_bits;
    std::vector<Worker> workers(control.workers().threads(), Worker(*this));
    std::uint64_t solved = 0;
    for (std::size_t level = 0; level <= task_bits && !control.halted(); ++level) {
        // Subsets of equal size do not ask about each other.
        std::vector<Mask> tasks;
        for (Mask task = 0; task < bit(task_bits); ++task)
            if (static_cast<std::size_t>(std::popcount(task)) == level) tasks.push_back(task << middle);
        control.workers().run(tasks.size(), [&](std::size_t i, unsigned worker) {
            workers[worker].run(tasks[i], middle, control, worker == 0);
        });
        solved += tasks.size() << middle;
        control.report({.phase = "dynamic programming",
                        .done = solved,
                        .total = std::uint64_t{1} << n_,
                        .unit = "sets of variables"});
    }
    if (control.halted()) stop_ = control.should_stop();
}

PieceSolution SubsetProgram::solution() const {
    PieceSolution found;
    found.steps = std::uint64_t{1} << n_;
    Mask left = families_.everything();
    found.score = found.bound = best(left);
    if (found.score == kImpossible) return found;
    found.entries.assign(n_, 0);
    while (left != 0) {
        // The first variable that can come last: the same sums as in the table, so equal to the last digit.
        for (Mask rest = left; rest != 0; rest &= rest - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(rest));
            const Mask before = left & ~bit(x);
            const std::size_t i = families_.lists[x].first_fitting(before);
            if (i == families_.lists[x].masks.size()) continue;
            if (best(before) + families_.lists[x].scores[i] != best(left)) continue;
            found.entries[x] = families_.lists[x].entries[i];
            left = before;
            break;
        }
    }
    return found;
}

}  // namespace dagwright
