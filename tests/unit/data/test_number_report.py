"""What the data report says about columns of numbers."""

from __future__ import annotations

import datetime
import io
import json

import numpy as np
import pytest

import dagwright as dw
from dagwright.data.number_report import NumberSummary, collinear_groups, near_duplicates
from dagwright.data.number_report import summary_of as summary_of_numbers
from dagwright.data.number_rows import MemoryRows, SortedNumbers

RNG = np.random.default_rng(12)
HEIGHT = RNG.normal(170, 10, 400)
WEIGHT = HEIGHT - 100 + RNG.normal(0, 8, 400)


def summary_of(values: np.ndarray, weights: np.ndarray | None = None) -> NumberSummary | None:
    return summary_of_numbers(SortedNumbers(values, weights))


@pytest.mark.parametrize(
    "values", [HEIGHT, np.exp(HEIGHT / 8), HEIGHT * 1e300, HEIGHT * 1e-300, np.arange(5.0)]
)
def test_the_summary_equals_plain_numpy(values: np.ndarray) -> None:
    found = summary_of(values)
    assert found is not None
    scale = np.abs(values).max()
    x = values / scale
    z = x - x.mean()
    m2, m3, m4 = (np.mean(z**k) for k in (2, 3, 4))
    quartiles = np.quantile(x, [0.25, 0.5, 0.75])
    assert [found.mean / scale, found.sd / scale] == pytest.approx([x.mean(), x.std(ddof=1)], rel=1e-12)
    assert [found.minimum, found.maximum] == [values.min(), values.max()]
    assert np.array([found.lower_quartile, found.median, found.upper_quartile]) / scale == pytest.approx(
        quartiles
    )
    assert [found.skewness, found.kurtosis] == pytest.approx(
        [m3 / m2**1.5, m4 / m2**2 - 3], rel=1e-9, abs=1e-12
    )
    spread = 3 * (quartiles[2] - quartiles[0])
    assert found.outliers == np.sum((x < quartiles[0] - spread) | (x > quartiles[2] + spread))
    assert sum(found.histogram) == len(values) and len(found.bars) == 10
    assert list(found.histogram) == np.histogram(x, bins=10)[0].tolist()


def test_whole_weights_are_repeated_rows_and_order_is_nothing() -> None:
    weights = RNG.integers(0, 4, 400)
    found = summary_of(HEIGHT, weights.astype(float))
    repeated = summary_of(np.repeat(HEIGHT, weights))
    assert found is not None and repeated is not None
    for name in ("mean", "sd", "lower_quartile", "median", "upper_quartile", "skewness", "kurtosis"):
        assert getattr(found, name) == pytest.approx(getattr(repeated, name), rel=1e-12)
    assert found.histogram == repeated.histogram
    order = RNG.permutation(400)
    assert summary_of(HEIGHT[order], weights[order].astype(float)) == found


def test_constant_and_empty_columns() -> None:
    constant = summary_of(np.array([2.5, 2.5, np.nan]))
    assert constant is not None
    assert (constant.sd, constant.skewness, constant.kurtosis, constant.outliers) == (0.0, None, None, 0)
    assert constant.cells[-4:] == ("-", "-", "0", "█")
    assert summary_of(np.array([np.nan])) is None
    assert summary_of(np.array([1.0]), np.array([0.0])) is None


def test_near_duplicates_on_the_rows_where_both_are_known() -> None:
    inches = HEIGHT / 2.54
    gaps = -inches
    gaps[::3] = np.nan
    columns = {"cm": HEIGHT, "kg": WEIGHT, "inches": inches, "gaps": gaps, "flat": np.full(400, 3.0)}
    found = near_duplicates(MemoryRows(columns, None))
    assert found == {"inches": ("cm", pytest.approx(1.0)), "gaps": ("cm", pytest.approx(-1.0))}
    only_kg = np.where(np.arange(400) < 200, 1.0, 0.0)
    noisy = np.where(np.arange(400) < 200, HEIGHT, WEIGHT)
    assert "noisy" in near_duplicates(MemoryRows({"cm": HEIGHT, "noisy": noisy}, only_kg))
    assert near_duplicates(MemoryRows({"cm": HEIGHT, "noisy": noisy}, None)) == {}


