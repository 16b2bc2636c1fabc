"""Tables larger than memory: coded once into a folder of column files, which are then mapped, not read."""

from __future__ import annotations

import atexit
import json
import logging
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.base.documents import parsed_json
from dagwright.base.memory import available_bytes, shown_bytes
from dagwright.base.whole_folder import WholeFolder
from dagwright.data.blocks import Blocks
from dagwright.data.checks import checked_reals
from dagwright.data.chunks import Chunk, Chunks, chunked
from dagwright.data.encode import encoded_cells, with_date_parts
from dagwright.data.fingerprint import content_hash
from dagwright.data.plan import Coding, chosen_columns, coded_columns, planned_columns, reading_of
from dagwright.data.schema import Schema
from dagwright.data.sources import Opening
from dagwright.data.states import code_dtype, gaps_of
from dagwright.data.table import Table
from dagwright.data.united import united
from dagwright.errors import CapacityError, DagwrightError, DataError, FormatError, OptionError
from dagwright.sentences import Argument
from dagwright.version import __version__

log = logging.getLogger("dagwright")

MANIFEST = "manifest.json"
FORMAT, FORMAT_VERSION = "dagwright-columns", 1
WEIGHTS = "weights.f8"


def is_folder_of_columns(source: Any) -> bool:
    """Whether a path names a folder that `read` with the engine "disk" wrote."""
    try:
        return (Path(source) / MANIFEST).is_file()
    except (TypeError, ValueError, OSError):
        return False


def read_to_disk(source: Any, how: Opening, coding: Coding) -> Table:
    """The source as a table of mapped column files, written now or before."""
    if coding.rare is not None or coding.discretize is not None:
        option = "rare" if coding.rare is not None else "discretize"
        raise OptionError(
            Argument(option),
            " needs all rows in memory; read without it, then use discretized() on the table",
        )
    if coding.weights is not None and not isinstance(coding.weights, str):
        raise OptionError(Argument("weights"), " must name a column where rows are read to disk")
    limit = how.memory_mib if how.memory_mib is not None else available_bytes() / 2 / 2**20
    if is_folder_of_columns(source):
        return opened_folder(Path(source), limit)
    chunks = chunked(source, how)
    identity = {
        "source": list(chunks.identity),
        "version": __version__,
        "options": repr((how.separator, how.decimal, how.quote, how.header, how.missing_values, how.names)),
        "coding": repr(coding),
    }
    if how.into is None:
        target = _temporary_folder()
    else:
        target = Path(how.into)
        if is_folder_of_columns(target):
            if _manifest(target)["identity"] != json.loads(json.dumps(identity)):
                raise OptionError(
                    f"the folder {str(target)!r} holds other data, or the same read in another way; give "
                    "another ",
                    Argument("into"),
                    ", or delete it",
                )
            return opened_folder(target, limit)
        if target.exists():
            raise OptionError(
                f"{str(target)!r} is there and holds no columns; give another ", Argument("into")
            )
    rows = _written(chunks, target, identity, how, coding)
    log.info("%s rows are in %s", f"{rows:,}", target)
    return opened_folder(target, limit)


def _temporary_folder() -> Path:
    around = Path(tempfile.mkdtemp(prefix="dagwright-"))
    atexit.register(shutil.rmtree, around, ignore_errors=True)
    return around / "columns"


def _written(chunks: Chunks, target: Path, identity: dict[str, Any], how: Opening, coding: Coding) -> int:
    """Code all rows into column files; returns their number."""
    folder = WholeFolder(target, identity)
    if folder.steps:
        schema, n_rows = Schema.of_entries(folder.state["schema"]), int(folder.state["n_rows"])
        notes = tuple(folder.state["notes"])
    else:
        found = united(chunks, coding.max_number_states)
        shown = without_weights(coding)
        schema, _, notes = coded_columns(planned_columns(found.columns, how, shown), shown)
        n_rows = found.n_rows
    names = _file_names(schema)
    needed = n_rows * (sum(int(name.rpartition(".")[2][1:]) for name in names))
    _require_space(target, needed - sum(folder.sizes.values()), how)
    empty = Table.from_schema(schema)
    gaps = dict(folder.state.get("gaps", dict.fromkeys(schema.names, 0)))
    done = int(folder.state.get("rows", 0))
    for chunk in _from(chunks, folder.steps):
        contents, rows = coded_chunk(chunk, empty, names, coding)
        for name, file in zip(schema.names, names, strict=True):
            gaps[name] += int(np.count_nonzero(gaps_of(contents[file])))
        done += rows
        folder.append(
            contents,
            {"schema": schema.entries(), "n_rows": n_rows, "notes": list(notes), "gaps": gaps, "rows": done},
        )
    if done != n_rows:
        raise DataError(
            f"the source had {n_rows:,} rows at first and {done:,} when they were coded; read it again"
        )
    columns, weights = _mapped(folder.part, names, n_rows)
    manifest = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "dagwright": __version__,
        "identity": identity,
        "rows": n_rows,
        "schema": schema.entries(),
        "files": names,
        "weights": weights is not None,
        "missing": gaps,
        "notes": list(notes),
        "reading": reading_of(how, coding) | ({} if how.into is None else {"into": str(how.into)}),
        "fingerprint": content_hash(schema, columns, weights, {}),
    }
    folder.finish(MANIFEST, json.dumps(manifest, ensure_ascii=False))
    return n_rows


