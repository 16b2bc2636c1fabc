#include "dagwright/posterior/parent_sums.hpp"

#include <bit>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kMostVariables = FamilyWeights::kMostCandidates;

// Sums over subsets or supersets, one variable at a time, not over those in `fixed`.
template <class Add>
void transform(std::vector<Scaled>& values, SetMask fixed, Add&& add) {
    for (SetMask bit = 1; bit < values.size(); bit <<= 1) {
        if ((fixed & bit) != 0) continue;
        for (std::size_t block = 0; block < values.size(); block += 2 * bit)
            for (std::size_t i = block; i < block + bit; ++i) add(values[i + bit], values[i]);
    }
}

}  // namespace

ParentSums::ParentSums(const FamilyWeights& weights, Watch& watch)
    : weights_(weights), n_(weights.variables()), sum_(n_), within_(n_, 0) {
    weights.require_complete();
    if (n_ > kMostVariables) throw Error("too many variables for exact sums over all networks");
    watch.workers().run(n_, [&](std::size_t x, unsigned worker) {
        if (!watch.halted()) collect(static_cast<Var>(x));
        watch.step(worker, "summing over parent sets");
    });
}

void ParentSums::collect(Var x) {
    sum_[x].assign(std::size_t{1} << (n_ - 1), Scaled());
    const std::span<const double> logs = weights_.logs(x);
    for (SetMask mask = 0; mask < logs.size(); ++mask) sum_[x][wide(x, mask)] = Scaled::exp(logs[mask]);
    for (Var v = 0; v < n_; ++v)
        if (v != x && weights_.joined(x, v)) within_[x] |= squeeze(SetMask{1} << v, x);
    transform(sum_[x], within_[x], [](Scaled& with, Scaled& without) { with += without; });
}

SetMask ParentSums::wide(Var x, SetMask mask) const {
    const std::span<const Var> candidates = weights_.candidates(x);
    if (candidates.size() == n_ - 1) return mask;
    SetMask set = 0;
    for (SetMask rest = mask; rest != 0; rest &= rest - 1)
        set |= SetMask{1} << candidates[static_cast<std::size_t>(std::countr_zero(rest))];
    return squeeze(set, x);
}

Scaled ParentSums::with_both(Var x, SetMask set, const Apart& pair) const {
    const SetMask a = SetMask{1} << pair.a, b = SetMask{1} << pair.b;
    if ((set & (a | b)) != (a | b)) return Scaled();
    return (sum(x, set) + without(x, set, a | b)) - (without(x, set, a) + without(x, set, b));
}

Scaled ParentSums::keeping(Var x, SetMask set, const Apart& pair) const {
    const SetMask a = SetMask{1} << pair.a, b = SetMask{1} << pair.b;
    if (x == pair.a) return without(x, set, b);
    if (x == pair.b) return without(x, set, a);
    if (!pair.childless || (set & (a | b)) != (a | b)) return sum(x, set);
    return (without(x, set, a) + without(x, set, b)) - without(x, set, a | b);
}

std::vector<double> ParentSums::arcs_into(Var x, std::vector<Scaled>& derivatives,
                                          const Scaled& total) const {
    transform(derivatives, within_[x], [](Scaled& with, Scaled& without) { without += with; });
    std::vector<double> found(n_, 0.0);
    const std::span<const double> logs = weights_.logs(x);
    const std::span<const Var> candidates = weights_.candidates(x);
    for (SetMask mask = 0; mask < logs.size(); ++mask) {
        if (logs[mask] == FamilyWeights::kImpossible) continue;
        const double share = (Scaled::exp(logs[mask]) * derivatives[wide(x, mask)]) / total;
        for (SetMask rest = mask; rest != 0; rest &= rest - 1)
            found[candidates[static_cast<std::size_t>(std::countr_zero(rest))]] += share;
    }
    return found;
}

}  // namespace dagwright
