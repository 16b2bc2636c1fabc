"""From a BIF file to a network with its tables, against pgmpy's and pyAgrum's readers."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench import peers
from bench.task import Case, Clock, Finding, Options, Results

BAR = "reading a BIF file is at least 20 times faster than pgmpy's BIFReader, and the tables are the same"
PEERS = ("dagwright", "pgmpy", "pyagrum")
NETWORKS = (
    *(
        "alarm",
        "andes",
        "asia",
        "barley",
        "cancer",
        "child",
        "diabetes",
        "earthquake",
        "hailfinder",
        "hepar2",
    ),
    *("insurance", "link", "mildew", "munin", "munin1", "munin2", "munin3", "munin4", "pathfinder", "pigs"),
    *("sachs", "survey", "water", "win95pts"),
)
QUICK = ("asia", "alarm", "hailfinder", "munin1")
BEYOND_PYAGRUM = ("child", "hailfinder", "water")
"""Their state names are not all identifiers, which is all that pyAgrum's BIF grammar takes."""


def unpacked(name: str) -> Path:
    """The file as plain text: pgmpy reads no other."""
    path = Path(__file__).parents[1] / ".data" / f"{name}.bif"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.decompress(peers.network_file(name).read_bytes()))
    return path


def cases(options: Options) -> Iterable[Case]:
    for name in QUICK if options.quick else NETWORKS:
        readers = ("dagwright", "pgmpy") if name in BEYOND_PYAGRUM else PEERS
        # pgmpy's first call also starts its worker processes; the second one counts.
        yield Case(name, {"path": str(unpacked(name))}, peers=readers, calls=2, repeats=1, timeout=600)


def summary(tables: Iterable[Any]) -> list[float]:
    """What must agree whatever the order of nodes and parents: cells, sum of squares, sum of cubes."""
    import numpy as np

    flat = np.concatenate([np.asarray(table, dtype=np.float64).ravel() for table in tables])
    return [float(flat.size), float((flat**2).sum()), float((flat**3).sum())]


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> list[float]:
    import dagwright as dw
    from dagwright.io import bif  # noqa: F401  its import is not reading

    with clock:
        network = dw.load(arguments["path"])
    return summary(network.table(node) for node in network.nodes)


def run_pgmpy(arguments: dict[str, Any], clock: Clock) -> list[float]:
    from pgmpy.readwrite import BIFReader

    with clock:
        model = BIFReader(arguments["path"]).get_model()
    return summary(cpd.values for cpd in model.get_cpds())


def run_pyagrum(arguments: dict[str, Any], clock: Clock) -> list[float]:
    import pyagrum as gum

    with clock:
        network = gum.loadBN(arguments["path"])
    return summary(network.cpt(node).toarray() for node in network.nodes())


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        for peer in ("pgmpy", "pyagrum"):
            theirs = results.get(case.name, peer)
            if ours is None or theirs is None:
                continue
            bar = 20.0 if peer == "pgmpy" else None
            yield Finding(case.name, f"{peer} / dagwright", theirs.seconds / ours.seconds, at_least=bar)
            # Figures rounded in print are divided by their sum here; pyAgrum keeps them in single precision.
            apart = max(
                abs(a - b) / max(1.0, abs(a)) for a, b in zip(ours.answer, theirs.answer, strict=True)
            )
            yield Finding(case.name, f"tables apart from {peer}'s", apart, "", at_most=1e-4)
