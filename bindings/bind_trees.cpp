// Weights of edges, and the search by number of arcs that begins with them.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/search/chow_liu_weights.hpp"
#include "dagwright/search/mdl_search.hpp"
#include "shown_network.hpp"

using namespace dagwright;

namespace {

using Bound = std::optional<std::size_t>;

// The gain of a link between each two variables, or why there is none.
struct EdgeGains {
    std::vector<double> gains;
    std::size_t variables = 0;
    Stop stop = Stop::none;
};

EdgeGains weigh_edges(LocalScore& score, const Members& given, unsigned threads,
                      std::optional<double> seconds, Progress progress, std::size_t pairs_per_batch,
                      Cancel cancel) {
    if (pairs_per_batch == 0) throw nb::value_error("a batch holds at least one pair");
    const std::size_t n = score.variables();
    const VarSet condition = to_varset(given, n);
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    EdgeGains found{edge_gains(score, condition, *control, pairs_per_batch), n};
    if (found.gains.size() != n * n) found.stop = control->should_stop();
    return found;
}

std::optional<Matrix<double>> matrix_of(const EdgeGains& found) {
    if (found.stop != Stop::none) return std::nullopt;
    return to_matrix(found.gains, found.variables, found.variables);
}

ArcCountFound search_by_arc_count(LocalScore& weight, LocalScore& score, const Knowledge& knowledge,
                                  const std::vector<Members>& base, std::size_t expansions,
                                  std::size_t max_arcs, Bound max_parents, bool connected, bool one_set,
                                  bool every_dag, unsigned threads, std::optional<double> seconds,
                                  Progress progress, Cancel cancel) {
    std::vector<VarSet> parents = checked_start(score, knowledge, base);
    if (weight.variables() != score.variables())
        throw nb::value_error("weight and score are over different variables");
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    BestNetwork best = shown_to(progress, *control);
    const ArcCountPlan plan{expansions, max_arcs, max_parents.value_or(Knowledge::kUnbounded),
                            connected,  one_set,  &best};
    const nb::gil_scoped_release release;
    return (every_dag ? arc_count_enumeration : arc_count_search)(weight, score, knowledge,
                                                                  std::move(parents), plan, *control);
}

}  // namespace

void bind_trees(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<EdgeGains>(m, "EdgeGains", "What a link between each two variables gains.")
        .def_prop_ro("matrix", &matrix_of, nb::rv_policy::automatic, "None where the call was stopped.")
        .def_prop_ro("stopped", &stopped<EdgeGains>);
    nb::class_<ArcCountPoint>(m, "ArcCountPoint", "The best networks with one number of arcs.")
        .def_ro("weight", &ArcCountPoint::weight)
        .def_ro("score", &ArcCountPoint::score)
        .def_prop_ro("heaviest", [](const ArcCountPoint& point) { return member_lists(point.heaviest); })
        .def_prop_ro("best", [](const ArcCountPoint& point) { return member_lists(point.best); });
    nb::class_<ArcCountFound>(m, "ArcCountFound", "What the search by number of arcs found.")
        .def_prop_ro("parents", [](const ArcCountFound& found) { return member_lists(found.parents); })
        .def_ro("score", &ArcCountFound::score)
        .def_ro("chosen", &ArcCountFound::chosen, "False where nothing was admitted.")
        .def_prop_ro(
            "frontier", [](const ArcCountFound& found) { return found.frontier; },
            "By number of arcs; points without networks were not reached.")
        .def_ro("evaluations", &ArcCountFound::evaluations)
        .def_ro("expansions", &ArcCountFound::expansions)
        .def_prop_ro("running", [](const ArcCountFound& found) { return found.running; })
        .def_prop_ro("stopped", &stopped<ArcCountFound>);
    m.def("edge_gains", &weigh_edges, "score"_a, "given"_a = Members(), nb::kw_only(), "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "pairs_per_batch"_a = kPairsPerBatch,
          "cancel"_a = nb::none());
    m.def("arc_count_search", &search_by_arc_count, nb::kw_only(), "weight"_a, "score"_a, "knowledge"_a,
          "base"_a, "expansions"_a, "max_arcs"_a, "max_parents"_a = nb::none(), "connected"_a = false,
          "one_set"_a = false, "every_dag"_a = false, "threads"_a = 1u, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Best-first search with one set of networks for each number of arcs, or a look at every DAG.");
}
