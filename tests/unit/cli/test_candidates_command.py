"""Score files from the command line, and the networks that they make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal, run


def test_a_score_file_is_written_and_solved(tmp_path: Path) -> None:
    path = tmp_path / "scores.jkl"
    done = run("candidates", SAMPLE, "--score", "BDeu(ess=2)", "-o", str(path))
    assert done.exit_code == 0
    assert "lung, tub" in done.stdout
    assert f"saved as {path}" in done.stdout
    assert "the file does not say that its numbers are BDeu" in done.stderr
    best = dw.learn(SAMPLE, score=dw.BDeu(2), search=dw.Exact())
    for way in ("auto", "dp", "astar"):
        found = json.loads(answer("solve", str(path), "--method", way, "--json"))
        assert found["optimal"]
        assert found["gap"] == 0.0
        assert found["score"] == pytest.approx(best.score)
    assert "proven best" in answer("solve", str(path))


def test_sets_that_are_not_all_say_so(tmp_path: Path) -> None:
    path = tmp_path / "scores.jkl"
    document = json.loads(answer("candidates", SAMPLE, "--time-limit", "0", "-o", str(path), "--json"))
    assert document["stopped"] == "deadline"
    assert any("parent sets are missing" in loss for loss in document["losses"])
    bounded = json.loads(answer("candidates", SAMPLE, "--max-parents", "1", "-o", str(path), "--json"))
    assert any("more than 1 were left out" in loss for loss in bounded["losses"])


def test_what_cannot_be_solved_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal("solve", str(tmp_path / "nowhere.jkl"))
    assert "is a folder" in refusal("solve", str(tmp_path))
    wrong = tmp_path / "wrong.jkl"
    wrong.write_text("1\na 1\nmuch 0\n", encoding="utf-8")
    assert "line 3: the score must be a number" in refusal("solve", str(wrong))
