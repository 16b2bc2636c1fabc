// Graphs cross the border as a MixedGraph built from arrays of node numbers; names stay in Python.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "dagwright/graph/chordal.hpp"
#include "dagwright/graph/separation.hpp"
#include "dagwright/graph/topological_order.hpp"
#include "node_checks.hpp"

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
    std::vector<Node> values;
    values.reserve(2 * arcs.size());
    for (const Arc& arc : arcs) values.insert(values.end(), {arc.from, arc.to});
    return owned_array<EdgeResult>(std::move(values), {arcs.size(), 2});
}

std::vector<Node> list_of(const MixedGraph& graph, const dagwright::Adjacency& lists, Node node) {
    require_node(graph, node);
    return {lists[node].begin(), lists[node].end()};
}

template <class Answer>
std::vector<bool> answer_all(const MixedGraph& graph, const std::vector<NodeLists>& lists, Answer answer) {
    std::vector<dagwright::SeparationQuery> queries;
    queries.reserve(lists.size());
    for (const auto& [x, y, given] : lists) {
        for (const std::vector<Node>* nodes : {&x, &y, &given}) require_nodes(graph, *nodes);
        queries.push_back({x, y, given});
    }
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
                constexpr std::size_t most = std::size_t{1} << 26;  // some gigabytes of lists
                if (n > most) {
                    throw std::invalid_argument("a graph of " + std::to_string(n) + " nodes; the most is " +
                                                std::to_string(most));
                }
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
            "parents",
            [](const MixedGraph& graph, Node node) { return list_of(graph, graph.parents(), node); },
            "node"_a)
        .def(
            "children",
            [](const MixedGraph& graph, Node node) { return list_of(graph, graph.children(), node); },
            "node"_a)
        .def(
            "neighbors",
            [](const MixedGraph& graph, Node node) { return list_of(graph, graph.neighbors(), node); },
            "node"_a)
        .def(
            "adjacent",
            [](const MixedGraph& graph, Node a, Node b) {
                require_nodes(graph, {a, b});
                return graph.adjacent(a, b);
            },
            "a"_a, "b"_a);
}

void bind_orders_and_separation(nb::module_& m) {
    m.def("smallest_topological_order", &dagwright::smallest_topological_order, "graph"_a, Release());
    m.def("find_cycle", &dagwright::find_cycle, "graph"_a, Release());
    m.def(
        "ancestors",
        [](const MixedGraph& graph, const std::vector<Node>& nodes) {
            require_nodes(graph, nodes);
            return dagwright::reachable(graph.parents(), nodes);
        },
        "graph"_a, "nodes"_a, Release());
    m.def(
        "descendants",
        [](const MixedGraph& graph, const std::vector<Node>& nodes) {
            require_nodes(graph, nodes);
            return dagwright::reachable(graph.children(), nodes);
        },
        "graph"_a, "nodes"_a, Release());
    m.def(
        "components", [](const MixedGraph& graph) { return dagwright::components(graph.neighbors()); },
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
            require_nodes(graph, nodes);
            return MixedGraph(graph.size(), {}, dagwright::moral_edges(graph, nodes));
        },
        "graph"_a, "nodes"_a, Release());
}

}  // namespace

void bind_graph(nb::module_& m) {
    bind_mixed_graph(m);
    bind_orders_and_separation(m);
}
