"""Tables larger than memory: coded once into a folder of column files, which are then mapped, not read."""

from __future__ import annotations

import json
import logging
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dagwright.base.events import Event, Traffic, listener
from dagwright.base.memory import installed_bytes, shown_bytes
from dagwright.base.whole_file import disk_is_full
from dagwright.base.whole_folder import WholeFolder
from dagwright.data.checks import checked_reals, require_countable
from dagwright.data.chunk_sizes import Sizes
from dagwright.data.chunks import Chunk, Chunks, chunked
from dagwright.data.column_folder import (
    MANIFEST,
    WEIGHTS,
    bytes_of_row,
    file_names,
    is_folder_of_columns,
    manifest,
    manifest_text,
    mapped,
    opened_folder,
    times_of,
)
from dagwright.data.encode import encoded_cells, with_date_parts
from dagwright.data.fingerprint import content_hash
from dagwright.data.layout import Layout, layout_of, without_weights
from dagwright.data.plan import Coding, chosen_columns, reading_of
from dagwright.data.sources import Opening
from dagwright.data.states import gaps_of, too_many_states
from dagwright.data.table import Table
from dagwright.data.temporary_folder import TemporaryFolder
from dagwright.data.united import united
from dagwright.data.watched import Watched
from dagwright.errors import CapacityError, DataError, OptionError
from dagwright.sentences import Argument
from dagwright.version import __version__

__all__ = [
    "MANIFEST",
    "WEIGHTS",
    "coded_chunk",
    "is_folder_of_columns",
    "memory_limit",
    "opened_folder",
    "read_to_disk",
    "without_weights",
]

log = logging.getLogger("dagwright")


def memory_limit(how: Opening) -> float:
    """The memory for rows on disk, in MiB: half of the machine's unless told otherwise."""
    if how.memory_mib is None:
        return installed_bytes() / 2 / 2**20
    if not how.memory_mib > 0:
        raise OptionError(Argument("memory_mib", how.memory_mib), " must be positive")
    return float(how.memory_mib)


def read_to_disk(source: Any, how: Opening, coding: Coding, learning: Collection[str] | None = None) -> Table:
    """The source as a table of mapped column files, written now or before.

    Parameters
    ----------
    learning
        To learn from: texts that look like identifiers and have more values than states can be are left out,
        but for these columns. None leaves out nothing.
    """
    limit = memory_limit(how)
    if is_folder_of_columns(source):
        how.allow("a folder of columns", "engine", "memory_mib")
        if how.names is not None or how.missing_values is not None:
            raise OptionError(
                "a converted folder is coded already; read the original data to use other options"
            )
        return opened_folder(Path(source), limit)
    if coding.rare is not None:
        raise OptionError(
            Argument("rare"),
            " needs all rows in memory; group rare values in the source, for example in an SQL query",
        )
    if coding.weights is not None and not isinstance(coding.weights, str):
        raise OptionError(Argument("weights"), " must name a column where rows are read to disk")
    coding = replace(coding, ordered=tuple(sorted(coding.ordered)), exclude=tuple(sorted(coding.exclude)))
    sizes = Sizes.of(limit)
    writing = Writing(chunked(source, how, coding, sizes), how, coding, learning)
    if how.into is None:
        around = TemporaryFolder()
        try:
            writing.write(around.path / "columns", sizes)
        except BaseException:
            around.remove()
            raise
        return opened_folder(around.path / "columns", limit)
    target = Path(how.into)
    if not is_folder_of_columns(target):
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise OptionError(
                f"{str(target)!r} is there and holds no columns; give another ", Argument("into")
            )
        writing.write(target, sizes)
    return writing.opened(target, limit)