def test_collinear_groups_do_not_depend_on_the_order_of_columns() -> None:
    a, b, c, d = RNG.normal(size=(4, 400)) * [[1.0], [1e6], [1e-6], [1.0]]
    columns = {
        "a": a,
        "b": b,
        "sum": 3e6 * a - b,
        "c": c,
        "d": d,
        "other": c + 1e-6 * d + 5,
        "free": RNG.normal(size=400),
    }
    expected = {frozenset(("a", "b", "sum")), frozenset(("c", "d", "other"))}
    for names in (list(columns), list(columns)[::-1]):
        groups = collinear_groups(MemoryRows({name: columns[name] for name in names}, None))
        assert set(map(frozenset, groups)) == expected
        assert [list(group) for group in groups] == [[n for n in names if n in group] for group in groups]
    columns["both"] = a + c * 1e6
    joined = {frozenset(columns) - {"free"}}
    assert set(map(frozenset, collinear_groups(MemoryRows(columns, None)))) == joined
    assert collinear_groups(MemoryRows({"a": a, "b": b, "c": c + a}, None)) == []
    few = {name: values[:4] for name, values in columns.items()}
    assert collinear_groups(MemoryRows(few, None)) == []


def test_describe_says_it_all() -> None:
    income = np.exp(RNG.normal(10, 2, 400))
    data = {
        "height": HEIGHT,
        "inches": HEIGHT / 2.54 + RNG.normal(0, 1e-3, 400),
        "kg": WEIGHT,
        "both": HEIGHT + WEIGHT,
        "income": income,
        "age": RNG.integers(18, 90, 400),
        "kids": np.arange(400) % 7,
        "day": [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(i)) for i in RNG.permutation(400)],
    }
    report = dw.describe(data)
    by_name = {column.name: column for column in report.columns}
    assert by_name["inches"].flags[0].startswith("nearly the same as 'height' (correlation 1.0000)")
    assert "carries the same information twice" in by_name["inches"].action
    assert any(flag.endswith("outliers") for flag in by_name["income"].flags)
    assert any(flag.startswith("skewed (") for flag in by_name["income"].flags)
    assert by_name["age"].action.endswith("kinds={'age': 'category'} takes its values as states")
    assert by_name["kids"].action.endswith("kinds={'kids': 'continuous'} takes it as numbers")
    assert by_name["age"].kind_in_words == "continuous (integer with more than 20 distinct values)"
    assert report.notes == (
        "columns 'height', 'inches', 'kg', 'both' are collinear: each is a linear combination of the others; "
        "consider leaving one out",
    )
    assert set(report.numbers) == set(data) - {"kids"}
    assert report.numbers["day"].cells[2] == "2024-01-01" and report.numbers["day"].cells[1].endswith(" days")
    text = str(report)
    assert "skewness" in text and report.numbers["income"].bars in text
    saved = json.loads(json.dumps(report.to_dict()))
    assert saved["columns"][0]["numbers"]["mean"] == report.numbers["height"].mean
    of_table = dw.describe(dw.read(data))
    assert of_table.numbers == report.numbers
    assert [c.flags for c in of_table.columns if c.name != "day"] == [
        c.flags for c in report.columns if c.name != "day"
    ]
    assert "income" in report._repr_html_() and "kg" in dw.read(data)._repr_html_()


def test_a_column_that_is_cut_or_refused() -> None:
    x = [*map(float, range(30)), float("inf")]
    refused = dw.describe({"x": x, "y": list(range(31))})
    assert refused.columns[0].action.startswith("refused: column 'x', row 30")
    assert "x" not in refused.numbers
    cut = dw.describe({"x": x}, discretize=dw.EqualFrequency())
    assert cut.columns[0].action.startswith("cut into 3 intervals")
    assert cut.numbers["x"].maximum == 29.0  # of the finite values
    table = dw.read(io.StringIO("x\n" + "\n".join(map(str, x[:-1]))))
    assert dw.describe(table.discretized()).numbers == {}


def test_dates_are_written_as_dates() -> None:
    days = [datetime.date(2020, 1, k % 5 + 1) for k in range(50)]
    times = [datetime.datetime(2020, 1, k % 3 + 1, 5) for k in range(50)]
    rows = {"day": days, "time": times}
    for text in (str(dw.describe(rows)), repr(dw.read(rows))):
        assert "datetime" not in text.replace("(datetime with", "")
        assert "2020-01-05" in text
        assert "2020-01-03T05:00:00" in text
