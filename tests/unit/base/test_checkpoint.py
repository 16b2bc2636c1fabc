"""The file in which long runs keep their state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dagwright.base.checkpoint import Checkpoint
from dagwright.errors import FormatError, OptionError

IDENTITY = {"data": "abc", "seed": "1"}


def saved(path: Path) -> Path:
    Checkpoint("chains", IDENTITY, {"done": 3}, {"seen": np.arange(6).reshape(2, 3)}).save(path)
    return path


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    found = Checkpoint.load(saved(tmp_path / "run"), "chains", IDENTITY)
    assert found.state == {"done": 3}
    assert found.arrays["seen"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert list(tmp_path.iterdir()) == [tmp_path / "run"]


def test_another_run_is_refused_by_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "run"
    first = {**IDENTITY, "start": None, "names": ["a", "b"], "whole": True, "settings": "Own(data=<abc>)"}
    Checkpoint("chains", first, {}).save(path)
    for changes, words in (
        ({"data": "xyz"}, "its data differ"),
        ({"seed": "(2, ())"}, "its seed differs"),
        ({"start": "a -> b", "settings": "Own(data=<xyz>)"}, "its start is none, not a -> b"),
        ({"start": "a -> b" * 50}, "its start differs"),
        ({"names": []}, "its names is a, b, not empty"),
        ({"whole": False, "data": "x"}, "its data differ, its whole is yes, not no"),
        ({"settings": "Own(data=<xyz>)"}, "its settings differ"),
    ):
        with pytest.raises(OptionError, match=f"belongs to another run: {words}; give another file"):
            Checkpoint.load(path, "chains", first | changes)


def test_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="another kind"):
        Checkpoint.load(saved(tmp_path / "run"), "replicates", IDENTITY)


@pytest.mark.parametrize("content", [b"", b"{}", b"PK\x03\x04 and so on"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="not a checkpoint"):
        Checkpoint.load(path, "chains", IDENTITY)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "run")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FormatError, match="not a checkpoint"):
        Checkpoint.load(path, "chains", IDENTITY)
