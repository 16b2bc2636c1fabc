// Exact inference: the tables of a network, the junction tree, propagation and single questions.
#include <cmath>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/inference/network_query.hpp"
#include "dagwright/inference/propagation.hpp"
#include "inference_arguments.hpp"

using namespace dagwright;

namespace {

std::shared_ptr<NetworkTables> make_network(std::vector<std::string> names, std::vector<std::uint32_t> cards,
                                            const std::vector<Members>& axes,
                                            const std::vector<Input<double>>& tables) {
    if (names.size() != cards.size() || names.size() != axes.size() || names.size() != tables.size())
        throw nb::value_error("names, cardinalities, axes and tables must be as many");
    auto network = std::make_shared<NetworkTables>();
    network->names = std::move(names);
    network->cards = std::move(cards);
    for (std::size_t v = 0; v < axes.size(); ++v) {
        if (axes[v].empty() || axes[v].back() != v) throw nb::value_error("the node is the last axis");
        network->tables.push_back(
            std::make_shared<const Factor>(conditional_table(axes[v], network->cards, copied(tables[v]))));
    }
    return network;
}

// The targets of a question in ascending order: different nodes, none of them observed.
Scope scope_of(Members targets, const Findings& findings) {
    (void)to_varset(targets, findings.observed.size());
    std::sort(targets.begin(), targets.end());
    if (std::adjacent_find(targets.begin(), targets.end()) != targets.end())
        throw nb::value_error("a target is named twice");
    for (const Var v : targets)
        if (findings.observed[v] != kUnobserved)
            throw nb::value_error(("node " + std::to_string(v) + " is both target and evidence").c_str());
    return targets;
}

class Engine {
  public:
    Engine(std::shared_ptr<const NetworkTables> network, std::shared_ptr<const JunctionTree> tree,
           double max_cells)
        : network_(network), propagation_(network, std::move(tree), max_cells) {}

    void observe(const HardEvidence& hard, const SoftEvidence& soft) {
        const Findings findings = to_findings(*network_, hard, soft);
        propagation_.observe(findings.observed, findings.likelihoods);
    }
    double log_evidence() {
        const nb::gil_scoped_release release;
        return propagation_.log_evidence();
    }
    // The marginals of the nodes one after the other in one array.
    FloatArray marginals(const Members& nodes) {
        (void)to_varset(nodes, network_->nodes());
        std::vector<double> flat;
        {
            const nb::gil_scoped_release release;
            for (const std::vector<double>& one : propagation_.marginals(nodes))
                flat.insert(flat.end(), one.begin(), one.end());
        }
        return to_array(std::move(flat));
    }
    std::size_t messages_sent() const { return propagation_.messages_sent(); }

  private:
    std::shared_ptr<const NetworkTables> network_;
    Propagation propagation_;
};

std::optional<FloatArray> joint(const NetworkTables& network, const HardEvidence& hard,
                                const SoftEvidence& soft, const Members& targets, double max_cells) {
    const Findings findings = to_findings(network, hard, soft);
    const Scope scope = scope_of(targets, findings);
    std::vector<double> values;
    {
        const nb::gil_scoped_release release;
        values = joint_posterior(network, findings, scope, max_cells);
    }
    if (values.empty()) return {};
    return to_array(std::move(values));
}

double log_evidence_of(const NetworkTables& network, const HardEvidence& hard, const SoftEvidence& soft,
                       double max_cells) {
    const Findings findings = to_findings(network, hard, soft);
    const nb::gil_scoped_release release;
    return log_evidence(network, findings, max_cells);
}

// The most probable states of some nodes, and the log of their probability with the evidence.
struct MostProbable {
    Members states;
    double log_probability;
};

MostProbable most_probable_states(const NetworkTables& network, const HardEvidence& hard,
                                  const SoftEvidence& soft, const Members& targets, double max_cells) {
    Findings findings = to_findings(network, hard, soft);
    const Scope scope = scope_of(targets, findings);
    double log_value = 0;
    {
        const nb::gil_scoped_release release;
        log_value = most_probable(network, findings, scope, max_cells);
    }
    Members states;
    for (const Var v : targets) states.push_back(findings.observed[v]);
    return {states, log_value};
}

}  // namespace

void bind_inference(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<MostProbable>(m, "MostProbable", "The most probable states of some nodes.")
        .def_ro("states", &MostProbable::states, "In the order of the targets.")
        .def_ro("log_probability", &MostProbable::log_probability, "Together with the evidence.");
    nb::class_<NetworkTables>(m, "NetworkTables",
                              "The conditional tables of a network as the core sees them.")
        .def_static("make", &make_network, "names"_a, "cardinalities"_a, "axes"_a, "tables"_a)
        .def_prop_ro("nodes", &NetworkTables::nodes)
        .def("joint", &joint, "hard"_a, "soft"_a, "targets"_a, "max_cells"_a,
             "P(targets | evidence) over the ascending targets; None if the evidence is impossible.")
        .def("log_evidence", &log_evidence_of, "hard"_a, "soft"_a, "max_cells"_a)
        .def(
            "log_affinity",
            [](const NetworkTables& network, const NetworkTables& other, double max_cells) {
                if (network.cards != other.cards) throw nb::value_error("the networks have other states");
                const nb::gil_scoped_release release;
                return log_affinity(network, other, max_cells);
            },
            "other"_a, "max_cells"_a)
        .def("most_probable", &most_probable_states, "hard"_a, "soft"_a, "targets"_a, "max_cells"_a);
    nb::class_<JunctionTree>(m, "JunctionTree", "The cliques of a network and the tree that joins them.")
        .def_static(
            "make",
            [](const NetworkTables& network, unsigned tries, std::uint64_t seed) {
                const nb::gil_scoped_release release;
                return std::make_shared<JunctionTree>(make_junction_tree(network, tries, seed));
            },
            "network"_a, "tries"_a, "seed"_a)
        .def_ro("cliques", &JunctionTree::cliques)
        .def_prop_ro("edges",
                     [](const JunctionTree& tree) {
                         std::vector<std::pair<std::size_t, std::size_t>> edges;
                         for (const TreeEdge& edge : tree.edges) edges.emplace_back(edge.a, edge.b);
                         return edges;
                     })
        .def_ro("cells", &JunctionTree::cells)
        .def_ro("largest_cells", &JunctionTree::largest_cells)
        .def_ro("largest", &JunctionTree::largest);
    nb::class_<Engine>(m, "Propagation", "The evidence on a network and the messages it needs.")
        .def(nb::init<std::shared_ptr<NetworkTables>, std::shared_ptr<JunctionTree>, double>(), "network"_a,
             "tree"_a, "max_cells"_a)
        .def("observe", &Engine::observe, "hard"_a, "soft"_a)
        .def("log_evidence", &Engine::log_evidence)
        .def("marginals", &Engine::marginals, "nodes"_a)
        .def_prop_ro("messages_sent", &Engine::messages_sent);
}
