// Native searches over orders of the variables.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/search/boss.hpp"
#include "dagwright/search/order_search.hpp"
#include "shown_network.hpp"

using namespace dagwright;

namespace {

using Bound = std::optional<std::size_t>;

OrderFound search_orders(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                         OrderMoves moves, std::size_t chains, std::size_t perturbations,
                         std::uint64_t evaluations_per_child, Bound max_parents, std::uint64_t seed,
                         unsigned threads, std::optional<double> seconds, Progress progress, Cancel cancel) {
    std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    BestNetwork best = shown_to(progress, *control);
    const OrderPlan plan{
        moves, chains, perturbations, evaluations_per_child, max_parents.value_or(Knowledge::kUnbounded),
        seed,  &best};
    const nb::gil_scoped_release release;
    return order_search(score, knowledge, std::move(parents), plan, *control);
}

BossFound search_boss(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                      std::size_t restarts, Bound max_parents, bool backward, std::uint64_t seed,
                      unsigned threads, std::optional<double> seconds, Progress progress, Cancel cancel) {
    std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    BestNetwork best = shown_to(progress, *control);
    BossPlan plan;
    plan.restarts = restarts;
    plan.max_parents = max_parents.value_or(Knowledge::kUnbounded);
    plan.seed = seed;
    plan.backward = backward;
    plan.best = &best;
    const nb::gil_scoped_release release;
    return boss(score, knowledge, std::move(parents), plan, *control);
}

}  // namespace

void bind_order_search(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::enum_<OrderMoves>(m, "OrderMoves", "How order search changes an order.")
        .value("insert", OrderMoves::insert)
        .value("swap", OrderMoves::swap);
    nb::class_<RunningScore>(m, "RunningScore", "The score after a step of a search over orders.")
        .def_prop_ro("phase", [](const RunningScore& at) { return std::string(at.phase); })
        .def_ro("step", &RunningScore::step)
        .def_ro("score", &RunningScore::score)
        .def_ro("variable", &RunningScore::variable, "The variable that was moved, if any.")
        .def_ro("position", &RunningScore::position, "Its new position in the order.");
    nb::class_<OrderFound>(m, "OrderFound", "What order search found, and an account of it.")
        .def_prop_ro("parents", [](const OrderFound& found) { return member_lists(found.parents); })
        .def_ro("score", &OrderFound::score)
        .def_ro("evaluations", &OrderFound::evaluations)
        .def_ro("rounds", &OrderFound::rounds)
        .def_ro("complete", &OrderFound::complete, "Whether the lists had all sets that can be needed.")
        .def_ro("list_bytes", &OrderFound::list_bytes)
        .def_prop_ro("running", [](const OrderFound& found) { return found.running; })
        .def_prop_ro("stopped", &stopped<OrderFound>);
    nb::class_<BossFound>(m, "BossFound", "What best order score search found, and an account of it.")
        .def_prop_ro("parents", [](const BossFound& found) { return member_lists(found.parents); })
        .def_ro("score", &BossFound::score)
        .def_ro("evaluations", &BossFound::evaluations)
        .def_ro("moves", &BossFound::moves)
        .def_ro("deletions", &BossFound::deletions)
        .def_prop_ro("running", [](const BossFound& found) { return found.running; })
        .def_prop_ro("stopped", &stopped<BossFound>);
    m.def("order_search", &search_orders, "score"_a, "knowledge"_a, "start"_a, nb::kw_only(), "moves"_a,
          "chains"_a, "perturbations"_a, "evaluations_per_child"_a, "max_parents"_a = nb::none(),
          "seed"_a = 0, "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "cancel"_a = nb::none(), "Iterated local search over orders.");
    m.def("boss", &search_boss, "score"_a, "knowledge"_a, "start"_a, nb::kw_only(), "restarts"_a = 0,
          "max_parents"_a = nb::none(), "backward"_a = true, "seed"_a = 0, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Best order score search.");
}
