// Native searches that walk from DAG to DAG or from class to class.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/graph/spanning_tree.hpp"
#include "dagwright/search/annealing.hpp"
#include "dagwright/search/ges.hpp"
#include "dagwright/search/hill_climb.hpp"
#include "dagwright/search/start_graph.hpp"
#include "dagwright/search/tabu.hpp"

using namespace dagwright;

namespace {

using Bound = std::optional<std::size_t>;
using Temperatures = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WeightMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

const char* move_name(Move move) {
    switch (move) {
        case Move::add:
            return "add";
        case Move::remove:
            return "delete";
        case Move::reverse:
            break;
    }
    return "reverse";
}

// Runs a search without the interpreter's lock; (parents, score, trace, evaluations, why it stopped or '').
template <class Search>
nb::tuple walk(unsigned threads, std::optional<double> seconds, nb::object progress, Cancel cancel,
               Search&& search) {
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    DagFound found;
    {
        const nb::gil_scoped_release release;
        found = search(*control);
    }
    nb::list trace;
    for (const Step& step : found.trace)
        trace.append(nb::make_tuple(move_name(step.move), step.from, step.to, step.gain));
    return nb::make_tuple(to_lists(found.parents), found.score, trace, found.evaluations,
                          stop_name(found.stop));
}

nb::tuple climb(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                Bound max_parents, unsigned threads, std::optional<double> seconds, nb::object progress,
                bool first_improvement, std::size_t restarts, std::size_t perturbation, std::uint64_t seed,
                bool random_ties, Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const ClimbPlan plan{first_improvement ? Improvement::first : Improvement::best,
                         max_parents.value_or(Knowledge::kUnbounded),
                         restarts,
                         perturbation,
                         seed,
                         random_ties};
    return walk(threads, seconds, std::move(progress), std::move(cancel),
                [&](Control& control) { return hill_climb(score, knowledge, parents, plan, control); });
}

nb::tuple tabu(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
               Bound max_parents, std::size_t tenure, std::size_t patience, bool random_ties,
               std::uint64_t seed, unsigned threads, std::optional<double> seconds, nb::object progress,
               Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const TabuPlan plan{tenure, patience, max_parents.value_or(Knowledge::kUnbounded), random_ties, seed};
    return walk(threads, seconds, std::move(progress), std::move(cancel),
                [&](Control& control) { return tabu_search(score, knowledge, parents, plan, control); });
}

nb::tuple annealing(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                    Bound max_parents, Temperatures temperatures, std::uint64_t seed, unsigned threads,
                    std::optional<double> seconds, nb::object progress, Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    return walk(threads, seconds, std::move(progress), std::move(cancel), [&](Control& control) {
        return anneal(score, knowledge, parents, max_parents.value_or(Knowledge::kUnbounded),
                      {temperatures.data(), temperatures.size()}, seed, control);
    });
}

const char* move_name(ClassMoveKind kind) {
    switch (kind) {
        case ClassMoveKind::insert:
            return "insert";
        case ClassMoveKind::remove:
            return "delete";
        case ClassMoveKind::turn:
            break;
    }
    return "turn";
}

// (essential graph, parents of a member, score, trace, operators scored, families scored, why it stopped or
// '').
nb::tuple equivalence(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                      Bound max_parents, bool turning, unsigned threads, std::optional<double> seconds,
                      nb::object progress, bool reuse, Bound max_steps, bool random_ties, std::uint64_t seed,
                      Cancel cancel, bool extended, const std::vector<Members>& targets) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const std::vector<VarSet> set_together = to_varsets(targets, score.variables());
    const GesPlan plan{max_parents.value_or(Knowledge::kUnbounded),
                       max_steps.value_or(Knowledge::kUnbounded),
                       true,
                       turning,
                       extended,
                       reuse,
                       random_ties,
                       seed};
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    ClassFound found;
    {
        const nb::gil_scoped_release release;
        found = ges(score, knowledge, parents, plan, *control, set_together);
    }
    nb::list trace;
    for (const ClassMove& move : found.trace)
        trace.append(nb::make_tuple(move_name(move.kind), move.x, move.y, move.gain));
    return nb::make_tuple(found.graph, to_lists(found.dag), found.score, trace, found.operators,
                          found.families, stop_name(found.stop));
}

