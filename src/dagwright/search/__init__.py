"""Searches, one file per algorithm, and what they give back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.base.lazy_names import lazy_names

if TYPE_CHECKING:
    from dagwright.search.candidates import Candidate
    from dagwright.search.costs import Cost
    from dagwright.search.enumeration import BestOfSize, Enumeration, enumerate_networks
    from dagwright.search.forecast import Forecast
    from dagwright.search.graph_neighborhood import GraphNeighbor, graph_neighbors
    from dagwright.search.rivals import RivalClass, Rivals
    from dagwright.search.solving import Solution
    from dagwright.search.tie_outcomes import greedy_tie_outcomes
    from dagwright.search.traits import SearchTraits

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "candidates": "Candidate",
        "enumeration": "BestOfSize Enumeration enumerate_networks",
        "costs": "Cost",
        "forecast": "Forecast",
        "traits": "SearchTraits",
        "graph_neighborhood": "GraphNeighbor graph_neighbors",
        "rivals": "RivalClass Rivals",
        "solving": "Solution",
        "tie_outcomes": "greedy_tie_outcomes",
    },
)
