"""Thousands of discrete variables, 10,000 rows: time and memory of hill climbing and of the default."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.scaling import random_network

BAR = (
    "5,000 variables by the default and by hill climbing, 10,000 by hill climbing: time and memory are stated"
)
PEERS = ("dagwright", "dagwright_hc")
SIZES = "DAGWRIGHT_BENCH_VARIABLES"
"""The environment variable that lists the numbers of variables."""


def cases(options: Options) -> Iterable[Case]:
    usual = "300" if options.quick else "10,100,1000,5000,10000"
    for n in map(int, os.environ.get(SIZES, usual).split(",")):
        peers = PEERS if n <= 5000 else PEERS[1:]
        yield Case(str(n), {"n": n}, peers=peers, repeats=1, timeout=7200.0)


def learned(arguments: dict[str, Any], clock: Clock, search: str) -> dict[str, Any]:
    import dagwright as dw

    columns, _ = random_network(arguments["n"], rows=10_000)
    table = dw.read(columns)
    with clock:
        found = dw.learn(table, search=getattr(dw, search)())
    return {"edges": len(found.graph.edges), "score": found.score, "evaluations": found.evaluations}


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return learned(arguments, clock, "Auto")


def run_dagwright_hc(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    return learned(arguments, clock, "HillClimb")


def findings(results: Results) -> Iterable[Finding]:
    for (case, peer), found in results.done.items():
        yield Finding(case, f"{peer}: time", found.seconds, "s", note=f"{found.answer['edges']:,} edges")
        yield Finding(case, f"{peer}: peak memory", found.peak_mib, "MiB")
