"""Wrong numbers, shapes and objects in the arguments of the native core."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from changes import changed
from core_objects import (
    BINARY,
    EMPTY,
    EVERY_FEATURE,
    LIMIT,
    ROWS,
    N,
    PythonScore,
    binary_rows,
    codes,
    g_square,
    graph,
    masks,
    measure,
    network,
    sampler,
    score,
    sets,
    sums,
    table,
    weights,
)
from slips import SlipError, answered

from dagwright import _core


def named(call: Callable[..., Any], options: str) -> Callable[..., Any]:
    """The call with its last arguments by name."""
    names = options.split()

    def with_names(*arguments: Any) -> Any:
        first, last = arguments[: -len(names)], arguments[-len(names) :]
        return call(*first, **dict(zip(names, last, strict=True)))

    return with_names


advanced = named(_core.GraphSampler.advance, "visits thin with_arcs threads seconds")
restored = named(_core.GraphSampler.restore, "random proposed accepted")
PAIRS = np.array([[0, 1], [1, 2]], dtype=np.uint32)
Arguments = Callable[[random.Random], list[Any]]
CALLS: list[tuple[str, Callable[..., Any], Arguments]] = [
    ("MixedGraph", _core.MixedGraph, lambda r: [N, PAIRS.copy(), PAIRS[:0].copy()]),
    ("parents", _core.MixedGraph.parents, lambda r: [graph(r), 1]),
    ("adjacent", _core.MixedGraph.adjacent, lambda r: [graph(r), 1, 2]),
    ("ancestors", _core.ancestors, lambda r: [graph(r), [1, 2]]),
    ("d_separated", _core.d_separated, lambda r: [graph(r), [([0], [1], [2])]]),
    ("undirected_separated", _core.undirected_separated, lambda r: [graph(r), [([0], [1], [2])]]),
    ("moral_graph", _core.moral_graph, lambda r: [graph(r), [1, 2]]),
    ("essential_graph", _core.essential_graph, lambda r: [graph(r)]),
    ("blocks_after_clique", _core.blocks_after_clique, lambda r: [graph(r), [0, 1, 2], [0, 1]]),
    ("clique_picking_plan", _core.clique_picking_plan, lambda r: [graph(r)]),
    ("wrong_effects", _core.wrong_effects, lambda r: [graph(r), 1, [0]]),
    ("distance", _core.structural_intervention_distance, lambda r: [graph(r), graph(r, r.choice([N, 3, 9]))]),
    ("allows", _core.Knowledge.allows, lambda r: [_core.Knowledge(N), 1, [2, 3]]),
    ("forbid_arcs", _core.Knowledge.forbid_arcs, lambda r: [_core.Knowledge(N), masks()[0]]),
    ("require_arc", _core.Knowledge.require_arc, lambda r: [_core.Knowledge(N), 1, 2]),
    ("bound_parents", _core.Knowledge.bound_parents, lambda r: [_core.Knowledge(N), 1, 2]),
    ("renumbered", _core.Knowledge.renumbered, lambda r: [_core.Knowledge(N), [4, 3, 2, 1, 0]]),
    ("log_gamma", _core.log_gamma, lambda r: [1.5]),
    ("log_rising", _core.log_rising, lambda r: [1.5, 3.0]),
    ("log_chi2_sf", _core.log_chi2_sf, lambda r: [3.0, 2.0]),
    ("chi2_isf", _core.chi2_isf, lambda r: [0.1, 2.0]),
    ("nml_regret", _core.nml_regret, lambda r: [20.0, 3.0]),
    (
        "from_codes",
        _core.Table.from_codes,
        lambda r: [[codes(r, 2), codes(r, 3)], [2, 3], ROWS, np.ones(ROWS)],
    ),
    ("Counter.choose", _core.Counter.choose, lambda r: [_core.Counter(table(r)), [0, 1], 2]),
    ("Counter", _core.Counter, lambda r: [table(r), None, r.choice([None, *_core.Strategy])]),
    ("Counter.cells", _core.Counter.cells, lambda r: [_core.Counter(table(r)), [0, 1], []]),
    ("Counter.occupied", _core.Counter.occupied, lambda r: [_core.Counter(table(r)), [0, 1], [2, 3]]),
    ("CellSums", _core.CellSums, lambda r: [table(r), 1.0]),
    (
        "canonical_order",
        named(_core.CellSums.canonical_order, "threads"),
        lambda r: [sums(r), list(range(N)), 1],
    ),
    ("CellSums.cells", _core.CellSums.cells, lambda r: [sums(r), [0, 1], [2]]),
    ("evidence", _core.Measure.evidence, lambda r: [measure(r), [[0], [1, 2]], [3], 1]),
    ("CountingMeasure", _core.CountingMeasure, lambda r: [sums(r), _core.MeasureKind.dirichlet, 1.0]),
    ("PythonMeasure", _core.PythonMeasure, lambda r: [PythonScore(r.choice([None, 1.0])), N]),
    ("local", _core.LocalScore.local, lambda r: [score(r), [(0, [1]), (1, [2, 3])], 1]),
    ("CriterionScore", _core.CriterionScore, lambda r: [measure(r), 1.0]),
    ("CellScore", _core.CellScore, lambda r: [sums(r), r.choice(list(_core.CellScoreKind)), 1.0]),
    ("ArcPriorScore", _core.ArcPriorScore, lambda r: [score(r), [0.0] * N * N, [0.0] * N]),
    ("ParentCountScore", _core.ParentCountScore, lambda r: [score(r), [0.0] * N]),
    ("PythonLocalScore", _core.PythonLocalScore, lambda r: [PythonScore(0.0), N, 10.0]),
    ("NodeAverageScore", _core.NodeAverageScore, lambda r: [sums(r), 1.0]),
    (
        "hill_climb",
        named(_core.hill_climb, "max_parents threads seconds progress"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1, LIMIT, None],
    ),
    (
        "hill_climb, first",
        named(
            _core.hill_climb,
            "max_parents threads seconds progress first_improvement restarts perturbation seed",
        ),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1, LIMIT, None, True, 2, 2, 1],
    ),
    (
        "tabu_search",
        named(_core.tabu_search, "max_parents tenure patience random_ties seed threads seconds"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 3, 3, False, 1, 1, LIMIT],
    ),
    (
        "anneal",
        named(_core.anneal, "max_parents temperatures seed threads seconds"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, np.array([1.0, 0.5]), 1, 1, LIMIT],
    ),
    (
        "ges",
        named(_core.ges, "max_parents turning threads seconds"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, True, 1, LIMIT],
    ),
    (
        "full_graph",
        named(_core.full_graph, "max_parents"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2],
    ),
    (
        "random_graph",
        named(_core.random_graph, "max_parents seed"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1],
    ),
    (
        "tree_graph",
        named(_core.tree_graph, "max_parents threads"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1],
    ),
    ("spanning forest", _core.maximum_spanning_forest, lambda r: [np.ones((N, N)), 0.5]),
    (
        "order_search",
        named(
            _core.order_search,
            "moves chains perturbations evaluations_per_child max_parents seed threads seconds",
        ),
        lambda r: [
            score(r),
            _core.Knowledge(N),
            EMPTY,
            _core.OrderMoves.insert,
            2,
            5,
            100,
            2,
            1,
            1,
            LIMIT,
        ],
    ),
    (
        "boss",
        named(_core.boss, "restarts max_parents backward seed threads seconds"),
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 1, 2, True, 1, 1, LIMIT],
    ),
    (
        "CandidateSets",
        _core.CandidateSets,
        lambda r: [
            np.array([0, 1, 2]),
            np.zeros(2),
            np.array([0, 1, 1]),
            np.array([1], dtype=np.int32),
            [(0, 1)],
        ],
    ),
    (
        "find_candidates",
        named(
            _core.find_candidates,
            "max_parents least_gain most_sets table_bytes before_table threads seconds",
        ),
        lambda r: [score(r), _core.Knowledge(N), 2, 0.0, 1000, 1e6, 100, 1, LIMIT],
    ),
    ("walked_before_table", _core.walked_before_table, lambda r: [N]),
    (
        "solve_by_subsets",
        named(_core.solve_by_subsets, "threads seconds"),
        lambda r: [sets(), [0, 1, 2], 1, LIMIT],
    ),
    (
        "solve_by_astar",
        named(_core.solve_by_astar, "incumbent tolerance most_nodes threads seconds"),
        lambda r: [sets(), [0, 1, 2], -1e9, 0.0, 1000, 1, LIMIT],
    ),
    (
        "find_rivals",
        named(_core.find_rivals, "within most best_only threads seconds"),
        lambda r: [sets(), 1.0, 100, True, 1, LIMIT],
    ),
    (
        "enumerate_networks",
        named(_core.enumerate_networks, "tolerance seconds"),
        lambda r: [sets(), 0.0, LIMIT],
    ),
    (
        "violated_clusters",
        named(_core.violated_clusters, "least most largest_order steps"),
        lambda r: [_core.Families(F), np.ones(len(F)), 0.01, 10, 2, 1000],
    ),
    ("cluster_row", _core.cluster_row, lambda r: [_core.Families(F), [0, 1], 1]),
    (
        "violated_four_node_cuts",
        named(_core.violated_four_node_cuts, "least most"),
        lambda r: [_core.Families(F), np.ones(len(F)), 0.01, 10],
    ),
    ("four_node_row", _core.four_node_row, lambda r: [_core.Families(F), [0, 1, 2, 3], 0]),
    ("order_by_weights", _core.order_by_weights, lambda r: [_core.Families(F), np.ones(len(F))]),
    (
        "climb_orders",
        named(_core.climb_orders, "rounds seed seconds"),
        lambda r: [_core.Families(F), list(range(N)), 2, 1, LIMIT],
    ),
    ("interactions", _core.interactions, lambda r: [measure(r), [([0], [1], [2])], [3], 1]),
    (
        "MeasureTest.answers",
        _core.IndependenceTest.answers,
        lambda r: [g_square(r), [([0], [1], [2])], r.random() < 0.5, 1],
    ),
    ("MeasureTest.chi_squared", _core.MeasureTest.chi_squared, lambda r: [measure(r), 0.05, 0.0, [2] * N]),
    ("MeasureTest.threshold", _core.MeasureTest.threshold, lambda r: [measure(r), 0.01]),
    (
        "stable_skeleton",
        named(_core.stable_skeleton, "max_size keep_levels resolve threads seconds"),
        lambda r: [g_square(r), *masks(), 2, True, 1, LIMIT],
    ),
    (
        "SeparatedPairs",
        lambda *a: _core.SeparatedPairs(*a).uncertain_regions(),
        lambda r: [
            [{1}, {0}, set(), set(), set()],
            *(np.array(part, dtype=np.uint32) for part in ([2], [3], [0], [1])),
        ],
    ),
    (
        "edge_gains",
        named(_core.edge_gains, "threads seconds progress pairs_per_batch"),
        lambda r: [score(r), [0], 1, LIMIT, None, 4],
    ),
    (
        "arc_count_search",
        named(
            _core.arc_count_search,
            "weight score knowledge base expansions max_arcs max_parents connected one_set every_dag "
            "threads seconds",
        ),
        lambda r: [score(r), score(r), _core.Knowledge(N), EMPTY, 20, 4, 2, False, False, False, 1, LIMIT],
    ),
    ("Sampler.add", lambda *a: _core.Sampler().add(*a), lambda r: [2, [], 1, np.array([0.5, 0.5])]),
    (
        "Sampler.draw",
        lambda *a: drawn(*a),
        lambda r: [1, 0, [np.zeros(9, np.uint8), np.zeros(9, np.uint8)], 1],
    ),
    (
        "FamilyWeights",
        named(_core.FamilyWeights, "max_parents threads seconds"),
        lambda r: [
            score(r),
            _core.Knowledge(N),
            [[u for u in range(N) if u != v] for v in range(N)],
            2,
            1,
            LIMIT,
        ],
    ),
    ("candidates", _core.FamilyWeights.candidates, lambda r: [weights(), 1]),
    ("logs", _core.FamilyWeights.logs, lambda r: [weights(), 1]),
    (
        "promising_parents",
        named(_core.promising_parents, "most max_parents within shortlist threads seconds"),
        lambda r: [score(r), _core.Knowledge(N), 2, 2, 5.0, 3, 1, LIMIT],
    ),
    (
        "exact_posterior",
        named(_core.exact_posterior, "threads seconds"),
        lambda r: [weights(), r.choice(list(_core.Counting)), EVERY_FEATURE, 1, LIMIT],
    ),
    (
        "log_total_weight",
        named(_core.log_total_weight, "threads seconds"),
        lambda r: [weights(), _core.Counting.networks, 1, LIMIT],
    ),
    (
        "exact_posterior_bytes",
        _core.exact_posterior_bytes,
        lambda r: [N, _core.Counting.networks, EVERY_FEATURE, 1],
    ),
    (
        "network_features",
        named(_core.network_features, "threads seconds"),
        lambda r: [np.zeros((2, N, 1), dtype=np.uint64), np.ones(2), 1, LIMIT],
    ),
    ("GraphSampler", _core.GraphSampler, lambda r: [weights(), _core.WalkKind.order, [1, 2], EMPTY, 1]),
    ("advance", advanced, lambda r: [sampler(r), 2, 3, True, 1, LIMIT]),
    (
        "restore",
        lambda walk, *a: (restored(walk, *a), advanced(walk, 3, 5, True, 1, LIMIT)),
        lambda r: [sampler(r), 0, [4, 3, 2, 1, 0], 1, 2, 1],
    ),
    (
        "NetworkTables",
        _core.NetworkTables.make,
        lambda r: [["a", "b"], [2, 2], [[0], [0, 1]], [np.full(2, 0.5), np.full(4, 0.5)]],
    ),
    ("joint", _core.NetworkTables.joint, lambda r: [network(r), [(0, 1)], [(1, [0.5, 0.5])], [2, 3], 1e6]),
    ("log_evidence", _core.NetworkTables.log_evidence, lambda r: [network(r), [(0, 1)], [], 1e6]),
    (
        "log_affinity",
        _core.NetworkTables.log_affinity,
        lambda r: [network(r), network(r, r.choice([N, 3])), 1e6],
    ),
    ("most_probable", _core.NetworkTables.most_probable, lambda r: [network(r), [(0, 1)], [], [2, 3], 1e6]),
    ("JunctionTree", _core.JunctionTree.make, lambda r: [network(r), 2, 1]),
    (
        "Propagation",
        lambda a, b, c: _core.Propagation(a, b, c).marginals([0]),
        lambda r: [network(r), _core.JunctionTree.make(network(r, r.choice([N, 3, 7])), 1, 1), 1e6],
    ),
    (
        "observe",
        lambda a, *b: _core.Propagation(a, _core.JunctionTree.make(a, 1, 1), 1e6).observe(*b),
        lambda r: [network(r), [(0, 1)], [(1, [0.5, 0.5])]],
    ),
    (
        "marginals",
        lambda a, *b: _core.Propagation(a, _core.JunctionTree.make(a, 1, 1), 1e6).marginals(*b),
        lambda r: [network(r), [0, 1, 1]],
    ),
    ("GroupedRows", _core.GroupedRows, lambda r: [BINARY, binary_rows(r), list(range(N)), 1]),
    (
        "posteriors",
        _core.GroupedRows.posteriors,
        lambda r: [
            _core.GroupedRows(BINARY, binary_rows(r), list(range(N)), 1),
            network(r, r.choice([N, 3, 7])),
            1e6,
            1,
        ],
    ),
    (
        "expected_counts",
        _core.GroupedRows.expected_counts,
        lambda r: [
            _core.GroupedRows(BINARY, binary_rows(r), list(range(N))),
            network(r, r.choice([N, 3, 7])),
            1e6,
            1,
        ],
    ),
    (
        "expected_table",
        _core.expected_table,
        lambda r: [binary_rows(r), network(r, r.choice([N, 3, 7])), 1e6, 1],
    ),
    ("order_layers", _core.order_layers, lambda r: [[0, 0, 1, 1, 2], [(0, 2), (1, 3), (3, 4)], 100.0]),
]
F = sets()


# Arguments of which large values are legal and only cost memory.
COSTLY = {
    "order_search": {4},
    "JunctionTree": {1},
    "exact_posterior_bytes": {3},
}


def drawn(*arguments: Any) -> None:
    chain = _core.Sampler()
    chain.add(2, [], 1, np.array([0.5, 0.5]))
    chain.add(2, [0], 2, np.array([0.1, 0.9, 0.8, 0.2]))
    chain.draw(*arguments)


def attack(rng: random.Random) -> bool:
    """One call with changed arguments; whether it answers."""
    name, call, make = rng.choice(CALLS)
    arguments = make(rng)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(arguments))
        if at in COSTLY.get(name, ()) or arguments[at] is LIMIT:
            continue
        arguments[at] = changed(arguments[at], rng)
    try:
        return answered(name, lambda: call(*arguments))
    except SlipError as slip:
        raise SlipError(f"{slip} for {[repr(one)[:200] for one in arguments]}") from slip
