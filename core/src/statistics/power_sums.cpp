#include "dagwright/statistics/power_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace dagwright {

namespace {

// The largest value of a power: of the first within the range, then within twice the range.
double largest_of(unsigned power) { return power == 1 ? 1.0 : std::ldexp(1.0, static_cast<int>(power)); }

constexpr std::size_t kStretch = 1 << 14;  // rows whose sum fits in 64 bits

// A column in units of half its range, whose powers are put on a grid.
struct Standardized {
    const double* numbers;
    double center, half, mean, largest, scale;

    // The sum over rows that are all known.
    std::int64_t sum(unsigned power, std::size_t begin, std::size_t end) const {
        switch (power) {
            case 1:
                return of_power<1>(begin, end);
            case 2:
                return of_power<2>(begin, end);
            case 3:
                return of_power<3>(begin, end);
            default:
                return of_power<4>(begin, end);
        }
    }

    template <unsigned Power>
    std::int64_t of_power(std::size_t begin, std::size_t end) const {
        // The whole number nearest to x, |x| < 2^51, is in the lowest bits of x + 1.5 2^52.
        constexpr double shift = 6755399441055744.0;
        constexpr auto zero = std::bit_cast<std::uint64_t>(shift);
        const double c = center, h = half, m = mean, most = largest, grid = scale;
        std::uint64_t bits = 0;
        for (std::size_t row = begin; row < end; ++row) {
            double x = (numbers[row] - c) / h;
            if constexpr (Power > 1) {
                const double away = x - m, square = away * away;
                x = Power == 2 ? square : square * (Power == 3 ? away : square);
            }
            x = std::max(-most, std::min(most, x));
            bits += std::bit_cast<std::uint64_t>(x * grid + shift);
        }
        return static_cast<std::int64_t>(bits - zero * (end - begin));
    }
};

}  // namespace

PowerSums::PowerSums(std::vector<Grid> grids, std::vector<double> means, unsigned power)
    : grids_(std::move(grids)),
      means_(std::move(means)),
      power_(power),
      sums_(grids_.size()),
      totals_(grids_.size()) {
    if (means_.size() != grids_.size()) throw std::invalid_argument("powers need one mean for each grid");
    if (power_ < 1 || power_ > 4) throw std::invalid_argument("powers are taken from 1 to 4");
}

double PowerSums::scale() const {
    int exponent = 0;
    (void)std::frexp(largest_of(power_), &exponent);
    return std::ldexp(1.0, 47 - exponent);
}

double PowerSums::half(std::size_t i) const {
    const double center = grids_[i].center();
    return std::max(grids_[i].largest - center, center - grids_[i].least);
}

void PowerSums::add(const MixedTable& table, Workers& workers) {
    std::vector<const double*> columns;
    for (Var v = 0; v < table.variables(); ++v)
        if (table.continuous(v)) columns.push_back(table.variable(v).numbers.front());
    const bool complete = table.complete();
    if (columns.size() != grids_.size())
        throw std::invalid_argument("powers need the same columns each time");
    const std::span<const std::uint64_t> weights = table.weights();
    const double scale = this->scale(), largest = largest_of(power_);
    workers.run(columns.size(), [&](std::size_t i, unsigned) {
        const double center = grids_[i].center(), half = this->half(i), mean = means_[i];
        if (!(half > 0.0)) return;
        WideInt sum, total;
        const Standardized column{columns[i], center, half, mean, largest, scale};
        for (std::size_t begin = 0; begin < table.rows(); begin += kStretch) {
            const std::size_t end = std::min(begin + kStretch, table.rows());
            if (weights.empty() && complete) {
                sum += WideInt(column.sum(power_, begin, end));
                total += WideInt(static_cast<std::int64_t>(end - begin));
                continue;
            }
            for (std::size_t row = begin; row < end; ++row) {
                if (std::isnan(columns[i][row])) continue;
                const WideInt weight(weights.empty() ? 1 : static_cast<std::int64_t>(weights[row]));
                sum += WideInt(column.sum(power_, row, row + 1)) * weight;
                total += weight;
            }
        }
        sums_[i] += sum;
        totals_[i] += total;
    });
}

void PowerSums::add(const PowerSums& other) {
    if (other.sums_.size() != sums_.size() || other.power_ != power_)
        throw std::invalid_argument("powers of other columns cannot be added");
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        sums_[i] += other.sums_[i];
        totals_[i] += other.totals_[i];
    }
}

std::vector<double> PowerSums::means() const {
    std::vector<double> found;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const double total = totals_[i].to_double();
        found.push_back(total > 0.0 ? sums_[i].to_double() / total / scale() : 0.0);
    }
    return found;
}

std::vector<std::uint64_t> PowerSums::words() const {
    std::vector<WideInt> all = sums_;
    all.insert(all.end(), totals_.begin(), totals_.end());
    return words_of(all);
}

void PowerSums::set_words(std::span<const std::uint64_t> words) {
    const std::vector<WideInt> all = from_words(words, 2 * sums_.size());
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(sums_.size());
    sums_.assign(all.begin(), middle);
    totals_.assign(middle, all.end());
}

}  // namespace dagwright
