#include "dagwright/evidence/determinant_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dagwright/base/cholesky.hpp"

namespace dagwright {

namespace {

constexpr double kLargest = 0x1p29;    // units: differences of two cannot overflow
constexpr std::size_t kTaskBits = 10;  // the first variables, whose subsets are tasks

double largest(const std::vector<double>& values) {
    double most = 0.0;
    for (const double value : values) most = std::max(most, std::fabs(value));
    return most;
}

double log_determinant(const DeterminantFits& fits, std::size_t begin, std::size_t end) {
    const std::size_t width = fits.starts.back();
    Cholesky cholesky;
    cholesky.resize(end - begin);
    for (std::size_t a = begin; a < end; ++a)
        for (std::size_t b = begin; b <= a; ++b)
            cholesky.at(a - begin, b - begin) = fits.correlations[a * width + b];
    cholesky.factor(0.0);
    return cholesky.log_determinant().value();
}

}  // namespace

class DeterminantTable::Worker {
  public:
    explicit Worker(DeterminantTable& all)
        : all_(all), width_(all.of_.starts.back()), depths_(all.order_.size() + 1) {
        depths_.front() = all.of_.correlations;
        for (std::vector<double>& depth : depths_) depth.resize(width_ * width_);
    }

    // All sets that share these members of the first variables, as bits from the first on.
    void run(std::size_t members, std::size_t first) {
        Set set;
        for (std::size_t k = 0; k < first; ++k)
            if ((members >> k & 1u) != 0) set = with(set, k);
        grow(set, first);
    }

  private:
    struct Set {
        Mask bits = 0;
        std::size_t size = 0;
        double log = 0.0, own = 0.0;
    };

    void grow(const Set& set, std::size_t first) {
        const DeterminantFits& of = all_.of_;
        const double fit =
            of.constant[set.size] + of.weight[set.size] * set.own + of.factor[set.size] * set.log;
        all_.fits_[set.bits] =
            static_cast<std::int32_t>(std::lround(std::clamp(fit / all_.unit_, -kLargest, kLargest)));
        for (std::size_t k = first; k < all_.order_.size(); ++k) grow(with(set, k), k + 1);
    }

    // Writes the Schur complement of the columns after variable k to the next depth.
    Set with(const Set& set, std::size_t k) {
        const std::size_t begin = all_.of_.starts[k], end = all_.of_.starts[k + 1];
        const double* from = depths_[set.size].data();
        double* const to = depths_[set.size + 1].data();
        double log = set.log - all_.own_logs_[k];
        for (std::size_t c = begin; c < end; ++c) {
            const double* const pivots = from + c * width_;
            log += std::log(pivots[c]);
            for (std::size_t a = c + 1; a < width_; ++a) {
                const double share = pivots[a] / pivots[c];
                for (std::size_t b = a; b < width_; ++b)
                    to[a * width_ + b] = from[a * width_ + b] - share * pivots[b];
            }
            from = to;
        }
        if (begin == end)
            for (std::size_t a = end; a < width_; ++a)
                std::copy(from + a * width_ + a, from + (a + 1) * width_, to + a * width_ + a);
        return {set.bits | all_.bit(k), set.size + 1, log, set.own + all_.of_.own[k]};
    }

    DeterminantTable& all_;
    std::size_t width_;
    std::vector<std::vector<double>> depths_;  // upper triangles, of the columns that come later
};

double DeterminantTable::smallest_unit() const {
    const std::size_t width = of_.starts.back();
    double logs = log_determinant(of_, 0, width), own = 0.0;
    for (const double log : own_logs_) logs -= log;
    for (const double value : of_.own) own += std::fabs(value);
    const double range =
        largest(of_.constant) + largest(of_.weight) * own + largest(of_.factor) * std::fabs(logs);
    const double digits = static_cast<double>(width * width + 1) * std::numeric_limits<double>::epsilon();
    return std::max(range / kLargest, largest(of_.factor) * digits / of_.least_share);
}

DeterminantTable::DeterminantTable(DeterminantFits fits, Control& control)
    : SetTable(fits.own.size()), of_(std::move(fits)) {
    const std::size_t n = order_.size();
    for (std::size_t k = 0; k < n; ++k)
        own_logs_.push_back(log_determinant(of_, of_.starts[k], of_.starts[k + 1]));
    unit_ = smallest_unit();
    std::vector<std::unique_ptr<Worker>> workers(control.workers().threads());
    const std::size_t first = std::min(kTaskBits, n);
    const std::size_t tasks = std::size_t{1} << first;
    const std::size_t round = workers.size() * 16;
    for (std::size_t begin = 0; begin < tasks; begin += round) {
        if ((stop_ = control.should_stop()) != Stop::none) return;
        const std::size_t end = std::min(begin + round, tasks);
        control.workers().run(end - begin, [&](std::size_t at, unsigned worker) {
            if (!workers[worker]) workers[worker] = std::make_unique<Worker>(*this);
            workers[worker]->run(begin + at, first);
        });
        control.report({.phase = "measuring all sets of variables",
                        .done = end << (n - first),
                        .total = std::uint64_t{1} << n,
                        .unit = "sets"});
    }
}

}  // namespace dagwright
