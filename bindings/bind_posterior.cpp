// Posterior probabilities of networks: exact sums and samplers.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/evidence/arc_prior.hpp"
#include "dagwright/graph/network_features.hpp"
#include "dagwright/posterior/exact_posterior.hpp"
#include "dagwright/posterior/graph_sampler.hpp"
#include "dagwright/posterior/promising_parents.hpp"

using namespace dagwright;

namespace {

std::shared_ptr<FamilyWeights> make_weights(LocalScore& score, const Knowledge& knowledge,
                                            const std::vector<Members>& candidates,
                                            std::optional<std::size_t> max_parents, unsigned threads,
                                            std::optional<double> seconds, Progress progress, Cancel cancel) {
    const std::vector<VarSet> sets = checked_start(score, knowledge, candidates);
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    return std::make_shared<FamilyWeights>(score, knowledge, sets,
                                           max_parents.value_or(Knowledge::kUnbounded), *control);
}

std::shared_ptr<FamilyWeights> weights_of(const std::vector<Members>& candidates,
                                          const std::vector<Input<double>>& logs,
                                          const std::vector<FamilyWeights::Mask>& links) {
    std::vector<std::vector<double>> values;
    for (const Input<double>& row : logs) {
        const std::span<const double> of = span_of(row);
        values.emplace_back(of.begin(), of.end());
    }
    return std::make_shared<FamilyWeights>(candidates, std::move(values), links);
}

PromisingParents choose_parents(LocalScore& score, const Knowledge& knowledge, std::size_t most,
                                std::optional<std::size_t> max_parents, double within, std::size_t shortlist,
                                unsigned threads, std::optional<double> seconds, Progress progress,
                                Cancel cancel) {
    if (knowledge.size() != score.variables())
        throw nb::value_error("knowledge and score are about different numbers of variables");
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const PromisingPlan plan{most, max_parents.value_or(Knowledge::kUnbounded), within, shortlist};
    const nb::gil_scoped_release release;
    return promising_parents(score, knowledge, plan, *control);
}

ExactPosterior exact_features(const FamilyWeights& weights, Counting counting, const Features& features,
                              unsigned threads, std::optional<double> seconds, Progress progress,
                              Cancel cancel) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    return exact_posterior(weights, counting, features, *control);
}

using NetworkRows = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

NetworkFeatures listed_features(const NetworkRows& networks, const Input<double>& weights, unsigned threads,
                                std::optional<double> seconds, Progress progress, Cancel cancel) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const nb::gil_scoped_release release;
    return network_features({networks.data(), networks.size()}, networks.shape(1), span_of(weights),
                            *control);
}

// The sum of the weights of all networks.
struct TotalWeight {
    double log = 0.0;
    Stop stop = Stop::none;
};

TotalWeight total_weight(const FamilyWeights& weights, Counting counting, unsigned threads,
                         std::optional<double> seconds, Cancel cancel) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, nullptr, std::move(cancel));
    const nb::gil_scoped_release release;
    const double log = log_total_weight(weights, counting, *control);
    return {log, control->should_stop()};
}

std::shared_ptr<GraphSampler> make_sampler(std::shared_ptr<FamilyWeights> weights, WalkKind kind,
                                           const std::vector<std::uint64_t>& seeds,
                                           const std::vector<Members>& network, unsigned threads) {
    const std::vector<VarSet> start = to_varsets(network, weights->variables());
    const nb::gil_scoped_release release;
    Control control(checked_threads(threads));
    return std::make_shared<GraphSampler>(std::make_shared<FamilySums>(std::move(weights), control), kind,
                                          seeds, start);
}

Visits advance(GraphSampler& sampler, std::size_t visits, std::size_t thin, bool with_arcs, unsigned threads,
               std::optional<double> seconds, Cancel cancel) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, nullptr, std::move(cancel));
    if (visits == 0 || thin == 0) throw nb::value_error("visits and thin must be at least 1");
    const nb::gil_scoped_release release;
    return sampler.advance(visits, thin, with_arcs, *control);
}

// Where a chain is, so that it can go on later.
struct ChainState {
    std::vector<std::uint32_t> state;
    std::uint64_t random = 0, proposed = 0, accepted = 0;
};

