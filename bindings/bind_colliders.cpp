// From colliders that may contradict each other to a DAG.
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/independence/settled_colliders.hpp"
#include "triples.hpp"

using namespace dagwright;

namespace {

using Pairs = std::vector<VarPair>;
using StrengthsOfTriples = nb::typed<nb::callable, std::vector<double>(Triples)>;
using StrengthsOfPairs = nb::typed<nb::callable, std::vector<double>(Pairs)>;

// Triples (a, c, b) with a < b, a - c - b, all below the number of variables.
std::vector<UnshieldedTriple> to_triples(const Triples& tuples, const BitMatrix& linked) {
    std::vector<UnshieldedTriple> triples;
    triples.reserve(tuples.size());
    for (const auto& [a, c, b] : tuples) {
        if (a >= b || b >= linked.size() || c >= linked.size() || !linked.get(a, c) || !linked.get(b, c))
            throw nb::value_error("a triple must be (a, c, b) with a before b and both linked with c");
        triples.push_back({a, c, b});
    }
    return triples;
}

void require_same_size(const BitMatrix& linked, const Knowledge& knowledge) {
    if (knowledge.size() != linked.size())
        throw nb::value_error("the knowledge and the edges have different numbers of variables");
}

std::vector<double> numbers_from(const nb::object& given) {
    std::vector<double> numbers;
    for (const nb::handle one : nb::iter(given)) numbers.push_back(number_in<double>(one, "a strength"));
    return numbers;
}

PairStrengths call_pairs(const StrengthsOfPairs& strengths) {
    return [&strengths](std::span<const VarPair> pairs) {
        return numbers_from(nb::object(strengths(Pairs(pairs.begin(), pairs.end()))));
    };
}

class PythonStrengths : public ColliderStrengths {
  public:
    PythonStrengths(const StrengthsOfTriples& triples, const StrengthsOfPairs& pairs)
        : triples_(triples), pairs_(call_pairs(pairs)) {}

    std::vector<double> of_triples(std::span<const UnshieldedTriple> triples) override {
        return numbers_from(nb::object(triples_(to_tuples(triples))));
    }
    std::vector<double> of_pairs(std::span<const VarPair> pairs) override { return pairs_(pairs); }

  private:
    const StrengthsOfTriples& triples_;
    PairStrengths pairs_;
};

struct Settled {
    SettledColliders all;
    std::vector<std::uint64_t> asked;
    Stop stop = Stop::none;
};

Settled settle_by_functions(const SeparatedPairs& pairs, const Triples& colliders, const Triples& open,
                            const Knowledge& knowledge, ConflictPolicy policy,
                            const StrengthsOfTriples& of_triples, const StrengthsOfPairs& of_pairs) {
    const BitMatrix& linked = pairs.linked();
    require_same_size(linked, knowledge);
    PythonStrengths strengths(of_triples, of_pairs);
    return {settle_colliders(linked, to_triples(colliders, linked), to_triples(open, linked), knowledge,
                             policy, strengths),
            {},
            Stop::none};
}

Settled settle_by_test(IndependenceTest& test, const SeparatedPairs& pairs, const Triples& colliders,
                       const Triples& open, const Knowledge& knowledge, ConflictPolicy policy, bool stopped,
                       unsigned threads, Cancel cancel) {
    const BitMatrix& linked = pairs.linked();
    require_same_size(linked, knowledge);
    if (test.variables() != linked.size())
        throw nb::value_error("the test and the edges have different numbers of variables");
    const std::vector<UnshieldedTriple> decided = to_triples(colliders, linked),
                                        undecided = to_triples(open, linked);
    const std::unique_ptr<Control> control = make_control(threads, {}, nullptr, std::move(cancel));
    const nb::gil_scoped_release release;
    TestedStrengths strengths(test, pairs, *control, stopped);
    SettledColliders found = settle_colliders(linked, decided, undecided, knowledge, policy, strengths);
    return {std::move(found), strengths.asked(), strengths.stopped() ? Stop::cancelled : Stop::none};
}

AcceptedColliders accept(const Triples& ordered, const SeparatedPairs& pairs, const Knowledge& knowledge) {
    require_same_size(pairs.linked(), knowledge);
    return accepted_colliders(to_triples(ordered, pairs.linked()), pairs.linked(), knowledge);
}

ConsistentDag repair(const Pairs& edges, const Pairs& arcs, const Knowledge& knowledge,
                     const StrengthsOfPairs& strengths) {
    BitMatrix linked(knowledge.size());
    for (const auto& [a, b] : edges) {
        if (a == b || a >= knowledge.size() || b >= knowledge.size())
            throw nb::index_error("an edge joins a variable with itself or with none");
        linked.set(a, b);
        linked.set(b, a);
    }
    std::vector<Arc> directed;
    for (const auto& [a, b] : arcs) {
        if (a >= knowledge.size() || b >= knowledge.size() || !linked.get(a, b))
            throw nb::value_error("an arc is not among the edges");
        directed.push_back({a, b});
    }
    return consistent_dag(std::move(linked), directed, knowledge, call_pairs(strengths));
}

OverruledTriples overruled(const MixedGraph& dag, const SeparatedPairs& pairs, const Triples& colliders) {
    const BitMatrix& linked = pairs.linked();
    if (dag.size() != linked.size())
        throw nb::value_error("the graph and the edges have different numbers of variables");
    return overruled_triples(dag, linked, to_triples(colliders, linked), {});
}

Pairs to_pairs(const std::vector<Arc>& arcs) {
    Pairs pairs;
    for (const Arc& arc : arcs) pairs.emplace_back(arc.from, arc.to);
    return pairs;
}

template <class Class>
auto tuples_of(std::vector<UnshieldedTriple> Class::* field) {
    return [field](const Class& found) { return to_tuples(found.*field); };
}

}  // namespace

