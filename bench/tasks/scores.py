"""Values of local scores by every library that has them, in nats, on a sample of CHILD."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "every score within 1e-9 of the peers' (relative), where the peer itself is exact"
PEERS = ("dagwright", "pgmpy", "pybnesian", "pyagrum")
# pyAgrum 3.3.1 appears to tabulate log-gamma in steps of 1/100 (0.4 nats off at pseudo-counts of 1/8). Here
# every pseudo-count is a multiple of 1/100.
ESS = 36.0
FAMILIES = [
    ("Disease", []),
    ("LVH", ["Disease"]),
    ("CO2", ["LungParench"]),
    ("ChestXray", ["LungFlow", "LungParench"]),
    ("RUQO2", ["HypoxiaInO2"]),
    ("HypDistrib", ["CardiacMixing", "DuctFlow"]),
    ("LowerBodyO2", ["HypDistrib", "HypoxiaInO2"]),
    ("Grunting", ["Sick", "LVH", "Age"]),
]

TOLERANCE = {("pyagrum", "K2"): 1e-6, ("pyagrum", "BDeu"): 1e-6}
KNOWN_ERRORS = {("pyagrum", "AIC"): "pyAgrum subtracts a penalty in nats from a likelihood in bits"}
Arguments = dict[str, Any]
Values = dict[str, list[float]]


def cases(_: Options) -> Iterable[Case]:
    from bench.samples import draw

    return [Case("child_5000", {"sample": str(draw("child", 5_000)), "families": FAMILIES}, repeats=1)]


def sample_of(arguments: Arguments) -> Any:
    from bench.samples import load

    return load(arguments["sample"])


def run_dagwright(arguments: Arguments, clock: Clock) -> Values:
    from dagwright.data import read
    from dagwright.evidence import AIC, BIC, BDeu, BDs, Family, K2Score, LogLik

    table = read(sample_of(arguments).labels())
    number = {name: k for k, name in enumerate(table.names)}
    families = [Family(number[x], frozenset(number[y] for y in given)) for x, given in arguments["families"]]
    scores = {
        "LL": LogLik(),
        "AIC": AIC(),
        "BIC": BIC(),
        "K2": K2Score(),
        "BDeu": BDeu(ess=ESS),
        "BDs": BDs(ess=ESS),
    }
    with clock:
        return {name: score.on(table).local(families) for name, score in scores.items()}


def run_pgmpy(arguments: Arguments, clock: Clock) -> Values:
    from pgmpy import structure_score

    frame = sample_of(arguments).pandas()
    scores = {
        "LL": structure_score.LogLikelihood(frame),
        "AIC": structure_score.AIC(frame),
        "BIC": structure_score.BIC(frame),
        "K2": structure_score.K2(frame),
        "BDeu": structure_score.BDeu(frame, equivalent_sample_size=ESS),
        "BDs": structure_score.BDs(frame, equivalent_sample_size=ESS),
    }
    with clock:
        return {
            name: [
                float(score.local_score(child, tuple(parents))) for child, parents in arguments["families"]
            ]
            for name, score in scores.items()
        }


def run_pybnesian(arguments: Arguments, clock: Clock) -> Values:
    import pybnesian

    frame = sample_of(arguments).arrow()
    empty = pybnesian.DiscreteBN(list(frame.schema.names))
    scores = {"BIC": pybnesian.BIC(frame), "BDeu": pybnesian.BDe(frame, ESS)}
    with clock:
        return {
            name: [score.local_score(empty, child, parents) for child, parents in arguments["families"]]
            for name, score in scores.items()
        }


def run_pyagrum(arguments: Arguments, clock: Clock) -> Values:
    """pyAgrum scores in bits; the values returned are in nats."""
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.csv"
        sample_of(arguments).write_codes(file)
        learners = {name: pyagrum.BNLearner(str(file)) for name in ("LL", "AIC", "BIC", "K2", "BDeu")}
    for name in ("LL", "AIC", "BIC"):
        learners[name].useNoPrior()
    learners["LL"].useScoreLog2Likelihood()
    learners["AIC"].useScoreAIC()
    learners["BIC"].useScoreBIC()
    learners["K2"].useScoreK2()
    learners["BDeu"].useScoreBD()
    learners["BDeu"].useBDeuPrior(ESS)
    with clock:
        return {
            name: [learner.score(child, parents) * math.log(2) for child, parents in arguments["families"]]
            for name, learner in learners.items()
        }


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        for peer in PEERS[1:]:
            theirs = results.get(case.name, peer)
            for name, values in theirs.answer.items() if theirs else ():
                gap = max(abs(a / b - 1) for a, b in zip(ours.answer[name], values, strict=True))
                known = KNOWN_ERRORS.get((peer, name), "")
                bar = None if known else TOLERANCE.get((peer, name), 1e-9)
                yield Finding(case.name, f"{name}: largest gap to {peer}", gap, "", at_most=bar, note=known)
