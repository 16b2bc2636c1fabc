"""Delimited text: what is found out, what survives, what is refused."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dagwright.data import EqualFrequency, Table, read
from dagwright.errors import DataError, OptionError, UnknownNameError

ENGINES = ("polars", "python")


def text(content: str | bytes, **options: object) -> Table:
    stream = io.StringIO(content) if isinstance(content, str) else io.BytesIO(content)
    return read(stream, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
def test_separator_is_found(separator: str, engine: str) -> None:
    table = text("\n".join(separator.join(row) for row in ["ab", "xy", "zy"]) + "\n", engine=engine)
    assert table.to_dict() == {"a": ["x", "z"], "b": ["y", "y"]}


@pytest.mark.parametrize("engine", ENGINES)
def test_quotes_line_ends_and_exotic_states(engine: str) -> None:
    content = 'name,"a, b"\r\n"Müller, ""Hans""",x\r\n"two\nlines", y \r\n日本 語,\'z\'\r\n'
    table = text(content, engine=engine)
    assert table.to_dict() == {
        "name": ['Müller, "Hans"', "two\nlines", "日本 語"],
        "a, b": ["x", " y ", "'z'"],
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_missing_markers(engine: str) -> None:
    content = 'a,b,n\nx,?,1\nNA,p,\n,N/A,2\n"",null,NaN\nNone, ? ,3\n'
    table = text(content, engine=engine)
    assert table.to_dict() == {
        "a": ["x", None, None, None, "None"],
        "b": [None, "p", None, None, None],
        "n": [1, None, 2, None, 3],
    }
    own = text(content, engine=engine, missing_values=["x", ""])
    assert own.to_dict()["a"] == [None, None, None, None, "None"]
    assert own.states_of("n") == (1, 2, 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_that_are_categories(engine: str) -> None:
    table = text(
        "i,f,zeros,flag,mixed\n10,1.5,007,true,1\n9,2.5,7,false,1.0\n9,1.5,7,true,x\n"
        + "9,1.5,7,true,x\n" * 9,
        engine=engine,
    )
    assert table.states == ((9, 10), (1.5, 2.5), ("007", "7"), ("false", "true"), ("1", "1.0", "x"))


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_that_are_continuous(engine: str) -> None:
    rows = "\n".join(f"{i};{i / 7:.3f}".replace(".", ",") for i in range(100))
    table = text("n;x\n" + rows + "\n?;NA\n", engine=engine, discretize=EqualFrequency(2))
    assert table.kinds == {"n": "continuous", "x": "continuous"}
    assert table.states_of("n") == ("<=49", ">49")
    assert table.states_of("x") == ("<=7", ">7")
    assert table.missing == {"n": 1, "x": 1}
    assert text("n;x\n" + rows, engine=engine, decimal=".").kinds["x"] == "category"


def test_numbers_with_one_word_are_categories_in_the_end() -> None:
    table = text("n\n" + "\n".join(map(str, range(2000))) + "\nmany\n")
    assert table.kinds == {"n": "category"}
    assert table.cardinalities == (2001,)
    assert table.states_of("n")[:3] == ("0", "1", "10")


def test_decimal_comma_with_thousands_point_is_text() -> None:
    rows = "\n".join(f"{i},5" for i in range(200))
    table = text(f"n;m\n{rows.replace(chr(10), ';a' + chr(10))};a\n1.000,5;b\n")
    assert table.kinds["n"] == "category"


def test_kinds_are_overridable() -> None:
    rows = "\n".join(str(i) for i in range(100, 200))
    assert text(f"code\n{rows}\n", kinds={"code": "category"}).cardinalities == (100,)
    assert text(f"code\n{rows}\n", max_number_states=100).cardinalities == (100,)
    assert text("age\n1\n2\n3\n4\n", kinds={"age": "continuous"}).kinds == {"age": "continuous"}
    with pytest.raises(OptionError, match="'category' or 'continuous'"):
        text("age\n1\n2\n", kinds={"age": "number"})
    with pytest.raises(UnknownNameError, match="did you mean 'age'"):
        text("age\n1\n2\n", kinds={"aeg": "continuous"})


@pytest.mark.parametrize("engine", ENGINES)
def test_no_header_and_names(engine: str) -> None:
    assert text("x,1\ny,2\n", header=False, engine=engine).to_dict() == {"V1": ["x", "y"], "V2": [1, 2]}
    assert text("x,1\ny,2\n", header=False, names=["p", "q"], engine=engine).names == ("p", "q")
    assert text(",b\nx,1\n", engine=engine).names == ("V1", "b")
    with pytest.raises(DataError, match="1 names for 2 columns"):
        text("x,1\n", header=False, names=["p"], engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "blank", ["a,b\n\nx,1\n\n\ny,\n", "\n\na,b\nx,1\n\ny,\n\n", 'a,b\nx,1\n"",\n\ny,\n\n']
)
def test_blank_lines_are_not_rows(blank: str, engine: str) -> None:
    table = text(blank, engine=engine)
    assert [value for value in table.decode("a") if value] == ["x", "y"]
    assert table.n_rows == 2 + blank.count('""')


@pytest.mark.parametrize("engine", ENGINES)
def test_in_a_single_column_a_blank_line_is_a_missing_cell(engine: str) -> None:
    assert text("a\nx\n\ny\n", engine=engine).decode("a") == ["x", None, "y"]


def test_encodings(tmp_path: Path) -> None:
    content = "größe,x\nmaß,1\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert text(content.encode(encoding)).to_dict() == {"größe": ["maß"], "x": [1]}
    path = tmp_path / "alt.csv"
    path.write_bytes(content.encode("latin-1"))
    assert read(path, encoding="latin-1").states_of("größe") == ("maß",)
    with pytest.raises(
        DataError, match=r"alt.csv, line 1: byte 0xf6 at position 2 is not UTF-8.*encoding='latin-1'"
    ):
        read(path)
    with pytest.raises(DataError, match="encoding 'klingon' is not known"):
        read(path, encoding="klingon")
    with pytest.raises(DataError, match="line 1: byte 0xf6 at position 2 is not ascii"):
        read(path, encoding="ascii")


@pytest.mark.parametrize("engine", ENGINES)
def test_undecodable_bytes_are_located(engine: str) -> None:
    with pytest.raises(DataError, match="line 3: byte 0xff at position 10 is not UTF-8"):
        text(b"a,b\nx,1\ny,\xff\n", engine=engine)


@pytest.mark.parametrize("options", [{}, {"engine": "python"}, {"engine": "disk"}])
def test_undecodable_bytes_of_the_header_are_those_of_the_body(options: Any, tmp_path: Path) -> None:
    """A body of plain ASCII was read, under a name with replacement characters."""
    path = tmp_path / "alt.csv"
    path.write_bytes("größe,x\nm,1\nn,2\n".encode("latin-1"))
    with pytest.raises(
        DataError, match=r"alt.csv, line 1: byte 0xf6 at position 2 is not UTF-8.*encoding='latin-1'"
    ):
        read(path, **options)
    assert read(path, encoding="latin-1").names == ("größe", "x")


def test_compressed_files(tmp_path: Path) -> None:
    import zstandard

    content = b"a,b\nx,1\ny,2\n"
    expected = text(content)
    (tmp_path / "d.csv.gz").write_bytes(gzip.compress(content))
    (tmp_path / "d.tsv.zst").write_bytes(zstandard.compress(content.replace(b",", b"\t")))
    assert read(tmp_path / "d.csv.gz") == expected
    assert read(str(tmp_path / "d.tsv.zst")) == expected
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(content)[:-4])
    with pytest.raises(DataError, match=r"cut.csv.gz is not a sound gzip file"):
        read(tmp_path / "cut.csv.gz")
    (tmp_path / "cut.csv.zst").write_bytes(zstandard.compress(content)[:4] + b"rubbish")
    with pytest.raises(DataError, match="not a sound Zstandard file"):
        read(tmp_path / "cut.csv.zst")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"there is no file 'nowhere.csv'"):
        read("nowhere.csv")
    with pytest.raises(DataError, match="is a folder"):
        read(tmp_path)
    (tmp_path / "empty.csv").touch()
    with pytest.raises(DataError, match=r"empty.csv is empty"):
        read(tmp_path / "empty.csv")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("\n \n", "is empty"),
        ("a,b\n", "has a header but no rows"),
        ("a,b\nx,1\ny\n", "line 3: 1 fields where the first line has 2"),
        ("a,b\nx,1\ny,2,3\n", "line 3: 3 fields where the first line has 2"),
        ('a,b\n"x\nx",1\ny\n', "line 4: 1 fields"),
        ("a,b,a\nx,1,2\n", r"'a' appears twice \(columns 1 and 3\)"),
        ("a,b\nx,\ny,?\n", r"column 'b' has no values.*exclude=\['b'\]"),
    ],
)
def test_bad_text_is_refused(content: str, message: str, engine: str) -> None:
    with pytest.raises(DataError, match=message):
        text(content, engine=engine)


