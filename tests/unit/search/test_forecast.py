"""Forecasts of the search that learning would run."""

from __future__ import annotations

import dagwright as dw


def test_gaps_are_forecast_for_the_search_that_learning_runs() -> None:
    """It named Exact(), while learning alternates a search and EM."""
    gaps = {"a": [0, 1, None, 1] * 30, "b": [0, 1, 1, None] * 30, "c": [0, 0, 1, 1] * 30}
    assert dw.forecast(gaps).search == "StructuralEM()"
    assert dw.forecast(gaps).search == dw.learn(gaps).method
    assert dw.forecast(gaps, missing="em", search=dw.HillClimb()).search == "StructuralEM(search=HillClimb())"
    assert dw.forecast(gaps, missing="drop").search == "Exact()"
    assert dw.forecast(gaps, search=dw.PC()).search == "PC()"
    assert dw.forecast(gaps, search=dw.ExactPosterior()).search == "ExactPosterior()"
