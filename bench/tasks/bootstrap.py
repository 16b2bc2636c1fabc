"""Bootstrap of hill climbing: what a replicate costs, and whether strengths can be taken at their word."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.hill_climb import Arguments, shuffled

BAR = "a replicate costs at most 1.2 single runs per thread; 20x pyAgrum's loop, 5x PyBNesian's"
PEERS = ("dagwright", "dagwright_1t", "single_1t", "pybnesian", "pyagrum", "calibration")
SPEED = {"pybnesian": 5.0, "pyagrum": 20.0}
TIMED = PEERS[:-1]
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999, 1.0)


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    replicates = 5 if options.quick else 40
    sample = str(draw("alarm", 10_000))
    yield Case("alarm_10000", {"sample": sample, "order": 0, "replicates": replicates}, TIMED)
    for network in ("asia", "insurance", "alarm", "hailfinder", "hepar2", "win95pts")[
        : 2 if options.quick else 6
    ]:
        arguments = {
            "sample": str(draw(network, 1_000)),
            "order": 0,
            "replicates": 20 if options.quick else 100,
        }
        yield Case(f"strengths {network}", arguments, ("calibration",), repeats=1)


def resampled(arguments: Arguments) -> Iterable[Any]:
    """Row numbers of each replicate, for the loops over peers."""
    import numpy as np

    rng = np.random.default_rng(1)
    for _ in range(arguments["replicates"]):
        yield rng.integers(0, 10_000, 10_000)


def run_dagwright(arguments: Arguments, clock: Clock, threads: int | None = None) -> int:
    import dagwright as dw

    table = dw.read(shuffled(arguments).arrow())
    draw, search = dw.bootstrap, dw.HillClimb()
    with clock:
        found = draw(
            table, search=search, replicates=arguments["replicates"], random_state=1, threads=threads
        )
    return len(found.edges())


def run_dagwright_1t(arguments: Arguments, clock: Clock) -> int:
    return run_dagwright(arguments, clock, 1)


def run_single_1t(arguments: Arguments, clock: Clock) -> int:
    """As many single runs on the data themselves, nothing remembered from one to the next."""
    import dagwright as dw

    table = dw.read(shuffled(arguments).arrow())
    learn, search = dw.learn, dw.HillClimb()
    fresh = [table.with_memo(512) for _ in range(arguments["replicates"])]
    with clock:
        for one in fresh:
            found = learn(one, search=search, threads=1)
    return len(found.graph.edges)


def run_pybnesian(arguments: Arguments, clock: Clock) -> int:
    import pyarrow as pa
    import pybnesian

    frame = shuffled(arguments).arrow()
    kind = pybnesian.DiscreteBNType()
    with clock:
        for rows in resampled(arguments):
            model = pybnesian.hc(
                frame.take(pa.array(rows)), bn_type=kind, score="bic", operators=["arcs"], max_indegree=0
            )
    return len(model.arcs())


def run_pyagrum(arguments: Arguments, clock: Clock) -> int:
    """Reading the file of a replicate is left out of the time."""
    import pyagrum

    sample = shuffled(arguments)
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.csv"
        for rows in resampled(arguments):
            sample.take(rows).write_codes(file)
            learner = pyagrum.BNLearner(str(file))
            learner.useScoreBIC()
            learner.useNoPrior()
            learner.useGreedyHillClimbing()
            learner.setNumberOfThreads(1)
            with clock:
                count = learner.learnDAG().sizeArcs()
    return count


def run_calibration(arguments: Arguments, clock: Clock) -> list[list[Any]]:
    """Every pair of variables that was ever joined, with its strength."""
    import dagwright as dw

    table = dw.read(shuffled(arguments).arrow())
    with clock:
        found = dw.bootstrap(table, search=dw.GES(), replicates=arguments["replicates"], random_state=1)
    return [[one.start, one.end, one.strength] for one in found.edges(0.0) if one.strength > 0]


def findings(results: Results) -> Iterable[Finding]:
    case = "alarm_10000"
    cost = results.speedup([case], "single_1t", "dagwright_1t")
    yield Finding(case, "replicate / single run, one thread", cost, "x", at_most=1.2)
    for peer, bar in SPEED.items():
        if results.get(case, peer) is not None:
            yield Finding(
                case, f"{peer} / dagwright seconds", results.speedup([case], "dagwright", peer), "x", bar
            )
    yield from calibrations(results)


def calibrations(results: Results) -> Iterable[Finding]:
    """The curve of all networks together, and the error of each."""
    from bench.networks import read_bif
    from bench.peers import network_file
    from dagwright import EdgeCalibration

    judged = {}
    for one in results.cases():
        found = results.get(one.name, "calibration")
        if found is None:
            continue
        truth = {frozenset(edge) for edge in read_bif(network_file(one.name.split()[1])).edges}
        real = [frozenset((a, b)) in truth for a, b, _ in found.answer]
        judged[one.name] = EdgeCalibration.of([strength for _, _, strength in found.answer], real, BINS)
    if not judged:
        return
    together = EdgeCalibration.pooled(judged.values())
    for part in together.bins:
        note = f"{part.low:.3f} to {part.high:.3f}; {part.pairs} edges of mean strength {part.predicted:.2f}"
        yield Finding(
            "strengths", f"real among ({part.above:g}, {part.upto:g}]", part.observed, "", note=note
        )
    for name, one in {**judged, "strengths": together}.items():
        note = f"{one.error_by_chance:.3f} by chance; {len(one.real)} edges found at least once"
        yield Finding(name, "calibration error", one.error, "", note=note)