def test_too_many_states_and_the_way_out() -> None:
    content = "id,g\n" + "\n".join(f"p{i},{'ab'[i % 2]}" for i in range(70_000)) + "\n"
    with pytest.raises(DataError, match=r"column 'id' has 70,000 distinct values.*exclude=\['id'\]"):
        text(content)
    assert text(content, exclude=["id"]).names == ("g",)
    assert text(content, rare={"id": 2}).states_of("id") == ("other",)


def test_states_that_turn_up_late() -> None:
    content = "a,b\n" + "x,1\n" * 20_000 + "\n".join(f"s{i},2" for i in range(400)) + "\n"
    table = text(content)
    assert table.cardinalities == (401, 2)
    assert table == text(content, engine="python")


def test_columns_exclude_weights() -> None:
    content = "a,b,w\nx,1,0.5\ny,2,2\n"
    table = text(content, columns=["b", "a"], weights="w")
    assert table.names == ("b", "a")
    assert table.N == 2.5
    assert text(content, weights=[1, 2]).names == ("a", "b", "w")
    with pytest.raises(UnknownNameError, match="unknown column 'c'"):
        text(content, exclude=["c"])
    with pytest.raises(UnknownNameError, match="unknown column 'v'"):
        text(content, weights="v")
    with pytest.raises(DataError, match="no column is left"):
        text(content, exclude=["a", "b", "w"])
    with pytest.raises(DataError, match=r"row 0 .*'x' is not a number"):
        text(content, weights="a")
    with pytest.raises(DataError, match="row 1: weight nan"):
        text("a,w\nx,1\ny,?\n", weights="w")


