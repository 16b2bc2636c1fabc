"""Greedy equivalence search on shuffled columns. causal-learn has BDeu for discrete data, pgmpy BIC."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import Arguments, shuffled

BAR = "at least 50x causal-learn and pgmpy, no lower score; at most a fifth of the operators re-evaluated"
PEERS = ("dagwright", "dagwright_bdeu", "causal-learn", "pgmpy")
RIVALS = {"causal-learn": "dagwright_bdeu", "pgmpy": "dagwright"}
# A peer that has not answered by then is counted with this time.
PATIENCE = 900.0
Answer = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    rows = 1_000 if options.quick else 10_000
    arguments = {"sample": str(draw("alarm", rows)), "order": 0}
    yield Case(f"alarm_{rows}", arguments, repeats=1, timeout=PATIENCE)


def learn_with_dagwright(arguments: Arguments, clock: Clock, score: Any) -> Answer:
    import dagwright as dw
    from dagwright import _core

    table = dw.read(shuffled(arguments).labels())
    with clock:
        found = dw.learn(table, score=score, search=dw.GES())
    bound = score.on(dw.read(shuffled(arguments).labels()))
    n = len(table.names)
    walks = [
        _core.ges(bound.native, _core.Knowledge(n), [[] for _ in range(n)], reuse=reuse)
        for reuse in (True, False)
    ]
    return {
        "directed": found.graph.directed_edges,
        "undirected": found.graph.undirected_edges,
        "operators": [walk[4] for walk in walks],
        "same path": walks[0][3] == walks[1][3],
    }


def run_dagwright(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learn_with_dagwright(arguments, clock, dw.BIC())


def run_dagwright_bdeu(arguments: Arguments, clock: Clock) -> Answer:
    import dagwright as dw

    return learn_with_dagwright(arguments, clock, dw.BDeu(1))


def from_marks(names: list[str], marks: Any) -> Answer:
    """The edges of a graph of causal-learn; one with a head at both ends, a conflict, has no direction.

    marks[j, i] = 1 and marks[i, j] = -1 stand for i -> j, -1 in both places for i -- j.
    """
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if marks[i, j] != 0]
    return {
        "directed": [(names[i], names[j]) for i, j in pairs if marks[i, j] == -1 and marks[j, i] == 1],
        "undirected": [(names[i], names[j]) for i, j in pairs if i < j and marks[j, i] == marks[i, j]],
    }


def run_causal_learn(arguments: Arguments, clock: Clock) -> Answer:
    import numpy as np
    from causallearn.search.ScoreBased.GES import ges

    sample = shuffled(arguments)
    names = list(sample.codes)
    rows = np.column_stack(list(sample.codes.values())).astype(np.int64)
    with clock:
        marks = ges(rows, "local_score_BDeu")["G"].graph
    return from_marks(names, marks)


def run_pgmpy(arguments: Arguments, clock: Clock) -> Answer:
    from pgmpy.estimators import GES

    frame = shuffled(arguments).pandas()
    with clock:
        graph = GES(frame).estimate(scoring_method="bic-d")
    return {"directed": list(graph.directed_edges), "undirected": list(graph.undirected_edges)}


def timed_out(results: Results, peer: str) -> bool:
    return any(r.peer == peer and r.error.startswith("no answer within") for r in results.everything)


def findings(results: Results) -> Iterable[Finding]:
    import dagwright as dw
    from bench.samples import load

    for case in results.cases():
        sample = load(case.arguments["sample"])
        table = dw.read(sample.labels())
        for rival, ours in RIVALS.items():
            mine, theirs = results.get(case.name, ours), results.get(case.name, rival)
            if mine is None or (theirs is None and not timed_out(results, rival)):
                continue
            note = "" if theirs else f"no answer within {PATIENCE:.0f} s, counted as that"
            seconds = theirs.seconds if theirs else PATIENCE
            yield Finding(
                case.name, f"{rival} / dagwright seconds", seconds / mine.seconds, "x", 50.0, note=note
            )
            yield Finding(
                case.name,
                f"operators, share of full re-evaluation ({ours})",
                mine.answer["operators"][0] / mine.answer["operators"][1],
                "",
                at_most=0.2,
                note="same path" if mine.answer["same path"] else "ANOTHER PATH",
            )
            if theirs is None:
                continue
            score = dw.BIC() if rival == "pgmpy" else dw.BDeu(1)
            values = []
            for answer in (mine.answer, theirs.answer):
                edges = [[tuple(edge) for edge in answer[kind]] for kind in ("directed", "undirected")]
                try:
                    member = dw.Pdag(table.names, *edges).extension()
                except dw.DagwrightError as error:
                    yield Finding(case.name, f"{rival}: no valid class", 1, "", note=str(error)[:80])
                    break
                values.append(dw.score(member, table, score).total)
            if len(values) == 2:
                yield Finding(
                    case.name, f"{score.name} above {rival}", values[0] - values[1], "nats", at_least=-1e-6
                )
