// What the count of one cell adds to a fit: every discrete score and test is a sum of these over cells.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace dagwright {

// A function f of a cell's count n, with f(0) = 0:
//   n_log_n       n log n                                       maximum likelihood
//   rising        log Gamma(n + a) - log Gamma(a), parameter a  Dirichlet
//   rising_limit  log a + log Gamma(n), parameter log a         the same for an a too small for a number
//   n_log_n_nml   n log n + log C(n, r), parameter r            a parent configuration under factorized NML
//   occupied      1 if n > 0                                    how many cells occur
//
// and one that is no sum over cells, the largest marginal likelihood of several prior weights a:
//   adaptive        the largest L(a) - log Gamma(N + a) + log Gamma(a), a = 1, 2, 4, ..., 64,
//                   L(a) the sum of `rising` with a * b, parameter b = 1 / cells
//   adaptive_limit  the same for a b too small for a number, parameter log b
enum class CellKind : std::uint32_t {
    n_log_n,
    rising,
    rising_limit,
    n_log_n_nml,
    occupied,
    adaptive,
    adaptive_limit
};
inline constexpr CellKind kLastCellKind = CellKind::adaptive_limit;

// The prior weights of `adaptive`, in rows.
inline constexpr std::array<double, 7> kAdaptiveEss{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};

struct CellFunctionId {
    CellKind kind = CellKind::n_log_n;
    double parameter = 0.0;
    friend bool operator==(const CellFunctionId&, const CellFunctionId&) = default;
    friend auto operator<=>(const CellFunctionId&, const CellFunctionId&) = default;
};

// The function of a Dirichlet prior worth ess rows that is spread over so many cells, given as exp(log_cells)
// where they are too many for a number.
CellFunctionId dirichlet_cell(double ess, double cells, double log_cells);
// The same for the best of several prior weights.
CellFunctionId adaptive_cell(double cells, double log_cells);

// Sums are taken in 64-bit fixed point, which is exact and associative: the order of cells, rows, columns and
// threads cannot change the last digit. The scale is the finest that no sum over N rows can overflow.
class CellFunction {
  public:
    // N: total weight; cells: most that can be occupied; unit: what one unit of a count is worth; remembers:
    // whether there is a table of small counts. Refuses what no fixed point can hold.
    CellFunction(CellFunctionId id, double N, double cells, double unit, bool remembers = true);

    // What the cells of a set make together.
    template <class Count>
    double total(std::span<const Count> counts) const {
        if (parts() == 1) return back(sum(counts));
        std::uint64_t units = 0;
        std::array<std::int64_t, kAdaptiveEss.size()> sums{};
        if (counts.size() < kWorthTallying || small_ < kTallied) {
            for (const Count n : counts) {
                units += n;
                add(static_cast<std::size_t>(n), sums);
            }
        } else {
            // Most cells have few rows, so cells of the same count are added at once. Four tallies in turn
            // avoid waiting for the last increment.
            std::array<std::array<std::uint32_t, kTallied>, 4> tally{};
            const auto note = [&](Count count, std::size_t turn) {
                const auto n = static_cast<std::size_t>(count);
                if (n < kTallied) {
                    ++tally[turn][n];
                } else {
                    units += n;
                    add(n, sums);
                }
            };
            std::size_t cell = 0;
            for (; cell + 4 <= counts.size(); cell += 4) {
                note(counts[cell], 0);
                note(counts[cell + 1], 1);
                note(counts[cell + 2], 2);
                note(counts[cell + 3], 3);
            }
            for (; cell < counts.size(); ++cell) note(counts[cell], 0);
            for (std::size_t n = 1; n < kTallied; ++n) {
                const std::size_t times = std::size_t{tally[0][n]} + tally[1][n] + tally[2][n] + tally[3][n];
                if (times == 0) continue;
                units += n * times;
                add(n, sums, 0, static_cast<std::int64_t>(times));
            }
        }
        return fit(sums, static_cast<double>(units) * unit_);
    }
    // A sum has one part, itself; `adaptive` has one for each prior weight.
    std::size_t parts() const noexcept { return parts_.empty() ? 1 : kAdaptiveEss.size(); }
    // Adds what so many cells of n rows each add to the sum of each part; the sums begin at `at` times as
    // many as there are parts.
    void add(std::size_t n, std::span<std::int64_t> sums, std::size_t at = 0, std::int64_t times = 1) const {
        if (n == 0) return;
        if (parts_.empty()) {
            sums[at] += times * of(n);
            return;
        }
        constexpr std::size_t parts = kAdaptiveEss.size();
        std::int64_t* const to = sums.data() + at * parts;
        if (n >= small_) {
            for (std::size_t k = 0; k < parts; ++k)
                to[k] += times * parts_[k].fixed(static_cast<double>(n) * unit_);
            return;
        }
        const std::atomic<std::int64_t>* row = table_.get() + n * parts;
        if (row[parts - 1].load(std::memory_order_acquire) == kUnknown) remember_parts(n);
        for (std::size_t k = 0; k < parts; ++k) to[k] += times * row[k].load(std::memory_order_relaxed);
    }
    // What a cell of n rows adds to the sum of one part.
    std::int64_t of_part(std::size_t k, std::size_t n) const {
        if (parts_.empty()) return of(n);
        if (n >= small_) return parts_[k].fixed(static_cast<double>(n) * unit_);
        const std::atomic<std::int64_t>* row = table_.get() + n * parts();
        if (row[parts() - 1].load(std::memory_order_acquire) == kUnknown) remember_parts(n);
        return row[k].load(std::memory_order_relaxed);
    }
    // What the sums of all parts over N rows make together.
    double fit(std::span<const std::int64_t> sums, double N) const;

    template <class Count>
    std::int64_t sum(std::span<const Count> counts) const {
        std::int64_t total = 0;
        for (const Count n : counts) total += of(static_cast<std::size_t>(n));
        return total;
    }
    // What a cell of n rows adds to a sum.
    std::int64_t of(std::size_t n) const {
        if (n >= small_) return fixed(static_cast<double>(n) * unit_);
        const std::int64_t known = table_[n].load(std::memory_order_relaxed);
        return known != kUnknown ? known : remembered(n);
    }
    double back(std::int64_t sum) const { return static_cast<double>(sum) * resolution_; }

  private:
    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
    // Counts that are tallied, and the number of cells from which a tally takes less time.
    static constexpr std::size_t kTallied = 64, kWorthTallying = 128;

    void remember_parts(std::size_t n) const;
    void fill_unknown(std::size_t size);
    double value(double n) const;
    std::int64_t fixed(double n) const;
    std::int64_t remembered(std::size_t n) const;

    CellFunctionId id_;
    double N_, unit_;
    double scale_, resolution_;
    // Of small counts, each computed when it first occurs: few of them do. Threads that compute the same one
    // store the same number. The numbers of all parts for one count stand together.
    std::size_t small_;
    std::unique_ptr<std::atomic<std::int64_t>[]> table_;
    std::vector<CellFunction> parts_;
    std::array<double, kAdaptiveEss.size()> of_all_rows_{};  // log Gamma(N + a) - log Gamma(a)
};

// The cell functions of one table, built on first use and shared between threads.
class CellFunctions {
  public:
    CellFunctions(double N, double cells, double unit) : N_(N), cells_(cells), unit_(unit) {}
    std::shared_ptr<const CellFunction> get(const CellFunctionId& id);

  private:
    double N_;
    double cells_;
    double unit_;
    std::mutex mutex_;
    std::map<CellFunctionId, std::shared_ptr<const CellFunction>> known_;
};

}  // namespace dagwright
