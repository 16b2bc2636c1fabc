"""Tabu search against our own hill climbing, with BIC on shuffled columns: what it costs and gains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import Arguments, Edges, shuffled

BAR = "tabu search takes at most twice the time of hill climbing and never scores below it"
PEERS = ("hill_climb", "tabu")
NETWORKS = ("insurance", "alarm", "hailfinder", "hepar2", "win95pts", "andes")


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:2] if options.quick else NETWORKS:
        sample = str(draw(network, 10_000))
        for order in range(1 if options.quick else 2):
            yield Case(f"{network} order {order}", {"sample": sample, "order": order}, calls=3)


def learn_by(search: Any, arguments: Arguments, clock: Clock) -> Edges:
    import dagwright as dw

    table = dw.read(shuffled(arguments).labels())
    with clock:
        found = dw.learn(table, score=dw.BIC(), search=search)
    return [tuple(edge) for edge in found.graph.edges]


def run_hill_climb(arguments: Arguments, clock: Clock) -> Edges:
    import dagwright as dw

    return learn_by(dw.HillClimb(), arguments, clock)


def run_tabu(arguments: Arguments, clock: Clock) -> Edges:
    import dagwright as dw

    return learn_by(dw.Tabu(), arguments, clock)


def findings(results: Results) -> Iterable[Finding]:
    from bench.samples import load
    from bench.scorer import Scorer

    for network in dict.fromkeys(case.name.split(" order ")[0] for case in results.cases()):
        cases_here = [case for case in results.cases() if case.name.startswith(f"{network} order ")]
        both = [(results.get(c.name, "tabu"), results.get(c.name, "hill_climb")) for c in cases_here]
        done = [(tabu, climb) for tabu, climb in both if tabu is not None and climb is not None]
        if not done:
            continue
        cost = min(tabu.seconds for tabu, _ in done) / min(climb.seconds for _, climb in done)
        yield Finding(network, "tabu / hill climbing seconds", cost, "x", at_most=2.0)
        scorer = Scorer(load(cases_here[0].arguments["sample"]).codes)
        gains = [scorer.bic(tabu.answer) - scorer.bic(climb.answer) for tabu, climb in done]
        yield Finding(network, "BIC of tabu above hill climbing", min(gains), "nats", at_least=-1e-6)
