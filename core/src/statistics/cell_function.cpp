#include "dagwright/statistics/cell_function.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/special.hpp"

namespace dagwright {

namespace {

// Largest absolute value a sum over N rows can reach, times two.
double bound(const CellFunctionId& id, double N, double cells) {
    const double log_N = std::log(N + 2.0);
    switch (id.kind) {
        case CellKind::rising:
            // n log(n + a) + |log a| per occupied cell.
            return 2.0 * (N * std::log(N + id.parameter + 2.0) +
                          cells * (std::fabs(std::log(id.parameter)) + 1.0) + 8.0);
        case CellKind::rising_limit:
            return 2.0 * (N * log_N + cells * (std::fabs(id.parameter) + log_N + 1.0) + 8.0);
        case CellKind::n_log_n_nml:
            // log C(n, r) <= (r - 1) log(n + 1) per configuration.
            return 2.0 * (N * log_N + std::min(cells, N + 1.0) * id.parameter * log_N + 8.0);
        case CellKind::occupied:
            return 2.0 * (cells + 8.0);
        case CellKind::n_log_n:
        case CellKind::adaptive:
        case CellKind::adaptive_limit:
            break;
    }
    return 2.0 * (N * log_N + 8.0);
}

// Most small counts worth a table: many cells means small counts.
std::size_t table_size(const CellFunctionId& id, double N) {
    const double most = id.kind == CellKind::n_log_n ? 65536.0 : 4096.0;
    return static_cast<std::size_t>(std::min(N + 1.0, most));
}

// Below this a prior count keeps too few digits, and log Gamma(n + a) is log Gamma(n).
constexpr double smallest_prior_count = 1e-290;

}  // namespace

CellFunctionId dirichlet_cell(double ess, double cells, double log_cells) {
    // A variable without states has no cells to spread the prior over.
    const double prior_count = ess / std::max(cells, 1.0);
    if (prior_count >= smallest_prior_count) return {CellKind::rising, prior_count};
    return {CellKind::rising_limit, std::log(ess) - std::max(log_cells, 0.0)};
}

CellFunctionId adaptive_cell(double cells, double log_cells) {
    const CellFunctionId one = dirichlet_cell(1.0, cells, log_cells);
    return {one.kind == CellKind::rising ? CellKind::adaptive : CellKind::adaptive_limit, one.parameter};
}

CellFunction::CellFunction(CellFunctionId id, double N, double cells, double unit, bool remembers)
    : id_(id), N_(N), unit_(unit) {
    if (id.kind == CellKind::adaptive || id.kind == CellKind::adaptive_limit) {
        parts_.reserve(kAdaptiveEss.size());
        for (const double ess : kAdaptiveEss)
            parts_.emplace_back(id.kind == CellKind::adaptive
                                    ? CellFunctionId{CellKind::rising, ess * id.parameter}
                                    : CellFunctionId{CellKind::rising_limit, std::log(ess) + id.parameter},
                                N, cells, unit, false);
        for (std::size_t k = 0; k < kAdaptiveEss.size(); ++k)
            of_all_rows_[k] = log_rising(kAdaptiveEss[k], N);
        scale_ = resolution_ = 1.0;  // only the parts have values of cells
        const double usual = id.kind == CellKind::adaptive ? N * id.parameter : 0.0;  // rows of a cell
        small_ = std::min(table_size(id, N), static_cast<std::size_t>(std::max(128.0, 64.0 * usual)));
        small_ = unit == 1.0 ? small_ : 1;
        fill_unknown(small_ * parts_.size());
        return;
    }
    const double largest = bound(id, N, cells);
    if (!std::isfinite(largest)) {
        std::ostringstream words;
        words << "sums over the cells of N = " << N << " rows with the parameter " << id.parameter
              << " are too large to be held; use smaller weights or a larger prior count";
        throw CapacityError(words.str());
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    scale_ = std::ldexp(1.0, 62 - exponent);
    resolution_ = std::ldexp(1.0, exponent - 62);
    // Fractional weights have no small whole counts to look up.
    small_ = !remembers ? 0 : unit == 1.0 ? table_size(id, N) : 1;
    fill_unknown(small_);
    if (remembers) table_[0].store(0, std::memory_order_relaxed);
}

void CellFunction::fill_unknown(std::size_t size) {
    table_ = std::make_unique<std::atomic<std::int64_t>[]>(size);
    for (std::size_t n = 0; n < size; ++n) table_[n].store(kUnknown, std::memory_order_relaxed);
}

void CellFunction::remember_parts(std::size_t n) const {
    std::atomic<std::int64_t>* row = table_.get() + n * parts();
    for (std::size_t k = 0; k < parts(); ++k)  // the last is the sign that all are there
        row[k].store(parts_[k].fixed(static_cast<double>(n)), std::memory_order_release);
}

std::int64_t CellFunction::remembered(std::size_t n) const {
    const std::int64_t found = fixed(static_cast<double>(n));
    table_[n].store(found, std::memory_order_relaxed);
    return found;
}

double CellFunction::fit(std::span<const std::int64_t> sums, double N) const {
    if (parts_.empty()) return back(sums.front());
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kAdaptiveEss.size(); ++k) {
        const double all = N == N_ ? of_all_rows_[k] : log_rising(kAdaptiveEss[k], N);
        most = std::max(most, parts_[k].back(sums[k]) - all);
    }
    return most;
}

double CellFunction::value(double n) const {
    switch (id_.kind) {
        case CellKind::n_log_n:
            return n * std::log(n);
        case CellKind::rising:
            return log_rising(id_.parameter, n);
        case CellKind::rising_limit:
            return id_.parameter + log_gamma(n);
        case CellKind::n_log_n_nml:
            return n * std::log(n) + nml_regret(n, id_.parameter);
        case CellKind::occupied:
        case CellKind::adaptive:
        case CellKind::adaptive_limit:
            break;
    }
    return 1.0;
}

std::int64_t CellFunction::fixed(double n) const { return n > 0.0 ? std::llround(value(n) * scale_) : 0; }

std::shared_ptr<const CellFunction> CellFunctions::get(const CellFunctionId& id) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const CellFunction>& known = known_[id];
    if (!known) {
        // One function per distinct number of cells: plenty for any search, and at most some 30 MiB.
        if (known_.size() > 1024) {
            known_.clear();
            return known_[id] = std::make_shared<const CellFunction>(id, N_, cells_, unit_);
        }
        known = std::make_shared<const CellFunction>(id, N_, cells_, unit_);
    }
    return known;
}

}  // namespace dagwright