def without_weights(coding: Coding) -> Coding:
    """The short columns of all values have no weights."""
    if coding.weights is None:
        return coding
    return replace(coding, weights=None, exclude=(*coding.exclude, str(coding.weights)))


def _from(chunks: Chunks, steps: int) -> Iterator[Chunk]:
    for number, chunk in enumerate(chunks):
        if number >= steps:
            yield chunk


def coded_chunk(
    chunk: Chunk, empty: Table, names: list[str], coding: Coding
) -> tuple[dict[str, npt.NDArray[Any]], int]:
    """The cells of a chunk by the names of their files."""
    opened = chunk.columns()
    with chunk.named():
        chosen, weights = chosen_columns(opened, coding)
        given = with_date_parts(empty, {column.name: column for column in chosen})
        cells: dict[str, npt.NDArray[Any]] = {}
        for variable, name in zip(empty.schema, names, strict=True):
            values = encoded_cells(variable, given[variable.name], "error")
            if not variable.is_discrete:
                values = checked_reals(variable.name, values)
            cells[name] = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
        if weights is not None:
            cells[WEIGHTS] = np.ascontiguousarray(weights.astype("<f8", copy=False))
    return cells, opened[0].n_rows


def _file_names(schema: Schema) -> list[str]:
    """One file for each column; the ending says what it holds: u1, u2 or f8."""
    return [
        f"{at}.u{np.dtype(code_dtype(variable.cardinality)).itemsize}" if variable.is_discrete else f"{at}.f8"
        for at, variable in enumerate(schema)
    ]


def _require_space(target: Path, needed: int, how: Opening) -> None:
    around = target.parent if target.parent.exists() else Path.cwd()
    free = shutil.disk_usage(around).free
    if how.into is None:
        log.warning("the rows go into a temporary folder of %s, removed at exit", shown_bytes(needed))
    if needed > free:
        raise CapacityError(
            f"the columns take {shown_bytes(needed)} on disk, and {str(around)!r} has {shown_bytes(free)} "
            "left; name a folder on another disk with ",
            Argument("into"),
        )


def _mapped(
    folder: Path, names: list[str], n_rows: int
) -> tuple[tuple[npt.NDArray[Any], ...], npt.NDArray[np.float64] | None]:
    def column(name: str) -> npt.NDArray[Any]:
        dtype = np.dtype("<" + name.rpartition(".")[2])
        size = (folder / name).stat().st_size
        if size != n_rows * dtype.itemsize:
            raise FormatError(
                f"{folder / name} has {size:,} bytes and should have {n_rows * dtype.itemsize:,}; delete the "
                "folder and read the source again"
            )
        return np.asarray(np.memmap(folder / name, dtype=dtype, mode="r"))

    weights = column(WEIGHTS) if (folder / WEIGHTS).exists() else None
    return tuple(map(column, names)), weights


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = parsed_json((folder / MANIFEST).read_text(encoding="utf-8"))
        known = (facts["format"], facts["format_version"]) == (FORMAT, FORMAT_VERSION)
    except (OSError, DagwrightError, LookupError, TypeError, ValueError) as problem:
        raise FormatError(f"{folder} is not a folder of columns: {problem}") from None
    if not known:
        raise FormatError(
            f"{folder} was written in version {facts['format_version']} of the format; this dagwright reads "
            f"{FORMAT_VERSION}: read the source again"
        )
    return facts


def opened_folder(folder: Path, memory_mib: float) -> Table:
    """The table in a folder of columns; nothing is read but the manifest."""
    facts = _manifest(folder)
    try:
        schema = Schema.of_entries(facts["schema"])
        columns, weights = _mapped(folder, list(facts["files"]), int(facts["rows"]))
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
