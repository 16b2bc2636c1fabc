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

Counting counting_named(const std::string& name) {
    if (name == "orders") return Counting::orders;
    if (name == "networks") return Counting::networks;
    throw nb::value_error("counting is 'orders' or 'networks'");
}

WalkKind walk_named(const std::string& name) {
    if (name == "order") return WalkKind::order;
    if (name == "partition") return WalkKind::partition;
    if (name == "structure") return WalkKind::structure;
    throw nb::value_error("a walk is 'order', 'partition' or 'structure'");
}

std::shared_ptr<FamilyWeights> make_weights(LocalScore& score, const Knowledge& knowledge,
                                            const std::vector<Members>& candidates,
                                            std::optional<std::size_t> max_parents, unsigned threads,
                                            std::optional<double> seconds, nb::object progress,
                                            Cancel cancel) {
    const std::vector<VarSet> sets = checked_start(score, knowledge, candidates);
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    const nb::gil_scoped_release release;
    return std::make_shared<FamilyWeights>(score, knowledge, sets,
                                           max_parents.value_or(Knowledge::kUnbounded), *control);
}

// (the parents of each variable, families scored, why it stopped or '').
nb::tuple choose_parents(LocalScore& score, const Knowledge& knowledge, std::size_t most,
                         std::optional<std::size_t> max_parents, double within, std::size_t shortlist,
                         unsigned threads, std::optional<double> seconds, nb::object progress,
                         Cancel cancel) {
    if (knowledge.size() != score.variables())
        throw nb::value_error("knowledge and score are about different numbers of variables");
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    const PromisingPlan plan{most, max_parents.value_or(Knowledge::kUnbounded), within, shortlist};
    PromisingParents found;
    {
        const nb::gil_scoped_release release;
        found = promising_parents(score, knowledge, plan, *control);
    }
    return nb::make_tuple(found.of, found.evaluations, stop_name(found.stop));
}

Features features_named(const std::vector<std::string>& names) {
    Features features;
    for (const std::string& name : names) {
        if (name == "paths")
            features.paths = true;
        else if (name == "blankets")
            features.blankets = true;
        else if (name == "v_structures")
            features.v_structures = true;
        else
            throw nb::value_error("features are 'paths', 'blankets' and 'v_structures'");
    }
    return features;
}

nb::dict exact_features(const FamilyWeights& weights, const std::string& counting,
                        const std::vector<std::string>& features, unsigned threads,
                        std::optional<double> seconds, nb::object progress, Cancel cancel) {
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    const Counting kind = counting_named(counting);
    const Features wanted = features_named(features);
    ExactPosterior found;
    {
        const nb::gil_scoped_release release;
        found = exact_posterior(weights, kind, wanted, *control);
    }
    nb::dict result;
    result["log_total"] = found.log_total;
    result["arcs"] = to_array(std::move(found.arcs));
    result["paths"] = to_array(std::move(found.paths));
    result["blankets"] = to_array(std::move(found.blankets));
    result["v_structures"] = to_array(std::move(found.v_structures));
    result["stopped"] = stop_name(found.stop);
    return result;
}

using NetworkRows = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::dict listed_features(const NetworkRows& networks, const Weights& weights, unsigned threads,
                         std::optional<double> seconds, nb::object progress, Cancel cancel) {
    const std::unique_ptr<Control> control =
        make_control(threads, seconds, std::move(progress), std::move(cancel));
    NetworkFeatures found;
    {
        const nb::gil_scoped_release release;
        found = network_features({networks.data(), networks.size()}, networks.shape(1),
                                 {weights.data(), weights.size()}, *control);
    }
    nb::list colliders;
    for (const Collider& one : found.v_structures)
        colliders.append(nb::make_tuple(one.a, one.c, one.b, one.weight));
    nb::dict result;
    result["paths"] = to_array(std::move(found.paths));
    result["blankets"] = to_array(std::move(found.blankets));
    result["v_structures"] = std::move(colliders);
    result["stopped"] = stop_name(found.stop);
    return result;
}

nb::tuple total_weight(const FamilyWeights& weights, const std::string& counting, unsigned threads,
                       std::optional<double> seconds, Cancel cancel) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, nb::none(), std::move(cancel));
    const Counting kind = counting_named(counting);
    double total = 0.0;
    {
        const nb::gil_scoped_release release;
        total = log_total_weight(weights, kind, *control);
    }
    return nb::make_tuple(total, stop_name(control->should_stop()));
}

