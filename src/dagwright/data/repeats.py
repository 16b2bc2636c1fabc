"""What repeats in a table: values of a column, columns that say the same, and rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.data.distinct import different
from dagwright.data.states import gaps_of
from dagwright.data.table import Table

Keys = npt.NDArray[np.uint64]

KEY_BYTES = 64
"""Memory for a key among those that are told apart: itself and the copies that sorting makes."""
_LEAST = 1 << 16


@dataclass(frozen=True)
class Repeats:
    """What repeats in a table."""

    distinct: dict[str, int]
    """The number of different values of each column."""
    twins: dict[str, str]
    """Columns that say the same as an earlier one."""
    distinct_rows: int
    """The number of different rows. On disk, rows are compared by hashes of 64 bits."""


def repeats_in(table: Table) -> Repeats:
    """What repeats, counted within the memory limit of a table on disk."""
    if table.blocks is not None:
        return _on_disk(table)
    groups = {name: _grouped(table, name) for name in table.names}
    return Repeats(
        {name: distinct for name, (_, distinct) in groups.items()},
        _same((name, _digest(table, name, *group)) for name, group in groups.items()),
        distinct_rows(table.n_rows, [(codes, distinct + 1) for codes, distinct in groups.values()]),
    )


def twins_in(table: Table) -> dict[str, str]:
    """Columns of a table in memory that say the same as an earlier one: states with the same partition of the
    rows, and numbers in the same order.
    """
    return _same((name, _digest(table, name, *_grouped(table, name))) for name in table.names)


def _same(columns: Iterable[tuple[str, bytes | None]]) -> dict[str, str]:
    seen: dict[bytes, str] = {}
    twins = {}
    for name, key in columns:
        if key is not None and seen.setdefault(key, name) != name:
            twins[name] = seen[key]
    return twins


# In memory


def _grouped(table: Table, name: str) -> tuple[npt.NDArray[np.uint32], int]:
    """Rows grouped by equal cells, and the number of distinct values. The same number marks a missing cell.

    States are numbered as they first occur, numbers by size.
    """
    variable = table.schema[name]
    column = table.codes(name) if variable.is_discrete else table.reals(name)
    gaps = table.gaps(name)
    values, first, inverse = np.unique(column[~gaps], return_index=True, return_inverse=True)
    number = np.arange(len(values), dtype=np.uint32)
    if variable.is_discrete:
        number[np.argsort(first)] = np.arange(len(values), dtype=np.uint32)
    codes = np.full(len(column), len(values), dtype=np.uint32)
    codes[~gaps] = number[inverse]
    return codes, len(values)


def _digest(table: Table, name: str, codes: npt.NDArray[np.uint32], distinct: int) -> bytes | None:
    """The same for columns that say the same; None for constant columns and identifiers."""
    kind = "states" if table.schema[name].is_discrete else "numbers"
    content = codes.tobytes() + f"{distinct} {kind}".encode()
    tells = distinct > 1 and not table.schema[name].origin.identifier
    return hashlib.blake2b(content, digest_size=16).digest() if tells else None


def distinct_rows(n_rows: int, cells: Sequence[tuple[Any, int]]) -> int:
    """Number of different rows, from the codes of each column and how many codes it has.

    Mixed-radix keys are ranked anew whenever the next column would overflow.
    """
    if n_rows == 0:
        return 0
    key = np.zeros(n_rows, dtype=np.uint64)
    size = 1
    for codes, r in cells:
        if size * r >= 1 << 64:
            distinct, inverse = np.unique(key, return_inverse=True)
            key, size = inverse.astype(np.uint64), len(distinct)
        key = key * np.uint64(r) + codes.astype(np.uint64)
        size *= r
    return len(different(key))


# On disk


def _on_disk(table: Table) -> Repeats:
    assert table.blocks is not None
    most = max(_LEAST, int(table.blocks.memory_mib * 2**20 / KEY_BYTES))
    spans = list(table.spans(KEY_BYTES))
    columns = {
        one.name: table.codes(one.name) if one.is_discrete else table.reals(one.name) for one in table.schema
    }
    distinct: dict[str, int] = {}
    digests: list[tuple[str, bytes | None]] = []
    for one in table.schema:
        column = columns[one.name]
        if one.is_discrete:
            digest, distinct[one.name] = _partition(column, spans)
            tells = distinct[one.name] > 1 and not one.origin.identifier
            digests.append((one.name, digest if tells else None))
        else:
            values = count_distinct(lambda first, end, own=column: _keys(own[first:end]), spans, most)  # type: ignore[misc]
            distinct[one.name] = values - (table.missing[one.name] > 0)

    def rows(first: int, end: int) -> Keys:
        total = np.zeros(end - first, dtype=np.uint64)
        for column in columns.values():
            total = _mixed(total + np.uint64(0x9E3779B97F4A7C15)) ^ _keys(column[first:end])
        return total

    return Repeats(distinct, _same(digests), count_distinct(rows, spans, most))


def _partition(codes: npt.NDArray[Any], spans: Sequence[tuple[int, int]]) -> tuple[bytes, int]:
    """A digest that is equal for columns that group the rows alike, and the number of states that occur."""
    number = np.full(np.iinfo(codes.dtype).max + 1, -1, dtype="<i4")
    occurring = 0
    digest = hashlib.blake2b(digest_size=16)
    for first, end in spans:
        part = codes[first:end]
        fresh = part[(number[part] < 0) & ~gaps_of(part)]
        values, at = np.unique(fresh, return_index=True)
        number[values[np.argsort(at)]] = np.arange(occurring, occurring + len(values))
        occurring += len(values)
        digest.update(number[part].tobytes())  # -1 marks a missing cell
    return digest.digest(), occurring


def _keys(column: npt.NDArray[Any]) -> Keys:
    if column.dtype.kind == "f":
        return np.ascontiguousarray(column, dtype=np.float64).view(np.uint64)  # zero and NaN have one pattern
    return column.astype(np.uint64)


def _mixed(keys: Keys) -> Keys:
    """The keys spread over all 64 bits; different ones stay different (splitmix64)."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def count_distinct(keys: Callable[[int, int], Keys], spans: Sequence[tuple[int, int]], most: int) -> int:
    """How many different keys there are, with about ``most`` of them in memory at once."""
    whole = _distinct_of(keys, spans, most, 0, 1)
    if whole is not None:
        return whole
    parts = max(2, -(-2 * spans[-1][1] // max(most, 1)))
    return sum(_distinct_of(keys, spans, spans[-1][1], part, parts) or 0 for part in range(parts))


def _distinct_of(
    keys: Callable[[int, int], Keys], spans: Sequence[tuple[int, int]], most: int, part: int, parts: int
) -> int | None:
    """How many different keys are in a part, of about equal parts; None if there are more than ``most``."""
    found = np.empty(0, dtype=np.uint64)
    waiting: list[Keys] = []
    for span in spans:
        own = _mixed(keys(*span))
        waiting.append(different(own[own % np.uint64(parts) == part] if parts > 1 else own))
        if sum(map(len, waiting)) >= max(len(found), min(most, _LEAST)):
            found, waiting = different(np.concatenate([found, *waiting])), []
        if len(found) > most:
            return None
    return len(different(np.concatenate([found, *waiting])))
