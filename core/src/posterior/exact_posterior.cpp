#include "dagwright/posterior/exact_posterior.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/base/errors.hpp"
#include "dagwright/posterior/network_sums.hpp"
#include "dagwright/posterior/order_sums.hpp"

namespace dagwright {

namespace {

template <class Sums>
class FeatureSums {
  public:
    FeatureSums(const ParentSums& parents, Watch& watch)
        : parents_(parents), n_(parents.variables()), watch_(watch), sums_(parents, watch) {}

    ExactPosterior find(const Features& features) {
        ExactPosterior result;
        if (watch_.halted()) return result;
        if (sums_.total().zero()) throw Error("no network is possible under the prior and the knowledge");
        result.log_total = sums_.total().log();
        sums_.look_back();
        result.arcs.assign(n_ * n_, 0.0);
        watch_.workers().run(n_, [&](std::size_t x, unsigned worker) {
            if (!watch_.halted()) arcs_into(static_cast<Var>(x), result.arcs);
            watch_.step(worker, "probabilities of arcs");
        });
        if (watch_.halted()) return {};
        if (features.paths) result.paths = sums_.paths();
        if (watch_.halted()) result.paths.clear();
        if (features.blankets) result.blankets.assign(n_ * n_, 0.0);
        if (features.v_structures) result.v_structures.assign(n_ * n_ * n_, 0.0);
        if (features.blankets || features.v_structures) pairs(result);
        if (watch_.halted()) {
            result.blankets.clear();
            result.v_structures.clear();
        }
        return result;
    }

  private:
    void arcs_into(Var x, std::vector<double>& arcs) const {
        std::vector<Scaled> derivatives(parents_.sets() / 2);
        for (SetMask others = 0; others < derivatives.size(); ++others) {
            const SetMask set = spread(others, x);
            derivatives[others] = sums_.forward(set) * sums_.after(x, set);
        }
        const std::vector<double> found = parents_.arcs_into(x, derivatives, sums_.total());
        for (Var parent = 0; parent < n_; ++parent) arcs[parent * n_ + x] = found[parent];
    }

    void pairs(ExactPosterior& result) const {
        std::vector<std::pair<Var, Var>> every;
        for (Var b = 1; b < n_; ++b)
            for (Var a = 0; a < b; ++a) every.emplace_back(a, b);
        std::vector<typename Sums::Restricted> scratch(watch_.workers().threads());
        watch_.workers().run(every.size(), [&](std::size_t i, unsigned worker) {
            const auto [a, b] = every[i];
            if (!result.blankets.empty()) blanket(a, b, scratch[worker], worker, result.blankets);
            if (!result.v_structures.empty())
                v_structures(a, b, scratch[worker], worker, result.v_structures);
        });
    }

    void blanket(Var a, Var b, typename Sums::Restricted& scratch, unsigned worker,
                 std::vector<double>& found) const {
        if (watch_.halted()) return;
        sums_.keep_apart({a, b, true}, scratch, worker);
        const double outside = Sums::at(scratch, static_cast<SetMask>(parents_.sets() - 1)) / sums_.total();
        found[a * n_ + b] = found[b * n_ + a] = 1.0 - outside;
    }

    void v_structures(Var a, Var b, typename Sums::Restricted& scratch, unsigned worker,
                      std::vector<double>& found) const {
        if (watch_.halted()) return;
        const Apart pair{a, b, false};
        sums_.keep_apart(pair, scratch, worker);
        const Scaled total = sums_.total();
        for (SetMask set = pair.both(); set < parents_.sets(); set = (set + 1) | pair.both()) {
            const Scaled before = Sums::at(scratch, set);
            if (before.zero()) continue;
            for (Var c = 0; c < n_; ++c)
                if (((set >> c) & 1u) == 0)
                    found[(c * n_ + a) * n_ + b] +=
                        (before * sums_.after(c, set) * parents_.with_both(c, set, pair)) / total;
        }
    }

    const ParentSums& parents_;
    std::size_t n_;
    Watch& watch_;
    Sums sums_;
};

}  // namespace

ExactPosterior exact_posterior(const FamilyWeights& weights, Counting counting, const Features& features,
                               Control& control) {
    Watch watch(control);
    const ParentSums parents(weights, watch);
    ExactPosterior result = counting == Counting::orders
                                ? FeatureSums<OrderSums>(parents, watch).find(features)
                                : FeatureSums<NetworkSums>(parents, watch).find(features);
    if (watch.halted()) result.stop = watch.stop();
    return result;
}

double log_total_weight(const FamilyWeights& weights, Counting counting, Control& control) {
    Watch watch(control);
    const ParentSums parents(weights, watch);
    const Scaled total = counting == Counting::orders ? OrderSums(parents, watch).total()
                                                      : NetworkSums(parents, watch).total();
    return watch.halted() || total.zero() ? FamilyWeights::kImpossible : total.log();
}

double exact_posterior_bytes(std::size_t variables, Counting counting, const Features& features,
                             unsigned threads) {
    const auto n = static_cast<double>(variables);
    const double sets = std::ldexp(1.0, static_cast<int>(variables)), scaled = sizeof(Scaled);
    const bool networks = counting == Counting::networks;
    const double number = sizeof(double);
    double tables = n * sets / 2.0 * scaled + 2.0 * sets * scaled;
    if (networks) tables += n * sets / 2.0 * number + NetworkSums::kLanes * sets * number;
    double per_thread = sets / 2.0 * scaled;
    if (features.blankets || features.v_structures) per_thread = std::max(per_thread, sets * scaled);
    if (features.paths && !networks) {
        // The largest two neighboring levels of subsets of subsets of the other variables.
        double level = 1.0, most = 1.0;
        for (double k = 1.0; k < n; ++k) most = std::max(most, level *= 2.0 * (n - k) / k);
        per_thread = std::max(per_thread, 2.0 * most * number + sets * 4.0);
    }
    return tables + threads * per_thread;
}

}  // namespace dagwright
