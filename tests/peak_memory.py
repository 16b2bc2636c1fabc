"""The memory that Python and NumPy allocate within a block."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Iterator


class Peak:
    """The most bytes at a time, known after the block."""

    bytes = 0


@contextlib.contextmanager
def peak_memory() -> Iterator[Peak]:
    """Memory that maps files does not count."""
    found = Peak()
    tracemalloc.start()
    try:
        yield found
        found.bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
