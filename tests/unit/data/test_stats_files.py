"""Files of Stata, SPSS and SAS."""

from __future__ import annotations

import datetime
import importlib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import dagwright as dw

pyreadstat = pytest.importorskip("pyreadstat")

FRAME = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 2.0, 1.0],
        "opinion": [1.0, 3.0, None, 2.0],
        "age": [20.5, 33.0, 41.25, None],
        "town": ["Rome", "", "Oslo", "Rome"],
        "day": [datetime.date(2024, 1, day) for day in (1, 2, 3, 3)],
    }
)
LABELS = {"sex": {1: "male", 2: "female"}, "opinion": {1: "bad", 2: "fair", 3: "good", 4: "very good"}}


def check(table: dw.Table, *, labels: bool = True) -> None:
    assert table.names == ("sex", "opinion", "age", "town", "day")
    assert table.states_of("sex") == (("male", "female") if labels else (1, 2))
    assert table.states_of("opinion") == (("bad", "fair", "good", "very good") if labels else (1, 2, 3))
    assert table.codes("sex").tolist() == [0, 1, 1, 0]
    assert table.states_of("town") == ("Oslo", "Rome")
    assert table.states_of("day") == tuple(datetime.date(2024, 1, day) for day in (1, 2, 3))
    assert table.missing == {"sex": 0, "opinion": 1, "age": 1, "town": 1, "day": 0}
    assert table.kinds["age"] == "continuous"


def test_stata(tmp_path: Path) -> None:
    pyreadstat.write_dta(FRAME, tmp_path / "a.dta", variable_value_labels=LABELS)
    check(dw.read(tmp_path / "a.dta"))
    with (tmp_path / "a.dta").open("rb") as stream:
        check(dw.read(stream))


def test_stata_as_pandas_writes_it(tmp_path: Path) -> None:
    frame = pd.DataFrame({"size": pd.Categorical(["S", "L", "S"], ["S", "M", "L"]), "n": [1, 2, 2]})
    frame.to_stata(tmp_path / "a.dta", write_index=False)
    table = dw.read(tmp_path / "a.dta")
    assert table.states == (("S", "M", "L"), (1, 2))
    assert table.codes("size").tolist() == [0, 2, 0]


@pytest.mark.parametrize("name", ["a.sav", "a.zsav"])
def test_spss(tmp_path: Path, name: str) -> None:
    pyreadstat.write_sav(
        FRAME,
        tmp_path / name,
        variable_value_labels=LABELS,
        variable_measure={"opinion": "ordinal"},
        compress=name.endswith(".zsav"),
    )
    table = dw.read(tmp_path / name)
    check(table)
    assert "opinion" in table.ordered and "sex" not in table.ordered


def test_values_marked_as_missing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 9.0, 1.0]})
    labels = {"x": {1: "yes", 2: "no", 9: "refused"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels, missing_ranges={"x": [9]})
    assert dw.read(tmp_path / "a.sav").missing == {"x": 1}


def test_labels_that_leave_values_out_or_repeat(tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": [20.0, 30.0, 99.0], "kind": [1.0, 2.0, 3.0]})
    labels = {"age": {99: "unknown"}, "kind": {1: "other", 2: "main", 3: "other"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels)
    table = dw.read(tmp_path / "a.sav")
    assert table.states_of("age") == (20, 30, 99)
    assert len(set(table.states_of("kind"))) == 3 and table.states_of("kind")[1] == "main"


def test_sas(tmp_path: Path) -> None:
    pyreadstat.write_xport(FRAME, tmp_path / "a.xpt")
    check(dw.read(tmp_path / "a.xpt"), labels=False)


@pytest.mark.parametrize("name", ["a.dta", "a.sav", "a.por", "a.sas7bdat", "a.xpt"])
def test_damaged_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"$FL2 HEADER RECORD nothing of the kind" * 20)
    with pytest.raises(dw.DataError, match=rf"{name} cannot be read as"):
        dw.read(tmp_path / name)


def test_without_the_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str, *rest: Any) -> Any:
        if name == "pyreadstat":
            raise ImportError(name)
        return real(name, *rest)

    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", absent)
    (tmp_path / "a.sav").write_bytes(b"$FL2")
    with pytest.raises(dw.DataError, match=r"dagwright\[stats\]"):
        dw.read(tmp_path / "a.sav")
