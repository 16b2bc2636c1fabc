// Weights of edges, and the search by number of arcs that begins with them.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/search/arc_count_search.hpp"
#include "dagwright/search/link_gains.hpp"
#include "running_scores.hpp"

using namespace dagwright;

namespace {

using Bound = std::optional<std::size_t>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// The matrix of gains and '', or None and why it stopped.
nb::tuple weigh_links(LocalScore& score, const Members& given, unsigned threads,
                      std::optional<double> seconds, nb::object progress, std::size_t pairs_per_batch,
                      Cancel cancel) {
    if (pairs_per_batch == 0) throw nb::value_error("a batch holds at least one pair");
    const std::size_t n = score.variables();
    const VarSet condition = to_varset(given, n);
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    auto gains = std::make_unique<std::vector<double>>();
    {
        const nb::gil_scoped_release release;
        *gains = link_gains(score, condition, *control, pairs_per_batch);
    }
    if (gains->size() != n * n) return nb::make_tuple(nb::none(), stop_name(control->should_stop()));
    double* values = gains->data();
    nb::capsule owner(gains.release(),
                      [](void* held) noexcept { delete static_cast<std::vector<double>*>(held); });
    return nb::make_tuple(Matrix(values, {n, n}, owner), "");
}

nb::dict search_by_arc_count(LocalScore& weight, LocalScore& score, const Knowledge& knowledge,
                             const std::vector<Members>& base, std::size_t expansions, std::size_t max_arcs,
                             Bound max_parents, bool connected, bool one_set, bool every_dag,
                             unsigned threads, std::optional<double> seconds, nb::object progress,
                             Cancel cancel) {
    std::vector<VarSet> parents = checked_start(score, knowledge, base);
    if (weight.variables() != score.variables())
        throw nb::value_error("weight and score are over different variables");
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    const ArcCountPlan plan{expansions, max_arcs, max_parents.value_or(Knowledge::kUnbounded), connected,
                            one_set};
    ArcCountFound found;
    {
        const nb::gil_scoped_release release;
        found = (every_dag ? arc_count_enumeration : arc_count_search)(weight, score, knowledge,
                                                                       std::move(parents), plan, *control);
    }
    nb::list frontier;
    for (std::size_t arcs = 0; arcs < found.frontier.size(); ++arcs) {
        const ArcCountPoint& point = found.frontier[arcs];
        if (point.heaviest.empty()) continue;
        frontier.append(
            nb::make_tuple(arcs, point.weight, to_lists(point.heaviest), point.score, to_lists(point.best)));
    }
    nb::dict result;
    result["parents"] = to_lists(found.parents);
    result["score"] = found.score;
    result["chosen"] = found.chosen;
    result["frontier"] = frontier;
    result["evaluations"] = found.evaluations;
    result["expansions"] = found.expansions;
    result["running"] = to_tuples(found.running);
    result["stopped"] = stop_name(found.stop);
    return result;
}

}  // namespace

void bind_trees(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("link_gains", &weigh_links, "score"_a, "given"_a = Members(), "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "pairs_per_batch"_a = kPairsPerBatch,
          "cancel"_a = nb::none(),
          "What a link between each two variables gains: (matrix, ''), or None and why it stopped.");
    m.def("arc_count_search", &search_by_arc_count, "weight"_a, "score"_a, "knowledge"_a, "base"_a,
          "expansions"_a, "max_arcs"_a, "max_parents"_a = nb::none(), "connected"_a = false,
          "one_set"_a = false, "every_dag"_a = false, "threads"_a = 1u, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Best-first search with one set of networks for each number of arcs, or a look at every DAG.");
}
