from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from dagwright.data import EqualWidth, describe, read, sample_path
from dagwright.defaults import DEFAULTS, Kind
from dagwright.errors import OptionError, UnknownNameError

rng = np.random.default_rng(2)


def messy() -> dict[str, object]:
    n = 400
    sex = ["f", "m"] * (n // 2)
    return {
        "id": [f"p{i}" for i in range(n)],
        "number": list(range(n)),
        "sex": sex,
        "gender": ["female" if s == "f" else "male" for s in sex],
        "country": ["here"] * n,
        "day": [f"2024-01-{1 + i % 28:02}" for i in range(n)],
        "city": [f"c{i % 60}" for i in range(n)],
        "reply": [["yes", "Yes", "no"][i % 3] for i in range(n)],
        "empty": [None] * n,
        "age": rng.normal(50, 10, n),
        "gaps": [None if i % 4 == 0 else "ab"[i % 2] for i in range(n)],
    }


def test_every_oddity_is_flagged() -> None:
    report = describe(messy())
    flags = {column.name: column.flags for column in report.columns}
    assert flags == {
        "id": ("identifier", "many states"),
        "number": ("identifier",),
        "sex": (),
        "gender": ("same as 'sex'",),
        "country": ("constant",),
        "day": ("dates",),
        "city": ("many states",),
        "reply": ("states differ only in case or spaces",),
        "empty": ("no values",),
        "age": (),
        "gaps": (),
    }
    by_name = {column.name: column for column in report.columns}
    assert by_name["empty"].action.startswith("refused: column 'empty' has no values")
    assert not by_name["empty"].usable
    assert not by_name["country"].usable
    assert by_name["age"].kind == "continuous"
    assert by_name["age"].action.startswith("kept as numbers; cut where intervals are needed: '<=")
    assert by_name["gaps"].missing == 100
    assert by_name["gaps"].action.endswith("its gaps fall under the policy for missing values")
    assert by_name["id"].action.startswith("left out of learning: looks like an identifier (400 distinct")
    assert "from 0 to 399" in by_name["number"].action


def test_rows_and_duplicates() -> None:
    report = describe({"a": [1, 1, 2, None, None], "b": ["x", "x", "x", "x", "x"]}, weights=[1, 1, 1, 1, 0.5])
    assert (report.n_rows, report.distinct_rows, report.merged_rows, report.N) == (5, 3, 2, 4.5)
    assert "weights sum to 4.5" in str(report)


def test_distinct_rows_of_many_columns() -> None:
    codes = rng.integers(0, 40, size=(500, 30))
    codes[250:] = codes[:250]
    report = describe(codes.astype(str), kinds={})
    assert report.distinct_rows == 250


def test_report_never_stops_at_a_bad_column() -> None:
    content = "id,g\n" + "\n".join(f"p{i},{'ab'[i % 2]}" for i in range(70_000))
    report = describe(io.StringIO(content))
    assert "70,000 distinct values" in report.columns[0].action
    assert report.columns[1].usable
    alone = describe(io.StringIO("x\n?\n?\n"))
    assert alone.columns[0].flags == ("no values",)
    assert alone.distinct_rows == 0


def test_report_of_a_table() -> None:
    table = read(
        {"a": ["x", "y", "x"], "b": ["p", "q", "p"], "c": ["u", "u", None]}, states={"a": ["x", "y", "z"]}
    )
    flags = {column.name: column.flags for column in describe(table).columns}
    assert flags == {"a": ("1 states never seen",), "b": ("same as 'a'",), "c": ("constant",)}
    with pytest.raises(OptionError, match="coded already"):
        describe(table, rare=2)


def test_same_facts_as_json_and_as_text() -> None:
    report = describe(messy(), discretize=EqualWidth(4), exclude=["empty"])
    facts = json.loads(json.dumps(report.to_dict()))
    assert facts["n_rows"] == 400
    assert facts["merged_rows"] == 0
    assert [column["name"] for column in facts["columns"]] == [column.name for column in report.columns]
    text = str(report)
    assert text.splitlines()[0] == "400 rows, 10 columns, 0 rows repeat another row"
    assert text.splitlines()[2].split() == [
        "column",
        "kind",
        "distinct",
        "missing",
        "remarks",
        "what",
        "will",
        "be",
        "done",
    ]
    assert "note: column 'age' is continuous" in text
    assert "EqualWidth(bins=4)" in text


def test_options_of_describe_are_those_of_read() -> None:
    assert (
        describe(io.StringIO("x;1\ny;2\n"), header=False, separator=";", kinds={"V2": "continuous"})
        .columns[1]
        .name
        == "V2"
    )
    with pytest.raises(OptionError, match="no option 'sep'"):
        describe({"a": [1]}, sep=";")


def test_the_shipped_sample() -> None:
    report = describe(sample_path("asia"))
    assert report.n_rows == 5000
    assert [column.name for column in report.columns] == [
        "asia",
        "smoke",
        "tub",
        "lung",
        "bronc",
        "either",
        "xray",
        "dysp",
    ]
    assert all(column.usable and not column.missing for column in report.columns)
    table = read(sample_path("asia"))
    either = np.maximum(table.codes("tub"), table.codes("lung"))
    assert np.array_equal(either, table.codes("either"))
    # Lauritzen & Spiegelhalter (1988): P(smoke) = 0.5, P(bronc) = 0.45; four standard errors either way.
    assert abs(table.codes("smoke").mean() - 0.5) < 0.03
    assert abs(table.codes("bronc").mean() - 0.45) < 0.03
    with pytest.raises(UnknownNameError, match="did you mean 'asia'"):
        sample_path("azia")


def test_samples_of_counts_have_their_published_totals() -> None:
    titanic = read(sample_path("titanic"), weights="people")
    assert (titanic.N, titanic.names) == (2201.0, ("class", "sex", "age", "survived"))
    berkeley = read(sample_path("berkeley"), weights="applicants")
    assert (berkeley.N, berkeley.names) == (4526.0, ("department", "sex", "admitted"))


def test_values_that_may_mark_missing_ones_are_suggested() -> None:
    report = describe(
        {
            "word": ["yes", "no", "Don't know", "#N/A"] * 5,
            "code": [1, 2, 3, -9] * 5,
            "signed": [-2, -1, -9, 4] * 5,
            "Freq": [3, 5, 8, 2] * 5,
        }
    )
    word, code, signed, count = report.columns
    assert "may mark missing values: '#N/A', \"Don't know\"" in word.flags
    assert word.action.endswith("name them in missing_values= ('#N/A', \"Don't know\")")
    assert "may mark missing values: '-9'" in code.flags
    assert not any(flag.startswith("may mark") for flag in signed.flags)
    assert "may hold counts" in count.flags
    assert "weights='Freq'" in count.action


def test_usual_marks_stay_missing_beside_own_marks() -> None:
    lines = ["age,code", *(f"{20 + i / 2},{i % 3}" for i in range(60)), "NA,-9"]
    age, code = describe(io.StringIO("\n".join(lines)), missing_values=["-9"]).columns
    assert (age.kind, age.missing, code.missing) == ("continuous", 1, 1)
    in_memory = {"age": [*(str(i / 2) for i in range(60)), "NA"], "code": ["x", *"y" * 60]}
    assert "may mark missing values: 'NA'" in describe(in_memory).columns[0].flags


def test_the_lines_of_a_report_stay_short() -> None:
    answers = ["strongly agree", "agree", "neither agree nor disagree", "disagree", "strongly disagree", "-9"]
    columns = {f"q{i}": [answers[(i * row) % 6] for row in range(60)] for i in range(1, 30)}
    printed = str(describe(columns))
    assert max(map(len, printed.splitlines())) <= 180
    (one,) = (line for line in printed.splitlines() if line.startswith("q1 "))
    assert "used with 6 states" in one


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"a": list("xyyx") * 9, "b": list("uuvv") * 9}, "discrete"),
        ({"a": [k / 7 for k in range(36)], "b": [k * k / 3 for k in range(36)]}, "continuous"),
        ({"a": [k / 7 for k in range(36)], "b": list("uuvv") * 9}, "mixed"),
        ({"id": [f"p{k}" for k in range(36)], "a": [k / 7 for k in range(36)]}, "continuous"),
    ],
)
def test_the_defaults_for_the_kind_of_the_columns(columns: Any, kind: Kind) -> None:
    report = describe(columns)
    assert (report.kind, report.defaults) == (kind, DEFAULTS[kind])
    assert str(report).endswith(f"\n\ndefaults for {kind} data\n{DEFAULTS[kind]}")
