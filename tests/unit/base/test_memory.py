"""Work that cannot fit into the memory that is left is refused in words, before it starts."""

from __future__ import annotations

import gzip
import io
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.base import memory
from dagwright.data import text_file

MIB = 2**20


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with 8 MiB left."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 8.0 * MIB)


def coins(columns: int, rows: int = 50) -> dw.Table:
    rng = np.random.default_rng(0)
    return dw.read({f"v{i:02}": rng.integers(0, 2, rows).tolist() for i in range(columns)})


def test_a_budget_never_exceeds_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 100.0)
    assert memory.budget() == 50
    assert memory.budget(70) == 70
    assert memory.budget(1000) == 100
    monkeypatch.setattr(memory, "available_bytes", lambda: float("inf"))
    assert memory.budget() == memory.USUAL_BYTES
    assert memory.budget(10**13) == 10**13


@pytest.mark.usefixtures("left")
def test_exact_search_with_a_score_without_bound() -> None:
    with pytest.raises(dw.CapacityError, match=r"more than 0\.00391 GiB; use max_parents="):
        dw.learn(coins(28), search=dw.Exact(), score=dw.LogLik())


@pytest.mark.usefixtures("left")
def test_ten_million_networks() -> None:
    with pytest.raises(dw.CapacityError, match=r"10,000,000 networks would take about .* ask for [\d,]+ or"):
        dw.rivals(coins(8), 10**7)


def test_a_large_k_is_harmless_where_there_are_few_networks() -> None:
    assert len(dw.rivals(coins(3), 10**7)) == 25


@pytest.mark.usefixtures("left")
def test_a_credible_set_larger_than_memory() -> None:
    with pytest.raises(dw.CapacityError, match=r"networks are within .* for more with memory="):
        dw.credible_set(coins(6), bayes_factor=1e9, most=10**9, memory=20_000)


@pytest.mark.usefixtures("left")
def test_rivals_of_many_variables() -> None:
    with pytest.raises(dw.CapacityError, match=r"8 \* 2\^n bytes"):
        dw.rivals(coins(21), 2)


@pytest.mark.usefixtures("left")
def test_exact_posterior() -> None:
    with pytest.raises(dw.CapacityError, match=r"0\.00391 GiB of memory; .*PartitionMCMC"):
        dw.posterior(coins(18), method=dw.ExactPosterior())


@pytest.mark.usefixtures("left")
def test_a_fit_with_26_parents() -> None:
    table = coins(27)
    graph = dw.Dag(table.names, [(parent, table.names[0]) for parent in table.names[1:]])
    with pytest.raises(dw.CapacityError, match=r"the tables would need 2 GiB, more than 4 MiB"):
        dw.fit(graph, table)


def test_packed_files_that_unpack_to_more_than_there_is_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_file, "available_bytes", lambda: 8.0 * MIB)
    bomb = b"a,b\n" + b"x,y\n" * 16_000_000
    packers = {"gz": gzip.compress, "zst": pytest.importorskip("zstandard").compress}
    for ending, pack in packers.items():
        path = tmp_path / f"rows.csv.{ending}"
        path.write_bytes(pack(bomb))
        assert path.stat().st_size < MIB
        for source in (path, io.BytesIO(path.read_bytes())):
            tracemalloc.start()
            with pytest.raises(dw.CapacityError, match=r"unpacks to more than 4 MiB"):
                dw.read(source)
            assert tracemalloc.get_traced_memory()[1] < 32 * MIB  # it never was all there
            tracemalloc.stop()
        path.write_bytes(pack(b"a,b\nx,y\n"))
        assert dw.read(path).n_rows == 1


def test_a_checkpoint_that_claims_more_than_it_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    np.savez_compressed(path, networks=np.zeros(20_000_000), facts=np.array("{}"))
    assert path.stat().st_size < MIB
    asia = dw.load("asia").sample(50, random_state=1)
    tracemalloc.start()
    with pytest.raises(dw.FormatError, match="compressed or longer than the file"):
        dw.posterior(asia, method=dw.OrderMCMC(samples=10), checkpoint=path)
    assert tracemalloc.get_traced_memory()[1] < 100 * MIB
    tracemalloc.stop()


@pytest.mark.parametrize("rows", [10**9, 10**12])
def test_samples_that_do_not_fit_are_refused_at_once(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 4.0 * 2**30)
    began = time.monotonic()
    with pytest.raises(dw.CapacityError, match=r"rows of 8 nodes would take .* and 4 GiB are left"):
        dw.load("asia").sample(rows)
    assert time.monotonic() - began < 2


@pytest.mark.usefixtures("left")
def test_tables_of_networks_take_what_the_machine_leaves() -> None:
    names = [f"v{i:02}" for i in range(20)]
    wide = {name: [0, 1] * 10 for name in names}
    graph = dw.Dag(names, [(name, names[-1]) for name in names[:-1]])
    for missing in (None, "em"):
        with pytest.raises(dw.CapacityError, match=r"the tables would need 16 MiB, more than 4 MiB"):
            dw.fit(graph, wide, missing=missing)
    small = dw.Dag(names, [(name, names[-1]) for name in names[:5]])
    assert dw.fit(small, wide).table(names[-1]).size == 64


def test_rivals_of_a_report_take_what_the_machine_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = dw.load("asia").sample(200, random_state=1)
    monkeypatch.setattr(memory, "available_bytes", lambda: 3000.0)
    page = dw.report(rows, replicates=0, search=dw.HillClimb())
    assert not page.rivals.classes and "bytes for 8 variables" in page.rivals.note


def test_installed_memory_is_the_same_from_call_to_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    for free in (7, 3):
        (tmp_path / "meminfo").write_text(f"MemTotal: 8 kB\nMemAvailable: {free} kB\n")
        assert memory.installed_bytes() == 8 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.installed_bytes() == 8 * 1024
    (tmp_path / "memory.max").write_text("4096\n")
    assert memory.installed_bytes() == 4096
