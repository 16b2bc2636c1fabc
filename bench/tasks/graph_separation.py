"""d-separation: the same batch of random queries on sparse random DAGs, answers compared one by one."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "batches of d-separation queries 20x faster than networkx and pgmpy, 3x faster than pyAgrum, same answers"
)
PEERS = ("dagwright", "networkx", "pgmpy", "pyagrum")
FASTER = {"networkx": 20.0, "pgmpy": 20.0, "pyagrum": 3.0}


def random_arcs(n: int, degree: int, seed: int) -> list[tuple[int, int]]:
    """About n * degree / 2 arcs along a random order."""
    generator = random.Random(seed)
    order = list(range(n))
    generator.shuffle(order)
    pairs = set()
    while len(pairs) < n * degree // 2:
        a, b = sorted(generator.sample(range(n), 2))
        pairs.add((order[a], order[b]))
    return sorted(pairs)


def random_queries(n: int, count: int, seed: int) -> list[tuple[int, int, list[int]]]:
    generator = random.Random(seed)
    queries = []
    for _ in range(count):
        x, y, *given = generator.sample(range(n), 2 + generator.randrange(6))
        queries.append((x, y, given))
    return queries


def cases(options: Options) -> Iterable[Case]:
    for n in (1000, 5000):
        count = 20 if options.quick else 200
        yield Case(f"{n} nodes", {"n": n, "degree": 4, "queries": count, "seed": n}, calls=2)


def drawn(arguments: dict[str, Any]) -> tuple[int, list[tuple[int, int]], list[tuple[int, int, list[int]]]]:
    """Nodes, arcs and queries of a case; each peer draws them again, as they are too long for an argument."""
    n, seed = arguments["n"], arguments["seed"]
    return n, random_arcs(n, arguments["degree"], seed), random_queries(n, arguments["queries"], seed + 1)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[bool]:
    from dagwright.graph import Dag, Query
    from dagwright.graph.separation import separated_all

    n, arcs, asked = drawn(arguments)
    names = [f"X{i}" for i in range(n)]
    dag = Dag(names, [(names[a], names[b]) for a, b in arcs])
    queries = [Query(names[x], names[y], [names[z] for z in given]) for x, y, given in asked]
    with clock:
        return separated_all(dag, queries)


def run_networkx(arguments: dict[str, Any], clock: Clock) -> list[bool]:
    import networkx

    n, arcs, asked = drawn(arguments)
    graph = networkx.DiGraph(arcs)
    graph.add_nodes_from(range(n))
    queries = [({x}, {y}, set(given)) for x, y, given in asked]
    with clock:
        return [networkx.is_d_separator(graph, x, y, given) for x, y, given in queries]


def run_pgmpy(arguments: dict[str, Any], clock: Clock) -> list[bool]:
    from pgmpy.base import DAG

    n, arcs, asked = drawn(arguments)
    graph = DAG(arcs)
    graph.add_nodes_from(range(n))
    with clock:
        return [not graph.is_dconnected(x, y, given) for x, y, given in asked]


def run_pyagrum(arguments: dict[str, Any], clock: Clock) -> list[bool]:
    import pyagrum

    n, arcs, asked = drawn(arguments)
    graph = pyagrum.DAG()
    graph.addNodes(n)
    for a, b in arcs:
        graph.addArc(a, b)
    queries = [(x, y, set(given)) for x, y, given in asked]
    with clock:
        return [graph.dSeparation(x, y, given) for x, y, given in queries]


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        yield Finding(case.name, "queries per second", len(ours.answer) / ours.seconds, "1/s")
        for peer, bar in FASTER.items():
            theirs = results.get(case.name, peer)
            if theirs is None:
                continue
            different = sum(a != b for a, b in zip(ours.answer, theirs.answer, strict=True))
            yield Finding(case.name, f"answers unlike {peer}", different, "", at_most=0)
            yield Finding(case.name, f"faster than {peer}", theirs.seconds / ours.seconds, at_least=bar)
