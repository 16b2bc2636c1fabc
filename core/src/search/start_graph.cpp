#include "dagwright/search/start_graph.hpp"

#include <algorithm>

#include "dagwright/base/random.hpp"
#include "dagwright/graph/dag_state.hpp"
#include "dagwright/graph/maximum_spanning_tree.hpp"
#include "dagwright/search/chow_liu_weights.hpp"

namespace dagwright {

namespace {

// Adds arcs one by one where knowledge, the bound and acyclicity allow it.
class Builder {
  public:
    Builder(const Knowledge& knowledge, std::vector<VarSet> base, std::size_t max_parents)
        : knowledge_(knowledge), dag_(std::move(base)), max_parents_(max_parents) {}

    bool add(Var from, Var to) {
        const std::size_t room = std::min(max_parents_, knowledge_.max_parents(to));
        if (dag_.has_arc(from, to) || !knowledge_.allows_arc(from, to) || dag_.parents(to).size() >= room ||
            !dag_.can_add(from, to))
            return false;
        dag_.add(from, to);
        return true;
    }
    const DagState& dag() const { return dag_; }

  private:
    const Knowledge& knowledge_;
    DagState dag_;
    std::size_t max_parents_;
};

// Always the smallest node whose parents have all been taken.
std::vector<Var> first_topological_order(const DagState& dag) {
    std::vector<Var> order;
    std::vector<bool> taken(dag.size(), false);
    while (order.size() < dag.size())
        for (Var v = 0; v < dag.size(); ++v) {
            const VarSet& parents = dag.parents(v);
            if (taken[v] || !std::all_of(parents.begin(), parents.end(), [&](Var p) { return taken[p]; }))
                continue;
            taken[v] = true;
            order.push_back(v);
            break;
        }
    return order;
}

}  // namespace

std::vector<VarSet> full_graph(const Knowledge& knowledge, std::vector<VarSet> base,
                               std::size_t max_parents) {
    Builder graph(knowledge, std::move(base), max_parents);
    const std::vector<Var> order = first_topological_order(graph.dag());
    for (std::size_t later = 1; later < order.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier) graph.add(order[earlier], order[later]);
    return graph.dag().families();
}

std::vector<VarSet> random_graph(const Knowledge& knowledge, std::vector<VarSet> base,
                                 std::size_t max_parents, std::uint64_t seed) {
    const std::size_t n = base.size();
    Builder graph(knowledge, std::move(base), max_parents);
    Random random(seed);
    std::size_t added = 0;
    // Tight knowledge leaves few legal arcs: the number of attempts is bounded.
    for (std::size_t attempt = 0; n > 1 && added < n && attempt < 100 * n; ++attempt) {
        const Var from = static_cast<Var>(random.below(n)), to = static_cast<Var>(random.below(n));
        if (from != to && graph.add(from, to)) ++added;
    }
    return graph.dag().families();
}

std::vector<VarSet> tree_graph(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> base,
                               std::size_t max_parents, Control& control) {
    const std::size_t n = base.size();
    const std::vector<double> weights = edge_gains(score, {}, control);
    if (weights.empty()) return base;
    Builder graph(knowledge, std::move(base), max_parents);
    for (const auto& [near, far] : maximum_spanning_forest(n, weights, score.tolerance()))
        if (!graph.dag().has_arc(far, near) && !graph.add(near, far)) graph.add(far, near);
    return graph.dag().families();
}

}  // namespace dagwright
