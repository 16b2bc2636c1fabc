"""Sample data are named the same way wherever data are expected."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dagwright as dw


def test_a_sample_is_named_in_every_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asia = dw.read(dw.sample_path("asia"))
    assert dw.read("sample:asia") == asia == dw.read(dw.samples.asia)
    assert dw.describe("sample:asia").n_rows == 5000
    assert asia.encode("sample:asia") == asia
    assert dw.read("sample:titanic", weights="people", engine="python").N == 2201
    assert dw.mutual_information("sample:asia", "lung", "either") > 0
    assert dw.score(dw.Dag.parse("smoke -> lung"), "sample:asia").total < 0


def test_the_list_of_samples() -> None:
    assert dw.samples() == tuple(dw.samples) == ("asia", "berkeley", "titanic")
    assert "titanic" in dir(dw.samples)
    with pytest.raises(AttributeError, match="unknown sample 'asai'; did you mean 'asia'"):
        _ = dw.samples.asai
    with pytest.raises(dw.UnknownNameError, match="unknown sample 'asai'"):
        dw.read("sample:asai")


def test_a_missing_file_leads_to_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(dw.DataError, match=r"no file 'asia\.csv'.*'sample:asia'"):
        dw.learn("asia.csv")


def test_the_command_line_names_samples(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "dagwright", "describe", "sample:asia"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and run.stdout.startswith("5,000 rows, 8 columns")
