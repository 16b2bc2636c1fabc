"""How long `import dagwright` takes, relative to `import numpy`, each in a fresh interpreter."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "importing dagwright costs at most twice numpy, and its main names load no heavy library"
PEERS = ("dagwright", "dagwright_ready", "numpy", "pyagrum", "pybnesian", "pgmpy")
NAMES = ("read", "learn", "BIC", "HillClimb", "Knowledge", "Dag")
"""What a first program uses: names are loaded when they are first asked for."""
HEAVY = ("pandas", "polars", "pyarrow", "matplotlib", "sklearn", "scipy", "networkx", "duckdb")


def cases(options: Options) -> Iterable[Case]:
    return [Case("import", repeats=max(5, options.repeats))]


def timed_import(package: str, clock: Clock, names: tuple[str, ...] = ()) -> list[str]:
    with clock:
        module = importlib.import_module(package)
        for name in names:
            getattr(module, name)
    return [name for name in HEAVY if name in sys.modules]


def run_dagwright(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("dagwright", clock)


def run_dagwright_ready(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("dagwright", clock, NAMES)


def run_numpy(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("numpy", clock)


def run_pyagrum(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("pyagrum", clock)


def run_pybnesian(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("pybnesian", clock)


def run_pgmpy(_: dict[str, Any], clock: Clock) -> list[str]:
    return timed_import("pgmpy", clock)


def findings(results: Results) -> Iterable[Finding]:
    numpy = results.get("import", "numpy")
    if numpy is None:
        return
    for peer in PEERS:
        result = results.get("import", peer)
        if result is None or peer == "numpy":
            continue
        ours = peer.startswith("dagwright")
        bar = 2.0 if peer == "dagwright" else None
        yield Finding("import", f"{peer} / numpy", result.seconds / numpy.seconds, at_most=bar)
        if ours:
            heavy = ", ".join(result.answer)
            yield Finding("import", f"{peer}: heavy libraries", len(result.answer), "", at_most=0, note=heavy)
