"""Wrong numbers, shapes and objects in the arguments of the native core."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from changes import changed
from slips import SlipError, answered

from dagwright import _core

N, ROWS, LIMIT = 5, 40, 0.05


class PythonScore:
    """A local score whose answers can be anything."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.N, self.cardinalities = answer, 10.0, [2] * N

    def local(self, families: Any) -> Any:
        return [self.answer] * len(families)

    def evidence(self, sets: Any, _: Any) -> Any:
        return [self.answer] * len(sets)


def codes(rng: random.Random, states: int) -> Any:
    return np.array([rng.randrange(states) for _ in range(ROWS)], dtype=np.uint8)


def table(rng: random.Random, n: int = N) -> _core.Table:
    return _core.Table.from_codes(
        [codes(rng, 2 + v % 2) for v in range(n)], [2 + v % 2 for v in range(n)], ROWS
    )


def sums(rng: random.Random) -> _core.CellSums:
    return _core.CellSums(table(rng), 1.0)


def g_square(rng: random.Random) -> _core.IndependenceTest:
    return _core.MeasureTest.chi_squared(measure(rng), 0.05)


def measure(rng: random.Random) -> _core.CountingMeasure:
    return _core.CountingMeasure(sums(rng), rng.choice(["multinomial", "nml"]))


def score(rng: random.Random) -> _core.LocalScore:
    if rng.random() < 0.1:
        return _core.PythonLocalScore(PythonScore(rng.choice([0.0, None, "x", float("nan")])), N, 10.0)
    return _core.CriterionScore(measure(rng), 1.0)


def graph(rng: random.Random, n: int = N) -> _core.MixedGraph:
    directed = [(a, b) for a in range(n) for b in range(a + 1, n) if rng.random() < 0.4]
    lists = [np.array(part, dtype=np.uint32).reshape(-1, 2) for part in (directed, [])]
    return _core.MixedGraph(n, *lists)


def network(rng: random.Random, n: int = N) -> _core.NetworkTables:
    axes = [[*sorted(rng.sample(range(v), min(v, rng.randrange(3)))), v] for v in range(n)]
    tables = [np.full(2 ** len(axis), 0.5) for axis in axes]
    return _core.NetworkTables.make([f"v{v}" for v in range(n)], [2] * n, axes, tables)


def sets() -> _core.CandidateSets:
    found: _core.CandidateSets = _core.find_candidates(_core.FlatScore(N), _core.Knowledge(N))[0]
    return found


def weights() -> _core.FamilyWeights:
    every = [[u for u in range(N) if u != v] for v in range(N)]
    return _core.FamilyWeights(_core.FlatScore(N), _core.Knowledge(N), every)


def sampler(rng: random.Random) -> _core.GraphSampler:
    return _core.GraphSampler(weights(), rng.choice(["order", "partition", "structure"]), [1, 2], EMPTY)


def masks() -> list[Any]:
    return [np.ones((N, N), dtype=bool), np.zeros((N, N), dtype=bool), np.ones((N, N), dtype=bool)]


def advanced(chains: Any, visits: Any, thin: Any, arcs: Any, threads: Any, seconds: Any) -> Any:
    return _core.GraphSampler.advance(
        chains, visits=visits, thin=thin, with_arcs=arcs, threads=threads, seconds=seconds
    )


