// Native searches that walk from DAG to DAG or from class to class.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/graph/maximum_spanning_tree.hpp"
#include "dagwright/search/annealing.hpp"
#include "dagwright/search/ges.hpp"
#include "dagwright/search/hill_climb.hpp"
#include "dagwright/search/start_graph.hpp"
#include "dagwright/search/tabu.hpp"
#include "shown_network.hpp"

using namespace dagwright;

namespace {

using Bound = std::optional<std::size_t>;

// Runs a search without the interpreter's lock.
template <class Search>
DagFound walk(unsigned threads, std::optional<double> seconds, Progress progress, Cancel cancel,
              Search&& search) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    BestNetwork best = shown_to(progress, *control);
    const nb::gil_scoped_release release;
    return search(*control, &best);
}

DagFound climb(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
               Bound max_parents, unsigned threads, std::optional<double> seconds, Progress progress,
               bool first_improvement, std::size_t restarts, std::size_t perturbation, std::uint64_t seed,
               bool random_ties, std::size_t first, Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    ClimbPlan plan{first_improvement ? Improvement::first : Improvement::best,
                   max_parents.value_or(Knowledge::kUnbounded),
                   restarts,
                   perturbation,
                   first,
                   seed,
                   random_ties};
    return walk(threads, seconds, progress, std::move(cancel), [&](Control& control, BestNetwork* best) {
        plan.best = best;
        return hill_climb(score, knowledge, parents, plan, control);
    });
}

DagFound tabu(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
              Bound max_parents, std::size_t tenure, std::size_t patience, bool random_ties,
              std::uint64_t seed, unsigned threads, std::optional<double> seconds, Progress progress,
              Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    TabuPlan plan{tenure, patience, max_parents.value_or(Knowledge::kUnbounded), random_ties, seed};
    return walk(threads, seconds, progress, std::move(cancel), [&](Control& control, BestNetwork* best) {
        plan.best = best;
        return tabu_search(score, knowledge, parents, plan, control);
    });
}

DagFound annealing(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                   Bound max_parents, const Input<double>& temperatures, std::uint64_t seed, unsigned threads,
                   std::optional<double> seconds, Progress progress, Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    return walk(threads, seconds, progress, std::move(cancel), [&](Control& control, BestNetwork* best) {
        return anneal(score, knowledge, parents, max_parents.value_or(Knowledge::kUnbounded),
                      span_of(temperatures), seed, control, best);
    });
}

ClassFound equivalence(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                       Bound max_parents, bool turning, unsigned threads, std::optional<double> seconds,
                       Progress progress, bool reuse, Bound max_steps, bool random_ties, std::uint64_t seed,
                       Cancel cancel, bool extended, const std::vector<Members>& targets,
                       std::optional<std::uint64_t> max_families) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const std::vector<VarSet> set_together = to_varsets(targets, score.variables());
    GesPlan plan{max_parents.value_or(Knowledge::kUnbounded),
                 max_steps.value_or(Knowledge::kUnbounded),
                 max_families.value_or(ClassMoves::kNoLimit),
                 true,
                 turning,
                 extended,
                 reuse,
                 random_ties,
                 seed};
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    BestNetwork best = shown_to(progress, *control);
    plan.best = &best;
    const nb::gil_scoped_release release;
    return ges(score, knowledge, parents, plan, *control, set_together);
}

std::vector<Members> full(const LocalScore& score, const Knowledge& knowledge,
                          const std::vector<Members>& base, Bound max_parents) {
    return member_lists(full_graph(knowledge, checked_start(score, knowledge, base),
                                   max_parents.value_or(Knowledge::kUnbounded)));
}

std::vector<Members> random_arcs(const LocalScore& score, const Knowledge& knowledge,
                                 const std::vector<Members>& base, Bound max_parents, std::uint64_t seed) {
    return member_lists(random_graph(knowledge, checked_start(score, knowledge, base),
                                     max_parents.value_or(Knowledge::kUnbounded), seed));
}

std::vector<Members> tree(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& base,
                          Bound max_parents, unsigned threads, std::optional<double> seconds, Cancel cancel) {
    const std::vector<VarSet> parents = checked_start(score, knowledge, base);
    const std::unique_ptr<Control> control = make_control(threads, seconds, nullptr, std::move(cancel));
    std::vector<VarSet> found;
    {
        const nb::gil_scoped_release release;
        found = tree_graph(score, knowledge, parents, max_parents.value_or(Knowledge::kUnbounded), *control);
    }
    return member_lists(found);
}

std::vector<std::pair<std::size_t, std::size_t>> spanning_forest(const InputMatrix<double>& weights,
                                                                 std::optional<double> least) {
    const std::size_t n = weights.shape(0);
    if (weights.shape(1) != n) throw nb::value_error("the matrix of weights must be square");
    std::vector<std::pair<std::size_t, std::size_t>> links;
    for (const auto& [near, far] : maximum_spanning_forest(
             n, {weights.data(), n * n}, least.value_or(-std::numeric_limits<double>::infinity())))
        links.emplace_back(near, far);
    return links;
}

}  // namespace

