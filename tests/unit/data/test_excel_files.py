"""Sheets of Excel files, and the names of their columns."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from dagwright.data.read import read
from dagwright.errors import DataError

pytest.importorskip("fastexcel")
openpyxl = pytest.importorskip("openpyxl")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook with two sheets, whose first has a column without a name."""
    book = openpyxl.Workbook()
    rows = book.active
    rows.title = "Rows"
    for row in (["a", None, "c"], ["x", "u", 3], ["y", "v", 4]):
        rows.append(row)
    other = book.create_sheet("Other")
    for value in ("d", 1, 2):
        other.append([value])
    book.save(tmp_path / "d.xlsx")
    return tmp_path / "d.xlsx"


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(path: Path) -> None:
    assert read(path, sheet="Other").names == read(path, sheet=2).names == ("d",)
    wrong: list[tuple[Any, Any, str]] = [
        (path, "Rest", "it has no sheet 'Rest'; choose among 'Rows', 'Other'"),
        (path, 3, "it has no sheet 3; choose among 'Rows', 'Other'"),
        (io.BytesIO(path.read_bytes()), "Rest", "it has no sheet 'Rest'; choose among 'Rows', 'Other'"),
    ]
    for source, sheet, words in wrong:
        with pytest.raises(DataError, match=words):
            read(source, sheet=sheet, format="excel")


def test_columns_without_names_are_called_as_in_a_text_file(path: Path, tmp_path: Path) -> None:
    text = tmp_path / "d.csv"
    text.write_text("a,,c\nx,u,3\ny,v,4\n")
    assert read(path).names == read(text).names == ("a", "V2", "c")
    assert read(path, header=False).names == read(text, header=False).names == ("V1", "V2", "V3")
