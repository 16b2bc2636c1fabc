"""Whether a method can have the rows of a table as its traits say that it needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.data.source import keeper_of
from dagwright.errors import DataError
from dagwright.methods.notation import as_code
from dagwright.methods.traits import MethodTraits
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.data.table import Table


def require_reach(method: object, table: Table, row_bytes: float = 0.0, what: str = "") -> None:
    """Refuse a method that reads rows where they are elsewhere, or would exceed the memory limit on disk.

    Parameters
    ----------
    method
        One that declares nothing, or that needs counts or sums only, is never refused.
    row_bytes
        The memory that it takes for each row, beside the copies that a table makes and checks itself.
    what
        What needs the rows; by default the method.
    """
    if not isinstance(method, MethodTraits) or method.reads == "counts":
        return
    if table.source is not None:
        raise DataError(
            f"{what or as_code(method)} needs the rows, and they are not here: "
            f"{keeper_of(table.source)} only counts them; choose a method that needs none, or read them "
            "with ",
            Argument("engine", "disk", of="read"),
        )
    if method.reads == "rows in memory" and table.blocks is not None:
        table.blocks.require_bytes(f"the rows for {as_code(method)}", row_bytes * table.n_rows)
