"""How much of a network to believe."""

from __future__ import annotations

from dagwright.confidence.confidence import Confidence, Estimate, LinkConfidence
from dagwright.confidence.difference import ArcDifference, ConfidenceDifference

__all__ = ["ArcDifference", "Confidence", "ConfidenceDifference", "Estimate", "LinkConfidence"]
