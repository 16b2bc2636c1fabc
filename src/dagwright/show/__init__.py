"""Pictures: graphs and charts as SVG, PNG and PDF, with a layout of our own."""

from __future__ import annotations

from dagwright.show.calibration_chart import calibration_chart
from dagwright.show.charts import (
    missing_chart,
    roc_chart,
    states_chart,
    strength_chart,
    trace_chart,
)
from dagwright.show.curves import Curve, Rule, curves
from dagwright.show.difference import draw_difference
from dagwright.show.drawing import draw, svg
from dagwright.show.frontier_chart import Frontier, FrontierPoint, frontier
from dagwright.show.notebook import notebook_view
from dagwright.show.picture import Picture
from dagwright.show.row_bars import RowBar, row_bars
from dagwright.show.time_graphs import draw_slices, draw_summary
from dagwright.show.widget import explore

__all__ = [
    "Curve",
    "Frontier",
    "FrontierPoint",
    "Picture",
    "RowBar",
    "Rule",
    "calibration_chart",
    "curves",
    "draw",
    "draw_difference",
    "draw_slices",
    "draw_summary",
    "explore",
    "frontier",
    "missing_chart",
    "notebook_view",
    "roc_chart",
    "row_bars",
    "states_chart",
    "strength_chart",
    "svg",
    "trace_chart",
]
