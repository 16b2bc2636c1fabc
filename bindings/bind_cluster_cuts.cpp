// Cutting planes over candidate families.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/exact/cluster_cuts.hpp"
#include "dagwright/exact/family_orders.hpp"
#include "dagwright/exact/four_node_cuts.hpp"

using namespace dagwright;

namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

template <class Array>
auto span_of(const Array& array) {
    return std::span(array.data(), array.shape(0));
}

Numbers to_numbers(std::vector<std::int64_t> values) {
    auto* owned = new std::vector<std::int64_t>(std::move(values));
    const nb::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return Numbers(owned->data(), {owned->size()}, owner);
}

}  // namespace

void bind_cluster_cuts(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<Families>(m, "Families", "Candidate parent sets of every variable, as bit rows.")
        .def(nb::init<const CandidateSets&>(), "sets"_a)
        .def("__len__", &Families::size);
    m.def(
        "violated_clusters",
        [](const Families& families, Weights weights, double least, std::size_t most,
           std::size_t largest_order, std::uint64_t steps) {
            ClustersFound found;
            {
                const nb::gil_scoped_release release;
                found = violated_clusters(families, span_of(weights), {least, most, largest_order, steps});
            }
            nb::list clusters;
            for (const Cluster& cluster : found.clusters)
                clusters.append(nb::make_tuple(cluster.members, cluster.order, cluster.violation));
            return nb::make_tuple(clusters, found.complete);
        },
        "families"_a, "weights"_a, "least"_a, "most"_a, "largest_order"_a, "steps"_a,
        "Clusters whose inequality the weights violate, as (members, order, violation), and whether the "
        "search "
        "for them was complete.");
    m.def(
        "cluster_row",
        [](const Families& families, const Members& members, std::size_t order) {
            return to_numbers(cluster_row(families, members, order));
        },
        "families"_a, "members"_a, "order"_a = 1,
        "The families on the left-hand side of a cluster's inequality.");
    m.def(
        "violated_four_node_cuts",
        [](const Families& families, Weights weights, double least, std::size_t most) {
            std::vector<FourNodeCut> found;
            {
                const nb::gil_scoped_release release;
                found = violated_four_node_cuts(families, span_of(weights), least, most);
            }
            nb::list cuts;
            for (const FourNodeCut& cut : found)
                cuts.append(nb::make_tuple(cut.members, cut.kind, cut.violation));
            return cuts;
        },
        "families"_a, "weights"_a, "least"_a, "most"_a,
        "Facets of the networks over four variables that the weights violate, as (members, kind, "
        "violation).");
    m.def(
        "four_node_row",
        [](const Families& families, const Members& members, std::size_t kind) {
            FourNodeRow row = four_node_row(families, members, kind);
            return nb::make_tuple(to_numbers(std::move(row.families)), to_array(std::move(row.coefficients)),
                                  row.bound);
        },
        "families"_a, "members"_a, "kind"_a,
        "The inequality of such a facet: (families, coefficients, bound).");
    m.def(
        "order_by_weights",
        [](const Families& families, Weights weights) {
            return order_by_weights(families, span_of(weights));
        },
        "families"_a, "weights"_a, "An order in which the families with weight fit well.");
    m.def(
        "climb_orders",
        [](const Families& families, const Members& order, std::size_t rounds, std::uint64_t seed,
           std::optional<double> seconds, Cancel cancel) {
            const std::unique_ptr<Control> control = make_control(1, seconds, nb::none(), std::move(cancel));
            OrderedChoice found;
            {
                const nb::gil_scoped_release release;
                found = climb_orders(families, order, rounds, seed, *control);
            }
            return nb::make_tuple(to_numbers(std::move(found.families)), found.loss);
        },
        "families"_a, "order"_a, "rounds"_a = 0, "seed"_a = 0, "seconds"_a = nb::none(),
        "cancel"_a = nb::none(),
        "Iterated climbing over orders: (one family per variable or none at all, loss).");
}
