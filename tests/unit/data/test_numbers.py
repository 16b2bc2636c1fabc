"""Columns of numbers in a Table: kept as numbers, cut only where intervals are needed."""

from __future__ import annotations

import copy
import datetime
import math
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dagwright as dw
from dagwright.data import (
    MDLP,
    Continuous,
    Discrete,
    EqualFrequency,
    EqualWidth,
    Hartemink,
    Schema,
    Table,
    read,
)
from dagwright.data.discretize import NetworkMDL, Rule
from dagwright.errors import DataError, MissingValuesError, OptionError, UnknownNameError

HEIGHT = [1.5, math.nan, 1.75, -0.0, 2.25]


def mixed(**facts: object) -> Table:
    return Table(["height", "sex"], [HEIGHT, [0, 1, 255, 0, 1]], [None, ["f", "m"]], **facts)  # type: ignore[arg-type]


def body(n: int = 300, seed: int = 4) -> dict[str, list[object]]:
    random = np.random.default_rng(seed)
    tall = random.normal(size=n)
    heavy = tall + random.normal(size=n)
    sex = np.where(tall + random.normal(size=n) > 0, "m", "f")
    return {"tall": tall.tolist(), "heavy": heavy.tolist(), "sex": sex.tolist()}


def test_a_table_holds_numbers() -> None:
    table = mixed()
    assert table.schema == Schema([Continuous("height"), Discrete("sex", ["f", "m"])])
    assert table.reals("height").dtype == np.float64
    assert not math.copysign(1, table.reals("height")[3]) < 0  # one zero only
    assert table.missing == {"height": 1, "sex": 1}
    assert table.cardinalities == (0, 2) and table.states == ((), ("f", "m"))
    assert table.kinds == {"height": "continuous", "sex": "category"}
    assert table.bins == {} and table.ordered == ("height",)
    assert table.gaps("height").tolist() == [False, True, False, False, False]
    assert table.decode("height") == [1.5, None, 1.75, 0.0, 2.25]
    assert table.to_dict()["sex"] == ["f", "m", None, "f", "m"]
    assert repr(table).splitlines()[:3] == [
        "Table: 5 rows, 2 columns, 2 missing cells",
        "  height  numbers from 0 to 2.25",
        "  sex     2 states: f, m",
    ]


def test_numbers_are_the_tables_own() -> None:
    given = np.array([1.0, 2.0])
    table = Table(["x"], [given], [None])
    given[0] = 7.0
    assert table.reals("x").tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        table.reals("x")[0] = 3.0


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (
            [1.0, math.inf],
            r"column 'x', row 1 \(counted from 0\): inf is not a finite number; make it missing",
        ),
        ([-math.inf], r"row 0 .*: -inf"),
        (["tall"], "numbers must be floats or integers"),
        ([[1.0]], "one-dimensional"),
    ],
)
def test_cells_that_are_no_numbers(cells: list[object], words: str) -> None:
    with pytest.raises(DataError, match=words):
        Table(["x"], [cells], [None])  # type: ignore[list-item]


def test_codes_and_numbers_are_asked_for_by_their_names() -> None:
    table = mixed()
    with pytest.raises(DataError, match=r"column 'height' holds numbers and has no codes; reals\('height'\)"):
        table.codes("height")
    with pytest.raises(DataError, match=r"column 'sex' holds states, not numbers; codes\('sex'\)"):
        table.reals("sex")
    with pytest.raises(DataError, match="holds numbers"):
        _ = table.native
    with pytest.raises(UnknownNameError):
        table.reals("hight")
    with pytest.raises(DataError, match="1 columns for a schema of 2"):
        Table.from_schema(table.schema, [[1.0]])


def test_other_tables_of_the_same_numbers() -> None:
    table = mixed(weights=[1, 2, 3, 4, 5])
    assert table.select(["sex", "height"]).decode("height") == table.decode("height")
    assert table.rename({"height": "h"}).schema["h"] == Continuous("h")
    taken = table.take([4, 0, 0])
    assert taken.decode("height") == [2.25, 1.5, 1.5] and taken.N == 7
    assert table.take(~table.gaps("height")).missing["height"] == 0
    assert table.with_weights(None).N == 5
    dropped = table.complete("drop")
    assert dropped.decode("height") == [1.5, 0.0, 2.25]
    with pytest.raises(MissingValuesError, match="column 'height' holds numbers, so its missing values"):
        table.complete("state")
    assert table.complete("drop").complete("state") == dropped
    assert pickle.loads(pickle.dumps(table)) == table and copy.deepcopy(table) is table


def test_equality_and_fingerprint() -> None:
    table = mixed()
    again = Table.from_schema(table.schema, [np.array(HEIGHT), table.codes("sex")])
    assert again == table and again.fingerprint == table.fingerprint and hash(again) == hash(table)
    other_nan = np.array(HEIGHT)
    other_nan.view(np.uint64)[1] = 0xFFF8000000000001
    assert Table.from_schema(table.schema, [other_nan, table.codes("sex")]).fingerprint == table.fingerprint
    other = table.take([1, 0, 2, 3, 4])
    assert other != table and other.fingerprint != table.fingerprint
    codes = Table(["x"], [[0, 1]], [[0.0, 1.0]])
    reals = Table(["x"], [[0.0, 1.0]], [None])
    dates = Table.from_schema(Schema([Continuous("x", "date")]), [[0.0, 1.0]])
    assert len({codes.fingerprint, reals.fingerprint, dates.fingerprint}) == 3
    assert codes != reals and reals != dates


