#include "dagwright/posterior/family_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dagwright {

namespace {

constexpr double kNothing = 1e-12;
// Families in rank order are soon at an end of the draw, so many for one subset looked at in any order.
constexpr int kRanksPerSubset = 3;  // as a power of 2

double log_add(double a, double b) {
    if (a < b) std::swap(a, b);
    const double gap = b - a;
    return gap > -40.0 ? a + std::log1p(std::exp(gap)) : a;  // false for a gap that is no number
}

}  // namespace

FamilySums::FamilySums(std::shared_ptr<const FamilyWeights> of, Control& control)
    : weights_(std::move(of)), sums_(weights_->variables()), ranked_(weights_->variables()) {
    const FamilyWeights& weights = *weights_;
    weights.require_complete();
    control.workers().run(weights.variables(), [&](std::size_t at, unsigned) {
        const auto child = static_cast<Var>(at);
        const std::span<const double> logs = weights.logs(child);
        std::vector<double>& sum = sums_[child];
        sum.assign(logs.begin(), logs.end());
        for (Mask bit = 1; bit < sum.size(); bit <<= 1) {
            if ((weights.links(child) & bit) != 0) continue;
            for (std::size_t block = 0; block < sum.size(); block += 2 * std::size_t{bit})
                for (std::size_t i = block; i < block + bit; ++i)
                    sum[i + bit] = log_add(sum[i + bit], sum[i]);
        }
        std::vector<Entry>& ranked = ranked_[child];
        for (Mask mask = 0; mask < logs.size(); ++mask)
            if (logs[mask] != kImpossible) ranked.push_back({logs[mask], mask});
        std::stable_sort(ranked.begin(), ranked.end(),
                         [](const Entry& a, const Entry& b) { return a.log > b.log; });
    });
}

double FamilySums::log_sum_touching(Var child, Mask within, Mask touched) const noexcept {
    const double all = log_sum(child, within);
    if (all == kImpossible || (within & touched) == 0) return kImpossible;
    if ((weights_->links(child) & within & touched) != 0) return all;
    const double left = -std::expm1(log_sum(child, within & ~touched) - all);
    return left > kNothing ? all + std::log(left) : kImpossible;
}

FamilySums::Mask FamilySums::draw(Var child, Mask within, Mask touched, Random& random) const {
    const Mask must = weights_->links(child) & within;
    const double total = touched == 0 ? log_sum(child, within) : log_sum_touching(child, within, touched);
    const double wanted = random.uniform();
    double reached = 0.0;
    Mask last = must;
    const auto fits = [&](Mask mask) {
        return (mask & ~within) == 0 && (mask & weights_->links(child)) == must &&
               (touched == 0 || (mask & touched) != 0);
    };
    const auto take = [&](Mask mask, double log) {
        last = mask;
        reached += std::exp(log - total);
        return reached > wanted;
    };
    if (ranked_[child].size() >> (std::popcount(within) + kRanksPerSubset) != 0) {
        for (Mask mask = within;; mask = (mask - 1) & within) {
            if (fits(mask) && weights_->log(child, mask) != kImpossible &&
                take(mask, weights_->log(child, mask)))
                return mask;
            if (mask == 0) return last;
        }
    }
    for (const Entry& entry : ranked_[child])
        if (fits(entry.mask) && take(entry.mask, entry.log)) return entry.mask;
    return last;
}

std::size_t FamilySums::bytes() const noexcept {
    std::size_t total = 0;
    for (const std::vector<double>& sum : sums_) total += sum.capacity() * sizeof(double);
    for (const std::vector<Entry>& ranked : ranked_) total += ranked.capacity() * sizeof(Entry);
    return total;
}

}  // namespace dagwright