class Writing:
    """The conversion of a source into a folder."""

    def __init__(
        self, chunks: Chunks, how: Opening, coding: Coding, learning: Collection[str] | None
    ) -> None:
        self.chunks, self.how, self.coding, self.learning = chunks, how, coding, learning
        options = (how.separator, how.decimal, how.quote, how.header, how.encoding, how.format)
        named = (how.missing_values, how.names)
        self.identity = {
            "source": list(chunks.identity),
            "options": repr((*options, *(None if one is None else list(one) for one in named))),
            "coding": repr(coding),
        }

    def opened(self, target: Path, limit: float) -> Table:
        """The table in the finished folder, refused if it is another one."""
        facts = manifest(target)
        same = facts.get("identity") == json.loads(json.dumps(self.identity))
        if same and self.chunks.hashed:
            watched = Watched(self.chunks)
            for _ in watched:
                pass
            same = watched.content == facts.get("content")
        if not same:
            raise OptionError(
                f"the folder {str(target)!r} holds other data, or the same data read with other options; "
                "give another ",
                Argument("into"),
                ", or delete it",
            )
        for name, distinct in facts["left_out"].items():
            if self.learning is None or name in self.learning:
                raise too_many_states(name, int(distinct))
        return opened_folder(target, limit)

    def write(self, target: Path, sizes: Sizes) -> None:
        """Code all rows into column files, unless another process has done so meanwhile."""
        resumed = {**self.identity, "version": __version__, "sizes": [sizes.cells, sizes.text]}
        try:
            with WholeFolder(target, resumed) as folder:
                if not is_folder_of_columns(target):
                    self._fill(folder)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            if disk_is_full(problem):
                raise CapacityError(
                    f"no space is left on the disk of {str(target)!r}; free some and repeat the call, "
                    "which resumes, or name a folder on another disk with ",
                    Argument("into"),
                ) from None
            if problem.filename is None or str(target.parent) not in str(problem.filename):
                raise
            raise DataError(f"the folder {str(target)!r} cannot be written: {reason}") from None

    def _fill(self, folder: WholeFolder) -> None:
        try:
            if folder.steps and not self._goes_on(folder):
                folder.begin_anew()
            self._code(folder)
        except DataError:
            folder.discard()  # what is wrong with the rows would be wrong again
            raise

    def _goes_on(self, folder: WholeFolder) -> bool:
        """Whether the rows that were coded by another run come first again, in the same order."""
        rows, order = folder.state["chunks"], folder.state["order"]
        if not self.chunks.hashed or not rows:
            return True
        watched = Watched(self.chunks)
        for number, _ in enumerate(watched, start=1):
            if number == len(rows):
                return bool(watched.in_order == order)
        return False

    def _layout(self) -> Layout:
        """Look at all rows once."""
        watched = Watched(self.chunks)
        found = united(_Told(watched, "looking at the rows"), self.coding)
        return layout_of(found, self.how, self.coding, self.learning, watched.content)

    def _code(self, folder: WholeFolder) -> None:
        layout = Layout.of_entries(folder.state["layout"]) if folder.steps else self._layout()
        first: dict[str, Any] = {"layout": layout.entries(), "chunks": [], "order": "", "weight": 0.0}
        state = folder.state if folder.steps else first
        names = file_names(layout.schema)
        weighted = self.coding.weights is not None
        width = bytes_of_row([*names, *([WEIGHTS] if weighted else [])])
        self._require_space(folder, layout.n_rows * width)
        if not folder.steps:
            folder.append({}, state)
        rows, gaps = list(state["chunks"]), dict(state.get("gaps", dict.fromkeys(layout.schema.names, 0)))
        weight = float(state["weight"])
        empty = Table.from_schema(layout.schema)
        watched = Watched(self.chunks)
        for chunk in _Told(_after(watched, rows), "coding the rows", sum(rows), layout.n_rows):
            contents, count = coded_chunk(chunk, empty, names, self.coding)
            for name, file in zip(layout.schema.names, names, strict=True):
                gaps[name] += int(np.count_nonzero(gaps_of(contents[file])))
            rows.append(count)
            if sum(rows) > layout.n_rows:
                break
            if weighted:
                weight += float(contents[WEIGHTS].sum())
                require_countable(weight)
            facts = {"chunks": rows, "gaps": gaps, "order": watched.in_order, "weight": weight}
            folder.append(contents, {**state, **facts})
        self._require_unchanged(layout, sum(rows), watched.content)
        columns, weights = mapped(folder.part, names, layout.n_rows, weighted)
        known = {
            **layout.entries(),
            "identity": self.identity,
            "files": names,
            "weights": weighted,
            "missing": gaps,
            "reading": reading_of(replace(self.how, into=None), self.coding),
            "sums": folder.sums,
            "times": times_of(folder.part, list(folder.sums)),
            "fingerprint": content_hash(layout.schema, columns, weights, {}),
        }
        folder.finish(MANIFEST, manifest_text(known))

    def _require_unchanged(self, layout: Layout, n_rows: int, content: str) -> None:
        if n_rows != layout.n_rows or content != layout.content:
            raise DataError(
                f"the source changed while it was read: it had {layout.n_rows:,} rows at first, and then "
                f"{'other rows' if n_rows == layout.n_rows else f'{n_rows:,}'}; read it again"
            )
        changed = self.chunks.changed()
        if changed:
            raise DataError(f"{changed} changed while it was read; read it again")

    def _require_space(self, folder: WholeFolder, size: int) -> None:
        left = size - sum(folder.sizes.values())
        free = shutil.disk_usage(folder.part).free
        if self.how.into is None:
            log.warning("the rows go into a temporary folder of %s, removed at exit", shown_bytes(size))
        else:
            log.info("the rows go into %s, which will have %s", folder.target, shown_bytes(size))
        if left > free:
            raise CapacityError(
                f"the columns take {shown_bytes(left)} on disk, and {str(folder.target.parent)!r} has "
                f"{shown_bytes(free)} left; name a folder on another disk with ",
                Argument("into"),
            )


