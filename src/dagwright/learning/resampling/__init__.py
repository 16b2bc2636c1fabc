"""Edge strengths from resampled data."""

from __future__ import annotations

from dagwright.learning.resampling.averaged import Averaged
from dagwright.learning.resampling.bootstrapping import bootstrap
from dagwright.learning.resampling.draws import (
    BayesianWeights,
    BlockBootstrap,
    CaseBootstrap,
    Jackknife,
    PoissonBootstrap,
    Subsample,
)

__all__ = [
    "Averaged",
    "BayesianWeights",
    "BlockBootstrap",
    "Jackknife",
    "CaseBootstrap",
    "PoissonBootstrap",
    "Subsample",
    "bootstrap",
]