std::shared_ptr<GraphSampler> make_sampler(std::shared_ptr<FamilyWeights> weights, const std::string& kind,
                                           const std::vector<std::uint64_t>& seeds,
                                           const std::vector<Members>& network, unsigned threads) {
    const std::vector<VarSet> start = to_varsets(network, weights->variables());
    const WalkKind walk = walk_named(kind);
    const nb::gil_scoped_release release;
    Control control(checked_threads(threads));
    return std::make_shared<GraphSampler>(std::make_shared<FamilySums>(std::move(weights), control), walk,
                                          seeds, start);
}

nb::dict advance(GraphSampler& sampler, std::size_t visits, std::size_t thin, bool with_arcs,
                 unsigned threads, std::optional<double> seconds, Cancel cancel) {
    const std::unique_ptr<Control> control = make_control(threads, seconds, nb::none(), std::move(cancel));
    if (visits == 0 || thin == 0) throw nb::value_error("visits and thin must be at least 1");
    Visits seen;
    {
        const nb::gil_scoped_release release;
        seen = sampler.advance(visits, thin, with_arcs, *control);
    }
    nb::dict result;
    result["per_chain"] = seen.per_chain;
    result["log_weights"] = to_array(std::move(seen.log_weights));
    result["networks"] = to_array(std::move(seen.networks));
    result["arcs"] = to_array(std::move(seen.arcs));
    result["stopped"] = stop_name(seen.stop);
    return result;
}

nb::list chain_states(GraphSampler& sampler) {
    nb::list states;
    for (std::size_t chain = 0; chain < sampler.chains(); ++chain) {
        GraphWalk& walk = sampler.walk(chain);
        states.append(nb::make_tuple(walk.state(), walk.random().state(), walk.proposed(), walk.accepted()));
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

}  // namespace

void bind_posterior(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<FlatScore, LocalScore>(m, "FlatScore", "Every family scores 0.")
        .def(nb::init<std::size_t>(), "variables"_a);
    nb::class_<FamilyWeights>(m, "FamilyWeights",
                              "The score of every family whose parents are candidates of the child.")
        .def(nb::new_(&make_weights), "score"_a, "knowledge"_a, "candidates"_a, "max_parents"_a = nb::none(),
             "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none())
        .def_prop_ro("evaluations", &FamilyWeights::evaluations)
        .def_prop_ro("stopped", [](const FamilyWeights& weights) { return stop_name(weights.stop()); })
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
            "child"_a, "By bit mask of the candidates.");
    m.def("promising_parents", &choose_parents, "score"_a, "knowledge"_a, "most"_a, "max_parents"_a,
          "within"_a, "shortlist"_a, "threads"_a = 1u, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "cancel"_a = nb::none(),
          "For each variable the others most promising as its parents, the families scored, and why it "
          "stopped or ''.");
    m.def("exact_posterior", &exact_features, "weights"_a, "counting"_a, "features"_a, "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
          "Exact posterior probabilities of arcs and of the named features; row parent, column child.");
    m.def("log_total_weight", &total_weight, "weights"_a, "counting"_a, "threads"_a = 1u,
          "seconds"_a = nb::none(), "cancel"_a = nb::none(),
          "The logarithm of the sum of the weights of all networks, and why it stopped or ''.");
    m.def(
        "exact_posterior_bytes",
        [](std::size_t variables, const std::string& counting, const std::vector<std::string>& features,
           unsigned threads) {
            return exact_posterior_bytes(variables, counting_named(counting), features_named(features),
                                         threads);
        },
        "variables"_a, "counting"_a, "features"_a, "threads"_a);
    m.def(
        "network_features", &listed_features, "networks"_a, "weights"_a, "threads"_a = 1u,
        "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none(),
        "The weight of the networks, given as bit rows of parents, with each path, blanket and v-structure.");
    nb::class_<GraphSampler>(m, "GraphSampler", "Several Markov chains over networks.")
        .def(nb::new_(&make_sampler), "weights"_a, "kind"_a, "seeds"_a, "network"_a, "threads"_a = 1u)
        .def("advance", &advance, nb::kw_only(), "visits"_a, "thin"_a, "with_arcs"_a, "threads"_a = 1u,
             "seconds"_a = nb::none(), "cancel"_a = nb::none())
        .def_prop_ro("states", &chain_states, "Per chain: state, random stream, moves proposed and accepted.")
        .def("restore", &restore_chain, "chain"_a, "state"_a, "random"_a, "proposed"_a, "accepted"_a);
}
