#include "dagwright/base/random_order.hpp"

#include <utility>

namespace dagwright {

std::vector<Var> random_topological_order(std::span<const VarSet> parents, Random& random) {
    const std::size_t n = parents.size();
    std::vector<std::vector<Var>> children(n);
    std::vector<std::size_t> open(n);
    std::vector<Var> ready, order;
    for (Var v = 0; v < n; ++v) {
        open[v] = parents[v].size();
        for (const Var parent : parents[v]) children[parent].push_back(v);
        if (open[v] == 0) ready.push_back(v);
    }
    while (!ready.empty()) {
        std::swap(ready[random.below(ready.size())], ready.back());
        const Var v = ready.back();
        ready.pop_back();
        order.push_back(v);
        for (const Var child : children[v])
            if (--open[child] == 0) ready.push_back(child);
    }
    return order;
}

}  // namespace dagwright
