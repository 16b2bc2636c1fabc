#include "dagwright/graph_walk.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/errors.hpp"

namespace dagwright {

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
    for (const double log : logs) total += std::exp(log - top);
    double wanted = random_.uniform() * total;
    std::size_t last = 0;
    for (std::size_t at = 0; at < logs.size(); ++at) {
        const double weight = std::exp(logs[at] - top);
        if (weight == 0.0) continue;
        last = at;
        if (wanted < weight) break;
        wanted -= weight;
    }
    return last;
}

}  // namespace dagwright
