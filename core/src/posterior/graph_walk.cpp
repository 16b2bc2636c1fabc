#include "dagwright/posterior/graph_walk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

// A share of e^-40 is below what a random number of 53 bits can tell from nothing.
constexpr double kFarBelow = 40.0;

}  // namespace

bool GraphWalk::accept(double log_ratio) {
    ++proposed_;
    // A ratio that is no number compares false: rejected.
    const bool yes = log_ratio >= 0.0 || std::log(random_.uniform()) < log_ratio;
    if (yes) ++accepted_;
    return yes;
}

std::size_t GraphWalk::choose(std::span<const double> logs) {
    const double top = *std::max_element(logs.begin(), logs.end());
    if (top == FamilySums::kImpossible) throw Error("the walk has come to a state without any network");
    double total = 0.0;
    shares_.assign(logs.size(), 0.0);
    for (std::size_t at = 0; at < logs.size(); ++at) {
        if (logs[at] < top - kFarBelow) continue;
        shares_[at] = std::exp(logs[at] - top);
        total += shares_[at];
    }
    double wanted = random_.uniform() * total;
    std::size_t last = 0;
    for (std::size_t at = 0; at < logs.size(); ++at) {
        if (shares_[at] == 0.0) continue;
        last = at;
        if (wanted < shares_[at]) break;
        wanted -= shares_[at];
    }
    return last;
}

void GraphWalk::require_one_per_variable(std::span<const std::uint32_t> state) const {
    if (state.size() != sums_.variables())
        throw Error("the state of a chain has " + std::to_string(state.size()) + " numbers; it needs " +
                    std::to_string(sums_.variables()));
}

void GraphWalk::depths_of(std::span<const Mask> network, std::vector<std::uint32_t>& depths) {
    const FamilyWeights& weights = sums_.weights();
    depths.assign(network.size(), 0);
    waiting_.resize(network.size());
    ready_.clear();
    for (Var v = 0; v < network.size(); ++v) {
        waiting_[v] = static_cast<std::uint32_t>(std::popcount(network[v]));
        if (waiting_[v] == 0) ready_.push_back(v);
    }
    for (std::size_t at = 0; at < ready_.size(); ++at) {
        const Var parent = ready_[at];
        for (const FamilyWeights::Dependent& one : weights.dependents(parent)) {
            if ((network[one.child] & one.bit) == 0) continue;
            depths[one.child] = std::max(depths[one.child], depths[parent] + 1);
            if (--waiting_[one.child] == 0) ready_.push_back(one.child);
        }
    }
    if (ready_.size() < network.size()) throw Error("the network to start from has a cycle");
}

}  // namespace dagwright