std::vector<ChainState> chain_states(GraphSampler& sampler) {
    std::vector<ChainState> states;
    for (std::size_t chain = 0; chain < sampler.chains(); ++chain) {
        GraphWalk& walk = sampler.walk(chain);
        states.push_back({walk.state(), walk.random().state(), walk.proposed(), walk.accepted()});
    }
    return states;
}

void restore_chain(GraphSampler& sampler, std::size_t chain, const std::vector<std::uint32_t>& state,
                   std::uint64_t random, std::uint64_t proposed, std::uint64_t accepted) {
    if (chain >= sampler.chains())
        throw nb::index_error(("chain " + std::to_string(chain) + " does not exist; there are " +
                               std::to_string(sampler.chains()))
                                  .c_str());
    if (accepted > proposed) throw nb::value_error("more moves were accepted than proposed");
    GraphWalk& walk = sampler.walk(chain);
    walk.restore(state);
    walk.random() = Random(random);
    walk.count(proposed, accepted);
}

void bind_results(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::enum_<Counting>(m, "Counting", "Whether networks count once, or once for each of their orders.")
        .value("orders", Counting::orders)
        .value("networks", Counting::networks);
    nb::enum_<WalkKind>(m, "WalkKind", "What the states of a Markov chain are.")
        .value("order", WalkKind::order)
        .value("partition", WalkKind::partition)
        .value("structure", WalkKind::structure);
    nb::class_<Features>(m, "Features", "The features that are wanted besides the arcs.")
        .def(
            "__init__",
            [](Features* self, bool paths, bool blankets, bool v_structures) {
                new (self) Features{paths, blankets, v_structures};
            },
            nb::kw_only(), "paths"_a = false, "blankets"_a = false, "v_structures"_a = false);
    nb::class_<PromisingParents>(m, "PromisingParents", "For each variable, its most promising parents.")
        .def_ro("parents", &PromisingParents::of)
        .def_ro("evaluations", &PromisingParents::evaluations, "Families that were scored.")
        .def_prop_ro("stopped", &stopped<PromisingParents>);
    nb::class_<ExactPosterior>(m, "ExactPosterior",
                               "Exact posterior probabilities; empty where not wanted or stopped before.")
        .def_ro("log_total", &ExactPosterior::log_total, "The log of the sum of the weights of all networks.")
        .def_prop_ro("arcs", viewed(&ExactPosterior::arcs), "Row parent, column child.")
        .def_prop_ro("paths", viewed(&ExactPosterior::paths), "Row start, column end.")
        .def_prop_ro("blankets", viewed(&ExactPosterior::blankets))
        .def_prop_ro("v_structures", viewed(&ExactPosterior::v_structures), "By (c, a, b) for a -> c <- b.")
        .def_prop_ro("stopped", &stopped<ExactPosterior>);
    nb::class_<TotalWeight>(m, "TotalWeight", "The sum of the weights of all networks.")
        .def_ro("log", &TotalWeight::log)
        .def_prop_ro("stopped", &stopped<TotalWeight>);
    nb::class_<Collider>(m, "Collider", "a -> c <- b without an edge between a and b.")
        .def_ro("a", &Collider::a)
        .def_ro("c", &Collider::c)
        .def_ro("b", &Collider::b)
        .def_ro("weight", &Collider::weight, "Of the networks that have it.");
    nb::class_<NetworkFeatures>(m, "NetworkFeatures", "The weight of the networks with each feature.")
        .def_prop_ro("paths", viewed(&NetworkFeatures::paths), "Row start, column end.")
        .def_prop_ro("blankets", viewed(&NetworkFeatures::blankets))
        .def_prop_ro("v_structures", [](const NetworkFeatures& found) { return found.v_structures; })
        .def_prop_ro("stopped", &stopped<NetworkFeatures>);
    nb::class_<Visits>(m, "Visits", "The states that Markov chains visited, chain after chain.")
        .def_ro("per_chain", &Visits::per_chain)
        .def_prop_ro("log_weights", viewed(&Visits::log_weights))
        .def_prop_ro("networks", viewed(&Visits::networks), "Bit rows of parents.")
        .def_prop_ro("arcs", viewed(&Visits::arcs),
                     "Probabilities given the state; row parent, column child.")
        .def_prop_ro("stopped", &stopped<Visits>);
    nb::class_<ChainState>(m, "ChainState", "Where a Markov chain is.")
        .def_ro("state", &ChainState::state)
        .def_ro("random", &ChainState::random, "The state of its random numbers.")
        .def_ro("proposed", &ChainState::proposed)
        .def_ro("accepted", &ChainState::accepted);
}

}  // namespace

