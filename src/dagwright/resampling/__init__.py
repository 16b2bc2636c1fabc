"""How sure one can be, from data drawn again and again out of the data."""

from __future__ import annotations

from dagwright.resampling.bootstrapping import bootstrap
from dagwright.resampling.draws import BayesianWeights, Jackknife, Rows, Subsample

__all__ = [
    "BayesianWeights",
    "Jackknife",
    "Rows",
    "Subsample",
    "bootstrap",
]