def test_declared_states() -> None:
    table = text("a\nmid\nlow\n", states={"a": ["low", "mid", "high"]})
    assert table.states_of("a") == ("low", "mid", "high")
    with pytest.raises(
        DataError, match=r"column 'a', row 1 \(counted from 0\): unknown state 'low'; known states: mid"
    ):
        text("a\nmid\nlow\n", states={"a": ["mid"]})
    assert text("n\n1\n2\n", states={"n": [1.0, 2.0, 3.0]}).decode("n") == [1.0, 2.0]
    assert text("n\n1\n2\n", states={"n": ["1", "2"]}).decode("n") == ["1", "2"]


def test_naming_a_column_in_an_option_decides_its_kind() -> None:
    few, many = "n\n1\n2\n3\n4\n", "n\n" + "\n".join(map(str, range(99)))
    assert text(few, discretize={"n": EqualFrequency(2)}).states_of("n") == ("<=2", ">2")
    assert text(many, rare={"n": 2}).states_of("n") == ("other",)
    for options in ({"kinds": {"n": "category"}}, {"states": {"n": [1]}}, {"rare": {"n": 2}}):
        with pytest.raises(OptionError, match="column 'n' cannot be both"):
            text(few, discretize={"n": EqualFrequency(2)}, **options)


def test_wide_files() -> None:
    names = [f"gene_{i:05}" for i in range(13_000)]
    rows = [",".join("ab"[(i * k) % 2] for i in range(13_000)) for k in range(3)]
    table = text("\n".join([",".join(names), *rows]))
    assert table.names == tuple(names)
    assert table.n_rows == 3
    with pytest.raises(DataError, match="cannot be split into fields by ';'"):
        text("\n".join([",".join(names), *rows]), separator=";")
    assert text("a\u2028,b\nx\x0b,y\n").to_dict() == {"a\u2028": ["x\x0b"], "b": ["y"]}


