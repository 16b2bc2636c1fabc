#include <random>

#include "check.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/graph/chordal.hpp"
#include "dagwright/graph/clique_picking.hpp"
#include "dagwright/graph/equivalence.hpp"
#include "dagwright/graph/intervention_distance.hpp"
#include "dagwright/graph/separation.hpp"
#include "dagwright/graph/topological_order.hpp"

using namespace dagwright;

namespace {

// Arcs from smaller to larger numbers, each with the given probability.
MixedGraph random_dag(std::size_t n, double density, unsigned seed) {
    std::mt19937 random(seed);
    std::bernoulli_distribution present(density);
    std::vector<Arc> arcs;
    for (Node i = 0; i < n; ++i) {
        for (Node j = i + 1; j < n; ++j) {
            if (present(random)) arcs.push_back({i, j});
        }
    }
    return {n, arcs, {}};
}

MixedGraph graph_of(std::size_t n, std::vector<Arc> directed, std::vector<Arc> undirected) {
    return {n, directed, undirected};
}

}  // namespace

TEST("adjacency lists are sorted, without repeats, and turn around") {
    const std::vector<Arc> arcs{{2, 1}, {0, 3}, {2, 0}, {0, 3}, {2, 3}};
    const Adjacency lists(4, arcs);
    CHECK(lists.arc_count() == 4);
    CHECK((lists.arcs() == std::vector<Arc>{{0, 3}, {2, 0}, {2, 1}, {2, 3}}));
    CHECK(lists.contains(2, 3) && !lists.contains(3, 2));
    CHECK(lists.transpose().transpose() == lists);
    CHECK(Adjacency(0, {}).size() == 0);
}

TEST("edges to nowhere and to oneself are refused") {
    CHECK_THROWS(graph_of(2, {{0, 2}}, {}), Error);
    CHECK_THROWS(graph_of(2, {}, {{1, 1}}), Error);
}

TEST("orders and cycles") {
    CHECK((smallest_topological_order(graph_of(4, {{3, 0}, {1, 0}}, {})) == std::vector<Node>{1, 2, 3, 0}));
    const MixedGraph cyclic = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}}, {});
    CHECK((find_cycle(cyclic) == std::vector<Node>{1, 2, 3}));
    CHECK(find_cycle(random_dag(30, 0.3, 1)).empty());
    CHECK_THROWS(essential_graph(cyclic), CycleError);
}

TEST("d-separation of a collider and a chain, in one batch") {
    const MixedGraph dag = graph_of(5, {{0, 2}, {1, 2}, {2, 3}, {3, 4}}, {});
    const std::vector<SeparationQuery> queries{
        {{0}, {1}, {}}, {{0}, {1}, {4}}, {{0}, {4}, {3}}, {{0, 1}, {4}, {}}, {{0}, {1}, {}}};
    CHECK((d_separated(dag, queries) == std::vector<char>{1, 0, 1, 0, 1}));
    CHECK(moral_edges(dag, std::vector<Node>{0, 1, 2}).size() == 3);
}

TEST("undirected separation") {
    const MixedGraph square = graph_of(4, {}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
    const std::vector<SeparationQuery> queries{{{0}, {2}, {1, 3}}, {{0}, {2}, {1}}, {{0}, {1}, {2, 3}}};
    CHECK((undirected_separated(square, queries) == std::vector<char>{1, 0, 0}));
    CHECK(!is_perfect_order(square.neighbors(), maximum_cardinality_order(square.neighbors())));
    CHECK(!consistent_extension(square).has_value());
    CHECK_THROWS(clique_picking_plan(square), Error);
}

TEST("essential graphs are closed under the rules and extend to the same class") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const MixedGraph dag = random_dag(5 + seed, 0.02 * (1 + seed % 30), seed);
        const MixedGraph essential = essential_graph(dag);
        CHECK(meek_closure(essential) == essential);
        const std::optional<MixedGraph> extension = consistent_extension(essential);
        CHECK(extension.has_value() && essential_graph(*extension) == essential);
        CHECK(v_structures(essential) == v_structures(dag));
    }
}

TEST("patterns extend by sink elimination, on lists and on bits") {
    for (unsigned seed = 0; seed < 40; ++seed) {
        // A row of 1500 bits is longer than the lists of a sparse graph, so these are searched.
        const bool sparse = seed % 4 == 0;
        const MixedGraph dag =
            sparse ? random_dag(1500, 0.001 * (1 + seed % 3), seed) : random_dag(40 + seed, 0.3, seed);
        std::vector<Arc> directed, undirected;
        for (const auto& [a, c, b] : v_structures(dag)) {
            directed.push_back({a, c});
            directed.push_back({b, c});
        }
        const MixedGraph colliders(dag.size(), directed, {});
        for (const Arc& arc : dag.directed()) {
            if (!colliders.children().contains(arc.from, arc.to)) undirected.push_back(arc);
        }
        const MixedGraph pattern(dag.size(), directed, undirected);
        const std::optional<MixedGraph> extension = consistent_extension(pattern);
        CHECK(extension.has_value() && essential_graph(*extension) == essential_graph(dag));
        CHECK(meek_closure(pattern) == essential_graph(dag));
    }
}

