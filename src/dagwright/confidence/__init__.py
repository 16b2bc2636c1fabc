"""How much of a network to believe."""

from __future__ import annotations

from dagwright.confidence.calibration import EdgeCalibration, StrengthBin
from dagwright.confidence.confidence import Confidence, EdgeConfidence, Estimate
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
    "EdgeCalibration",
    "EdgeConfidence",
    "OrderMCMC",
    "PartitionMCMC",
    "StrengthBin",
    "StructureMCMC",
    "StructurePosterior",
    "posterior",
]
