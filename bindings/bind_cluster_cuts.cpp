// Cutting planes over candidate families.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/exact/cluster_cuts.hpp"
#include "dagwright/exact/family_orders.hpp"
#include "dagwright/exact/four_node_cuts.hpp"

using namespace dagwright;

namespace {

void bind_results(nb::module_& m) {
    nb::class_<Cluster>(m, "Cluster", "A set of variables whose inequality is violated.")
        .def_ro("members", &Cluster::members)
        .def_ro("order", &Cluster::order, "At least k members have fewer than k parents among the members.")
        .def_ro("violation", &Cluster::violation);
    nb::class_<ClustersFound>(m, "ClustersFound", "Clusters whose inequality the weights violate.")
        .def_prop_ro(
            "clusters", [](const ClustersFound& found) { return found.clusters; }, "Most violated first.")
        .def_ro("complete", &ClustersFound::complete, "Whether no other cluster is violated.");
    nb::class_<FourNodeCut>(m, "FourNodeCut", "A violated facet of the networks over four variables.")
        .def_ro("members", &FourNodeCut::members, "By role.")
        .def_ro("kind", &FourNodeCut::kind)
        .def_ro("violation", &FourNodeCut::violation);
    nb::class_<FourNodeRow>(m, "FourNodeRow", "The inequality of such a facet.")
        .def_prop_ro("families", viewed(&FourNodeRow::families))
        .def_prop_ro("coefficients", viewed(&FourNodeRow::coefficients))
        .def_ro("bound", &FourNodeRow::bound);
    nb::class_<OrderedChoice>(m, "OrderedChoice", "The best families along the best order that was found.")
        .def_prop_ro("families", viewed(&OrderedChoice::families), "One per variable, or none at all.")
        .def_ro("loss", &OrderedChoice::loss);
}

}  // namespace

void bind_cluster_cuts(nb::module_& m) {
    using nb::literals::operator""_a;
    bind_results(m);
    nb::class_<Families>(m, "Families", "Candidate parent sets of every variable, as bit rows.")
        .def(nb::init<const CandidateSets&>(), "sets"_a)
        .def("__len__", &Families::size);
    m.def(
        "violated_clusters",
        [](const Families& families, const Input<double>& weights, double least, std::size_t most,
           std::size_t largest_order, std::uint64_t steps) {
            const nb::gil_scoped_release release;
            return violated_clusters(families, span_of(weights), {least, most, largest_order, steps});
        },
        "families"_a, "weights"_a, nb::kw_only(), "least"_a, "most"_a, "largest_order"_a, "steps"_a);
    m.def(
        "cluster_row",
        [](const Families& families, const Members& members, std::size_t order) {
            return to_array(cluster_row(families, members, order));
        },
        "families"_a, "members"_a, "order"_a = 1,
        "The families on the left-hand side of a cluster's inequality.");
    m.def(
        "violated_four_node_cuts",
        [](const Families& families, const Input<double>& weights, double least, std::size_t most) {
            const nb::gil_scoped_release release;
            return violated_four_node_cuts(families, span_of(weights), least, most);
        },
        "families"_a, "weights"_a, nb::kw_only(), "least"_a, "most"_a,
        "Facets of the networks over four variables that the weights violate.");
    m.def(
        "four_node_row",
        [](const Families& families, const Members& members, std::size_t kind) {
            return four_node_row(families, members, kind);
        },
        "families"_a, "members"_a, "kind"_a);
    m.def(
        "order_by_weights",
        [](const Families& families, const Input<double>& weights) {
            return order_by_weights(families, span_of(weights));
        },
        "families"_a, "weights"_a, "An order in which the families with weight fit well.");
    m.def(
        "climb_orders",
        [](const Families& families, const Members& order, std::size_t rounds, std::uint64_t seed,
           std::optional<double> seconds, Cancel cancel) {
            const std::unique_ptr<Control> control = make_control(1, seconds, nullptr, std::move(cancel));
            const nb::gil_scoped_release release;
            return climb_orders(families, order, rounds, seed, *control);
        },
        "families"_a, "order"_a, nb::kw_only(), "rounds"_a = 0, "seed"_a = 0, "seconds"_a = nb::none(),
        "cancel"_a = nb::none(), "Iterated climbing over orders.");
}
