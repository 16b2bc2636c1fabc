// Graphs cross the border as a MixedGraph built from arrays of node numbers; names stay in Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "dagwright/chordal.hpp"
#include "dagwright/clique_picking.hpp"
#include "dagwright/equivalence.hpp"
#include "dagwright/intervention_distance.hpp"
#include "dagwright/separation.hpp"
#include "dagwright/topological_order.hpp"

using namespace nb::literals;
using dagwright::Arc;
using dagwright::MixedGraph;
using dagwright::Node;

namespace {

using EdgeArray = nb::ndarray<const Node, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using EdgeResult = nb::ndarray<nb::numpy, Node, nb::shape<-1, 2>>;
using NodeLists = std::tuple<std::vector<Node>, std::vector<Node>, std::vector<Node>>;
using Release = nb::call_guard<nb::gil_scoped_release>;

std::vector<Arc> arcs_of(const EdgeArray& edges) {
    const auto view = edges.view();
    std::vector<Arc> arcs(edges.shape(0));
    for (std::size_t i = 0; i < arcs.size(); ++i) arcs[i] = {view(i, 0), view(i, 1)};
    return arcs;
}

EdgeResult array_of(const std::vector<Arc>& arcs) {
    auto* values = new Node[2 * arcs.size()];
    nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<Node*>(pointer); });
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        values[2 * i] = arcs[i].from;
        values[2 * i + 1] = arcs[i].to;
    }
    return EdgeResult(values, {arcs.size(), 2}, owner);
}

std::vector<Node> list_of(std::span<const Node> nodes) { return {nodes.begin(), nodes.end()}; }

template <class Answer>
std::vector<bool> answer_all(const MixedGraph& graph, const std::vector<NodeLists>& lists, Answer answer) {
    std::vector<dagwright::SeparationQuery> queries;
    queries.reserve(lists.size());
    for (const auto& [x, y, given] : lists) queries.push_back({x, y, given});
    std::vector<char> answers;
    {
        const nb::gil_scoped_release unlocked;
        answers = answer(graph, queries);
    }
    return {answers.begin(), answers.end()};
}

void bind_mixed_graph(nb::module_& m) {
    nb::class_<MixedGraph>(m, "MixedGraph", "Directed and undirected edges between numbered nodes.")
        .def(
            "__init__",
            [](MixedGraph* self, std::size_t n, const EdgeArray& directed, const EdgeArray& undirected) {
                const std::vector<Arc> arcs = arcs_of(directed), links = arcs_of(undirected);
                new (self) MixedGraph(n, arcs, links);
            },
            "n"_a, "directed"_a, "undirected"_a)
        .def("__len__", &MixedGraph::size)
        .def(
            "same_as", [](const MixedGraph& a, const MixedGraph& b) { return a == b; }, "other"_a)
        .def("directed", [](const MixedGraph& graph) { return array_of(graph.directed()); })
        .def("undirected", [](const MixedGraph& graph) { return array_of(graph.undirected()); })
        .def("skeleton",
             [](const MixedGraph& graph) {
                 std::vector<Arc> links = graph.skeleton().arcs();
                 std::erase_if(links, [](const Arc& link) { return link.from > link.to; });
                 return MixedGraph(graph.size(), {}, links);
             })
        .def(
            "parents", [](const MixedGraph& graph, Node node) { return list_of(graph.parents()[node]); },
            "node"_a)
        .def(
            "children", [](const MixedGraph& graph, Node node) { return list_of(graph.children()[node]); },
            "node"_a)
        .def(
            "neighbours",
            [](const MixedGraph& graph, Node node) { return list_of(graph.neighbours()[node]); }, "node"_a)
        .def("adjacent", &MixedGraph::adjacent, "a"_a, "b"_a);
}

void bind_orders_and_separation(nb::module_& m) {
    m.def("smallest_topological_order", &dagwright::smallest_topological_order, "graph"_a, Release());
    m.def("find_cycle", &dagwright::find_cycle, "graph"_a, Release());
    m.def(
        "ancestors",
        [](const MixedGraph& graph, const std::vector<Node>& nodes) {
            return dagwright::reachable(graph.parents(), nodes);
        },
        "graph"_a, "nodes"_a, Release());
    m.def(
        "descendants",
        [](const MixedGraph& graph, const std::vector<Node>& nodes) {
            return dagwright::reachable(graph.children(), nodes);
        },
        "graph"_a, "nodes"_a, Release());
    m.def(
        "components", [](const MixedGraph& graph) { return dagwright::components(graph.neighbours()); },
        "graph"_a, Release());
    m.def(
        "d_separated",
        [](const MixedGraph& graph, const std::vector<NodeLists>& queries) {
            return answer_all(graph, queries,
                              [](const auto& g, const auto& q) { return dagwright::d_separated(g, q); });
        },
        "graph"_a, "queries"_a);
    m.def(
        "undirected_separated",
        [](const MixedGraph& graph, const std::vector<NodeLists>& queries) {
            return answer_all(graph, queries, [](const auto& g, const auto& q) {
                return dagwright::undirected_separated(g, q);
            });
        },
        "graph"_a, "queries"_a);
    m.def(
        "moral_graph",
        [](const MixedGraph& graph, const std::vector<Node>& nodes) {
            return MixedGraph(graph.size(), {}, dagwright::moral_edges(graph, nodes));
        },
        "graph"_a, "nodes"_a, Release());
}

void bind_equivalence(nb::module_& m) {
    m.def("v_structures", &dagwright::v_structures, "graph"_a, Release());
    m.def("essential_graph", &dagwright::essential_graph, "graph"_a, Release());
    m.def("consistent_extension", &dagwright::consistent_extension, "graph"_a, Release());
    m.def("meek_closure", &dagwright::meek_closure, "graph"_a, Release());
    m.def(
        "is_chordal",
        [](const MixedGraph& graph) {
            return dagwright::is_perfect_order(graph.neighbours(),
                                               dagwright::maximum_cardinality_order(graph.neighbours()));
        },
        "graph"_a, Release());
    m.def("blocks_after_clique", &dagwright::blocks_after_clique, "graph"_a, "nodes"_a, "clique"_a,
          Release());
    m.def(
        "clique_picking_plan",
        [](const MixedGraph& graph) {
            dagwright::CliquePickingPlan plan;
            {
                const nb::gil_scoped_release unlocked;
                plan = dagwright::clique_picking_plan(graph);
            }
            nb::list subproblems;
            for (const dagwright::Subproblem& subproblem : plan.subproblems) {
                nb::list choices;
                for (const dagwright::CliqueChoice& choice : subproblem.choices) {
                    choices.append(nb::make_tuple(choice.clique, choice.forbidden, choice.parts));
                }
                subproblems.append(nb::make_tuple(subproblem.nodes, choices));
            }
            return nb::make_tuple(plan.roots, subproblems);
        },
        "graph"_a,
        nb::sig("def clique_picking_plan(graph: MixedGraph) -> tuple[int, list[tuple[list[int], "
                "list[tuple[list[int], list[int], list[int]]]]]]"));
    m.def(
        "wrong_effects",
        [](const MixedGraph& truth, Node node, const std::vector<Node>& parents) {
            return dagwright::wrong_effects(truth, node, parents);
        },
        "truth"_a, "node"_a, "parents"_a, Release());
    m.def("structural_intervention_distance", &dagwright::structural_intervention_distance, "truth"_a,
          "guess"_a, Release());
}

}  // namespace

void bind_graph(nb::module_& m) {
    bind_mixed_graph(m);
    bind_orders_and_separation(m);
    bind_equivalence(m);
}
