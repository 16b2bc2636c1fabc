"""How long `import dagwright` takes, relative to `import numpy`, each in a fresh interpreter."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "importing dagwright costs at most twice an import of numpy, and loads no heavy library"
PEERS = ("dagwright", "numpy", "pyagrum", "pybnesian", "pgmpy")
HEAVY = ("pandas", "polars", "pyarrow", "matplotlib", "sklearn", "scipy", "networkx", "duckdb")


def cases(options: Options) -> Iterable[Case]:
    return [Case("import", repeats=max(5, options.repeats))]


def timed_import(package: str, clock: Clock) -> list[str]:
    import sys

    with clock:
        importlib.import_module(package)
    return [name for name in HEAVY if name in sys.modules]


def run_dagwright(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("dagwright", clock)


def run_numpy(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("numpy", clock)


def run_pyagrum(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("pyagrum", clock)


def run_pybnesian(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("pybnesian", clock)


def run_pgmpy(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("pgmpy", clock)


def findings(results: Results) -> Iterable[Finding]:
    ours, numpy = results.get("import", "dagwright"), results.get("import", "numpy")
    if ours is None or numpy is None:
        return
    yield Finding("import", "dagwright / numpy", ours.seconds / numpy.seconds, at_most=2.0)
    yield Finding(
        "import", "heavy libraries loaded", len(ours.answer), "", at_most=0, note=", ".join(ours.answer)
    )
    for peer in PEERS[2:]:
        if (theirs := results.get("import", peer)) is not None:
            yield Finding("import", f"{peer} / numpy", theirs.seconds / numpy.seconds)
