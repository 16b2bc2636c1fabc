"""Mixins of values with `draw` and notebook views.

The package `show` is above all others in the layers, so it is imported when it is needed.
"""

from __future__ import annotations

import importlib
from typing import Any


class Viewable:
    """A value with a view of its own in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(importlib.import_module("dagwright.show.notebook").notebook_view(self))


class Drawable(Viewable):
    """A value with a graph that can be drawn."""

    __slots__ = ()

    def draw(self, **options: Any) -> Any:
        """A `Picture` of the graph; it takes the options of `dagwright.draw`."""
        return importlib.import_module("dagwright.show").draw(self, **options)


class DrawableDifference(Viewable):
    """Two graphs ``a`` and ``b`` whose difference can be drawn."""

    a: Any
    b: Any

    def draw(self, **options: Any) -> Any:
        """A `Picture` of both graphs, their differences marked; it takes the options of `dagwright.draw`."""
        return importlib.import_module("dagwright.show").draw(self.a, compare=self.b, **options)