void bind_search(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::enum_<Move>(m, "Move", "What a step does to an arc.")
        .value("add", Move::add)
        .value("delete", Move::remove)
        .value("reverse", Move::reverse);
    nb::class_<Step>(m, "Step", "One step of a walk from DAG to DAG.")
        .def_ro("move", &Step::move)
        .def_ro("source", &Step::from)
        .def_ro("target", &Step::to)
        .def_ro("gain", &Step::gain);
    nb::class_<DagFound>(m, "DagFound", "Where a walk from DAG to DAG ended, and how it came there.")
        .def_prop_ro("parents", [](const DagFound& walk) { return member_lists(walk.parents); })
        .def_ro("score", &DagFound::score)
        .def_prop_ro("trace", [](const DagFound& walk) { return walk.trace; })
        .def_ro("evaluations", &DagFound::evaluations, "Families that were scored.")
        .def_prop_ro("stopped", &stopped<DagFound>);
    nb::enum_<ClassMoveKind>(m, "ClassMoveKind", "What a step does to an equivalence class.")
        .value("insert", ClassMoveKind::insert)
        .value("delete", ClassMoveKind::remove)
        .value("turn", ClassMoveKind::turn);
    nb::class_<ClassMove>(m, "ClassMove", "One step from equivalence class to equivalence class.")
        .def_ro("move", &ClassMove::kind)
        .def_ro("source", &ClassMove::x)
        .def_ro("target", &ClassMove::y)
        .def_ro("gain", &ClassMove::gain);
    nb::class_<ClassFound>(m, "ClassFound", "Where a walk from class to class ended, and how it came there.")
        .def_ro("graph", &ClassFound::graph, "The essential graph.")
        .def_prop_ro(
            "parents", [](const ClassFound& walk) { return member_lists(walk.dag); },
            "Of a member that obeys the knowledge.")
        .def_ro("score", &ClassFound::score, "The score of that member.")
        .def_prop_ro("trace", [](const ClassFound& walk) { return walk.trace; })
        .def_ro("operators", &ClassFound::operators, "Moves that were scored.")
        .def_ro("families", &ClassFound::families, "Families that were scored.")
        .def_ro("cut_off", &ClassFound::cut_off, "Whether the limit of families ended the search.")
        .def_prop_ro("stopped", &stopped<ClassFound>);
    m.def("hill_climb", &climb, "score"_a, "knowledge"_a, "start"_a, nb::kw_only(),
          "max_parents"_a = nb::none(), "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "first_improvement"_a = false, "restarts"_a = 0, "perturbation"_a = 0, "seed"_a = 0,
          "random_ties"_a = false, "first"_a = 0, "cancel"_a = nb::none());
    m.def("tabu_search", &tabu, "score"_a, "knowledge"_a, "start"_a, nb::kw_only(),
          "max_parents"_a = nb::none(), "tenure"_a = 10, "patience"_a = 10, "random_ties"_a = false,
          "seed"_a = 0, "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "cancel"_a = nb::none());
    m.def("anneal", &annealing, "score"_a, "knowledge"_a, "start"_a, nb::kw_only(),
          "max_parents"_a = nb::none(), "temperatures"_a, "seed"_a, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Simulated annealing, one move per temperature.");
    m.def("ges", &equivalence, "score"_a, "knowledge"_a, "start"_a, nb::kw_only(),
          "max_parents"_a = nb::none(), "turning"_a = false, "threads"_a = 1u, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "reuse"_a = true, "max_steps"_a = nb::none(), "random_ties"_a = false,
          "seed"_a = 0, "cancel"_a = nb::none(), "extended"_a = false, "targets"_a = std::vector<Members>{},
          "max_families"_a = nb::none(), "Greedy equivalence search.");
    m.def("full_graph", &full, "score"_a, "knowledge"_a, "base"_a, nb::kw_only(),
          "max_parents"_a = nb::none(),
          "Every arc forward in the first topological order of base that knowledge allows.");
    m.def("random_graph", &random_arcs, "score"_a, "knowledge"_a, "base"_a, nb::kw_only(), "max_parents"_a,
          "seed"_a, "base with random arcs that knowledge allows, as many as there are variables.");
    m.def("tree_graph", &tree, "score"_a, "knowledge"_a, "base"_a, nb::kw_only(),
          "max_parents"_a = nb::none(), "threads"_a = 1u, "seconds"_a = nb::none(), "cancel"_a = nb::none(),
          "base with the arcs of the spanning forest of largest gain; base itself if stopped.");
    m.def("maximum_spanning_forest", &spanning_forest, "weights"_a, "least"_a = nb::none(),
          "Links (nearer to the root, farther) of the spanning forest of links heavier than least.");
}
