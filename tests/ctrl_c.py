"""Oracles and scores that are interrupted."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

import dagwright as dw
from dagwright.graph.oracle import Oracle
from dagwright.graph.query import Query


class PressesCtrlC(Oracle):
    """Mixed into an oracle: Ctrl-C arrives at the question after `left` others."""

    left = 10**9

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        self.left -= len(queries)
        if self.left < 0:
            self.left = 10**9
            signal.raise_signal(signal.SIGINT)
        return super()._answer(queries)


class InterruptedScore:
    """BIC through Python; Ctrl-C arrives while one of its batches is computed."""

    def __init__(self, batch: int) -> None:
        self.left = batch

    def on(self, table: dw.Table) -> InterruptedScore:
        self.bound = dw.BIC().on(table)
        return self

    def local(self, families: Any) -> list[float]:
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)
        return self.bound.local(families)
