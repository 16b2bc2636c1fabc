"""The table of rows on a cluster: its workers open, look at and code the blocks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from dagwright.data.chunk_sizes import Sizes
from dagwright.data.chunks import Wanted
from dagwright.data.column_folder import is_folder_of_columns, opened_folder
from dagwright.data.elsewhere import counted_by, folder_of
from dagwright.data.extras import required
from dagwright.data.from_file import format_of
from dagwright.data.listing import listed
from dagwright.data.on_disk import without_weights
from dagwright.data.plan import coded_columns, planned_columns, split_options
from dagwright.data.schema import Schema
from dagwright.data.sources import Opening, is_query
from dagwright.data.table import Table
from dagwright.data.united import merged
from dagwright.errors import OptionError
from dagwright.scale import on_worker
from dagwright.scale.cluster import ClusterRows
from dagwright.scale.faults import in_words, require_version
from dagwright.scale.parts import Part, parts_of_folder, parts_of_polars_file
from dagwright.scale.text_blocks import cut_at_records, stretches, text_step
from dagwright.scale.waiting import Patience
from dagwright.sentences import Argument

BLOCKS_OF_THREAD = 2
"""Blocks for each thread of the cluster, where there are rows enough."""
LEAST_BLOCKS = 8
"""Blocks in any case, for workers that join later."""


def is_on_cluster(source: Any) -> bool:
    """Whether workers can open the source themselves: a Dask dataframe, files, or a table on disk."""
    if isinstance(source, Table):
        return folder_of(source) is not None
    if isinstance(source, list | tuple):
        return bool(source) and all(isinstance(one, str | os.PathLike) for one in source)
    return hasattr(source, "to_delayed") or isinstance(source, str | os.PathLike)


def cluster_table(source: Any, client: Any, patience: Patience | None = None, **reading: Any) -> Table:
    """The table of rows on a cluster: a Dask dataframe, or files that every worker can open.

    Parameters
    ----------
    source
        A Dask dataframe; a file, a pattern or a list of them; a folder that the engine "disk" has written, or
        a table in such a folder. A table whose rows are on a cluster already stays as it is.
    client
        A ``distributed.Client``.
    patience
        When to stop waiting for workers, and whom to tell.
    reading
        Options of `read`.
    """
    required("distributed", "dask", "learning on a cluster")
    patience = patience or Patience()
    if isinstance(source, Table) and not source.has_rows:
        return source
    how, coding = split_options(reading, "learn()")
    if coding.rare is not None or coding.discretize is not None:
        raise OptionError(Argument("discretize"), " and ", Argument("rare"), " need all rows in one place")
    require_version(client)
    pieces = max(LEAST_BLOCKS, BLOCKS_OF_THREAD * sum(client.nthreads().values()))
    if isinstance(source, Table):
        held = folder_of(source)
        if held is not None:
            folder, places = held
            return counted_by(source, _folder_rows(folder, client, patience, pieces), places)
    elif is_folder_of_columns(source):
        folder = Path(source).resolve()
        whole = opened_folder(folder, 1.0)
        return counted_by(whole, _folder_rows(folder, client, patience, pieces), range(len(whole.names)))
    wanted = Wanted(how, coding, Sizes.of(None))
    parts, frames = _parts(source, client, how, pieces)
    parts, frames = _at_records(parts, frames, client, patience)
    labels = [part.label for part in parts]
    texts: frozenset[str] = frozenset()
    while True:

        def look(at: int, texts: frozenset[str] = texts) -> Any:
            return client.submit(on_worker.surveyed, parts[at], frames[at], wanted, texts, pure=False)

        looks = [look(at) for at in range(len(parts))]
        seen = in_words(client, looks, labels, "looking at", patience, look)
        found, again = merged([(columns, rows) for columns, rows in seen if columns], texts)
        if not again:
            break
        texts |= again
    numbered = _numbered(parts, [rows for _, rows in seen])
    shown = without_weights(coding)
    schema, _, notes = coded_columns(planned_columns(found.columns, how, shown), shown)
    entries = schema.entries()

    def coded(at: int) -> Any:
        return client.submit(on_worker.coded, numbered[at], frames[at], wanted, entries, pure=False)

    return Table.of_source(_rows_of(client, schema, coded, labels, "coding", patience), notes=notes)


def _rows_of(
    client: Any,
    schema: Schema,
    made: Callable[[int], Any],
    labels: Sequence[str],
    what: str,
    patience: Patience,
) -> ClusterRows:
    """The rows in blocks that workers make."""

    def look(block: Any) -> Any:
        return client.submit(on_worker.facts, block, pure=False)

    blocks = [made(at) for at in range(len(labels))]
    looks = [look(block) for block in blocks]
    facts = in_words(client, looks, labels, what, patience, lambda at: look(made(at)), blocks)
    return ClusterRows(client, schema, blocks, labels, facts, patience=patience)


def _folder_rows(folder: Path, client: Any, patience: Patience, pieces: int) -> ClusterRows:
    """The rows of a converted folder, which each worker opens by its path."""
    table = opened_folder(folder, 1.0)
    parts = parts_of_folder(folder, table.n_rows, len(table.names), pieces)

    def opened(at: int) -> Any:
        return client.submit(on_worker.opened, parts[at], table.fingerprint, pure=False)

    return _rows_of(client, table.schema, opened, [part.label for part in parts], "opening", patience)


def _parts(source: Any, client: Any, how: Opening, pieces: int) -> tuple[list[Part], list[Any]]:
    """The blocks of a source, and for a dataframe the futures of its parts."""
    if hasattr(source, "to_delayed"):
        how.allow("a Dask dataframe")
        frames = client.compute(source.to_delayed())
        return [Part(f"part {at} of the dataframe") for at in range(len(frames))], list(frames)
    if not isinstance(source, str | os.PathLike | list | tuple):
        raise OptionError(
            Argument("client"),
            " goes with a Dask dataframe or with files that every worker can open, not "
            f"{type(source).__name__}",
        )
    if isinstance(source, str) and (how.connection is not None or is_query(source)):
        raise OptionError(
            "workers read files, not queries; convert the answer with ",
            Argument("engine", "disk", of="read"),
            " and ",
            Argument("into"),
            " in a folder that every worker can open, and learn from that folder",
        )
    how.allow("files on a cluster", "format", "separator", "decimal", "quote", "header")
    files = [replace(one, path=one.path.resolve()) for one in listed(source)]
    forms = [how.format or format_of(one.path) for one in files]
    share = max(1, -(-pieces // len(files)))
    texts = [one.path for one, form in zip(files, forms, strict=True) if form in ("csv", "tsv")]
    step = text_step(texts, pieces)
    parts: list[Part] = []
    for one, form in zip(files, forms, strict=True):
        if form in ("parquet", "arrow"):
            parts += parts_of_polars_file(one, "arrow" if form == "arrow" else "parquet", share)
        elif form in ("csv", "tsv"):
            found = stretches(one.path, replace(how, format=form), step)
            parts += [Part(one.path.name, one, form="text", text=text) for text in found]
            if not found:
                parts.append(Part(one.path.name, one))
        else:
            raise OptionError(
                f"workers read CSV, TSV, Parquet and Arrow files, not {form} ({one.path.name}); save the "
                "data as Parquet"
            )
    return parts, [None] * len(parts)


def _at_records(
    parts: Sequence[Part], frames: Sequence[Any], client: Any, patience: Patience
) -> tuple[list[Part], list[Any]]:
    """The parts, with text cut where records end; a text whose quotes leave that open is one part."""
    texts = [part for part in parts if part.text is not None]
    if not texts:
        return list(parts), list(frames)

    def look(at: int) -> Any:
        return client.submit(on_worker.marks, texts[at], pure=False)

    looks = [look(at) for at in range(len(texts))]
    labels = [part.label for part in texts]
    marks = iter(in_words(client, looks, labels, "looking at", patience, look))
    found: list[Part] = []
    for file, own in groupby(parts, key=lambda part: part.file):
        every = list(own)
        cuts = [part.text for part in every if part.text is not None]
        if not cuts:
            found += every
            continue
        cut = cut_at_records(cuts, [next(marks) for _ in cuts])
        if cut is None:
            found.append(Part(every[0].label, file))
            continue
        found += [
            replace(every[0], label=f"{every[0].label} from line {text.lines_before + 1:,}", text=text)
            for text in cut
        ]
    return found, [None] * len(found)


def _numbered(parts: Sequence[Part], rows: Sequence[int]) -> list[Part]:
    """The parts with the positions of their first rows, as far as only the look at their rows told."""
    found: list[Part] = []
    first = 0
    for at, part in enumerate(parts):
        first = 0 if at == 0 or parts[at - 1].file != part.file else first + rows[at - 1]
        found.append(replace(part, first=first) if part.text is not None else part)
    return found
