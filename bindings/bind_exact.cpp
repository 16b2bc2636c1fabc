// Exact methods on candidate sets: pieces, dynamic programming, A*, enumeration.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/exact/candidate_sets.hpp"
#include "dagwright/exact/dynamic_programming.hpp"
#include "dagwright/exact/order_astar.hpp"
#include "dagwright/exact/rival_networks.hpp"

using namespace dagwright;

namespace {

PieceSolution solve_by_subsets(const CandidateSets& sets, const Members& variables, unsigned threads,
                               std::optional<double> seconds, Progress progress, Cancel cancel) {
    const MaskedFamilies families(sets, variables);
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    const SubsetProgram program(families, *control);
    if (program.stop() == Stop::none) return program.solution();
    PieceSolution found;
    found.stop = program.stop();
    return found;
}

PieceSolution solve_by_astar(const CandidateSets& sets, const Members& variables, double incumbent,
                             double tolerance, std::size_t most_nodes, unsigned threads,
                             std::optional<double> seconds, Progress progress, Cancel cancel) {
    const MaskedFamilies families(sets, variables);
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    AstarPlan plan;
    plan.incumbent = incumbent;
    plan.tolerance = tolerance;
    plan.most_nodes = most_nodes;
    const nb::gil_scoped_release release;
    return order_astar(families, plan, *control);
}

// The networks near the best, and the score of the best.
struct RivalsFound {
    Rivals rivals;
    double best = kImpossible;
};

std::vector<Var> all_variables(const CandidateSets& sets) {
    std::vector<Var> all(sets.variables());
    for (Var v = 0; v < all.size(); ++v) all[v] = v;
    return all;
}

RivalsFound find_rivals(const CandidateSets& sets, double within, std::size_t most, bool best_only,
                        unsigned threads, std::optional<double> seconds, Progress progress, Cancel cancel) {
    const MaskedFamilies families(sets, all_variables(sets));
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    const SubsetProgram program(families, *control);
    RivalsFound found;
    found.rivals.stop = program.stop();
    if (found.rivals.stop == Stop::none) {
        found.best = program.best(families.everything());
        found.rivals = rival_networks(families, program, {found.best - within, most, best_only}, *control);
    }
    return found;
}

Enumerated enumerate(const CandidateSets& sets, double tolerance, std::optional<double> seconds,
                     Progress progress, Cancel cancel) {
    const MaskedFamilies families(sets, all_variables(sets));
    const std::unique_ptr<Control> control = make_control(1, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    return enumerate_networks(families, tolerance, *control);
}

}  // namespace

void bind_exact(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("strong_components", &strong_components, "sets"_a,
          "Variables that can be in a cycle together, parents' components first.");
    nb::class_<PieceSolution>(m, "PieceSolution", "The best families of some variables, or what is proven.")
        .def_ro("entries", &PieceSolution::entries, "Empty where no legal network was found.")
        .def_ro("score", &PieceSolution::score)
        .def_ro("bound", &PieceSolution::bound, "No network scores more.")
        .def_ro("steps", &PieceSolution::steps)
        .def_prop_ro("stopped", &stopped<PieceSolution>)
        .def_ro("full", &PieceSolution::full, "Whether it ended for want of memory.");
    nb::class_<RivalsFound>(m, "RivalsFound", "Networks near the best.")
        .def_ro("best", &RivalsFound::best, "The score of the best network.")
        .def_prop_ro(
            "entries", [](const RivalsFound& found) { return found.rivals.entries; },
            "Of the candidate sets, one for each variable and network.")
        .def_prop_ro(
            "scores", [](const RivalsFound& found) { return found.rivals.scores; }, "Descending.")
        .def_prop_ro(
            "full", [](const RivalsFound& found) { return found.rivals.full; }, "Whether there are more.")
        .def_prop_ro("stopped", [](const RivalsFound& found) { return early(found.rivals.stop); });
    nb::class_<Enumerated::PerArcs>(m, "BestOfArcs", "The best networks with one number of arcs.")
        .def_ro("score", &Enumerated::PerArcs::score)
        .def_ro("entries", &Enumerated::PerArcs::entries, "Empty where there is no such network.")
        .def_ro("ties", &Enumerated::PerArcs::ties);
    nb::class_<Enumerated>(m, "Enumerated", "Every network: how many, the best, the ties.")
        .def_ro("count", &Enumerated::count)
        .def_ro("best", &Enumerated::best)
        .def_ro("ties", &Enumerated::ties, "Entries, one for each variable and network.")
        .def_prop_ro(
            "per_arcs", [](const Enumerated& found) { return found.per_arcs; }, "By number of arcs.")
        .def_prop_ro("stopped", &stopped<Enumerated>);
    m.def("solve_by_subsets", &solve_by_subsets, "sets"_a, "variables"_a, nb::kw_only(), "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Dynamic programming over subsets of some variables, all others available to them.");
    m.def("solve_by_astar", &solve_by_astar, "sets"_a, "variables"_a, nb::kw_only(), "incumbent"_a,
          "tolerance"_a, "most_nodes"_a, "threads"_a = 1u, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "A* search for a network that scores more than the incumbent.");
    m.def("find_rivals", &find_rivals, "sets"_a, nb::kw_only(), "within"_a, "most"_a, "best_only"_a,
          "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "All networks within a distance of the best, or the best of them.");
    m.def("enumerate_networks", &enumerate, "sets"_a, nb::kw_only(), "tolerance"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "cancel"_a = nb::none());
}
