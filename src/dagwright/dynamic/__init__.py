"""Dynamic networks: sequences of any length from an initial network and a transition."""

from __future__ import annotations

from dagwright.dynamic.beliefs import Beliefs
from dagwright.dynamic.halves import Stationarity, stationarity
from dagwright.dynamic.network import DynamicNetwork

__all__ = ["Beliefs", "DynamicNetwork", "Stationarity", "stationarity"]