void bind_posterior(nb::module_& m) {
    using nb::literals::operator""_a;
    bind_results(m);
    nb::class_<FlatScore, LocalScore>(m, "FlatScore", "Every family scores 0.")
        .def(nb::init<std::size_t>(), "variables"_a);
    nb::class_<FamilyWeights>(m, "FamilyWeights",
                              "The score of every family whose parents are candidates of the child.")
        .def(nb::new_(&make_weights), "score"_a, "knowledge"_a, "candidates"_a, nb::kw_only(),
             "max_parents"_a = nb::none(), "threads"_a = 1u, "seconds"_a = nb::none(),
             "progress"_a = nb::none(), "cancel"_a = nb::none())
        .def_static("of", &weights_of, "candidates"_a, "logs"_a, "links"_a,
                    "From the values that others gave for each variable.")
        .def_prop_ro("evaluations", &FamilyWeights::evaluations)
        .def_prop_ro("stopped", [](const FamilyWeights& weights) { return early(weights.stop()); })
        .def(
            "candidates",
            [](const FamilyWeights& weights, Var child) {
                if (child >= weights.variables()) throw nb::index_error("no such variable");
                const std::span<const Var> found = weights.candidates(child);
                return Members(found.begin(), found.end());
            },
            "child"_a)
        .def(
            "logs",
            [](const FamilyWeights& weights, Var child) {
                if (child >= weights.variables()) throw nb::index_error("no such variable");
                const std::span<const double> logs = weights.logs(child);
                return to_array(std::vector<double>(logs.begin(), logs.end()));
            },
            "child"_a, "By bit mask of the candidates.")
        .def(
            "links",
            [](const FamilyWeights& weights, Var child) {
                if (child >= weights.variables()) throw nb::index_error("no such variable");
                return weights.links(child);
            },
            "child"_a, "The bit mask of the candidates that must be joined with the child, either way.");
    m.def("promising_parents", &choose_parents, "score"_a, "knowledge"_a, nb::kw_only(), "most"_a,
          "max_parents"_a, "within"_a, "shortlist"_a, "threads"_a = 1u, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "cancel"_a = nb::none());
    m.def("exact_posterior", &exact_features, "weights"_a, "counting"_a, "features"_a, nb::kw_only(),
          "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Exact posterior probabilities of arcs and of the features.");
    m.def("log_total_weight", &total_weight, "weights"_a, "counting"_a, nb::kw_only(), "threads"_a = 1u,
          "seconds"_a = nb::none(), "cancel"_a = nb::none());
    m.def("exact_posterior_bytes", &exact_posterior_bytes, "variables"_a, "counting"_a, "features"_a,
          "threads"_a);
    m.def(
        "network_features", &listed_features, "networks"_a, "weights"_a, nb::kw_only(), "threads"_a = 1u,
        "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
        "The weight of the networks, given as bit rows of parents, with each path, blanket and v-structure.");
    nb::class_<GraphSampler>(m, "GraphSampler", "Several Markov chains over networks.")
        .def(nb::new_(&make_sampler), "weights"_a, "kind"_a, "seeds"_a, "network"_a, "threads"_a = 1u)
        .def("advance", &advance, nb::kw_only(), "visits"_a, "thin"_a, "with_arcs"_a, "threads"_a = 1u,
             "seconds"_a = nb::none(), "cancel"_a = nb::none())
        .def_prop_ro("states", &chain_states)
        .def("restore", &restore_chain, "chain"_a, "state"_a, nb::kw_only(), "random"_a, "proposed"_a,
             "accepted"_a);
}
