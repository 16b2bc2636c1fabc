"""Pictures: graphs and charts as SVG, PNG and PDF, with a layout of our own."""

from __future__ import annotations

from dagwright.show.drawing import draw, svg
from dagwright.show.notebook import notebook_view
from dagwright.show.picture import Picture

__all__ = ["Picture", "draw", "notebook_view", "svg"]
