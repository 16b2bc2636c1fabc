"""Oracles that several tests of searches share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import dagwright as dw
from ctrl_c import PressesCtrlC
from dagwright.graph.oracle import GraphOracle


class InterruptedTruth(PressesCtrlC, GraphOracle):
    def __init__(self, graph: dw.Dag | dw.Mag, at: int) -> None:
        super().__init__(graph)
        self.left = at


@pytest.fixture
def presses_ctrl_c() -> Callable[[dw.Dag | dw.Mag, int], GraphOracle]:
    return InterruptedTruth
