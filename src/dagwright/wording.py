"""Numbers in sentences."""

from __future__ import annotations


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "arc"), counted(1200, "arc"), counted(0, "class", "classes")
    ('1 arc', '1,200 arcs', '0 classes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