void bind_colliders(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::enum_<ConflictPolicy>(m, "ConflictPolicy", "The rule for edges that colliders orient both ways.")
        .value("first", ConflictPolicy::first)
        .value("strongest", ConflictPolicy::strongest)
        .value("undirected", ConflictPolicy::undirected)
        .value("bidirected", ConflictPolicy::bidirected)
        .value("error", ConflictPolicy::error);
    nb::class_<ColliderConflict>(m, "ColliderConflict", "An edge that colliders orient both ways.")
        .def_ro("edge", &ColliderConflict::edge)
        .def_prop_ro("forward", tuples_of(&ColliderConflict::forward), "They point at its second end.")
        .def_prop_ro("backward", tuples_of(&ColliderConflict::backward), "They point at its first end.");
    nb::class_<AcceptedColliders>(m, "AcceptedColliders",
                                  "Colliders that contradict neither each other "
                                  "nor the knowledge.")
        .def_prop_ro("kept", tuples_of(&AcceptedColliders::kept))
        .def_prop_ro(
            "arcs", [](const AcceptedColliders& found) { return to_pairs(found.arcs); },
            "The arcs that follow from them and from the knowledge.");
    nb::class_<ConsistentDag>(m, "ConsistentDag", "A DAG close to edges and arcs that may contradict.")
        .def_ro("dag", &ConsistentDag::dag)
        .def_ro("dropped", &ConsistentDag::dropped, "Edges that the knowledge excludes.");
    nb::class_<OverruledTriples>(m, "OverruledTriples", "Where a DAG contradicts what was decided.")
        .def_prop_ro("lost", tuples_of(&OverruledTriples::lost), "Colliders that the DAG lacks.")
        .def_prop_ro("gained", tuples_of(&OverruledTriples::gained),
                     "V-structures of the DAG that were decided to be no colliders.")
        .def_ro("open_made", &OverruledTriples::open_made,
                "Of each triple that was left open, whether it is a v-structure.");
    nb::class_<Settled>(m, "SettledColliders", "The DAG that follows from colliders, and what it overrules.")
        .def_prop_ro("conflicts", [](const Settled& found) { return found.all.ranked.conflicts; })
        .def_prop_ro(
            "disputed", [](const Settled& found) { return to_tuples(found.all.ranked.disputed); },
            "The colliders whose strengths decided.")
        .def_prop_ro("strengths", [](const Settled& found) { return found.all.ranked.strengths; })
        .def_prop_ro("dag", [](const Settled& found) { return found.all.settled.dag; })
        .def_prop_ro("dropped", [](const Settled& found) { return found.all.settled.dropped; })
        .def_prop_ro("overruled", [](const Settled& found) { return found.all.overruled; })
        .def_ro("asked", &Settled::asked, "Tests by size of the conditioning set.")
        .def_prop_ro("stopped", &stopped<Settled>);
    m.def("settle_colliders", &settle_by_functions, "pairs"_a, "colliders"_a, "open"_a, "knowledge"_a,
          "policy"_a, nb::kw_only(), "of_triples"_a, "of_pairs"_a,
          "The DAG that follows from colliders; functions of Python give the strengths.");
    m.def("settle_tested_colliders", &settle_by_test, "test"_a, "pairs"_a, "colliders"_a, "open"_a,
          "knowledge"_a, nb::kw_only(), "policy"_a, "stopped"_a = false, "threads"_a = 1u,
          "cancel"_a = nb::none(), "The same; a test of the core gives the strengths.");
    m.def("accepted_colliders", &accept, "ordered"_a, "pairs"_a, "knowledge"_a,
          "The colliders that contradict neither knowledge nor an earlier one.");
    m.def("consistent_dag", &repair, "edges"_a, "arcs"_a, "knowledge"_a, "strengths"_a,
          "A consistent extension if there is one, else a DAG close to one.");
    m.def("overruled_triples", &overruled, "dag"_a, "pairs"_a, "colliders"_a,
          "Where a DAG contradicts the colliders that led to it.");
}
