"""States with an order: where they come from, and what keeps the order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import dagwright as dw
from dagwright.cli.app import app
from dagwright.errors import OptionError, UnknownNameError
from dagwright.show.bars import node_contents
from dagwright.show.charts import state_row_bars
from dagwright.show.state_runs import group_label, state_groups

ROWS = {
    "grade": ["low", "high", "medium", "low"] * 10,
    "sex": ["f", "m"] * 20,
    "count": [0, 1, 2, 3] * 10,
    "size": [float(i) + 0.5 for i in range(40)],
}
STATES = {"grade": ["low", "medium", "high"]}


def test_what_has_an_order() -> None:
    assert dw.read(ROWS).ordered == ("count", "size")
    assert dw.read(ROWS, states=STATES).ordered == ("count", "size")
    table = dw.read(ROWS, states=STATES, ordered=["grade"])
    assert table.ordered == ("grade", "count", "size")
    assert table.select(["sex", "grade"]).ordered == ("grade",)
    assert dw.read(ROWS, rare={"count": 11}).ordered == ("size",)


def test_grouping_rare_values_of_an_ordered_category_is_said() -> None:
    grade = pd.Categorical(
        ["low", "high"] * 10 + ["medium", "top"], categories=["low", "medium", "high", "top"], ordered=True
    )
    table = dw.read(pd.DataFrame({"grade": grade}), rare=2)
    assert table.ordered == ()
    assert any("'grade': no order of states, since 'other' has no place" in note for note in table.notes)


def test_orders_that_nobody_declared_are_refused() -> None:
    with pytest.raises(OptionError, match=r"'grade' holds text.*states=\{'grade': \[lowest"):
        dw.read(ROWS, ordered=["grade"])
    with pytest.raises(UnknownNameError, match="grad"):
        dw.read(ROWS, ordered=["grad"])
    with pytest.raises(OptionError, match="both category and continuous"):
        dw.read(ROWS, ordered=["size"], discretize={"size": dw.EqualWidth()})
    with pytest.raises(OptionError, match="coded already"):
        dw.read(dw.read(ROWS), ordered=["count"])


def test_ordered_categoricals_of_pandas_there_and_back() -> None:
    grade = pd.Categorical(ROWS["grade"], categories=STATES["grade"], ordered=True)
    frame = pd.DataFrame({"grade": grade, "sex": pd.Categorical(ROWS["sex"])})
    table = dw.read(frame)
    assert table.ordered == ("grade",)
    back = table.to_pandas()
    assert back["grade"].dtype.ordered
    assert not back["sex"].dtype.ordered
    assert dw.read(back) == table
    assert dw.read(ROWS).discretized().to_pandas()["size"].dtype.ordered


def test_the_mark_is_saved_with_a_network(tmp_path: object) -> None:
    table = dw.read(ROWS, states=STATES, ordered=["grade"])
    network = dw.fit(dw.Dag.parse("grade -> count; sex; size"), table)
    path = f"{tmp_path}/net.json"
    dw.save(network, path)
    again = dw.load(path)
    assert again.origins["grade"].ordered
    assert "sex" not in again.origins or not again.origins["sex"].ordered


def test_many_states_are_joined_to_neighbors_only_where_there_is_an_order() -> None:
    shares = [0.3, 0.02, 0.05, 0.3, 0.01, 0.32]
    assert state_groups(shares, 4, ordered=True) == [range(1), range(1, 3), range(3, 5), range(5, 6)]
    assert state_groups(shares, 4, ordered=False) == [range(1), range(3, 4), range(5, 6), [1, 2, 4]]
    assert state_groups(shares, 6, ordered=True) == [range(k, k + 1) for k in range(6)]
    assert [group_label("abcdef", g) for g in (range(1), range(1, 3), [1, 2, 4])] == [
        "a",
        "b to c",
        "3 others",
    ]


def test_pictures_keep_the_order() -> None:
    rng = np.random.default_rng(0)
    level = [f"step {k}" for k in rng.binomial(19, 0.5, 500)]
    steps = [f"step {k}" for k in range(20)]
    nominal = dw.read({"level": level}, states={"level": steps})
    ordered = dw.read({"level": level}, states={"level": steps}, ordered=["level"])
    assert state_row_bars(nominal, "level")[-1].name.endswith("others")
    names = [bar.name for bar in state_row_bars(ordered, "level")]
    assert names[0].startswith("step 0 to ")
    assert names[-1].endswith(" to step 19")
    assert sum(bar.share for bar in state_row_bars(ordered, "level")) == pytest.approx(1.0)
    bars = node_contents(dw.fit(dw.Dag(["level"]), ordered), ["level"], None)["level"]
    assert isinstance(bars, tuple)
    assert len(bars) == 12
    assert bars[0].label.startswith("step 0 to ")
    assert bars[0].number is None
    assert sum(bar.share for bar in bars) == pytest.approx(1.0)


def test_the_command_line(tmp_path: object) -> None:
    path = f"{tmp_path}/rows.csv"
    pd.DataFrame(ROWS).to_csv(path, index=False)
    said = ["describe", path, "--states", "grade=low,medium,high", "--ordered", "grade"]
    assert CliRunner().invoke(app, said).exit_code == 0
    refused = CliRunner().invoke(app, ["describe", path, "--ordered", "grade"])
    assert refused.exit_code == 1