TEST("every graph of four nodes extends if and only if some orientation of its edges obeys") {
    const std::vector<Arc> pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    std::mt19937 random(3);
    std::size_t extended = 0, refused = 0;
    for (unsigned code = 0; code < 4096; ++code) {
        std::vector<Arc> directed, undirected;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto& [a, b] = pairs[i];
            const unsigned kind = (code >> (2 * i)) % 4;
            if (kind == 1) directed.push_back({a, b});
            if (kind == 2) directed.push_back({b, a});
            if (kind == 3) undirected.push_back({a, b});
        }
        const MixedGraph graph(4, directed, undirected);
        Knowledge knowledge(4);
        for (Node a = 0; a < 4; ++a) {
            for (Node b = 0; b < 4; ++b)
                if (a != b && random() % 8 == 0) knowledge.forbid_arc(a, b);
            if (random() % 3 == 0) knowledge.bound_parents(a, random() % 3);
        }
        bool some = false, some_obeys = false;
        for (unsigned turned = 0; turned < (1u << undirected.size()); ++turned) {
            std::vector<Arc> arcs = directed;
            for (std::size_t i = 0; i < undirected.size(); ++i) {
                const auto& [a, b] = undirected[i];
                arcs.push_back((turned >> i) % 2 == 1 ? Arc{b, a} : Arc{a, b});
            }
            const MixedGraph member(4, arcs, {});
            if (topological_order(member).size() != 4 || v_structures(member) != v_structures(graph))
                continue;
            some = true;
            bool obeys = true;
            for (Node node = 0; node < 4; ++node)
                obeys = obeys && knowledge.allows(node, member.parents()[node]);
            some_obeys = some_obeys || obeys;
        }
        CHECK((sink_order(graph).size() == 4) == some);
        CHECK((sink_order(graph, &knowledge).size() == 4) == some_obeys);
        const std::optional<MixedGraph> found = consistent_extension(graph);
        CHECK(found.has_value() == some);
        if (!found) continue;
        CHECK(topological_order(*found).size() == 4 && v_structures(*found) == v_structures(graph));
        CHECK(found->skeleton() == graph.skeleton());
        for (const Arc& arc : directed) CHECK(found->children().contains(arc.from, arc.to));
        extended += some_obeys ? 1 : 0;
        refused += some_obeys ? 0 : 1;
    }
    CHECK(extended > 300 && refused > 300);
}

TEST("the third and the fourth rule") {
    // 0 - 1, 0 - 2 -> 1, 0 - 3 -> 1, 2 and 3 not adjacent.
    CHECK(meek_closure(graph_of(4, {{2, 1}, {3, 1}}, {{0, 1}, {0, 2}, {0, 3}})).children().contains(0, 1));
    // 0 - 1, 0 - 2 -> 3 -> 1, 0 - 3, 2 and 1 not adjacent.
    CHECK(meek_closure(graph_of(4, {{2, 3}, {3, 1}}, {{0, 1}, {0, 2}, {0, 3}})).children().contains(0, 1));
}

TEST("clique trees have every maximal clique once and the running intersection in their separators") {
    const MixedGraph graph = graph_of(6, {}, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {1, 3}, {3, 4}, {4, 5}});
    const CliqueTree tree = clique_tree(graph.neighbors());
    CHECK(tree.cliques.size() == 4);
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < tree.cliques.size(); ++i)
        nodes += tree.cliques[i].size() - tree.separators[i].size();
    CHECK(nodes == 6);
    const CliquePickingPlan plan = clique_picking_plan(graph);
    CHECK(plan.roots == 1 && plan.subproblems[0].choices.size() == 4);
    const auto blocks = blocks_after_clique(graph, {0, 1, 2, 3, 4, 5}, {4, 5});
    CHECK((blocks == std::vector<std::vector<Node>>{{3}, {1, 2}, {0}}));
}

TEST("intervention distance of a reversed arc") {
    const MixedGraph truth = graph_of(2, {{0, 1}}, {}), guess = graph_of(2, {{1, 0}}, {});
    CHECK(structural_intervention_distance(truth, truth) == 0);
    CHECK(structural_intervention_distance(truth, guess) == 2);
}
