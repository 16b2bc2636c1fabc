"""Dates and times in networks: nodes, evidence, answers, predictions and files show and take them."""

from __future__ import annotations

import datetime
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import dagwright as dw
from dagwright.cli.app import app
from dagwright.data.schema import Continuous

DAY = datetime.date(2021, 3, 4)
SECOND_SCALE = {"date": 1.0, "datetime": 86400.0}


def rows(scale: str) -> dict[str, list[Any]]:
    rng = np.random.default_rng(3)
    visit = rng.integers(18_000, 19_000, 400)
    weight = 0.01 * (visit - 18_500) + rng.normal(size=400)
    dates = visit.astype("datetime64[D]")
    moments = dates if scale == "date" else dates.astype("datetime64[s]")
    return {"visit": moments.tolist(), "weight": weight.tolist()}


def fitted(scale: str = "date") -> dw.BayesianNetwork:
    return dw.fit("visit -> weight", rows(scale))


def test_a_scale_stands_in_the_origin_of_its_column() -> None:
    visit = Continuous("visit", "date")
    assert visit.origin.scale == visit.scale == "date"
    assert repr(visit) == "Continuous(name='visit', scale='date')"
    assert Continuous("visit", origin=visit.origin) == visit != Continuous("visit")
    with pytest.raises(dw.OptionError, match="'date'"):
        Continuous("visit", "days")  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", ["date", "datetime"])
def test_a_network_knows_the_scale_of_its_nodes(scale: str, tmp_path: Path) -> None:
    network = fitted(scale)
    assert network.scale("visit") == scale
    assert network.scale("weight") == "number"
    path = tmp_path / "network.json"
    dw.save(network, path)
    entry = next(node for node in json.loads(path.read_text())["nodes"] if node["name"] == "visit")
    assert entry["scale"] == scale
    for again in (dw.load(path), pickle.loads(pickle.dumps(network)), network.renamed({"visit": "day"})):
        assert [again.scale(node) for node in again.nodes if again.scale(node) != "number"] == [scale]
    drawn = network.sample(5, random_state=1)
    assert drawn.schema["visit"].scale == scale
    assert all(isinstance(value, datetime.date) for value in drawn.to_dict()["visit"])


def test_em_keeps_the_scale() -> None:
    holes = rows("date")
    holes["weight"][::7] = [None] * len(holes["weight"][::7])
    network = dw.EM().fit("visit -> weight", holes).network
    assert network.scale("visit") == "date"
    again = network.template.encode({"visit": ["2021-03-04"]}, absent="missing")
    assert again.decode("visit") == [DAY]
    assert dw.EM().fit(network.graph, holes, start=network).network.scale("visit") == "date"


def test_a_wrong_scale_in_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    dw.save(fitted(), path)
    path.write_text(path.read_text().replace('"scale": "date"', '"scale": "weeks"'))
    with pytest.raises(dw.FormatError, match="weeks"):
        dw.load(path)


@pytest.mark.parametrize("scale", ["date", "datetime"])
def test_evidence_takes_dates(scale: str) -> None:
    network = fitted(scale)
    number = (DAY - datetime.date(1970, 1, 1)).days * SECOND_SCALE[scale]
    expected = network.query("weight", {"visit": number}).mean
    moment = datetime.datetime(2021, 3, 4)
    for given in (
        DAY,
        moment,
        "2021-03-04",
        np.datetime64("2021-03-04"),
        np.datetime64("2021-03-04T00:00:00"),
    ):
        assert network.query("weight", {"visit": given}).mean == expected
    assert "visit=2021-03-04" in str(network.query("weight", {"visit": DAY}))
    with pytest.raises(dw.DataError, match=r"takes a date.* like 2024-02-29"):
        network.query("weight", {"visit": "soon"})
    done = network.do({"visit": DAY})
    assert done.query("weight").mean == pytest.approx(expected)


def test_answers_show_dates() -> None:
    network = fitted()
    found = network.query("visit", {"weight": 0.0})
    assert str(found).splitlines()[1] == f"  mean  {found.shown(found.mean)}"
    assert datetime.date.fromisoformat(found.shown(found.mean)).year == 2020
    assert str(found).splitlines()[2].endswith(" days")
    assert pickle.loads(pickle.dumps(found)).scale == "date"
    assert found.cdf(datetime.date(2100, 1, 1)) == 1.0
    assert found.density([DAY, DAY])[0] == found.density(18690)
    best = network.mpe({"weight": 0.0})
    assert best["visit"] == datetime.date.fromisoformat(found.shown(found.mean))
    predicted = network.predict({"weight": [0.0]}, "visit")
    assert predicted == [best["visit"]]
    sampled = network.query(
        "visit", {"weight": 0.0}, method=dw.LikelihoodWeighting(samples=200, random_state=1)
    )
    assert sampled.scale == "date"


def test_a_joint_shows_dates() -> None:
    found = fitted().joint(["visit", "weight"])
    assert "2020-" in str(pickle.loads(pickle.dumps(found))).splitlines()[2]


def test_rows_to_complete_may_hold_dates() -> None:
    network = fitted()
    completed = network.impute({"visit": [DAY, None], "weight": [None, 1.0]})
    assert completed.to_dict()["visit"][0] == DAY
    assert isinstance(completed.to_dict()["visit"][1], datetime.date)


def test_the_command_line_shows_and_takes_dates(tmp_path: Path) -> None:
    path = str(tmp_path / "network.json")
    dw.save(fitted(), path)

    def printed(*arguments: str) -> str:
        found = CliRunner().invoke(app, ["query", path, *arguments])
        assert found.exit_code == 0, found.output
        return found.output

    answer = json.loads(printed("visit", "-e", "weight=0", "--json"))["visit"]
    low, high = map(datetime.date.fromisoformat, answer["interval"])
    assert low < datetime.date.fromisoformat(answer["mean"]) < high
    assert answer["mean"] in printed("visit", "-e", "weight=0")
    assert "weight" in printed("weight", "-e", "visit=2021-03-04")
    assert "2021-03-04" in printed("-e", "visit=2021-03-04", "--explain")
