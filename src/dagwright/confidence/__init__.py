"""How much of a network to believe."""

from __future__ import annotations

from dagwright.confidence.calibration import LinkCalibration, StrengthBin
from dagwright.confidence.confidence import Confidence, Estimate, LinkConfidence
from dagwright.confidence.difference import ArcDifference, ConfidenceDifference
from dagwright.confidence.methods import (
    EnumeratedPosterior,
    ExactPosterior,
    OrderMCMC,
    PartitionMCMC,
    StructureMCMC,
)
from dagwright.confidence.structure_posterior import StructurePosterior, posterior

__all__ = [
    "ArcDifference",
    "Confidence",
    "ConfidenceDifference",
    "EnumeratedPosterior",
    "Estimate",
    "ExactPosterior",
    "LinkCalibration",
    "LinkConfidence",
    "OrderMCMC",
    "PartitionMCMC",
    "StrengthBin",
    "StructureMCMC",
    "StructurePosterior",
    "posterior",
]
