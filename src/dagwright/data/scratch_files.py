"""Columns that belong to a table on disk: in temporary files without a name, mapped."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.base.memory import shown_bytes
from dagwright.base.whole_file import disk_is_full
from dagwright.errors import CapacityError


def mapped_scratch(parts: Iterable[npt.NDArray[Any]], dtype: npt.DTypeLike, n_rows: int) -> npt.NDArray[Any]:
    """The parts of a column one after the other, read-only; see `mapped_columns`."""
    return mapped_columns(([part] for part in parts), [dtype], n_rows)[0]


def mapped_columns(
    parts: Iterable[Sequence[npt.NDArray[Any]]], dtypes: Sequence[npt.DTypeLike], n_rows: int
) -> list[npt.NDArray[Any]]:
    """Columns from their parts, read-only; a file goes with the last array that maps it."""
    types = [np.dtype(dtype) for dtype in dtypes]
    with ExitStack() as opened:
        try:
            files = [opened.enter_context(tempfile.TemporaryFile(prefix="dagwright-")) for _ in types]
            for part in parts:
                for file, cells, dtype in zip(files, part, types, strict=True):
                    file.write(np.ascontiguousarray(cells, dtype=dtype).data)
            for file in files:
                file.flush()
        except OSError as problem:
            if not disk_is_full(problem):
                raise
            size = shown_bytes(n_rows * sum(dtype.itemsize for dtype in types))
            raise CapacityError(
                f"there is no space left in {tempfile.gettempdir()!r} for {size} that belong to these rows; "
                "make some, or name another folder in the environment variable TMPDIR"
            ) from None
        return [
            np.asarray(np.memmap(file, dtype=dtype, mode="r", shape=(n_rows,)))
            for file, dtype in zip(files, types, strict=True)
        ]
