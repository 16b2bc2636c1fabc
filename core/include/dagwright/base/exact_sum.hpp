// Sums of doubles that are rounded once, at the end: the order of the terms cannot change a digit.
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace dagwright {

// The partial sums of Shewchuk (1997): numbers that do not overlap and whose sum is exact.
class ExactSum {
  public:
    void clear() { size_ = 0; }

    void add(double x) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            double y = partials_[i];
            if (std::abs(x) < std::abs(y)) std::swap(x, y);
            const double high = x + y;
            const double low = y - (high - x);
            if (low != 0.0) partials_[kept++] = low;
            x = high;
        }
        if (kept == partials_.size()) partials_.resize(2 * kept + 4);
        partials_[kept] = x;
        size_ = kept + 1;
    }

    // The double nearest to the sum; halfway cases go to the even one.
    double value() const {
        if (size_ == 0) return 0.0;
        std::size_t n = size_;
        double high = partials_[--n], low = 0.0;
        while (n > 0) {
            const double x = high, y = partials_[--n];
            high = x + y;
            low = y - (high - x);
            if (low != 0.0) break;
        }
        if (n > 0 && ((low < 0.0 && partials_[n - 1] < 0.0) || (low > 0.0 && partials_[n - 1] > 0.0))) {
            const double twice = 2.0 * low, next = high + twice;
            if (next - high == twice) high = next;
        }
        return high;
    }

  private:
    std::vector<double> partials_;  // the first size_ count; of growing size
    std::size_t size_ = 0;
};

}  // namespace dagwright
