"""Adjustment sets: all minimal back-door sets of random DAGs, some of whose nodes are not observed."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.graph_separation import random_arcs

BAR = "the minimal adjustment sets of 1,000 random DAGs equal pgmpy's"
PEERS = ("dagwright", "pgmpy")
GRAPHS = 1000

Drawn = tuple[int, list[tuple[int, int]], int, int, list[int]]
Sets = list[list[int]]


def cases(options: Options) -> Iterable[Case]:
    yield Case("random DAGs", {"graphs": 50 if options.quick else GRAPHS}, repeats=1)


def drawn(seed: int) -> Drawn:
    """Nodes, arcs, cause, outcome and the nodes that are not observed."""
    generator = random.Random(seed)
    n = 4 + seed % 6
    arcs = random_arcs(n, generator.choice([1, 2, 3]), seed)
    cause, outcome, *rest = generator.sample(range(n), n)
    return n, arcs, cause, outcome, sorted(rest[: generator.choice([0, 0, 1, 2])])


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[Sets]:
    from dagwright.graph import Dag
    from dagwright.model.causal.adjustment import adjustment

    answers = []
    for seed in range(arguments["graphs"]):
        n, arcs, cause, outcome, hidden = drawn(seed)
        dag = Dag(map(str, range(n)), [(str(a), str(b)) for a, b in arcs])
        with clock:
            observed = [str(node) for node in range(n) if node not in hidden]
            found = list(adjustment(dag, str(cause), str(outcome), observed).minimal())
        answers.append(sorted(sorted(map(int, one)) for one in found))
    return answers


def run_pgmpy(arguments: dict[str, Any], clock: Clock) -> list[Sets]:
    import warnings

    from pgmpy.base import DAG
    from pgmpy.inference import CausalInference

    warnings.simplefilter("ignore")
    answers = []
    for seed in range(arguments["graphs"]):
        n, arcs, cause, outcome, hidden = drawn(seed)
        dag = DAG([(str(a), str(b)) for a, b in arcs])
        dag.add_nodes_from(list(map(str, range(n))))
        dag.latents = {str(node) for node in hidden}
        with clock:
            try:
                found = CausalInference(dag).get_all_backdoor_adjustment_sets(str(cause), str(outcome))
                sets = sorted(sorted(map(int, one)) for one in found) or [[]]
            except ValueError:
                sets = []
        answers.append(sets)
    return answers


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours, theirs = (results.get(case.name, peer) for peer in PEERS)
        if ours is None or theirs is None:
            continue
        different = sum(a != b for a, b in zip(ours.answer, theirs.answer, strict=True))
        yield Finding(case.name, "answers unlike pgmpy", different, "", at_most=0)
        yield Finding(case.name, "faster than pgmpy", theirs.seconds / ours.seconds)