def test_rare_levels() -> None:
    content = "a\n" + "x\n" * 10 + "y\n" * 10 + "u\nv\n"
    table = text(content, rare=2)
    assert table.states_of("a") == ("x", "y", "other")
    assert table.notes == ("column 'a': 2 rare values grouped as 'other'",)
    assert text(content, rare=0.2).states_of("a") == ("x", "y", "other")
    assert text(content.replace("x", "other"), rare=2).states_of("a") == ("other", "y", "other_")
    with pytest.raises(OptionError, match="rare=-1"):
        text(content, rare=-1)


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="engine='dask'"):
        text("a\nx\n", engine="dask")
    with pytest.raises(OptionError, match="single ASCII character"):
        text("a\nx\n", separator="::")
    with pytest.raises(OptionError, match="decimal=';' must be"):
        text("a\nx\n", decimal=";")
    with pytest.raises(OptionError, match="sheet= has no meaning for delimited text"):
        text("a\nx\n", sheet="one")
    with pytest.raises(OptionError, match="format='xml'"):
        text("a\nx\n", format="xml")
    with pytest.raises(OptionError, match="coded already"):
        read(text("a\nx\n"), rare=3)


def test_a_table_passes_through() -> None:
    table = text("a,b\nx,1\ny,2\n")
    assert read(table) is table
    assert read(table, exclude=["a"]).names == ("b",)
    assert read(table, weights=[1, 4]).N == 5
    with pytest.raises(UnknownNameError, match="unknown column"):
        read(table, exclude=["z"])
    with pytest.raises(OptionError, match="with_weights"):
        read(table, weights="a")


def test_large_files_and_many_states_agree_between_engines(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "big.csv"
    cells = [[f"s{v}" for v in rng.integers(0, r, 20_000)] for r in (2, 300, 5000)]
    numbers = [f"{v:.4f}" if v > -1 else "?" for v in rng.normal(size=20_000)]
    path.write_text("a,b,c,x\n" + "\n".join(map(",".join, zip(*cells, numbers, strict=True))) + "\n")
    fast, plain = read(path), read(path, engine="python")
    assert fast == plain
    assert fast.cardinalities == (2, 300, len(set(cells[2])), 0)
    assert fast.discretized().cardinalities[3] == 3
    assert fast.codes("b").dtype == np.uint16
    assert fast.missing["x"] == numbers.count("?")


@pytest.mark.parametrize("engine", ["polars", "python"])
def test_a_number_that_marks_a_gap_is_no_number(engine: Any) -> None:
    """Also where a column has too many distinct texts to be read as a dictionary."""
    cells = [f"{i + 0.5}" if i % 10 else " -9" for i in range(1, 400)]
    text = "h,s\n" + "".join(f"{cell},{'ab'[i % 2]}\n" for i, cell in enumerate(cells))
    table = read(io.StringIO(text), missing_values=["-9"], engine=engine)
    assert table.missing == {"h": 39, "s": 0}
