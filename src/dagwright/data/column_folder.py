"""A folder of column files with a manifest: opened at once, and looked at again where a file was touched."""

from __future__ import annotations

import contextlib
import json
import logging
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.base.documents import parsed_json
from dagwright.base.whole_file import write_whole
from dagwright.data.blocks import Blocks
from dagwright.data.schema import Continuous, Discrete, Schema, Variable
from dagwright.data.states import code_dtype
from dagwright.data.table import Table
from dagwright.errors import DagwrightError, FormatError
from dagwright.version import __version__

log = logging.getLogger("dagwright")

MANIFEST = "manifest.json"
FORMAT, FORMAT_VERSION = "dagwright-columns", 2
WEIGHTS = "weights.f8"
_AT_ONCE = 1 << 24


def is_folder_of_columns(source: Any) -> bool:
    """Whether a path names a folder that `read` with the engine "disk" wrote."""
    try:
        return (Path(source) / MANIFEST).is_file()
    except (TypeError, ValueError, OSError):
        return False


def is_read_to_disk(source: Any, reading: Mapping[str, Any]) -> bool:
    """Whether a source is such a folder, or goes into one with these options of `read`."""
    return reading.get("engine") == "disk" or is_folder_of_columns(source)


def file_names(schema: Schema) -> list[str]:
    """One file for each column; the ending says what it holds: u1, u2 or f8."""
    return [
        f"{at}.u{np.dtype(code_dtype(variable.cardinality)).itemsize}" if variable.is_discrete else f"{at}.f8"
        for at, variable in enumerate(schema)
    ]


def bytes_of_row(names: Sequence[str]) -> int:
    """The bytes of a row in files of these names."""
    return sum(int(name.rpartition(".")[2][1:]) for name in names)


def schema_entries(schema: Schema) -> dict[str, Any]:
    """The schema for JSON, with the reasons for the kinds and for what looks like an identifier."""
    return {
        "schema": schema.entries(),
        "why": [variable.origin.why for variable in schema],
        "identifiers": [variable.origin.identifier for variable in schema],
    }


def schema_of(facts: Mapping[str, Any]) -> Schema:
    """The schema of such entries."""

    def known(variable: Variable, why: str, identifier: str) -> Variable:
        origin = replace(variable.origin, why=str(why), identifier=str(identifier))
        if isinstance(variable, Continuous):
            return Continuous(variable.name, origin=origin)
        return Discrete(variable.name, variable.states, origin)

    variables = Schema.of_entries(facts["schema"])
    return Schema(
        known(*facts_of_one)
        for facts_of_one in zip(variables, facts["why"], facts["identifiers"], strict=True)
    )


def mapped(
    folder: Path, names: Sequence[str], n_rows: int, weighted: bool
) -> tuple[tuple[npt.NDArray[Any], ...], npt.NDArray[np.float64] | None]:
    """The columns and the weights, mapped."""

    def column(name: str) -> npt.NDArray[Any]:
        dtype = np.dtype("<" + name.rpartition(".")[2])
        size = (folder / name).stat().st_size
        if size != n_rows * dtype.itemsize:
            raise _damaged(folder, name, f"has {size:,} bytes and should have {n_rows * dtype.itemsize:,}")
        return np.asarray(np.memmap(folder / name, dtype=dtype, mode="r"))

    return tuple(map(column, names)), column(WEIGHTS) if weighted else None


def _damaged(folder: Path, name: str, how: str) -> FormatError:
    return FormatError(f"{folder / name} {how}; delete the folder and read the source again")


def manifest(folder: Path) -> dict[str, Any]:
    """The facts about a folder."""
    try:
        facts: dict[str, Any] = parsed_json((folder / MANIFEST).read_text(encoding="utf-8"))
        known = (facts["format"], facts["format_version"]) == (FORMAT, FORMAT_VERSION)
    except (OSError, DagwrightError, LookupError, TypeError, ValueError) as problem:
        raise FormatError(f"{folder} is not a folder of columns: {problem}") from None
    if not known:
        raise FormatError(
            f"{folder} was written in version {facts['format_version']} of the format; this dagwright reads "
            f"{FORMAT_VERSION}: delete the folder and read the source again"
        )
    return facts


def manifest_text(facts: Mapping[str, Any]) -> str:
    """The text of a manifest with these facts."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "dagwright": __version__}
    return json.dumps({**head, **facts}, ensure_ascii=False)


def times_of(folder: Path, names: Sequence[str]) -> dict[str, int]:
    """When each file was written last."""
    return {name: (folder / name).stat().st_mtime_ns for name in names}


def opened_folder(folder: Path, memory_mib: float) -> Table:
    """The table in a folder of columns. Only files with another date than when they were written are read."""
    facts = manifest(folder)
    try:
        schema, n_rows = schema_of(facts), int(facts["rows"])
        columns, weights = mapped(folder, list(facts["files"]), n_rows, bool(facts["weights"]))
        _verify(folder, facts)
        return Table.of_mapped(
            schema,
            columns,
            weights,
            Blocks(memory_mib),
            notes=facts["notes"],
            reading=facts["reading"],
            missing={str(name): int(gaps) for name, gaps in facts["missing"].items()},
            fingerprint=str(facts["fingerprint"]),
        )
    except (LookupError, TypeError, ValueError, OSError) as problem:
        if isinstance(problem, DagwrightError):
            raise
        raise FormatError(f"{folder / MANIFEST} is damaged: {problem}; delete the folder") from None


def _verify(folder: Path, facts: dict[str, Any]) -> None:
    """Compare the checksums of files that may have been changed since they were written."""
    sums = {str(name): int(value) for name, value in facts["sums"].items()}
    now = times_of(folder, list(sums))
    touched = [name for name in sums if now[name] != facts["times"].get(name)]
    if not touched:
        return
    log.info("the files in %s have other dates than when they were written; reading them once", folder)
    with ThreadPoolExecutor(2) as pool:
        for name, found in zip(
            touched, pool.map(lambda name: _checksum(folder / name), touched), strict=True
        ):
            if found != sums[name]:
                raise _damaged(folder, name, "was changed: its checksum is another one")
    with contextlib.suppress(OSError):  # a folder that cannot be written is read at every opening
        write_whole(folder / MANIFEST, json.dumps({**facts, "times": now}, ensure_ascii=False))


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while block := file.read(_AT_ONCE):
            found = zlib.crc32(block, found)
    return found
