"""Parts of a drawing side by side: shelves, tall parts first, as wide as a page would be."""

from __future__ import annotations

from collections.abc import Sequence

ASPECT = 1.6


def shelves(
    sizes: Sequence[tuple[float, float]], gap: float
) -> tuple[list[tuple[float, float]], float, float]:
    """The upper left corner of each part, and the width and height of all of them."""
    area = sum((w + gap) * (h + gap) for w, h in sizes)
    widest = max((w for w, _ in sizes), default=0.0)
    limit = max(widest, (area * ASPECT) ** 0.5)
    corners = [(0.0, 0.0)] * len(sizes)
    x = y = shelf = width = 0.0
    for part in sorted(range(len(sizes)), key=lambda part: (-sizes[part][1], -sizes[part][0], part)):
        w, h = sizes[part]
        if x > 0 and x + w > limit + 1e-6:
            x, y, shelf = 0.0, y + shelf + gap, 0.0
        corners[part] = (x, y)
        shelf = max(shelf, h)
        width = max(width, x + w)
        x += w + gap
    return corners, width, y + shelf
