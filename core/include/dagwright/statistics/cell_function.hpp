// What the count of one cell adds to a fit: every discrete score and test is a sum of these over cells.
#pragma once
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
enum class CellKind : std::uint32_t { n_log_n, rising, rising_limit, n_log_n_nml, occupied };

struct CellFunctionId {
    CellKind kind = CellKind::n_log_n;
    double parameter = 0.0;
    friend bool operator==(const CellFunctionId&, const CellFunctionId&) = default;
    friend auto operator<=>(const CellFunctionId&, const CellFunctionId&) = default;
};

// The function of a Dirichlet prior worth ess rows that is spread over so many cells, given as exp(log_cells)
// where they are too many for a number.
CellFunctionId dirichlet_cell(double ess, double cells, double log_cells);

// Sums are taken in 64-bit fixed point, which is exact and associative: the order of cells, rows, columns and
// threads cannot change the last digit. The scale is the finest that no sum over N rows can overflow.
class CellFunction {
  public:
    // N: total weight; cells: most that can be occupied; unit: what one unit of a count is worth. Refuses
    // what no fixed point can hold.
    CellFunction(CellFunctionId id, double N, double cells, double unit);

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

    double value(double n) const;
    std::int64_t fixed(double n) const;
    std::int64_t remembered(std::size_t n) const;

    CellFunctionId id_;
    double unit_;
    double scale_, resolution_;
    // Of small counts, each computed when it first occurs: few of them do. Threads that compute the same one
    // store the same number.
    std::size_t small_;
    std::unique_ptr<std::atomic<std::int64_t>[]> table_;
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
