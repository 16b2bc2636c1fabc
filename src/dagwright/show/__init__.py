"""Pictures: graphs and charts as SVG, PNG and PDF, with a layout of our own."""

from __future__ import annotations

from dagwright.show.drawing import draw, svg
from dagwright.show.frontier_chart import Frontier, FrontierPoint, frontier
from dagwright.show.notebook import notebook_view
from dagwright.show.picture import Picture

__all__ = ["Frontier", "FrontierPoint", "Picture", "draw", "frontier", "notebook_view", "svg"]
