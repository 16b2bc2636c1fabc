#include <algorithm>
#include <random>

#include "check.hpp"
#include "dagwright/graph/equivalence.hpp"
#include "dagwright/graph/topological_order.hpp"
#include "dagwright/independence/settled_colliders.hpp"

using namespace dagwright;

namespace {

BitMatrix edges(std::size_t n, std::initializer_list<VarPair> pairs) {
    BitMatrix linked(n);
    for (const auto& [a, b] : pairs) linked.set(a, b), linked.set(b, a);
    return linked;
}

// The weight of a triple is its entry, that of a pair the product of its numbers.
class Weights : public ColliderStrengths {
  public:
    std::vector<double> of_triples(std::span<const UnshieldedTriple> triples) override {
        std::vector<double> result;
        for (const UnshieldedTriple& triple : triples) result.push_back(triple[1] == favored ? 2.0 : 1.0);
        asked += triples.size();
        return result;
    }
    std::vector<double> of_pairs(std::span<const VarPair> pairs) override {
        std::vector<double> result;
        for (const auto& [a, b] : pairs) result.push_back(static_cast<double>(a * b));
        asked += pairs.size();
        return result;
    }

    Node favored = 0;
    std::size_t asked = 0;
};

}  // namespace

TEST("of two colliders that dispute an edge the policy chooses") {
    // 0 - 1 - 2 - 3, with colliders at 1 and at 2, which both want the edge 1 - 2.
    const BitMatrix path = edges(4, {{0, 1}, {1, 2}, {2, 3}});
    const std::vector<UnshieldedTriple> colliders{{0, 1, 2}, {1, 2, 3}};
    const Knowledge free(4);
    Weights weights;
    const auto settle = [&](ConflictPolicy policy) {
        return settle_colliders(path, colliders, {}, free, policy, weights);
    };

    const SettledColliders first = settle(ConflictPolicy::first);
    CHECK(first.ranked.conflicts.size() == 1);
    CHECK((first.ranked.conflicts[0].edge == VarPair{1, 2}));
    CHECK((first.ranked.conflicts[0].forward == std::vector<UnshieldedTriple>{{1, 2, 3}}));
    CHECK((v_structures(first.settled.dag) == std::vector<std::array<Node, 3>>{{0, 1, 2}}));
    CHECK((first.overruled.lost == std::vector<UnshieldedTriple>{{1, 2, 3}}));
    CHECK(weights.asked == 0);

    weights.favored = 2;
    const SettledColliders strongest = settle(ConflictPolicy::strongest);
    CHECK((v_structures(strongest.settled.dag) == std::vector<std::array<Node, 3>>{{1, 2, 3}}));
    CHECK((strongest.ranked.strengths == std::vector<double>{1.0, 2.0}));

    CHECK(v_structures(settle(ConflictPolicy::undirected).settled.dag).empty());
    CHECK(settle(ConflictPolicy::error).settled.dag.size() == 0);
}

TEST("a collider that would close a cycle or point where knowledge forbids is not accepted") {
    const BitMatrix square = edges(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
    Knowledge knowledge(4);
    knowledge.forbid_arc(1, 2);
    const std::vector<UnshieldedTriple> ordered{{1, 2, 3}, {0, 1, 2}};
    const AcceptedColliders found = accepted_colliders(ordered, square, knowledge);
    CHECK((found.kept == std::vector<UnshieldedTriple>{{0, 1, 2}}));
    CHECK((found.arcs == std::vector<Arc>{{0, 1}, {2, 1}}));
}

TEST("the weakest edges beyond a bound on parents are dropped, required ones never") {
    // Everything points at 3, which may have one parent.
    const BitMatrix star = edges(4, {{0, 3}, {1, 3}, {2, 3}});
    Knowledge knowledge(4);
    for (const Node tail : {0u, 1u, 2u}) knowledge.forbid_arc(3, tail);
    knowledge.bound_parents(3, 1);
    const std::vector<Arc> arcs{{0, 3}, {1, 3}, {2, 3}};
    const PairStrengths product = [](std::span<const VarPair> pairs) {
        std::vector<double> result;
        for (const auto& [a, b] : pairs) result.push_back(static_cast<double>(a * b));
        return result;
    };
    const ConsistentDag free = consistent_dag(star, arcs, knowledge, product);
    CHECK((free.dropped == std::vector<VarPair>{{0, 3}, {1, 3}}));
    CHECK((free.dag.directed() == std::vector<Arc>{{2, 3}}));
    knowledge.require_arc(0, 3);
    const ConsistentDag bound = consistent_dag(star, arcs, knowledge, product);
    CHECK((bound.dropped == std::vector<VarPair>{{1, 3}, {2, 3}}));
}

TEST("any edges and arcs give a DAG over the same edges") {
    std::mt19937 rng(3);
    for (int round = 0; round < 300; ++round) {
        const std::size_t n = 7;
        BitMatrix linked(n);
        std::vector<Arc> arcs;
        for (Node a = 0; a < n; ++a)
            for (Node b = a + 1; b < n; ++b) {
                const auto kind = rng() % 6;
                if (kind > 3) continue;
                linked.set(a, b), linked.set(b, a);
                if (kind & 1) arcs.push_back({a, b});
                if (kind & 2) arcs.push_back({b, a});
            }
        const ConsistentDag found = consistent_dag(
            linked, arcs, Knowledge(n),
            [](std::span<const VarPair> pairs) { return std::vector<double>(pairs.size(), 0.0); });
        CHECK(found.dropped.empty());
        CHECK(topological_order(found.dag).size() == n);
        std::size_t count = 0;
        for (Node a = 0; a < n; ++a) count += linked.row_count(a);
        CHECK(found.dag.directed().size() == count / 2);
        for (const Arc& arc : found.dag.directed()) CHECK(linked.get(arc.from, arc.to));
    }
}
