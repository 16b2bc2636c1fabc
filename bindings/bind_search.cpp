// Native search loops.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/hill_climb.hpp"

using namespace dagwright;

namespace {

const char* stop_name(Stop stop) {
    switch (stop) {
        case Stop::deadline:
            return "deadline";
        case Stop::cancelled:
            return "cancelled";
        case Stop::none:
            break;
    }
    return "";
}

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

nb::tuple climb(std::shared_ptr<LocalScore> score, const Knowledge& knowledge,
                const std::vector<Members>& start, std::optional<std::size_t> max_parents,
                std::optional<std::size_t> max_steps, unsigned threads, std::optional<double> seconds,
                nb::object progress) {
    const std::size_t n = score->variables();
    if (start.size() != n || knowledge.size() != n)
        throw nb::value_error("start, knowledge and score must be of one size");
    std::vector<VarSet> parents = to_varsets(start, n);
    const std::unique_ptr<Control> control = make_control(threads, seconds, std::move(progress));
    Climb found;
    {
        const nb::gil_scoped_release release;
        found = hill_climb(*score, knowledge, std::move(parents), max_parents.value_or(Knowledge::kUnbounded),
                           max_steps.value_or(Knowledge::kUnbounded), *control);
    }
    nb::list families, trace;
    for (const VarSet& set : found.parents) families.append(to_members(set));
    for (const Step& step : found.trace)
        trace.append(nb::make_tuple(move_name(step.move), step.from, step.to, step.gain));
    return nb::make_tuple(families, found.score, trace, found.evaluations, stop_name(found.stop));
}

}  // namespace

void bind_search(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("hill_climb", &climb, "score"_a, "knowledge"_a, "start"_a, "max_parents"_a = nb::none(),
          "max_steps"_a = nb::none(), "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "Greedy hill climbing: (parents per variable, score, trace, evaluations, why it stopped or '').");
}
