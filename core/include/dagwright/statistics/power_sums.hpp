// Means of powers of numbers over blocks of rows, in sums that no order and no split of the rows changes.
#pragma once
#include <span>
#include <vector>

#include "dagwright/base/wide_int.hpp"
#include "dagwright/base/workers.hpp"
#include "dagwright/statistics/moments.hpp"

namespace dagwright {

// Of the numbers x of each continuous variable: (x - center) / half, in units of half the range, so that
// units do not matter; from the second power on, less `mean`. Each value is put on a grid of 2^-47 of the
// largest possible one.
class PowerSums {
  public:
    // One grid, the range of all rows, and one mean for each continuous variable in order; power 1 to 4.
    PowerSums(std::vector<Grid> grids, std::vector<double> means, unsigned power);

    void add(const MixedTable& table, Workers& workers);
    void add(const PowerSums& other);
    // The mean of each variable; 0 for constant ones and without rows.
    std::vector<double> means() const;

    std::span<const Grid> grids() const noexcept { return grids_; }
    std::span<const double> centers() const noexcept { return means_; }
    unsigned power() const noexcept { return power_; }
    // The sums and the weights as words, for transport.
    std::vector<std::uint64_t> words() const;
    void set_words(std::span<const std::uint64_t> words);

  private:
    double scale() const;
    double half(std::size_t i) const;

    std::vector<Grid> grids_;
    std::vector<double> means_;
    unsigned power_;
    std::vector<WideInt> sums_, totals_;
};

}  // namespace dagwright
