// Exact methods on candidate sets: pieces, dynamic programming, A*, enumeration.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/exact/candidate_sets.hpp"
#include "dagwright/exact/order_astar.hpp"
#include "dagwright/exact/rival_networks.hpp"
#include "dagwright/exact/subset_program.hpp"

using namespace dagwright;

namespace {

nb::dict to_dict(const PieceSolution& found) {
    nb::dict result;
    result["entries"] = found.entries;
    result["score"] = found.score;
    result["bound"] = found.bound;
    result["steps"] = found.steps;
    result["stopped"] = stop_name(found.stop);
    result["full"] = found.full;
    return result;
}

nb::dict solve_by_subsets(const CandidateSets& sets, const Members& variables, unsigned threads,
                          std::optional<double> seconds, nb::object progress, Cancel cancel) {
    const MaskedFamilies families(sets, variables);
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    PieceSolution found;
    {
        const nb::gil_scoped_release release;
        const SubsetProgram program(families, *control);
        if (program.stop() == Stop::none)
            found = program.solution();
        else
            found.stop = program.stop();
    }
    return to_dict(found);
}

nb::dict solve_by_astar(const CandidateSets& sets, const Members& variables, double incumbent,
                        double tolerance, std::size_t most_nodes, unsigned threads,
                        std::optional<double> seconds, nb::object progress, Cancel cancel) {
    const MaskedFamilies families(sets, variables);
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    AstarPlan plan;
    plan.incumbent = incumbent;
    plan.tolerance = tolerance;
    plan.most_nodes = most_nodes;
    PieceSolution found;
    {
        const nb::gil_scoped_release release;
        found = order_astar(families, plan, *control);
    }
    return to_dict(found);
}

std::vector<Var> all_variables(const CandidateSets& sets) {
    std::vector<Var> all(sets.variables());
    for (Var v = 0; v < all.size(); ++v) all[v] = v;
    return all;
}

nb::dict find_rivals(const CandidateSets& sets, double within, std::size_t most, bool best_only,
                     unsigned threads, std::optional<double> seconds, nb::object progress, Cancel cancel) {
    const MaskedFamilies families(sets, all_variables(sets));
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    Rivals found;
    double best = kImpossible;
    {
        const nb::gil_scoped_release release;
        const SubsetProgram program(families, *control);
        found.stop = program.stop();
        if (found.stop == Stop::none) {
            best = program.best(families.everything());
            found = rival_networks(families, program, {best - within, most, best_only}, *control);
        }
    }
    nb::dict result;
    result["best"] = best;
    result["entries"] = found.entries;
    result["scores"] = found.scores;
    result["full"] = found.full;
    result["stopped"] = stop_name(found.stop);
    return result;
}

nb::dict enumerate(const CandidateSets& sets, double tolerance, std::optional<double> seconds,
                   nb::object progress, Cancel cancel) {
    const MaskedFamilies families(sets, all_variables(sets));
    const std::unique_ptr<Control> control = make_control(1, seconds, std::move(progress), std::move(cancel));
    Enumerated found;
    {
        const nb::gil_scoped_release release;
        found = enumerate_networks(families, tolerance, *control);
    }
    nb::list per_arcs;
    for (const Enumerated::PerArcs& one : found.per_arcs)
        per_arcs.append(nb::make_tuple(one.score, one.entries, one.ties));
    nb::dict result;
    result["count"] = found.count;
    result["best"] = found.best;
    result["ties"] = found.ties;
    result["per_arcs"] = per_arcs;
    result["stopped"] = stop_name(found.stop);
    return result;
}

}  // namespace

void bind_exact(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("strong_components", &strong_components, "sets"_a,
          "Variables that can be in a cycle together, parents' components first.");
    m.def("solve_by_subsets", &solve_by_subsets, "sets"_a, "variables"_a, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Dynamic programming over subsets of some variables, all others available to them.");
    m.def("solve_by_astar", &solve_by_astar, "sets"_a, "variables"_a, "incumbent"_a, "tolerance"_a,
          "most_nodes"_a, "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "cancel"_a = nb::none(), "A* search for a network that scores more than the incumbent.");
    m.def("find_rivals", &find_rivals, "sets"_a, "within"_a, "most"_a, "best_only"_a, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "All networks within a distance of the best, or the best of them.");
    m.def("enumerate_networks", &enumerate, "sets"_a, "tolerance"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Every network: how many, the best, the ties, the best per number of arcs.");
}