def test_frames() -> None:
    day = [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(30)]
    time = [
        datetime.datetime(2024, 1, 1, 12, 30, 15, 500_000) + datetime.timedelta(hours=i) for i in range(30)
    ]
    data = {"x": [None, *np.arange(29) / 7], "day": day, "time": time, "k": ["a", "b"] * 15}
    table = read(data)
    assert table.schema.continuous == ("x", "day", "time")
    assert table.decode("day") == day and table.decode("time") == time
    assert read(table.to_polars()) == table
    again = read(table.to_pandas())  # pandas knows no dates, only times
    assert again.select(["x", "time", "k"]) == table.select(["x", "time", "k"])
    assert [time.date() for time in again.decode("day")] == day
    assert table.to_pandas()["x"].dtype == np.float64
    assert table.to_polars().schema["day"] == pl.Date and table.to_polars()["x"].null_count() == 1
    assert isinstance(table.to_pandas(), pd.DataFrame)


def test_new_rows_keep_numbers() -> None:
    table = read(body())
    rows = table.encode({"tall": [0.25, None], "heavy": [1, 2], "sex": ["f", None]})
    assert rows.to_dict() == {"tall": [0.25, None], "heavy": [1.0, 2.0], "sex": ["f", None]}
    assert table.encode({"sex": ["m"]}, absent="missing").missing == {"tall": 1, "heavy": 1, "sex": 0}
    assert table.encode(table) == table
    cut = table.discretized()
    assert cut.encode(table) == cut  # numbers of a Table into the intervals of another
    with pytest.raises(DataError, match="not a finite number"):
        table.encode({"tall": [math.inf], "heavy": [1], "sex": ["f"]})
    with pytest.raises(DataError, match="'tall'"):
        table.encode({"tall": ["high"], "heavy": [1], "sex": ["f"]})


def test_reading_keeps_numbers_and_cutting_is_a_transform() -> None:
    data = body()
    table = read(data)
    assert table.schema.kind == "mixed" and table.notes == ()
    cut = table.discretized()
    assert cut is table.discretized()  # kept, with all that is counted on it
    assert cut == read(data, discretize=EqualFrequency())
    assert cut.schema["tall"].bins == cut.bins["tall"] and cut.schema.kind == "discrete"
    assert cut.discretized() is cut
    assert cut.notes[0] == (
        "column 'tall' is continuous (float with more than 20 distinct values) and was cut into 3 intervals "
        "by EqualFrequency(bins=3)"
    )
    partly = table.discretized({"tall": EqualWidth(4)})
    assert partly.schema.continuous == ("heavy",) and len(partly.states_of("tall")) == 4
    assert partly == read(data, discretize={"tall": EqualWidth(4)})
    assert read(table, discretize=EqualWidth(4)) == table.discretized(EqualWidth(4))
    assert table.with_memo(7.0).discretized()._memo_mib == 7.0


@pytest.mark.parametrize(
    "rule", [Hartemink(initial=20), MDLP("sex"), NetworkMDL(), NetworkMDL("tall -> heavy; sex")]
)
def test_joint_rules_start_from_numbers(rule: Rule) -> None:
    data = body()
    assert read(data).discretized(rule) == read(data, discretize=rule)
    assert read(data).discretized({"tall": rule}).schema.continuous == ("heavy",)
    one = read(data, discretize={"tall": rule}).discretized()
    assert one.bins["heavy"] == read(data).discretized().bins["heavy"]


def test_rules_that_do_not_fit() -> None:
    table = read(body())
    with pytest.raises(OptionError, match="column 'sex' holds states, not numbers, and cannot be cut"):
        table.discretized({"sex": EqualWidth(2)})
    with pytest.raises(UnknownNameError, match="unknown column 'tal'"):
        table.discretized({"tal": EqualWidth(2)})
    with pytest.raises(OptionError, match="a rule such as"):
        table.discretized(3)  # type: ignore[arg-type]


def test_the_order_of_columns_follows_from_the_data() -> None:
    table = read(body())
    turned = table.select(["sex", "heavy", "tall"]).take(np.arange(table.n_rows)[::-1])
    assert table.canonical().table.names == turned.canonical().table.names
    assert table.canonical().table.schema.kind == "mixed"


def test_every_door_takes_numbers_and_says_that_they_were_cut(tmp_path: Path) -> None:
    data = body()
    table, cut = read(data), read(data).discretized()
    found, *others = (dw.learn(rows, score=dw.BDeu()) for rows in (table, data, cut))
    assert {(one.graph, one.score) for one in others} == {(found.graph, found.score)}
    assert set(cut.notes) <= set(found.assumptions)
    assert found.table == cut
    dag = dw.Dag.parse("tall -> heavy; sex")
    for score in (dw.QNML(), dw.BDeu(ess=3)):
        assert score.on(table).total(dag) == score.on(cut).total(dag)
    by_counts = [dw.independence_test(rows, "tall", "sex", test=dw.GSquare()) for rows in (table, cut)]
    assert by_counts[0] == by_counts[1]
    assert dw.mutual_information(table, "tall", "sex") == dw.mutual_information(cut, "tall", "sex")
    assert dw.fit(dag, table).continuous == ("tall", "heavy")  # fit keeps numbers
    network = dw.fit(dag, cut)
    assert network.predict(table, "sex") == network.predict(cut, "sex") == network.predict(data, "sex")
    assert network.log_likelihood(table) == network.log_likelihood(cut)
    found.save(tmp_path / "found.json")
    again = dw.load(tmp_path / "found.json")
    assert again.network(table) == found.network()
    judged = [dw.cross_validate(rows, {"BDeu": {"score": dw.BDeu()}}, folds=3) for rows in (table, cut)]
    assert judged[0].folds == judged[1].folds
