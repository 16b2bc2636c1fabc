"""Laws of reading: values survive, and the order of rows and columns decides nothing."""

from __future__ import annotations

import csv
import datetime
import io
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dagwright.data import CutPoints, EqualFrequency, EqualWidth, KMeans1D, Table, read
from dagwright.data.discretize import Rule
from dagwright.data.states import MISSING_MARKERS, state_key

# Every character that UTF-8 can carry; csv readers agree on all but NUL and bare carriage returns.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8)
scalars = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    texts,
    st.dates(),
    st.tuples(st.integers(), texts),
    st.none(),
)
text_columns = st.lists(st.one_of(texts, st.none()), min_size=1, max_size=12)
number_lists = st.lists(st.floats(allow_nan=False), min_size=1, max_size=40)
rules = st.one_of(
    st.builds(EqualFrequency, st.integers(1, 6)),
    st.builds(EqualWidth, st.integers(1, 6)),
    st.builds(KMeans1D, st.integers(1, 6)),
    st.just(CutPoints([-1.0, 0.0, 2.5])),
)


def same(a: list[Any], b: list[Any]) -> bool:
    return [None if v is None else state_key(v) for v in a] == [
        None if v is None else state_key(v) for v in b
    ]


@given(st.lists(scalars, min_size=1, max_size=12))
def test_any_value_survives_from_python_and_pandas(values: list[Any]) -> None:
    assume(any(value is not None for value in values))
    as_category = {"v": "category"}
    expected = [0.0 if isinstance(value, float) and value == 0 else value for value in values]
    for source in (
        {"v": values},
        [{"v": v} for v in values],
        pd.DataFrame({"v": pd.Series(values, dtype=object)}),
    ):
        table = read(source, kinds=as_category)
        decoded = [0.0 if isinstance(value, float) and value == 0 else value for value in table.decode("v")]
        assert same(decoded, expected)
        assert table.encode({"v": table.decode("v")}) == table


@given(text_columns)
def test_any_text_survives_from_frames(values: list[str | None]) -> None:
    assume(any(value is not None for value in values))
    frames = [
        pd.DataFrame({"v": pd.Series(values, dtype="str")}),
        pd.DataFrame({"v": pd.Series(values, dtype=object)}),
        pd.DataFrame({"v": pd.Categorical(values, categories=sorted({v for v in values if v is not None}))}),
        pl.DataFrame({"v": pl.Series(values, dtype=pl.String)}),
        pl.DataFrame({"v": pl.Series(values, dtype=pl.Categorical)}),
        pa.table({"v": pa.array(values, pa.string())}),
        pa.table({"v": pa.array(values, pa.string()).dictionary_encode()}),
    ]
    tables = [read(frame) for frame in frames]
    for table in tables:
        assert table.decode("v") == values
    assert len({frozenset(map(state_key, table.states_of("v"))) for table in tables}) == 1
    assert read(tables[0].to_polars()) == tables[0]


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=10))
def test_any_text_survives_from_csv(rows: list[tuple[str, str]]) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("first", "second"), *rows])
    content = stream.getvalue()
    expected = [
        [None if cell.strip() in MISSING_MARKERS else cell for cell in column]
        for column in zip(*rows, strict=True)
    ]
    assume(all(any(cell is not None for cell in column) for column in expected))
    tables = []
    for engine in ("polars", "python"):
        table = read(
            io.StringIO(content),
            engine=engine,
            separator=",",
            kinds=dict.fromkeys(("first", "second"), "category"),
        )
        for name, column in zip(table.names, expected, strict=True):
            assert [None if cell is None else str(cell) for cell in table.decode(name)] == column
        tables.append(table)
    assert tables[0] == tables[1]


@given(st.data(), st.lists(st.tuples(scalars, texts, st.floats()), min_size=1, max_size=15))
def test_order_of_rows_and_columns_decides_nothing(
    data: st.DataObject, rows: list[tuple[Any, str, float]]
) -> None:
    names = ("a", "b", "c")
    kinds = {"a": "category", "c": "continuous"}
    assume(any(row[0] is not None for row in rows))
    assume(any(not np.isnan(row[2]) for row in rows))
    cut = data.draw(st.booleans()) or any(np.isinf(row[2]) for row in rows)  # infinities only in intervals
    rule = EqualFrequency() if cut else None
    source = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    table = read(source, kinds=kinds, discretize=rule)
    assert table.schema["c"].is_discrete == cut
    order = data.draw(st.permutations(range(len(rows))))
    columns = data.draw(st.permutations(names))
    shuffled = {name: [rows[i][names.index(name)] for i in order] for name in columns}
    again = read(shuffled, kinds=kinds, discretize=rule)
    assert again.names == tuple(columns)
    assert again.select(names) == table.take(order)


@given(number_lists, rules, st.booleans())
def test_bins_cover_their_values(values: list[float], rule: Rule, weighted: bool) -> None:
    column = np.array(values)
    weights = np.arange(1.0, len(values) + 1) if weighted else None
    table = read({"x": column}, kinds={"x": "continuous"}, discretize=rule, weights=weights)
    bins = table.bins["x"]
    limits = (-np.inf, *bins.cuts, np.inf)
    for value, code in zip(values, table.codes("x").tolist(), strict=True):
        assert limits[code] < value <= limits[code + 1] or (code == 0 and value == -np.inf)
    assert len(set(bins.labels)) == len(bins.labels) == len(bins.cuts) + 1
    assert table.encode({"x": column}).decode("x") == table.decode("x")
    if isinstance(rule, EqualFrequency) and -sys.float_info.max not in values:  # nothing finite lies below it
        assert len(set(table.codes("x").tolist())) == len(bins.labels)


@given(st.lists(st.floats(0.01, 1.0), min_size=6, max_size=6), st.floats(0.5, 1e6))
def test_a_distribution_is_its_own_weights(cells: list[float], size: float) -> None:
    joint = np.array(cells).reshape(2, 3) / sum(cells)
    table = Table.from_distribution(joint, ["a", "b"], sample_size=size)
    assert table.weights is not None
    back = np.zeros((2, 3))
    back[table.codes("a"), table.codes("b")] = table.weights / table.N
    np.testing.assert_allclose(back, joint, rtol=1e-12)


@given(st.lists(st.dates(datetime.date(1600, 1, 1)), min_size=1, max_size=30))
def test_dates_fall_between_the_dates_in_the_names(days: list[datetime.date]) -> None:
    table = read({"d": days}, kinds={"d": "continuous"}, discretize=EqualFrequency(3))
    first = table.states_of("d")[0]
    if first != "any":
        limit = datetime.date.fromisoformat(str(first).removeprefix("<="))
        assert [code == 0 for code in table.codes("d").tolist()] == [day <= limit for day in days]
