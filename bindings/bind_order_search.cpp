// Native searches over orders of the variables.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/search/boss.hpp"
#include "dagwright/search/order_search.hpp"
#include "running_scores.hpp"

using namespace dagwright;

namespace {

using Bound = std::optional<std::size_t>;

OrderMoves order_moves(const std::string& name) {
    if (name == "insert") return OrderMoves::insert;
    if (name == "swap") return OrderMoves::swap;
    throw nb::value_error("moves are 'insert' or 'swap'");
}

nb::dict search_orders(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                       const std::string& moves, std::size_t chains, std::size_t perturbations,
                       std::uint64_t evaluations_per_child, Bound max_parents, std::uint64_t seed,
                       unsigned threads, std::optional<double> seconds, nb::object progress, Cancel cancel) {
    std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    const OrderPlan plan{order_moves(moves),
                         chains,
                         perturbations,
                         evaluations_per_child,
                         max_parents.value_or(Knowledge::kUnbounded),
                         seed};
    OrderFound found;
    {
        const nb::gil_scoped_release release;
        found = order_search(score, knowledge, std::move(parents), plan, *control);
    }
    nb::dict result;
    result["parents"] = to_lists(found.parents);
    result["score"] = found.score;
    result["evaluations"] = found.evaluations;
    result["rounds"] = found.rounds;
    result["complete"] = found.complete;
    result["list_bytes"] = found.list_bytes;
    result["running"] = to_tuples(found.running);
    result["stopped"] = stop_name(found.stop);
    return result;
}

nb::tuple search_boss(LocalScore& score, const Knowledge& knowledge, const std::vector<Members>& start,
                      std::size_t restarts, Bound max_parents, bool backward, std::uint64_t seed,
                      unsigned threads, std::optional<double> seconds, nb::object progress, Cancel cancel) {
    std::vector<VarSet> parents = checked_start(score, knowledge, start);
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    const BossPlan plan{restarts, max_parents.value_or(Knowledge::kUnbounded), seed, backward};
    BossFound found;
    {
        const nb::gil_scoped_release release;
        found = boss(score, knowledge, std::move(parents), plan, *control);
    }
    return nb::make_tuple(to_lists(found.parents), found.score, found.moves, found.deletions,
                          found.evaluations, stop_name(found.stop), to_tuples(found.running));
}

}  // namespace

void bind_order_search(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("order_search", &search_orders, "score"_a, "knowledge"_a, "start"_a, "moves"_a, "chains"_a,
          "perturbations"_a, "evaluations_per_child"_a, "max_parents"_a = nb::none(), "seed"_a = 0,
          "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Iterated local search over orders: parents, score and an account of the search.");
    m.def("boss", &search_boss, "score"_a, "knowledge"_a, "start"_a, "restarts"_a = 0,
          "max_parents"_a = nb::none(), "backward"_a = true, "seed"_a = 0, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Best order score search: (parents, score, moves, deletions, evaluations, why it stopped or '', "
          "running scores).");
}
