"""Commands on rows on disk, and results that were learned from them: the same as from memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from command_line import answer, refusal

DISK = ("--engine", "disk")
pytestmark = pytest.mark.usefixtures("folder")
SEARCH = ("--search", "HillClimb", "-q")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder with rows in two files, others with gaps, and a result that was learned on disk."""
    draw = np.random.default_rng(0)
    rain = draw.random(900) < 0.4
    wet = rain ^ (draw.random(900) < 0.1)
    drops = draw.normal(size=900) + 2 * rain
    rows = pl.DataFrame({"rain": rain, "wet": wet, "drops": drops, "note": ["a", "b", "c"] * 300})
    (tmp_path / "big").mkdir()
    rows[:500].write_parquet(tmp_path / "big" / "0.parquet")
    rows[500:].write_parquet(tmp_path / "big" / "1.parquet")
    rows.write_parquet(tmp_path / "all.parquet")
    rows.with_columns(
        wet=pl.when(pl.col("drops") < 1).then("wet"), drops=pl.when(pl.col("note") == "a").then("drops")
    ).write_parquet(tmp_path / "gaps.parquet")
    monkeypatch.chdir(tmp_path)
    answer("learn", "big/*.parquet", *DISK, "--into", "columns", *SEARCH, "-o", "disk.json")
    answer("learn", "all.parquet", *SEARCH, "-o", "memory.json")


@pytest.mark.parametrize("data", ["columns", "big/*.parquet", "big", "all.parquet"])
def test_a_result_from_disk_is_used_on_any_data(data: str) -> None:
    engine = DISK if data.startswith("big") else ()
    memory = json.loads(answer("score", "all.parquet", "memory.json", "--json"))
    assert json.loads(answer("score", data, "disk.json", *engine, "--json")) == memory
    for result, source in (("memory", "all.parquet"), ("disk", data)):
        own = engine if result == "disk" else ()
        answer("fit", source, f"{result}.json", *own, "-o", f"{result}-network.json")
    assert dw.load("disk-network.json") == dw.load("memory-network.json")
    answer("rerun", "disk.json", data, "-q", "-o", "again.json")
    again, first = dw.Learned.load("again.json"), dw.Learned.load("disk.json")
    assert (again.graph, again.score) == (first.graph, first.score)


def test_the_study_of_a_result_from_disk_reads_other_data() -> None:
    study = dw.Learned.load("disk.json").study
    assert study.reading == {"engine": "disk"}
    for data in ("columns", "all.parquet", "big/*.parquet"):
        found = dw.learn(data, study=study)
        assert found.table is not None and found.table.blocks is not None
    study = dw.learn("columns", search=dw.HillClimb(), score=dw.BDeu()).study
    assert dw.learn("all.parquet", study=study).score == dw.learn("columns", study=study).score


def test_describe_and_report() -> None:
    memory = json.loads(answer("describe", "all.parquet", "--json"))
    for source in (("columns",), ("big", *DISK), ("big/*.parquet", *DISK)):
        found = json.loads(answer("describe", *source, "--json"))
        assert found["distinct_rows"] == memory["distinct_rows"]
        assert [one["distinct"] for one in found["columns"]] == [one["distinct"] for one in memory["columns"]]
    assert "engine disk" in refusal("describe", "big")
    assert "patterns of files are read with --engine disk" in refusal("describe", "big/*.parquet")
    answer("report", "columns", "-q", "--search", "HillClimb", "-o", "report.html")
    assert "900" in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("what", [(), ("-t", "wet"), ("-t", "wet", "-p"), ("-t", "wet", "--join")])
def test_predictions(what: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dagwright.data.blocks.ROWS_AT_ONCE", 200)
    answer("fit", "all.parquet", "memory.json", "-o", "network.json")
    for out in ("rows.csv", "rows.tsv", "rows.parquet"):
        answer("predict", "network.json", "gaps.parquet", *what, "-o", f"memory-{out}")
        answer("predict", "network.json", "gaps.parquet", *what, *DISK, "-o", f"disk-{out}")
        if out == "rows.parquet":
            assert pl.read_parquet(f"disk-{out}").equals(pl.read_parquet(f"memory-{out}"))
        else:
            assert Path(f"disk-{out}").read_bytes() == Path(f"memory-{out}").read_bytes()
    for json_too in ((), ("--json",)):
        shown = [
            answer("predict", "network.json", "gaps.parquet", *what, *own, *json_too) for own in ((), DISK)
        ]
        assert shown[0] == shown[1]


@pytest.mark.parametrize("command", ["learn", "bootstrap", "posterior"])
def test_a_checkpoint_that_cannot_be_written_is_refused_before_rows_are_read(command: str) -> None:
    Path("messy.csv").write_text("a,b\n1,2\n")
    for place, words in (
        ("none/run.dwc", "there is no folder 'none'"),
        ("big", "big is a folder"),
        ("messy.csv", "messy.csv is not a checkpoint"),
    ):
        said = refusal(command, "all.parquet", *DISK, "--into", "other", "--checkpoint", place)
        assert words in said
    assert not Path("other").exists()
