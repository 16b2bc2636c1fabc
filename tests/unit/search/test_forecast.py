"""Forecasts of the search that learning would run."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core


def test_gaps_are_forecast_for_the_search_that_learning_runs() -> None:
    """It named Exact(), while learning alternates a search and EM."""
    gaps = {"a": [0, 1, None, 1] * 30, "b": [0, 1, 1, None] * 30, "c": [0, 0, 1, 1] * 30}
    assert dw.forecast(gaps).search == "StructuralEM()"
    assert dw.forecast(gaps).search == dw.learn(gaps).method
    assert dw.forecast(gaps, missing="em", search=dw.HillClimb()).search == "StructuralEM(search=HillClimb())"
    assert dw.forecast(gaps, missing="drop").search == "Exact()"
    assert dw.forecast(gaps, search=dw.PC()).search == "PC()"
    assert dw.forecast(gaps, search=dw.ExactPosterior()).search == "ExactPosterior()"


def test_the_pass_for_moments_of_numbers_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """After it families need no rows: a forecast without it was a hundredth of the time of hill climbing."""
    draw = np.random.default_rng(0)
    table = dw.read({f"x{at}": draw.normal(size=200) for at in range(6)})
    moments = dw.Table.moments
    passes: list[Any] = []

    def slowly(self: dw.Table, *given: Any, **named: Any) -> _core.SetMoments:
        passes.append(self)
        time.sleep(0.2)
        return moments(self, *given, **named)

    monkeypatch.setattr(dw.Table, "moments", slowly)
    for _ in range(2):
        passes.clear()
        cost = dw.forecast(table, search=dw.HillClimb())
        assert passes
        assert cost.seconds > 0.2
