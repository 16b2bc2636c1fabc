"""Output to stdout, a line while work takes long, and predictions beside their rows."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import SAMPLE, answer, run

import dagwright as dw
from dagwright.cli import output


@pytest.mark.parametrize(
    ("words", "begin"),
    [
        (("convert", "asia", "-", "--to", "bif"), "network"),
        (("convert", "asia", "-", "--to", "dot"), "digraph"),
        (("draw", "asia", "-o", "-"), "<svg"),
        (("fit", SAMPLE, "smoke -> lung", "-o", "-"), "{"),
        (("report", SAMPLE, "-o", "-", "--replicates", "0", "--rival-seconds", "0", "-q"), "<!doctype html>"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_stdout_needs_no_temporary_file(
    words: tuple[str, ...], begin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a temporary file is made")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert answer(*words).lstrip().lower().startswith(begin)


def test_losses_on_stdout_name_no_file() -> None:
    told = run("--verbose", "convert", "asia", "-", "--to", "dsc").stderr
    assert "/tmp" not in told and "output." not in told


class Status:
    """In place of rich's."""

    shown: list[str]

    def __init__(self, words: str) -> None:
        self.words = words

    def start(self) -> None:
        Status.shown.append(self.words)

    def stop(self) -> None:
        Status.shown.append("stop")


class Terminal:
    is_terminal = True

    def __init__(self, **_: Any) -> None:
        pass

    def status(self, words: str) -> Status:
        return Status(words)


def test_work_that_takes_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "Console", Terminal)
    monkeypatch.setattr(output, "PATIENCE", 0.05)
    Status.shown = []
    with output.working("counting"):
        time.sleep(0.3)
    assert Status.shown == ["counting", "stop"]
    Status.shown = []
    monkeypatch.setattr(output, "PATIENCE", 30.0)
    with output.working("counting"):
        pass
    assert Status.shown == ["stop"]
    Status.shown = []
    with output.working("counting", wanted=False):
        time.sleep(0.01)
    assert Status.shown == []


def test_predictions_stand_beside_their_rows(tmp_path: Path) -> None:
    asia = dw.load("asia")
    rows = {"smoke": ["yes", "no"], "xray": ["yes", None], "note": ["first", "second"]}
    alone = asia.predict({name: rows[name] for name in ("smoke", "xray")}, "lung")
    joined = asia.predict({name: rows[name] for name in ("smoke", "xray")}, "lung", join=True)
    assert joined == {"smoke": ["yes", "no"], "xray": ["yes", None], "lung": alone}
    known = {"smoke": ["yes", "no"], "lung": ["no", "no"]}
    assert list(asia.predict(known, "lung", join=True)) == ["smoke", "lung", "predicted lung"]
    table = dw.read(known)
    assert asia.predict(table, "lung", join=True) == asia.predict(known, "lung", join=True)
    path = tmp_path / "rows.csv"
    path.write_text("smoke,xray\nyes,yes\nno,\n")
    assert asia.predict(path, "lung", join=True) == joined
    with path.open("rb") as stream, pytest.raises(dw.OptionError, match="read once only"):
        asia.predict(stream, "lung", join=True)
