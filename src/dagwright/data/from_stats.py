"""Files of Stata, SPSS and SAS, by pyreadstat: value labels become states."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dagwright.data.columns import Factor, SourceColumn, array_column, object_column
from dagwright.data.extras import required

STATS = ("stata", "spss", "sas")


@dataclass(frozen=True)
class StatsFile:
    """The columns of a file, the labels of their values, and which of them are ordinal."""

    columns: Mapping[str, Any]
    labels: Mapping[str, Mapping[Any, str]]
    ordinal: frozenset[str]


def stats_reader() -> Any:
    """The library that reads these files."""
    return required("pyreadstat", "stats", "reading files of Stata, SPSS and SAS")


def stats_file(source: Path | bytes, form: str) -> StatsFile:
    """Read a file of one of these programs; the first bytes tell their file types apart."""
    library = stats_reader()
    content = source if isinstance(source, bytes) else source.read_bytes()
    if form == "stata":
        read = library.read_dta
    elif form == "spss":
        read = library.read_sav if content.startswith(b"$FL") else library.read_por
    else:
        read = library.read_xport if content.startswith(b"HEADER RECORD") else library.read_sas7bdat
    columns, about = read(io.BytesIO(content), output_format="dict")
    ordinal = {name for name, level in about.variable_measure.items() if level == "ordinal"}
    return StatsFile(columns, about.variable_value_labels, frozenset(ordinal))


def stats_columns(found: StatsFile) -> list[SourceColumn]:
    """The columns; where every value has a label, the labels are the states, in the order of the values."""
    return [
        _labeled(name, found.labels.get(name, {}), _column(name, cells), name in found.ordinal)
        for name, cells in found.columns.items()
    ]


def _column(name: str, cells: Any) -> SourceColumn:
    cells = np.asarray(cells)
    if cells.dtype.kind == "f":  # these programs keep whole numbers as floats
        gaps = np.isnan(cells)
        whole = np.where(gaps, 0, cells)
        if np.all(np.abs(whole) < 2**53) and np.all(whole == np.floor(whole)):
            return array_column(name, whole.astype(np.int64), gaps if gaps.any() else None)
    if cells.dtype.kind in "biuf":
        return array_column(name, cells)
    if cells.dtype.kind == "M":
        cells = cells.astype("M8[us]")
    return object_column(name, [None if cell == "" else cell for cell in cells.tolist()])


def _labeled(name: str, labels: Mapping[Any, str], column: SourceColumn, ordinal: bool) -> SourceColumn:
    """The column with labels as states; the column itself if some value has no label."""
    if not labels or any(value not in labels for value in column.factor.values):
        return column
    ordered = sorted(labels, key=lambda code: (isinstance(code, str), code))
    texts = [labels[code].strip() or str(code) for code in ordered]
    # Two values with one label stay two states.
    states = [
        f"{text} ({code})" if texts.count(text) > 1 else text
        for text, code in zip(texts, ordered, strict=True)
    ]
    place = {code: number for number, code in enumerate(ordered)}
    lookup = np.array([*(place[value] for value in column.factor.values), len(states)], dtype=np.uint32)
    factor = Factor(lookup.take(column.factor.codes), states)
    return SourceColumn(name, "declared", column.n_rows, lambda: factor, ordered=ordinal)
