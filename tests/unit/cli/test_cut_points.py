"""Cut points and reading options travel with results and networks, so new rows meet the same states."""

from __future__ import annotations

import csv
import datetime
import io
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import answer, refusal, run

import dagwright as dw
from dagwright.data import Bins

N = 300


def people(seed: int, rows: int = N) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    height = rng.normal(170, 10, rows).round(1)
    weight = (height - 100 + rng.normal(0, 6, rows)).round(1)
    sport = np.where(height + rng.normal(0, 8, rows) > 172, "basket", "judo")
    return {"Height": height.tolist(), "Weight": weight.tolist(), "sport": sport.tolist()}


def write(path: Path, data: dict[str, list[Any]], separator: str = ",") -> str:
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=separator).writerows([list(data), *zip(*data.values(), strict=True)])
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str, str]:
    data, new = write(tmp_path / "data.csv", people(1)), write(tmp_path / "new.csv", people(2, 7))
    model, network = str(tmp_path / "model.json"), str(tmp_path / "network.json")
    run("learn", data, "-q", "-o", model, "--discretize", "EqualWidth(bins=5)")
    assert run("fit", data, model, "-o", network).exit_code == 0
    return data, new, model, network


def test_fit_uses_the_cuts_of_the_result(files: tuple[str, str, str, str]) -> None:
    data, _, model, network = files
    learned = dw.Learned.load(model)
    fitted = dw.load(network)
    assert learned.template is not None
    cuts = dw.read(data, discretize=dw.EqualWidth(bins=5)).bins
    assert learned.template.bins == cuts
    assert {node: origin.bins for node, origin in fitted.origins.items()} == cuts
    assert learned.network(data) == learned.network(people(1))
    assert learned.network(data).states("Height") == fitted.states("Height")
    scored = json.loads(answer("score", data, model, "--json"))
    assert scored["total"] == pytest.approx(learned.score)
    own = run("fit", data, model, "-o", network, "--discretize", "EqualWidth(bins=2)")
    assert own.exit_code == 0 and dw.load(network).cardinality("Height") == 2


def test_predict_uses_the_cuts_of_the_network(files: tuple[str, str, str, str]) -> None:
    _, new, _, network = files
    known = dw.load(network)
    expected = known.predict(people(2, 7), "sport")
    printed = answer("predict", network, new, "--target", "sport").split()
    assert printed == ["sport", *map(str, expected)]
    filled = list(csv.DictReader(io.StringIO(answer("predict", network, new))))
    assert filled[0]["Height"] in known.states("Height")
    other = write(Path(new).with_name("semicolon.csv"), people(2, 7), ";")
    assert answer("predict", network, other, "-t", "sport", "--separator", ";").split() == printed


def test_a_number_as_evidence_is_the_interval_that_holds_it(files: tuple[str, str, str, str]) -> None:
    *_, network = files
    known = dw.load(network)
    interval = known.states("Height")[known.code("Height", 180)]
    by_name = known.query("sport", {"Height": interval})
    assert dict(known.query("sport", {"Height": 180})) == dict(by_name)
    assert dict(known.query("sport", {"Height": np.float64(180)})) == dict(by_name)
    printed = answer("query", network, "sport", "-e", "Height=180", "--json")
    assert json.loads(printed)["sport"]["probabilities"] == pytest.approx(dict(by_name))
    assert "unknown state" in refusal("query", network, "sport", "-e", "Height=tall")
    assert run("query", network, "sport", "--do", "Height=180").exit_code == 0


def test_dates_find_their_interval() -> None:
    bins = Bins((19_000.0, 19_500.0), "date")
    assert bins.position(datetime.date(1970, 1, 1)) == 0
    assert bins.position(datetime.date(1970, 1, 1) + datetime.timedelta(19_001)) == 1
    assert bins.position(datetime.datetime(2024, 1, 1, 12)) == 2
    assert bins.position(19_001) is None and Bins((1.0,)).position(True) is None
    assert bins.value("2024-02-30") is None
    times = Bins((1e9,), "datetime")
    assert times.position(times.value("2024-02-28 12:00")) == 1


def test_results_keep_how_their_data_were_read(tmp_path: Path) -> None:
    data = people(1)
    data["Height"][::10] = ["-9"] * len(data["Height"][::10])
    data["n"] = [2] * N
    path = write(tmp_path / "data.csv", data, ";")
    how: dict[str, Any] = {"separator": ";", "missing_values": ["-9"], "weights": "n"}
    table = dw.read(path, **how)
    assert table.reading == how
    found = dw.learn(table, missing="drop")
    found.save(tmp_path / "model.json")
    loaded = dw.Learned.load(tmp_path / "model.json")
    assert loaded.template is not None and loaded.template.reading == how
    assert loaded.template.names == found.graph.nodes
    assert pickle.loads(pickle.dumps(found)).template == loaded.template
    network = loaded.network(path, parameter_prior=None, missing="drop")
    assert network == found.network(parameter_prior=None)
    assert np.sum(network.counts("sport")) == 2 * (N - 30)  # type: ignore[arg-type]
    network.save(tmp_path / "network.json")
    again = dw.load(tmp_path / "network.json")
    rows = io.StringIO("Height,Weight,sport\n-9,70,judo\n")
    assert again.encode(rows).missing["Height"] == 1


def test_the_report_repeats_the_reading_options(tmp_path: Path) -> None:
    path = write(tmp_path / "data.csv", people(1), ";")
    how: dict[str, Any] = {"separator": ";", "discretize": dw.EqualWidth(bins=4), "exclude": ["Weight"]}
    page = dw.report(path, replicates=0, rival_seconds=0, **how)
    assert "separator=';'" in page.code and "discretize=dw.EqualWidth(bins=4)" in page.code
    again = eval(page.code.splitlines()[-1].removesuffix(".save('report.html')"), {"dw": dw})
    assert again.found.template == page.found.template and again.dag == page.dag
