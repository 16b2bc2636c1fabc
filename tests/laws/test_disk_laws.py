"""Messy tables read to disk in small chunks are the tables, or the errors, that memory has."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagwright as dw
from dagwright.data import chunk_sizes
from dagwright.data.read import read_to_learn
from dagwright.errors import DagwrightError

START = datetime.datetime(2020, 1, 1)
Cell = Callable[[int], str]


def cells(r: random.Random, n: int) -> list[str]:
    """A column of texts: numbers, dates, identifiers, gaps, and what makes a late difference."""

    def later(seconds: int) -> str:
        return str(START + datetime.timedelta(seconds=r.randrange(seconds)))

    def zoned(i: int) -> str:
        early = ["+02:00"] if i < n // 2 else ["+02:00", "+01:00", "Z"]
        return later(40_000).replace(" ", "T") + r.choice(early)

    late = r.choice(["x", "9", "1.5", "007", "-", "1_0", "nan"])
    permuted = r.sample(range(int(n * r.choice([1, 1.05, 1.2]))), n)
    kinds: list[Cell] = [
        lambda _: str(r.randrange(4)),
        lambda _: str(r.randrange(3 * n)),
        lambda i: str(permuted[i]),
        lambda _: repr(r.gauss(0, 1)),
        lambda _: r.choice(["0.5", "1.5", "2.25"]),
        lambda _: r.choice(["1.0", "2.0", "3"]),
        lambda _: r.choice("abc"),
        lambda i: f"t{i * 7}",
        lambda _: f"t{r.randrange(5 * n)}",
        lambda _: r.choice(["true", "false"]),
        lambda _: later(400 * 86_400)[:10],
        lambda _: later(5),
        lambda _: later(40_000),
        zoned,
        lambda i: later(800_000)[:10] if i < 0.7 * n else later(40_000),
        lambda i: str(i % 3) if i < n - 1 else late,
        lambda i: str(i) if i < n - 1 else late,
        lambda _: "" if r.random() < 0.7 else str(r.randrange(3)),
        lambda _: "" if r.random() < 0.99 else "5",
        lambda _: "" if r.random() < 0.9 else later(400 * 86_400)[: r.choice([10, 19])],
        lambda _: r.choice([" 1", "1 ", "01", "1", "+1"]),
        lambda _: r.choice(["-0", "0", "-0.0", "1", "1e0", "1.50"]),
        lambda _: str(10**18 + r.randrange(3)),
        lambda _: f"{r.randrange(9)},{r.randrange(9)}",
        lambda _: r.choice(["a\nb", 'say "hi"', "x,y;z\t", "plain", "é", "two\r\nlines"]),
        lambda _: r.choice(["NA", "?", "-9", "1", "2", " NA "]),
        lambda i: str(r.randrange(3)) if i < n // 2 else r.choice(["0.5", "1.0"]),
    ]
    kind = r.choice(kinds)
    return [kind(i) for i in range(n)]


OPTIONS: list[dict[str, Any]] = [
    {},
    {},
    {"missing_values": ["-9", "x"]},
    {"max_number_states": 3},
    {"exclude": ["c0"]},
    {"columns": ["c1", "c0"]},
    {"kinds": {"c0": "category"}},
    {"kinds": {"c0": "continuous"}},
    {"dates": {"c0": ["year", "month", "hour"]}},
    {"states": {"c0": [0, 1, 2, 3]}},
    {"weights": "c0"},
    {"ordered": ["c0"]},
    {"names": ["n0", "n1"]},
]


def outcome(read: Callable[[], dw.Table]) -> Any:
    """All that a table says, or the kind of the error."""
    try:
        table = read()
    except DagwrightError as problem:
        return type(problem)
    reasons = [(one.origin.identifier, one.origin.why) for one in table.schema]
    return table.schema, reasons, table.missing, table.fingerprint, table.notes, table.N


def text_file(r: random.Random, folder: Path, columns: dict[str, list[str]]) -> tuple[Path, dict[str, Any]]:
    """The columns as delimited text of some dialect, and the options that it takes."""
    separator, options = r.choice([",", ";", "\t"]), dict[str, Any]()
    text = io.StringIO(newline="")
    ends, quoting = r.choice(["\n", "\r\n"]), r.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    writer = csv.writer(text, delimiter=separator, lineterminator=ends, quoting=quoting)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    encoding = r.choice(["utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16"])
    if encoding == "latin-1":
        options["encoding"] = encoding
    content = text.getvalue().encode(encoding)
    packed = r.random() < 0.2
    path = folder / ("rows.csv.gz" if packed else "rows.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    return path, options


def typed(r: random.Random, columns: dict[str, list[str]]) -> pl.DataFrame:
    """The columns as types of polars that fit them."""
    found = []
    for name, column in columns.items():
        series = pl.Series(name, [text or None for text in column])
        kind = r.choice(
            [pl.Float64(), pl.Int64(), pl.Categorical(), pl.Decimal(20, 2), pl.Datetime("us"), None]
        )
        try:
            if isinstance(kind, pl.Datetime):
                series = series.str.to_datetime().cast(r.choice([pl.Date(), kind]))
            elif kind is not None:
                series = series.cast(kind)
        except pl.exceptions.PolarsError:
            pass
        found.append(series)
    return pl.DataFrame(found)


def stored(r: random.Random, folder: Path, frame: pl.DataFrame) -> Any:
    """The frame in files, or as an object of another library."""
    if r.random() < 0.3:
        return r.choice([frame, frame.lazy()])
    inside = folder / "in"
    inside.mkdir()
    step = -(-frame.height // r.choice([1, 3]))
    for at, first in enumerate(range(0, frame.height, step)):
        frame[first : first + step].write_parquet(
            inside / f"{at}.parquet", row_group_size=r.choice([7, 1000])
        )
    return inside if r.random() < 0.5 else str(inside / "*.parquet")


@pytest.fixture(autouse=True)
def kept_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_sizes, "CELLS", chunk_sizes.CELLS)
    monkeypatch.setattr(chunk_sizes, "TEXT_BYTES", chunk_sizes.TEXT_BYTES)


@given(st.integers(0, 1 << 30))
def test_a_table_on_disk_is_the_table_in_memory(seed: int) -> None:
    r = random.Random(seed)
    n = r.choice([1, 5, 30, 100, 300])
    columns = {f"c{at}": cells(r, n) for at in range(2)}
    chunk_sizes.CELLS, chunk_sizes.TEXT_BYTES = (
        r.choice([6, 80, 600, 10**6]),
        r.choice([60, 500, 4000, 10**6]),
    )
    options = dict(r.choice(OPTIONS))
    read = r.choice([dw.read, dw.read, read_to_learn])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        memory: Any
        if r.random() < 0.5:
            source, more = text_file(r, folder, columns)
            memory, options = source, options | more
        else:
            memory = typed(r, columns)
            source = stored(r, folder, memory)
        expected = outcome(lambda: read(memory, **options))
        found = outcome(lambda: read(source, engine="disk", into=folder / "out", **options))
        assert found == expected
        if not isinstance(expected, type):
            again = outcome(lambda: read(source, engine="disk", into=folder / "out", **options))
            assert again == expected


def rows_of_text(r: random.Random) -> bytes:
    """Text with quotes in odd places, blank lines, rows of other widths and broken bytes."""
    separator, end = r.choice([",", ";", "\t"]), r.choice(["\n", "\n", "\r\n", "\r"])
    inner = " " if end == "\r" else "\n"
    width, n = r.choice([1, 2, 3]), r.choice([3, 20, 100])
    tokens = [
        "a",
        "1",
        "1.5",
        "",
        "NA",
        '"q"',
        f'"two{inner}lines"',
        '"x""y"',
        f'"s{separator}p"',
        " pad ",
        "é",
    ]
    for odd in (['5" pipe', 'in"side'], ['"after"x'], ['"open']):
        tokens += odd if r.random() < 0.2 else []
    rows = [separator.join(r.choice(tokens) for _ in range(width)) for _ in range(n)]
    for odd_row in ("", "short", separator.join("abcdef")):
        if r.random() < 0.2:
            rows.insert(r.randrange(len(rows) + 1), odd_row)
    names = [r.choice([f"h{at}", f'"h{inner}{at}"', f'h"{at}']) for at in range(width)]
    above = [""] if r.random() < 0.1 else []
    content = end.join([*above, separator.join(names), *rows, *([""] if r.random() < 0.8 else [])]).encode()
    if r.random() < 0.1:
        at = r.randrange(len(content))
        content = content[:at] + b"\xff" + content[at:]
    return (b"\xef\xbb\xbf" if r.random() < 0.2 else b"") + content


@given(st.integers(0, 1 << 30))
def test_any_text_is_read_as_in_memory(seed: int) -> None:
    r = random.Random(seed)
    content = rows_of_text(r)
    options = r.choice([{}, {}, {"quote": None}, {"header": False}, {"quote": "'"}])
    chunk_sizes.CELLS, chunk_sizes.TEXT_BYTES = 10**6, r.choice([7, 30, 200, 10**6])

    def facts(**more: Any) -> Any:
        try:
            table = dw.read(path, **options, **more)
        except DagwrightError as problem:
            return str(problem).replace(" at position", ""), None
        return None, (table.schema, table.missing, table.fingerprint)

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "rows.csv"
        path.write_bytes(content)
        (problem, expected), (other, found) = facts(), facts(engine="disk")
        assert found == expected
        if problem is not None:
            assert other is not None
            # Of several problems the reader in memory may name a later one; the same one has the same line.
            same = re.sub(r"line [\d,]+|0xff \d+", "", problem) == re.sub(r"line [\d,]+|0xff", "", other)
            assert not same or re.findall(r"line [\d,]+", problem) == re.findall(r"line [\d,]+", other)
