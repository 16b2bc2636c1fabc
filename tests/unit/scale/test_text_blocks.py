"""Text in blocks: however a file is cut, its records are those of the whole."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagwright.data.chunk_sizes import Sizes
from dagwright.data.chunks import Wanted
from dagwright.data.listing import Listed
from dagwright.data.plan import Coding
from dagwright.data.sources import Opening
from dagwright.errors import DataError
from dagwright.scale.text_blocks import (
    LEAST_TEXT,
    MOST_TEXT,
    Text,
    cut_at_records,
    marks_of,
    stretches,
    text_chunk,
    text_step,
)

WANTED = Wanted(Opening(), Coding(), Sizes.of(None))


def cut(path: Path, step: int, how: Opening | None = None) -> list[Text] | None:
    texts = stretches(path, how or Opening(), step)
    return cut_at_records(texts, [marks_of(path, text) for text in texts]) if texts else None


def rows_of(path: Path, texts: list[Text]) -> list[tuple[Any, ...]]:
    """The fields of all blocks, one after the other."""
    found: list[tuple[Any, ...]] = []
    for text in texts:
        chunk = text_chunk(Listed(path), text, 0, replace(WANTED, how=text.how))
        if chunk is None:
            continue
        factors = [column.factor for column in chunk.columns()]
        cells = [[[*one.values, None][code] for code in one.codes] for one in factors]
        found += zip(*cells, strict=True)
    return found


cells = st.text(alphabet='ab,"\n\r é', min_size=1, max_size=6).filter(lambda cell: cell.strip() == cell)


@given(
    rows=st.lists(st.tuples(cells, cells), min_size=3, max_size=30),
    step=st.integers(3, 60),
    header=st.booleans(),
    quoted=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    mark=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_the_blocks_of_a_text_have_its_records(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    step: int,
    header: bool,
    quoted: bool,
    end: str,
    last: bool,
    mark: bool,
) -> None:
    if not quoted:
        rows = [(f"r{len(a)}", f"s{len(b)}") for a, b in rows]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writerows([("x", "y"), *rows] if header else rows)
    content = text.getvalue().encode()
    path = tmp_path_factory.getbasetemp() / "rows.csv"
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + (content if last else content.rstrip(b"\r\n")))
    how = Opening(header=header, separator=",")
    if not stretches(path, how, step):
        return
    texts = cut(path, step, how)
    assert texts is not None, "quotes are where RFC 4180 wants them"
    assert texts[-1].end == path.stat().st_size
    assert all(one.end == after.begin for one, after in pairwise(texts))
    lines = path.read_bytes()
    assert [one.lines_before for one in texts] == [lines.count(b"\n", 0, one.begin) for one in texts]
    assert rows_of(path, texts) == rows


@given(
    text=st.text(alphabet='a",\n', min_size=12, max_size=60),
    step=st.integers(3, 20),
)
@settings(max_examples=300, deadline=None)
def test_a_text_is_cut_only_where_the_reader_in_memory_ends_a_record(
    tmp_path_factory: pytest.TempPathFactory, text: str, step: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "odd.csv"
    path.write_text("x,y\n" + text)
    try:
        texts = cut(path, step, Opening(separator=","))
    except DataError:  # of the header
        return
    if texts is None:
        return
    ends = {4}
    at = 4
    stream = (line for line in path.read_text()[4:].splitlines(keepends=True))

    def counted() -> Any:
        nonlocal at
        for line in stream:
            at += len(line)
            yield line

    for _ in csv.reader(counted()):
        ends.add(at)
    assert {one.begin for one in texts} <= ends


def test_quotes_that_leave_the_records_open_are_not_cut(tmp_path: Path) -> None:
    for name, text in {
        "inches": 'x,y\n5" tall,1\n6" tall,2\n' * 3,
        "open": 'x,y\na,1\nb,"2\nc,3\n',
        "after": 'x,y\n"a"b,1\nc,2\n',
    }.items():
        (tmp_path / name).write_text(text)
        assert cut(tmp_path / name, 8) is None, name
    (tmp_path / "plain").write_text('x,y\n5" tall,1\n6" tall,2\n')
    assert len(cut(tmp_path / "plain", 8, Opening(quote=None)) or ()) > 1


def test_the_size_of_blocks(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("wb") as stream:
        stream.truncate(1 << 33)
    assert text_step([path], 4) == MOST_TEXT
    assert text_step([path], 1 << 20) == LEAST_TEXT
    assert text_step([path], 256) == 1 << 25
    (tmp_path / "small.csv").write_text("a,b\n1,2\n")
    assert stretches(tmp_path / "small.csv", Opening(), LEAST_TEXT) == []


def test_errors_name_the_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    lines = ["a,b", *(f"{at % 3},{at % 2}" for at in range(50))]
    lines[40] = "1"
    path.write_text("\n".join(lines) + "\n")
    texts = cut(path, 40)
    assert texts is not None and len(texts) > 3
    with pytest.raises(DataError, match=r"rows\.csv, line 41: 1 fields"):
        rows_of(path, texts)
