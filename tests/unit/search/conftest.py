"""Oracles that several tests of searches share."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence

import pytest

import dagwright as dw
from dagwright.graph.oracle import GraphOracle
from dagwright.graph.query import Query


class PressesCtrlC(GraphOracle):
    """Knows the truth; Ctrl-C arrives at the question with a given number."""

    def __init__(self, graph: dw.Dag | dw.Mag, at: int) -> None:
        super().__init__(graph)
        self.left = at

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        self.left -= len(queries)
        if self.left < 0:
            self.left = 10**9
            signal.raise_signal(signal.SIGINT)
        return super()._answer(queries)


@pytest.fixture
def presses_ctrl_c() -> Callable[[dw.Dag | dw.Mag, int], GraphOracle]:
    return PressesCtrlC
