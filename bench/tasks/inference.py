"""Exact inference: every posterior marginal under random evidence, and single questions asked cold."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "all marginals under changing evidence 5x faster than pyAgrum's lazy propagation (2x on munin1 and link, "
    "within 2 GiB), cold questions no slower, answers equal to 1e-9"
)
PEERS = ("dagwright", "pyagrum")
# Evidence sets per network: the peer takes seconds for each of the last four.
SETS = {
    "alarm": 100,
    "hepar2": 100,
    "andes": 100,
    "pigs": 100,
    "munin": 3,
    "diabetes": 3,
    "munin1": 3,
    "link": 2,
}
QUESTIONS = 10  # cold ones, each about another node
WIDE = ("munin1", "link")
SLOW = ("munin", "diabetes", *WIDE)
SHARE_OBSERVED = 10  # one node in ten
Arguments = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.peers import network_file

    for name, sets in SETS.items():
        if options.quick and name in SLOW:
            continue
        file = str(network_file(name))
        count = min(sets, 5) if options.quick else sets
        repeats = 1 if name in SLOW else None
        yield Case(f"{name} marginals", {"file": file, "sets": count}, repeats=repeats)
        # Milliseconds, in which another process's turn would show: the best of several counts.
        yield Case(f"{name} cold", {"file": file, "sets": 1, "cold": True}, repeats=1 if options.quick else 6)
        asked = {"file": file, "sets": QUESTIONS, "cold": True}
        yield Case(f"{name} questions", asked, repeats=1 if options.quick else 3)


def drawn(arguments: Arguments) -> tuple[Any, list[dict[str, int]]]:
    """The network and its evidence: states of random nodes in sampled rows, so that they are possible."""
    from bench.networks import read_bif

    network = read_bif(Path(arguments["file"]))
    generator = random.Random(3)
    rows = network.sample(arguments["sets"], 7)
    nodes = list(network.states)
    evidence = []
    observed = max(1, len(nodes) // arguments.get("one_in", SHARE_OBSERVED))
    for row in range(arguments["sets"]):
        chosen = generator.sample(nodes, observed)
        evidence.append({x: int(rows[x][row]) for x in chosen})
    return network, evidence


def targets_of(network: Any, evidence: list[dict[str, int]]) -> list[str]:
    """What is asked: first about the first free node, in these files near a root, then about any."""
    free = [[x for x in network.states if x not in findings] for findings in evidence]
    generator = random.Random(5)
    return [free[0][0], *(generator.choice(nodes) for nodes in free[1:])]


def in_dagwright(network: Any) -> Any:
    """The network as one of ours, with numbers as states."""
    import dagwright as dw

    states = {x: tuple(range(len(of_x))) for x, of_x in network.states.items()}
    tables = {
        x: network.tables[x].reshape([len(states[p]) for p in (*network.parents[x], x)]) for x in states
    }
    return dw.BayesianNetwork(dw.Dag(list(states), network.edges), states, tables, parents=network.parents)


def in_pyagrum(network: Any) -> Any:
    import pyagrum

    built = pyagrum.BayesNet()
    for x, states in network.states.items():
        built.add(pyagrum.RangeVariable(x, x, 0, len(states) - 1))
    for x, parents in network.parents.items():
        for parent in reversed(parents):  # the first variable of its tables runs fastest
            built.addArc(parent, x)
    for x in network.states:
        built.cpt(x).fillWith(network.tables[x].ravel().tolist())
    return built


def run_dagwright(arguments: Arguments, clock: Clock) -> list[float]:
    import dagwright as dw

    network, evidence = drawn(arguments)
    built = in_dagwright(network)
    if arguments.get("cold"):
        targets = targets_of(network, evidence)
        dw.load("asia").query("lung")  # what is imported on first use is not inference
        built.evidence_probability({})  # and the peer's tables are in its core from the start
        with clock:
            answers = [built.query(x, given) for x, given in zip(targets, evidence, strict=True)]
        return [p for answer in answers for p in answer.values()]
    last: dict[str, Any] = {}
    engine = built.compile()
    with clock:
        for findings in evidence:
            last = engine.marginals(findings)
    return [p for x in network.states for p in last[x].values()]


def run_pyagrum(arguments: Arguments, clock: Clock) -> list[float]:
    import pyagrum

    network, evidence = drawn(arguments)
    built = in_pyagrum(network)
    if arguments.get("cold"):
        answers: list[float] = []
        with clock:
            for x, given in zip(targets_of(network, evidence), evidence, strict=True):
                engine = pyagrum.LazyPropagation(built)
                engine.setEvidence(given)
                engine.addTarget(x)
                engine.makeInference()
                answers += engine.posterior(x).tolist()
        return answers
    engine = pyagrum.LazyPropagation(built)
    last: list[float] = []
    with clock:
        for findings in evidence:
            engine.setEvidence(findings)
            engine.makeInference()
            last = [p for x in network.states for p in engine.posterior(x).tolist()]
    return last


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours, theirs = results.get(case.name, "dagwright"), results.get(case.name, "pyagrum")
        if ours is None:
            continue
        name, kind = case.name.split()
        yield Finding(case.name, "milliseconds each", 1000 * ours.seconds / case.arguments["sets"], "ms")
        if kind == "marginals":
            yield Finding(case.name, "peak memory", ours.peak_mib, "MiB", at_most=2048.0)
        if theirs is None:
            continue
        worst = max(abs(a - b) for a, b in zip(ours.answer, theirs.answer, strict=True))
        yield Finding(case.name, "largest difference from pyagrum", worst, "", at_most=1e-9)
        cold = case.arguments.get("cold", False)
        bar = 1.0 if cold else 2.0 if name in WIDE else 5.0
        note = "dagwright also checks that the evidence is possible" if cold else ""
        ratio = theirs.seconds / ours.seconds
        yield Finding(case.name, "pyagrum / dagwright seconds", ratio, "x", bar, note=note)
