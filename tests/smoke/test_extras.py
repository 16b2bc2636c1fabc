"""The command line, the solvers and the readers that extras bring, with whatever versions are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dagwright

ROWS = [(row % 2, row % 2 if row % 10 else 1 - row % 2, row // 2 % 2) for row in range(400)]


def as_csv(folder: Path) -> Path:
    path = folder / "rows.csv"
    path.write_text("a,b,coin\n" + "\n".join(",".join(map(str, row)) for row in ROWS), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["learn", "--help"],
        ["describe", "rows.csv"],
        ["learn", "rows.csv", "--json"],
        ["query", "asia", "lung", "-e", "smoke=yes"],
        ["networks"],
    ],
    ids=" ".join,
)
def test_the_command_line_runs(words: list[str], tmp_path: Path) -> None:
    pytest.importorskip("typer")
    pytest.importorskip("polars")
    as_csv(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "dagwright", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(("solver", "module"), [("highs", "highspy"), ("scip", "pyscipopt")])
def test_solvers_prove_the_best_network(solver: str, module: str) -> None:
    pytest.importorskip(module)
    table = dagwright.load("asia").sample(500, random_state=1)
    found = dagwright.learn(table, search=dagwright.BranchAndCut(solver=solver))
    assert found.optimal
    assert found.score == pytest.approx(dagwright.learn(table, search=dagwright.Exact()).score)


def test_data_frames(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    arrow = pytest.importorskip("pyarrow")
    columns = {name: [row[at] for row in ROWS] for at, name in enumerate(("a", "b", "coin"))}
    graphs = [dagwright.learn(columns).graph, dagwright.learn(as_csv(tmp_path)).graph]
    makers = (polars.DataFrame, pandas.DataFrame, arrow.table)
    graphs += [dagwright.learn(make(columns)).graph for make in makers]
    assert len(set(graphs)) == 1


def test_compressed_files(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    plain = as_csv(tmp_path)
    packed = tmp_path / "rows.csv.zst"
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    assert dagwright.read(packed).n_rows == len(ROWS)


def test_queries() -> None:
    duckdb = pytest.importorskip("duckdb")
    assert dagwright.read(duckdb.sql("select range % 2 a, range % 3 b from range(60)")).n_rows == 60


def test_other_libraries(tmp_path: Path) -> None:
    pytest.importorskip("networkx")
    assert len(dagwright.to_networkx(dagwright.load("asia"))) == 8
    pytest.importorskip("resvg_py")
    picture = tmp_path / "asia.png"
    dagwright.draw(dagwright.load("asia")).save(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_classifier() -> None:
    pytest.importorskip("sklearn")
    from dagwright.sklearn import BayesianNetworkClassifier

    rows = [[a, coin] for a, _, coin in ROWS]
    found = BayesianNetworkClassifier().fit(rows, [b for _, b, _ in ROWS])
    assert found.score(rows, [b for _, b, _ in ROWS]) > 0.85
