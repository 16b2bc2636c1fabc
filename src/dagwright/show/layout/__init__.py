"""Places for the nodes and routes for the edges of a drawing (Sugiyama, Tagawa & Toda 1981)."""

from __future__ import annotations

from dagwright.show.layout.layered_layout import Layout, Spacing, layered

__all__ = ["Layout", "Spacing", "layered"]