EMPTY: list[list[int]] = [[] for _ in range(N)]
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
    ("Counter", _core.Counter, lambda r: [table(r), "", r.choice([None, "bitmap", "histogram", "grouped"])]),
    ("Counter.cells", _core.Counter.cells, lambda r: [_core.Counter(table(r)), [0, 1], []]),
    ("Counter.occupied", _core.Counter.occupied, lambda r: [_core.Counter(table(r)), [0, 1], [2, 3]]),
    ("CellSums", _core.CellSums, lambda r: [table(r), 1.0]),
    ("canonical_order", _core.CellSums.canonical_order, lambda r: [sums(r), list(range(N)), 1]),
    ("CellSums.cells", _core.CellSums.cells, lambda r: [sums(r), [0, 1], [2]]),
    ("evidence", _core.Measure.evidence, lambda r: [measure(r), [[0], [1, 2]], [3], 1]),
    ("CountingMeasure", _core.CountingMeasure, lambda r: [sums(r), "dirichlet", 1.0]),
    ("PythonMeasure", _core.PythonMeasure, lambda r: [PythonScore(r.choice([None, 1.0])), N]),
    ("local", _core.LocalScore.local, lambda r: [score(r), [(0, [1]), (1, [2, 3])], 1]),
    ("CriterionScore", _core.CriterionScore, lambda r: [measure(r), 1.0]),
    ("CellScore", _core.CellScore, lambda r: [sums(r), r.choice(["k2", "bds", "fnml"]), 1.0]),
    ("ArcPriorScore", _core.ArcPriorScore, lambda r: [score(r), [0.0] * N * N, [0.0] * N]),
    ("ParentCountScore", _core.ParentCountScore, lambda r: [score(r), [0.0] * N]),
    ("PythonLocalScore", _core.PythonLocalScore, lambda r: [PythonScore(0.0), N, 10.0]),
    ("NodeAverageScore", _core.NodeAverageScore, lambda r: [sums(r), 1.0]),
    ("hill_climb", _core.hill_climb, lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1, LIMIT, None]),
    (
        "hill_climb, first",
        _core.hill_climb,
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1, LIMIT, None, True, 2, 2, 1],
    ),
    (
        "tabu_search",
        _core.tabu_search,
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 3, 3, False, 1, 1, LIMIT],
    ),
    (
        "anneal",
        _core.anneal,
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, np.array([1.0, 0.5]), 1, 1, LIMIT],
    ),
    (
        "ges",
        _core.ges,
        lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, True, 1, LIMIT],
    ),
    ("full_graph", _core.full_graph, lambda r: [score(r), _core.Knowledge(N), EMPTY, 2]),
    ("random_graph", _core.random_graph, lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1]),
    ("tree_graph", _core.tree_graph, lambda r: [score(r), _core.Knowledge(N), EMPTY, 2, 1]),
    ("spanning forest", _core.maximum_spanning_forest, lambda r: [np.ones((N, N)), 0.5]),
    (
        "order_search",
        _core.order_search,
        lambda r: [score(r), _core.Knowledge(N), EMPTY, "insert", 2, 5, 100, 2, 1, 1, LIMIT],
    ),
    (
        "boss",
        _core.boss,
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
        _core.find_candidates,
        lambda r: [score(r), _core.Knowledge(N), 2, 0.0, 1000, 1e6, 100, 1, LIMIT],
    ),
    ("walked_before_table", _core.walked_before_table, lambda r: [N]),
    ("solve_by_subsets", _core.solve_by_subsets, lambda r: [sets(), [0, 1, 2], 1, LIMIT]),
    ("solve_by_astar", _core.solve_by_astar, lambda r: [sets(), [0, 1, 2], -1e9, 0.0, 1000, 1, LIMIT]),
    ("find_rivals", _core.find_rivals, lambda r: [sets(), 1.0, 100, True, 1, LIMIT]),
    ("enumerate_networks", _core.enumerate_networks, lambda r: [sets(), 0.0, LIMIT]),
    (
        "violated_clusters",
        _core.violated_clusters,
        lambda r: [_core.Families(F), np.ones(len(F)), 0.01, 10, 2, 1000],
    ),
    ("cluster_row", _core.cluster_row, lambda r: [_core.Families(F), [0, 1], 1]),
    (
        "violated_four_node_cuts",
        _core.violated_four_node_cuts,
        lambda r: [_core.Families(F), np.ones(len(F)), 0.01, 10],
    ),
    ("four_node_row", _core.four_node_row, lambda r: [_core.Families(F), [0, 1, 2, 3], 0]),
    ("order_by_weights", _core.order_by_weights, lambda r: [_core.Families(F), np.ones(len(F))]),
    ("climb_orders", _core.climb_orders, lambda r: [_core.Families(F), list(range(N)), 2, 1, LIMIT]),
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
        _core.stable_skeleton,
        lambda r: [g_square(r), *masks(), 2, True, 1, LIMIT],
    ),
    (
        "SeparatedPairs",
        lambda *a: _core.SeparatedPairs(*a).uncertain_regions(),
        lambda r: [
            [[1], [0], [], [], []],
            *(np.array(part, dtype=np.uint32) for part in ([2], [3], [0], [1])),
        ],
    ),
    ("link_gains", _core.link_gains, lambda r: [score(r), [0], 1, LIMIT, None, 4]),
    (
        "arc_count_search",
        _core.arc_count_search,
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
        _core.FamilyWeights,
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
        _core.promising_parents,
        lambda r: [score(r), _core.Knowledge(N), 2, 2, 5.0, 3, 1, LIMIT],
    ),
    (
        "exact_posterior",
        _core.exact_posterior,
        lambda r: [
            weights(),
            r.choice(["orders", "networks"]),
            ["paths", "blankets", "v_structures"],
            1,
            LIMIT,
        ],
    ),
    ("log_total_weight", _core.log_total_weight, lambda r: [weights(), "networks", 1, LIMIT]),
    ("exact_posterior_bytes", _core.exact_posterior_bytes, lambda r: [N, "networks", ["paths"], 1]),
    (
        "network_features",
        _core.network_features,
        lambda r: [np.zeros((2, N, 1), dtype=np.uint64), np.ones(2), 1, LIMIT],
    ),
    ("GraphSampler", _core.GraphSampler, lambda r: [weights(), "order", [1, 2], EMPTY, 1]),
    ("advance", advanced, lambda r: [sampler(r), 2, 3, True, 1, LIMIT]),
    (
        "restore",
        lambda walk, *a: (_core.GraphSampler.restore(walk, *a), advanced(walk, 3, 5, True, 1, LIMIT)),
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
BINARY = network(random.Random(0))


# Arguments of which large values are legal and only cost memory.
COSTLY = {
    "order_search": {4},
    "JunctionTree": {1},
    "exact_posterior_bytes": {3},
}


def binary_rows(rng: random.Random) -> _core.Table:
    columns = [codes(rng, 2) for _ in range(N)]
    columns[1][::3] = 255
    return _core.Table.from_codes(columns, [2] * N, ROWS)


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
