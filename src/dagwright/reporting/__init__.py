"""A whole analysis on one page: the network, how sure, what could not be decided, how to repeat it."""

from __future__ import annotations

from dagwright.reporting.analysis import Analysis, report

__all__ = ["Analysis", "report"]
