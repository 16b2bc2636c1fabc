"""`dagwright rerun`: the request of a saved result, once more."""

from __future__ import annotations

import json
from pathlib import Path

import dagwright as dw
from command_line import answer, refusal

ROWS = "a,b,c\n" + "x,y,0\nx,z,1\nq,z,0\nq,z,1\nx,y,1\n" * 20


def saved(folder: Path) -> tuple[Path, Path]:
    data, model = folder / "rows.csv", folder / "model.json"
    data.write_text(ROWS, encoding="utf-8")
    answer("learn", str(data), "--search", "HillClimb", "--score", "BDeu(ess=3)", "-o", str(model))
    return data, model


def test_the_same_data_give_the_same_answer(tmp_path: Path) -> None:
    data, model = saved(tmp_path)
    assert "The same data give the same answer" in answer("rerun", str(model))
    again = json.loads(answer("rerun", str(model), str(data), "--json"))
    assert again["score"] == dw.Learned.load(model).score
    assert again["study"]["score"] == "BDeu(ess=3)"


def test_other_data_are_said(tmp_path: Path) -> None:
    data, model = saved(tmp_path)
    data.write_text(ROWS + "x,y,0\n", encoding="utf-8")
    assert "not the data of the saved result" in answer("rerun", str(model))


def test_a_result_that_does_not_know_its_file(tmp_path: Path) -> None:
    dw.learn({"a": [0, 1] * 20, "b": [0, 1] * 20}).save(tmp_path / "model.json")
    assert "name the data after it" in refusal("rerun", str(tmp_path / "model.json"))