nb::list full(const LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& base,
              Bound max_parents) {
    return to_lists(full_graph(knowledge, checked_start(score, knowledge, base),
                               max_parents.value_or(Knowledge::kUnbounded)));
}

nb::list random_arcs(const LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& base,
                     Bound max_parents, std::uint64_t seed) {
    return to_lists(random_graph(knowledge, checked_start(score, knowledge, base),
                                 max_parents.value_or(Knowledge::kUnbounded), seed));
}

nb::list tree(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& base,
              Bound max_parents, unsigned threads, std::optional<double> seconds, Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, base);
    const std::unique_ptr<Control> control = make_control(threads, seconds, nb::none(), std::move(cancel));
    std::vector<VarSet> found;
    {
        const nb::gil_scoped_release release;
        found = tree_graph(score, knowledge, parents, max_parents.value_or(Knowledge::kUnbounded), *control);
    }
    return to_lists(found);
}

nb::list spanning_forest(const WeightMatrix& weights, std::optional<double> least) {
    const std::size_t n = weights.shape(0);
    if (weights.shape(1) != n) throw nb::value_error("the matrix of weights must be square");
    nb::list links;
    for (const auto& [near, far] : maximum_spanning_forest(
             n, {weights.data(), n * n}, least.value_or(-std::numeric_limits<double>::infinity())))
        links.append(nb::make_tuple(near, far));
    return links;
}

}  // namespace

void bind_search(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("hill_climb", &climb, "score"_a, "knowledge"_a, "start"_a, "max_parents"_a = nb::none(),
          "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "first_improvement"_a = false, "restarts"_a = 0, "perturbation"_a = 0, "seed"_a = 0,
          "random_ties"_a = false, "cancel"_a = nb::none(),
          "Hill climbing: (parents per variable, score, trace, evaluations, why it stopped or '').");
    m.def("tabu_search", &tabu, "score"_a, "knowledge"_a, "start"_a, "max_parents"_a = nb::none(),
          "tenure"_a = 10, "patience"_a = 10, "random_ties"_a = false, "seed"_a = 0, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Tabu search; returns what hill_climb returns.");
    m.def("anneal", &annealing, "score"_a, "knowledge"_a, "start"_a, "max_parents"_a, "temperatures"_a,
          "seed"_a, "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "cancel"_a = nb::none(),
          "Simulated annealing, one move per temperature; returns what hill_climb returns.");
    m.def("ges", &equivalence, "score"_a, "knowledge"_a, "start"_a, "max_parents"_a = nb::none(),
          "turning"_a = false, "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "reuse"_a = true, "max_steps"_a = nb::none(), "random_ties"_a = false, "seed"_a = 0,
          "cancel"_a = nb::none(), "extended"_a = false, "targets"_a = std::vector<Members>{},
          "Greedy equivalence search: (essential graph, parents of a member, its score, trace, operators, "
          "families, why it stopped or '').");
    m.def("full_graph", &full, "score"_a, "knowledge"_a, "base"_a, "max_parents"_a = nb::none(),
          "Every arc forward in the first topological order of base that knowledge allows.");
    m.def("random_graph", &random_arcs, "score"_a, "knowledge"_a, "base"_a, "max_parents"_a, "seed"_a,
          "base with random arcs that knowledge allows, as many as there are variables.");
    m.def("tree_graph", &tree, "score"_a, "knowledge"_a, "base"_a, "max_parents"_a = nb::none(),
          "threads"_a = 1u, "seconds"_a = nb::none(), "cancel"_a = nb::none(),
          "base with the arcs of the spanning forest of largest gain; base itself if stopped.");
    m.def("maximum_spanning_forest", &spanning_forest, "weights"_a, "least"_a = nb::none(),
          "Links (nearer to the root, farther) of the spanning forest of links heavier than least.");
}
