"""Drawing rows from a network by logic sampling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "at least 10x pyAgrum and 50x pgmpy for a million rows of alarm, with the same frequencies"
PEERS = ("dagwright", "dagwright_1t", "pyagrum", "pgmpy")
SPEED = {"pyagrum": 10.0, "pgmpy": 50.0}
NETWORK = "alarm"
COMPARED = 50_000
Arguments = dict[str, Any]
Frequencies = dict[str, dict[str, float]]


def cases(options: Options) -> Iterable[Case]:
    from bench.peers import network_file

    rows = 50_000 if options.quick else 1_000_000
    case = Case(f"{NETWORK} {rows}", {"rows": rows, "file": str(network_file(NETWORK))}, PEERS[:-1], calls=2)
    return [case, replace(case, peers=PEERS[-1:], repeats=1, calls=1)]  # the slowest takes a minute


def draw_with_dagwright(arguments: Arguments, clock: Clock, threads: int | None) -> Frequencies:
    import numpy as np

    import dagwright as dw

    network = dw.load(NETWORK)
    with clock:
        rows = network.sample(arguments["rows"], random_state=1, threads=threads)
    counts = {x: np.bincount(rows.codes(x), minlength=network.cardinality(x)) for x in network.nodes}
    return {
        x: dict(zip(network.states(x), (of_x / len(rows)).tolist(), strict=True))
        for x, of_x in counts.items()
    }


def run_dagwright(arguments: Arguments, clock: Clock) -> Frequencies:
    return draw_with_dagwright(arguments, clock, None)


def run_dagwright_1t(arguments: Arguments, clock: Clock) -> Frequencies:
    return draw_with_dagwright(arguments, clock, 1)


def run_pyagrum(arguments: Arguments, clock: Clock) -> Frequencies:
    import csv
    import gzip
    import tempfile
    from collections import Counter
    from pathlib import Path

    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{NETWORK}.bif"
        file.write_bytes(gzip.decompress(Path(arguments["file"]).read_bytes()))
        network = pyagrum.loadBN(str(file))
        generator = pyagrum.BNDatabaseGenerator(network)
        with clock:
            generator.drawSamples(arguments["rows"])
        generator.drawSamples(COMPARED)  # its rows are read through a file, so only some of them
        written = Path(folder) / "sample.csv"
        generator.toCSV(str(written))
        with written.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
    counts = {x: Counter(row[x] for row in rows) for x in network.names()}
    return {x: {state: k / len(rows) for state, k in of_x.items()} for x, of_x in counts.items()}


def run_pgmpy(arguments: Arguments, clock: Clock) -> Frequencies:
    import gzip
    from pathlib import Path

    from pgmpy.readwrite import BIFReader
    from pgmpy.sampling import BayesianModelSampling

    text = gzip.decompress(Path(arguments["file"]).read_bytes()).decode()
    sampler = BayesianModelSampling(BIFReader(string=text).get_model())
    with clock:
        frame = sampler.forward_sample(arguments["rows"], seed=1, show_progress=False)
    return {x: frame[x].value_counts(normalize=True).to_dict() for x in frame}


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        one = results.get(case.name, "dagwright_1t")
        if one is not None:
            differ = sum(ours.answer[x] != one.answer[x] for x in ours.answer)
            yield Finding(case.name, "nodes that differ between one thread and all", differ, "", at_most=0)
        allowed = 6 * (0.5 / COMPARED) ** 0.5  # standard deviations of the difference of two frequencies
        for peer, bar in SPEED.items():
            theirs = results.get(case.name, peer)
            if theirs is None:
                continue
            ratio = results.speedup([case.name], "dagwright", peer)
            yield Finding(case.name, f"{peer} / dagwright seconds", ratio, "x", bar)
            cpu = results.speedup([case.name], "dagwright_1t", peer, "cpu_seconds")
            yield Finding(case.name, f"{peer} / dagwright processor time, one thread", cpu)
            gap = max(
                abs(share - theirs.answer[x].get(state, 0.0))
                for x, of_x in ours.answer.items()
                for state, share in of_x.items()
            )
            yield Finding(case.name, f"largest difference of frequencies to {peer}", gap, "", at_most=allowed)
