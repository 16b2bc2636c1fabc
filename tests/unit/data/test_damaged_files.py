"""Damaged data files are refused in words, with the line where there is one; nothing ends the process."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import polars as pl
import pytest

import dagwright as dw
from dagwright.data import binary_file
from dagwright.data.read import read
from dagwright.errors import DataError

FRAME = pl.DataFrame({"a": ["x", "y", "z", "x"] * 10, "b": [1, 2, 3, 4] * 10})


def content_of(form: str) -> bytes:
    stream = io.BytesIO()
    if form == "parquet":
        FRAME.write_parquet(stream)
    elif form == "arrow":
        FRAME.write_ipc(stream)
    else:
        FRAME.to_pandas().to_excel(stream, index=False)
    return stream.getvalue()


@pytest.mark.parametrize("form", ["parquet", "arrow", "excel"])
@pytest.mark.parametrize("as_file", [True, False])
def test_cut_files_are_refused(form: str, as_file: bool, tmp_path: Path) -> None:
    cut = content_of(form)[:-30]
    path = tmp_path / f"d.{form}"
    path.write_bytes(cut)
    with pytest.raises(DataError, match=f"cannot be read as {form}"):
        read(path if as_file else io.BytesIO(cut), format=form)


@pytest.mark.parametrize(
    ("child", "told"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", r"its reader crashed \(SIGSEGV\)"),
        ("import os; os.abort()", r"its reader crashed \(SIGABRT\)"),
        ("import sys; sys.exit(9)", "its reader ended with status 9"),
    ],
)
def test_a_reader_that_dies_is_told_in_words(
    child: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binary_file, "_CHILD", child)
    FRAME.write_parquet(tmp_path / "d.parquet")
    with pytest.raises(DataError, match=rf"d.parquet cannot be read as parquet: the file is damaged, {told}"):
        read(tmp_path / "d.parquet")


def test_no_process_to_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(binary_file.subprocess, "run", fails)
    FRAME.write_parquet(tmp_path / "d.parquet")
    with pytest.raises(DataError, match="Resource temporarily unavailable; free some memory"):
        read(tmp_path / "d.parquet")


def test_every_damage_of_a_gzip_file_is_told() -> None:
    packed = bytearray(gzip.compress(b"a,b\n" + b"x,y\nu,v\n" * 50, mtime=0))
    for position in range(2, len(packed)):
        damaged = bytes(packed[:position]) + bytes([packed[position] ^ 0xFF]) + bytes(packed[position + 1 :])
        try:
            read(io.BytesIO(damaged))
        except DataError as problem:
            assert str(problem)


@pytest.mark.parametrize("engine", [None, "python"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('a,b\nu,1\n"x"é,1\n', "line 3"),
        ('a,b\n"x"y,1\nz,2\n', "line 2"),
        ('a,b\n"x" ,1\nz,2\n', "line 2"),
        ('a,b\n"x"z"y",1\nz,2\n', "line 2"),
        ('a,b\nx,1\nz,"2\n', "line"),
    ],
)
def test_quoting_slips_are_reported_with_the_line(text: str, told: str, engine: str | None) -> None:
    with pytest.raises(DataError, match=told):
        read(io.BytesIO(text.encode()), engine=engine)


def test_a_quote_that_closes_too_early_says_what_to_do() -> None:
    with pytest.raises(DataError, match=r"text after a closing quote; double a quote .* quote=None"):
        read(io.BytesIO(b'a,b\n"x"y,1\nz,2\n'))


def test_quotes_within_plain_fields_are_text() -> None:
    table = read(io.BytesIO(b'pipe,n\n5" long,1\n6" long,2\n5" long,2\n'))
    assert table.states_of("pipe") == ('5" long', '6" long')
    assert table.n_rows == 3


def test_sound_quoting_is_read() -> None:
    table = read(io.BytesIO('\ufeff"a","b"\r\n"x ""y""",1\r\n"z\r\nw",2\r\n"",2'.encode()))
    assert table.states_of("a") == ('x "y"', "z\r\nw")
    assert table.missing["a"] == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b,c\nx,y,z\nx,y\nx,y,,", 3),
        ("a,b,c\nx,y,z\nx,y,,", 3),
        ("a,b,c\nx,y,z\nx,y", 3),
        ("a,b,c\nx,y,z\nx,,,\nx,y\n", 3),
        ('a,b,c\n"x",y,z\n"x",y\n"x",y,,', 3),
    ],
)
def test_rows_of_another_width_are_refused(text: str, line: int) -> None:
    with pytest.raises(DataError, match=f"line {line}: "):
        read(io.BytesIO(text.encode()))


def test_widths_are_counted_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from dagwright.data import text_checks

    for size in range(1, 12):
        monkeypatch.setattr(text_checks, "_BLOCK", size)
        assert read(io.BytesIO(b"a,b,c\nx,y,z\nu,v,\nx,y,")).n_rows == 3
        assert read(io.BytesIO(b'"a","b,"\n"x""",y\nu,"v"\n')).names == ("a", "b,")
        with pytest.raises(DataError, match="line 3"):
            read(io.BytesIO(b"a,b,c\nx,y,z\nx,y\nx,y,,"))
        with pytest.raises(DataError, match="line 2"):
            read(io.BytesIO(b'a,b\n"x"y,z\nx,y\nx,y'))


def test_carriage_returns_end_lines(tmp_path: Path) -> None:
    expected = dw.read(io.BytesIO(b"a,b\nx,1\ny,2\nx,2\n"))
    path = tmp_path / "mac.csv"
    path.write_bytes(b"a,b\rx,1\ry,2\rx,2\r")
    assert dw.read(path) == expected
    assert dw.read(io.BytesIO(path.read_bytes())) == expected


@pytest.mark.parametrize(("name", "program"), [("d.rds", "R"), ("d.MAT", "MATLAB"), ("d.npz", "NumPy")])
def test_files_of_other_programs_are_refused_by_name(name: str, program: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"$FL2@(#) SPSS DATA FILE\n")
    with pytest.raises(
        DataError, match=f"{name} is a file of {program}, which dagwright does not read; save"
    ):
        read(path)
