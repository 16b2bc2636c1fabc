// Markov equivalence and the distance of effects, over the MixedGraph that bind_graph.cpp defines.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/graph/chordal.hpp"
#include "dagwright/graph/clique_picking.hpp"
#include "dagwright/graph/equivalence.hpp"
#include "dagwright/graph/intervention_distance.hpp"
#include "node_checks.hpp"

using namespace nb::literals;
using dagwright::CliqueChoice;
using dagwright::CliquePickingPlan;
using dagwright::MixedGraph;
using dagwright::Node;
using dagwright::Subproblem;
using Release = nb::call_guard<nb::gil_scoped_release>;

void bind_equivalence(nb::module_& m) {
    m.def("v_structures", &dagwright::v_structures, "graph"_a, Release());
    m.def(
        "essential_graph",
        [](const MixedGraph& graph, const std::vector<Members>& targets) {
            const std::vector<dagwright::VarSet> set_together = to_varsets(targets, graph.size());
            return dagwright::essential_graph(graph, set_together);
        },
        "graph"_a, "targets"_a = std::vector<Members>{}, Release());
    m.def(
        "sink_order",
        [](const MixedGraph& graph, const dagwright::Knowledge* knowledge) {
            if (knowledge != nullptr && knowledge->size() != graph.size())
                throw dagwright::Error("the knowledge and the graph have different numbers of nodes");
            return dagwright::sink_order(graph, knowledge);
        },
        "graph"_a, "knowledge"_a.none() = nb::none(), Release());
    m.def("consistent_extension", &dagwright::consistent_extension, "graph"_a, Release());
    m.def("meek_closure", &dagwright::meek_closure, "graph"_a, Release());
    m.def(
        "is_chordal",
        [](const MixedGraph& graph) {
            return dagwright::is_perfect_order(graph.neighbors(),
                                               dagwright::maximum_cardinality_order(graph.neighbors()));
        },
        "graph"_a, Release());
    m.def(
        "blocks_after_clique",
        [](const MixedGraph& graph, const std::vector<Node>& nodes, const std::vector<Node>& clique) {
            require_nodes(graph, nodes);
            require_nodes(graph, clique);
            for (const Node node : clique) {
                if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
                    throw std::invalid_argument("the clique has node " + std::to_string(node) +
                                                ", which is not among the nodes");
                }
            }
            return dagwright::blocks_after_clique(graph, nodes, clique);
        },
        "graph"_a, "nodes"_a, "clique"_a, Release());
    nb::class_<CliqueChoice>(m, "CliqueChoice", "A clique that can come first, and what then follows.")
        .def_ro("clique", &CliqueChoice::clique)
        .def_ro("forbidden", &CliqueChoice::forbidden, "No permutation may begin with so many of its nodes.")
        .def_ro("parts", &CliqueChoice::parts, "Numbers of subproblems; single nodes are left out.");
    nb::class_<Subproblem>(m, "Subproblem", "Nodes to orient, and the cliques that can come first.")
        .def_ro("nodes", &Subproblem::nodes)
        .def_prop_ro("choices", [](const Subproblem& problem) { return problem.choices; });
    nb::class_<CliquePickingPlan>(m, "CliquePickingPlan",
                                  "How the orientations of undirected chordal components are counted.")
        .def_ro("roots", &CliquePickingPlan::roots, "So many of the first subproblems are the components.")
        .def_prop_ro("subproblems", [](const CliquePickingPlan& plan) { return plan.subproblems; });
    m.def("clique_picking_plan", &dagwright::clique_picking_plan, "graph"_a, Release());
    m.def(
        "wrong_effects",
        [](const MixedGraph& truth, Node node, const std::vector<Node>& parents) {
            require_node(truth, node);
            require_nodes(truth, parents);
            return dagwright::wrong_effects(truth, node, parents);
        },
        "truth"_a, "node"_a, "parents"_a, Release());
    m.def(
        "structural_intervention_distance",
        [](const MixedGraph& truth, const MixedGraph& guess) {
            if (truth.size() != guess.size())
                throw dagwright::Error("the graphs have different numbers of nodes");
            return dagwright::structural_intervention_distance(truth, guess);
        },
        "truth"_a, "guess"_a, Release());
}