class _Told:
    """Chunks that tell a listener how many rows have been read."""

    def __init__(self, chunks: Iterable[Chunk], phase: str, done: int = 0, total: int | None = None) -> None:
        self._chunks, self._phase, self._before, self._total = chunks, phase, done, total

    def __iter__(self) -> Iterator[Chunk]:
        tell, began, done = listener(), time.monotonic(), self._before
        for chunk in self._chunks:
            yield chunk
            done += chunk.rows or 0
            if tell is None:
                continue
            pace = (done - self._before) / max(time.monotonic() - began, 1e-9)
            left = None if self._total is None else (self._total - done) / max(pace, 1e-9)
            traffic = Traffic(0, pace, seconds_left=left)
            tell(Event(self._phase, done, total=self._total, unit="rows", traffic=traffic))


def _after(chunks: Watched, rows: list[int]) -> Iterator[Chunk]:
    """The chunks after those of so many rows, which are not opened."""
    done = list(rows)
    for number, chunk in enumerate(chunks):
        if number < len(done):
            chunk.rows = done[number]
        else:
            yield chunk


def coded_chunk(
    chunk: Chunk, empty: Table, names: list[str], coding: Coding
) -> tuple[dict[str, npt.NDArray[Any]], int]:
    """The cells of a chunk by the names of their files."""
    opened = chunk.columns()
    with chunk.named():
        chosen, weights = chosen_columns(opened, coding.after_choice())
        given = with_date_parts(empty, {column.name: column for column in chosen}, among_others=True)
        cells: dict[str, npt.NDArray[Any]] = {}
        for variable, name in zip(empty.schema, names, strict=True):
            values = encoded_cells(variable, given[variable.name], "error")
            if not variable.is_discrete:
                values = checked_reals(variable.name, values, chunk.first, kept=True)
            cells[name] = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
        if weights is not None:
            cells[WEIGHTS] = np.ascontiguousarray(weights.astype("<f8", copy=False))
    return cells, opened[0].n_rows
