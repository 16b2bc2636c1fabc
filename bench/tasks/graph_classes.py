"""Essential graph of a DAG, and back from an essential graph to a DAG, on sparse random DAGs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.graph_separation import random_arcs

BAR = "essential graph and extension 20x faster than every peer that offers them, same essential graphs"
PEERS = ("dagwright", "pgmpy", "pyagrum", "causal-learn")
Answer = dict[str, list[tuple[int, int]]]


# Beyond these sizes one call takes minutes.
LARGEST = {"pyagrum": 1000, "causal-learn": 300}


def cases(options: Options) -> Iterable[Case]:
    for n in (300, 1000) if options.quick else (300, 1000, 5000):
        able = tuple(peer for peer in PEERS if n <= LARGEST.get(peer, n))
        arguments = {"n": n, "degree": 4, "seed": n}
        yield Case(f"essential graph, {n} nodes", {**arguments, "what": "essential"}, peers=able)
        offered = tuple(peer for peer in able if peer != "pyagrum")
        yield Case(f"extension, {n} nodes", {**arguments, "what": "extension"}, peers=offered)


def drawn(arguments: dict[str, Any]) -> tuple[int, list[tuple[int, int]]]:
    return arguments["n"], random_arcs(arguments["n"], arguments["degree"], arguments["seed"])


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> Answer:
    from dagwright.graph import Dag

    n, arcs = drawn(arguments)
    names = [f"X{i:05}" for i in range(n)]
    dag = Dag(names, [(names[a], names[b]) for a, b in arcs])
    if arguments["what"] == "essential":
        with clock:
            essential = dag.cpdag()
    else:
        pattern = dag.cpdag()
        with clock:
            extension = pattern.extension()
        essential = extension.cpdag()
    directed, undirected = (
        [(int(a[1:]), int(b[1:])) for a, b in edges]
        for edges in (essential.directed_edges, essential.undirected_edges)
    )
    return {"directed": directed, "undirected": undirected}


def run_pgmpy(arguments: dict[str, Any], clock: Clock) -> Answer:
    from pgmpy.base import DAG

    n, arcs = drawn(arguments)
    dag = DAG(arcs)
    dag.add_nodes_from(range(n))
    if arguments["what"] == "essential":
        with clock:
            essential = dag.to_pdag()
    else:
        pattern = dag.to_pdag()
        with clock:
            extension = pattern.to_dag()
        essential = DAG(extension.edges()).to_pdag()
    return {
        "directed": sorted(map(tuple, essential.directed_edges)),
        "undirected": sorted((min(a, b), max(a, b)) for a, b in essential.undirected_edges),
    }


def run_pyagrum(arguments: dict[str, Any], clock: Clock) -> Answer:
    import pyagrum

    n, arcs = drawn(arguments)
    network = pyagrum.BayesNet()
    for i in range(n):
        network.add(pyagrum.LabelizedVariable(f"X{i}", "", 2))
    for a, b in arcs:
        network.addArc(a, b)
    with clock:
        essential = pyagrum.EssentialGraph(network)
    return {
        "directed": sorted(essential.arcs()),
        "undirected": sorted((min(a, b), max(a, b)) for a, b in essential.edges()),
    }


def run_causal_learn(arguments: dict[str, Any], clock: Clock) -> Answer:
    from causallearn.graph.Dag import Dag
    from causallearn.graph.GraphNode import GraphNode
    from causallearn.utils.DAG2CPDAG import dag2cpdag
    from causallearn.utils.PDAG2DAG import pdag2dag

    n, arcs = drawn(arguments)
    nodes = [GraphNode(f"X{i}") for i in range(n)]
    dag = Dag(nodes)
    for a, b in arcs:
        dag.add_directed_edge(nodes[a], nodes[b])
    if arguments["what"] == "essential":
        with clock:
            essential = dag2cpdag(dag)
    else:
        pattern = dag2cpdag(dag)
        with clock:
            extension = pdag2dag(pattern)
        essential = dag2cpdag(extension)
    marks = essential.graph
    directed, undirected = [], []
    for a in range(len(nodes)):
        for b in range(a):
            if marks[a, b] == -1 and marks[b, a] == -1:
                undirected.append((b, a))
            elif marks[a, b] == 1:
                directed.append((b, a))
            elif marks[b, a] == 1:
                directed.append((a, b))
    return {"directed": sorted(directed), "undirected": sorted(undirected)}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        yield Finding(case.name, "seconds", ours.seconds, "s")
        for peer in PEERS[1:]:
            theirs = results.get(case.name, peer)
            if theirs is None:
                continue
            same = all(
                {tuple(e) for e in ours.answer[kind]} == {tuple(e) for e in theirs.answer[kind]}
                for kind in ours.answer
            )
            yield Finding(case.name, f"answer unlike {peer}", int(not same), "", at_most=0)
            yield Finding(case.name, f"faster than {peer}", theirs.seconds / ours.seconds, at_least=20.0)
