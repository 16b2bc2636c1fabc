"""A run of learn that ended early goes on from its checkpoint to the answer of an uninterrupted run."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.base.checkpoint import Checkpoint
from dagwright.errors import DataError, FormatError, OptionError
from dagwright.learning import checkpointing

ASIA = dw.load("asia").sample(600, random_state=3)
chance = random.Random(5)


def mixed() -> dw.Table:
    draw = np.random.default_rng(4)
    a = draw.integers(0, 2, 300)
    x = draw.normal(size=300) + a
    return dw.read({"a": a, "x": x, "y": x + draw.normal(size=300), "z": draw.normal(size=300)})


def set_rows() -> dw.Table:
    mask = np.arange(600) % 3 == 0
    return ASIA.with_interventions({"smoke": mask})


def answer(found: dw.Learned) -> tuple[Any, ...]:
    return found.graph, found.score, found.evaluations, found.trace, found.separations, found.notes


RUNS: dict[str, tuple[Callable[[], dw.Table], dict[str, Any]]] = {
    "hill climbing": (lambda: ASIA, {"search": dw.HillClimb(), "score": dw.BDeu()}),
    "tabu": (lambda: ASIA, {"search": dw.Tabu(), "score": dw.BIC()}),
    "GES": (lambda: ASIA, {"search": dw.GES()}),
    "PC": (lambda: ASIA, {"search": dw.PC()}),
    "orders": (lambda: ASIA, {"search": dw.OrderSearch(), "random_state": 2}),
    "default": (lambda: ASIA, {}),
    "K2": (lambda: ASIA, {"search": dw.HillClimb(), "score": dw.K2Score()}),
    "numbers": (lambda: mixed().select("xyz"), {"search": dw.HillClimb(), "score": dw.BGe()}),
    "mixed": (
        mixed,
        {"search": dw.HillClimb(), "score": dw.BIC(measure=dw.ConditionalGaussian())},
    ),
    "mixed PC": (mixed, {"search": dw.PC()}),
    "experiments": (set_rows, {"search": dw.HillClimb(), "score": dw.BIC()}),
}


@pytest.mark.parametrize("run", RUNS)
def test_the_answer_is_that_of_a_run_without_checkpoint(run: str, tmp_path: Path) -> None:
    data, options = RUNS[run]
    expected = answer(dw.learn(data(), **options))
    path = tmp_path / "run.dwc"
    for _ in range(2):
        assert answer(dw.learn(data(), checkpoint=path, **options)) == expected


def counted(table: dw.Table, monkeypatch: pytest.MonkeyPatch, path: Path, **options: Any) -> int:
    """The sets that engines of a run count, beyond those in its checkpoint."""
    engines: list[Any] = []
    adopt = checkpointing.EvidenceMemory.adopt

    def listed(self: Any, what: str, names: Any, engine: Any) -> Any:
        engines.append(adopt(self, what, names, engine))
        return engines[-1]

    with monkeypatch.context() as patch:
        patch.setattr(checkpointing.EvidenceMemory, "adopt", listed)
        dw.learn(table, checkpoint=path, **options)
    assert engines
    return sum(
        one.statistics().counted if isinstance(one, _core.CellSums) else one.statistics().computed
        for one in engines
    )


@pytest.mark.parametrize("run", ["hill climbing", "GES", "PC", "numbers", "mixed", "experiments"])
def test_a_second_run_counts_nothing(run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, options = RUNS[run]
    assert counted(data(), monkeypatch, tmp_path / "run", **options) > 5
    assert counted(data(), monkeypatch, tmp_path / "run", **options) == 0


def test_part_of_the_evidence_is_enough_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, options = RUNS["hill climbing"]
    path = tmp_path / "run"
    whole = counted(data(), monkeypatch, path, **options)
    parts = checkpointing._memos(Checkpoint.load(path, "evidence", {}))
    entries = max(len(arrays["values"]) for arrays in parts.values())
    change(path, lambda arrays: half_of(arrays, entries // 2))
    assert 0 < counted(data(), monkeypatch, path, **options) < whole
    assert answer(dw.learn(data(), checkpoint=path, **options)) == answer(dw.learn(data(), **options))


def half_of(arrays: dict[str, Any], keep: int) -> None:
    """Only the first entries of each engine."""
    for at in {name.partition(".")[0] for name in arrays}:
        sizes = arrays[f"{at}.sizes"][:keep]
        arrays[f"{at}.members"] = arrays[f"{at}.members"][: int(sizes.sum())]
        for name in ("sizes", "kinds", "parameters", "rows", "values"):
            arrays[f"{at}.{name}"] = arrays[f"{at}.{name}"][:keep]


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run"
    options: dict[str, Any] = {"search": dw.HillClimb(), "score": dw.BIC(), "checkpoint": path}

    def stop(event: dw.Event) -> None:
        if event.done >= 3:
            token.cancel()

    token = dw.CancelToken()
    dw.learn(ASIA, progress=stop, cancel=token, **options)
    assert path.exists()
    assert answer(dw.learn(ASIA, **options)) == answer(dw.learn(ASIA, search=dw.HillClimb(), score=dw.BIC()))


def test_an_error_in_the_middle_leaves_what_was_counted(tmp_path: Path) -> None:
    class Rows:
        """A source that fails at a batch."""

        def __init__(self, table: dw.Table, good: int) -> None:
            self.table, self.good = table, good
            self.schema, self.n_rows, self.N = table.schema, table.n_rows, table.N
            self.missing, self.fingerprint = table.missing, "rows"
            self.engine = _core.BlockCells.of_tables(
                [
                    _core.Table.from_codes(
                        [table.codes(name) for name in table.names],
                        list(table.cardinalities),
                        table.n_rows,
                        None,
                        1.0,
                    )
                ]
            )

        def cells(self, questions: Any) -> Any:
            self.good -= 1
            if self.good < 0:
                raise DataError("the scheduler was lost")
            found = self.engine.answers([(list(v), sorted(k)) for v, k in questions])
            return [(cells.codes, cells.units) for cells in found]

        def resampled(self, *_: int) -> Any:
            raise AssertionError

    options = {"search": dw.HillClimb(), "score": dw.BIC()}
    path = tmp_path / "run"
    with pytest.raises(DataError, match="scheduler was lost"):
        dw.learn(dw.Table.of_source(Rows(ASIA, 4)), checkpoint=path, **options)
    rows = Rows(ASIA, 1000)
    assert answer(dw.learn(dw.Table.of_source(rows), checkpoint=path, **options)) == answer(
        dw.learn(ASIA, **options)
    )
    fresh = Rows(ASIA, 1000)
    dw.learn(dw.Table.of_source(fresh), **options)
    assert rows.good > fresh.good, "batches of the first run were counted again"


def test_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    dw.learn(ASIA, search=dw.HillClimb(), checkpoint=path)
    before = path.read_bytes()
    others: list[tuple[Any, dict[str, Any], str]] = [
        (ASIA, {"search": dw.Tabu()}, "its search is HillClimb(), not Tabu()"),
        (
            ASIA,
            {"score": dw.BIC()},
            "its score or test is AdaptiveBDeu(), not BIC(), "
            "its structure prior is FanIn(monotone=True), not none",
        ),
        (ASIA.take(np.arange(500)), {}, "its number of rows is 600, not 500, its data differ"),
        (ASIA.take(np.arange(600) // 2), {}, "its data differ"),
        (ASIA, {"random_state": 7}, "its random_state is 0, not 7"),
        (
            ASIA,
            {"knowledge": {"required": [("smoke", "lung")]}},
            "its knowledge is none, not Knowledge(required=['smoke -> lung'])",
        ),
        (
            ASIA,
            {"knowledge": {"forbidden": [("smoke", name) for name in ASIA.names if name != "smoke"]}},
            "its knowledge differs",
        ),
        (ASIA, {"start": "smoke -> lung"}, "its starting graph is none, not Dag.parse('smoke -> lung')"),
        (ASIA, {"missing": "drop"}, "its policy for missing values is none, not drop"),
        (ASIA, {"columns": ASIA.names}, f"its choice of columns is none, not {', '.join(ASIA.names)}"),
        (
            ASIA,
            {"exclude": ["xray"], "search": dw.HillClimb(restarts=2)},
            "its search is HillClimb(), not HillClimb(restarts=2), its choice of columns to leave out is "
            f"empty, not xray, its list of columns is {', '.join(ASIA.names)}, not "
            f"{', '.join(name for name in ASIA.names if name != 'xray')}, its data differ",
        ),
    ]
    for data, more, words in others:
        told = f"the checkpoint {path} belongs to another run: {words}; give another file, or delete it"
        with pytest.raises(OptionError, match=f"^{re.escape(told)}$"):
            dw.learn(data, checkpoint=path, **{"search": dw.HillClimb(), **more})
    assert path.read_bytes() == before
    dw.bootstrap(ASIA, search=dw.HillClimb(), replicates=2, checkpoint=tmp_path / "replicates")
    with pytest.raises(FormatError, match="another kind or version"):
        dw.learn(ASIA, search=dw.HillClimb(), checkpoint=tmp_path / "replicates")
    with pytest.raises(OptionError, match="no folder"):
        dw.learn(ASIA, checkpoint=tmp_path / "absent" / "run")
    with pytest.raises(OptionError, match="an oracle has none"):
        dw.learn(oracle=dw.Dag(["a", "b"], [("a", "b")]), search=dw.PC(), checkpoint=path)

    class Own:
        def local(self, families: Any) -> list[float]:
            return [0.0 for _ in families]

    with pytest.raises(OptionError, match="the score is an object of this process, Own"):
        dw.learn(ASIA, score=Own(), search=dw.HillClimb(), checkpoint=path)


def test_another_file_is_refused_before_the_data_are_read(tmp_path: Path) -> None:
    path, absent = tmp_path / "messy.csv", tmp_path / "absent.csv"
    path.write_text("a,b\n1,2\n")
    other = tmp_path / "other"
    dw.learn(ASIA, search=dw.HillClimb(), checkpoint=other)
    for verb in (dw.learn, dw.bootstrap):
        with pytest.raises(
            FormatError, match=r"messy.csv is not a checkpoint: .*; choose another name for it"
        ):
            verb(absent, checkpoint=path)  # type: ignore[operator]
    with pytest.raises(FormatError, match="other is a checkpoint of another kind or version"):
        dw.bootstrap(absent, checkpoint=other)
    assert path.read_text() == "a,b\n1,2\n"


def change(path: Path, how: Callable[[dict[str, Any]], Any]) -> None:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    facts = arrays.pop("facts")
    how(arrays)
    with path.open("wb") as file:
        np.savez(file, **arrays, facts=facts)


def one(name: str, to: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    """Change an array of the last engine, that of the search."""

    def changed(arrays: dict[str, Any]) -> None:
        last = max(at for at in arrays if at.endswith(f".{name}"))
        arrays[last] = to(arrays[last])

    return changed


DAMAGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "variables that do not exist": one("members", lambda values: values + np.uint16(3)),
    "members out of order": one("members", np.zeros_like),
    "too few members": one("members", lambda values: values[:-1]),
    "too many members": one("members", lambda values: np.append(values, values[-1:])),
    "sizes beyond every array": one("sizes", lambda values: values + np.uint32(2**31)),
    "a function that does not exist": one("kinds", lambda values: values + np.uint32(50)),
    "a parameter that is no number": one("parameters", lambda values: values * np.nan),
    "rows that do not exist": one("rows", lambda values: values + np.uint32(1000)),
    "values that are no numbers": one("values", lambda values: np.full_like(values, np.nan)),
    "too few values": one("values", lambda values: values[:-1]),
    "values of another type": one("values", lambda values: values.astype(np.float32)),
    "values in two dimensions": one("values", lambda values: values[:, None]),
    "no members": lambda arrays: arrays.pop("0.members"),
    "no values": lambda arrays: arrays.pop("0.values"),
    "an unknown array": lambda arrays: arrays.update({"0.more": arrays["0.rows"]}),
    "an array of no engine": lambda arrays: arrays.update({"9.values": arrays["0.values"]}),
    "an array before the first engine": lambda arrays: arrays.update({"-1.values": arrays["0.values"]}),
    "a selection of rows that stands twice": lambda arrays: arrays.update(
        {
            "0.selection_sizes": np.array([1, 1], dtype=np.uint32),
            "0.selection_members": np.array([0, 0], dtype=np.uint16),
        }
    ),
}


@pytest.mark.parametrize("what", DAMAGES)
@pytest.mark.parametrize("run", ["hill climbing", "mixed"])
def test_damaged_evidence_is_refused_and_left_as_it_is(run: str, what: str, tmp_path: Path) -> None:
    data, options = RUNS[run]
    path = tmp_path / "run"
    dw.learn(data(), checkpoint=path, **options)
    change(path, DAMAGES[what])
    before = path.read_bytes()
    with pytest.raises(FormatError, match=r"is damaged: .*; delete it and begin anew"):
        dw.learn(data(), checkpoint=path, **options)
    assert path.read_bytes() == before


def test_a_truncated_file_is_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run"
    dw.learn(ASIA, search=dw.HillClimb(), checkpoint=path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FormatError, match="is not a checkpoint"):
        dw.learn(ASIA, search=dw.HillClimb(), checkpoint=path)


def test_a_full_disk_is_said_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Checkpoint, path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Checkpoint, "save", full)
    with pytest.raises(OSError, match="No space left"):
        dw.learn(ASIA, search=dw.HillClimb(), checkpoint=tmp_path / "run")


def test_gaps_are_remembered_with_the_rows_they_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(8)
    columns = {
        name: [None if gap else int(value) for gap, value in zip(draw.random(400) < 0.1, codes, strict=True)]
        for name, codes in zip("abcd", draw.integers(0, 2, (4, 400)), strict=True)
    }
    columns["e"] = columns["a"]
    options: dict[str, Any] = {"search": dw.PC(), "missing": "available"}
    table = dw.read(columns)
    expected = answer(dw.learn(table, **options))
    assert counted(table, monkeypatch, tmp_path / "run", **options) > 0
    assert counted(table, monkeypatch, tmp_path / "run", **options) == 0
    assert answer(dw.learn(table, checkpoint=tmp_path / "run", **options)) == expected


KILLED = """
import sys
import dagwright as dw
from dagwright.learning import checkpointing
checkpointing.SAVING = 0.0
checkpointing.SHARE = 0
table = dw.read(sys.argv[1]) if sys.argv[2] == "disk" else dw.load("alarm").sample(20_000, random_state=1)
dw.learn(table, search=dw.Tabu(), score=dw.BIC(), threads=1, checkpoint=sys.argv[3])
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
@pytest.mark.parametrize("where", ["memory", "disk"])
def test_a_killed_run_goes_on_to_the_same_answer(where: str, tmp_path: Path) -> None:
    table = dw.load("alarm").sample(20_000, random_state=1)
    folder, path = tmp_path / "columns", tmp_path / "run.dwc"
    if where == "disk":
        table.to_polars().write_parquet(tmp_path / "rows.parquet")
        table = dw.read(tmp_path / "rows.parquet", engine="disk", into=folder)
    options: dict[str, Any] = {"search": dw.Tabu(), "score": dw.BIC(), "threads": 1}
    killed = 0
    for _ in range(3):
        child = subprocess.Popen([sys.executable, "-c", KILLED, str(folder), where, str(path)])
        while child.poll() is None and not path.exists():
            time.sleep(0.001)
        time.sleep(chance.random() * 0.3)
        child.send_signal(signal.SIGKILL)
        killed += child.wait(timeout=60) == -signal.SIGKILL
    assert killed and path.exists()
    assert answer(dw.learn(table, checkpoint=path, **options)) == answer(dw.learn(table, **options))
