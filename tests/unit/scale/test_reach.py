"""Every method needs the rows where its traits say so, and nowhere else: on disk and on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from dagwright.data.blocks import Blocks
from dagwright.data.discretize import Rule
from dagwright.errors import CapacityError, DagwrightError, DataError
from dagwright.methods.registry import entries
from dagwright.methods.traits import EvidenceTraits
from dagwright.scale import cluster_table

pytest.importorskip("distributed")
TINY = Blocks(0.0007, 100)
"""734 bytes: less than a column of these rows."""
GRAPH = "a -> b; b -> c; c -> d"


ARGUMENTS: dict[str, Any] = {
    "order": tuple("abcd"),
    "target": "a",
    "by": dw.MMPC(),
    "epsilon": 0.01,
    "score": dw.BIC(),
    "points": (0.0,),
    "phi": 1.0,
    "alpha": 1.0,
}
KINDS = ("search", "score", "measure", "test", "posterior", "discretization", "resampling")
STATES_ONLY = ("K2", "MIIC", "MdlSearch")


def columns(kind: str) -> pl.DataFrame:
    draw = np.random.default_rng(1)
    a = draw.integers(0, 2, 600)
    b = (a + (draw.random(600) < 0.2)) % 2
    x = draw.normal(size=600) + a
    y = x / 2 + draw.normal(size=600) + b
    if kind == "discrete":
        c = (b + (draw.random(600) < 0.3)) % 2
        return pl.DataFrame({"a": a, "b": b, "c": c, "d": (c + a + (draw.random(600) < 0.3)) % 2})
    if kind == "mixed":
        return pl.DataFrame({"a": a, "b": b, "c": x, "d": y})
    return pl.DataFrame({"a": x, "b": y, "c": x + y + draw.normal(size=600), "d": draw.normal(size=600) + y})


@pytest.fixture(scope="module")
def tables(client: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, dw.Table]]:
    folder = tmp_path_factory.mktemp("rows")
    found = {}
    for kind in ("discrete", "mixed", "continuous"):
        path = folder / f"{kind}.parquet"
        columns(kind).write_parquet(path)
        disk = dw.read(path, engine="disk", into=folder / kind)
        found[kind] = {
            "memory": dw.read(path),
            "disk": disk._with(blocks=TINY),
            "cluster": cluster_table(str(path), client),
        }
    return found


def methods() -> list[Any]:
    """One of each method, and further ones whose needs depend on an option."""
    network = dw.fit(GRAPH, columns("discrete"))
    found = []
    for entry in (one for kind in KINDS for one in entries(kind)):
        arguments = {**ARGUMENTS, "prior": network}
        found.append(entry.method(**{name: arguments[name] for name in entry.needs}))
    return [*found, dw.Embedded(degree=2), dw.Permuted(dw.StudentT(0.1), rounds=19)]


METHODS = methods()


def used(method: Any, table: dw.Table) -> object:
    """What the rows are needed for."""
    kind = next(one.kind for one in entries() if isinstance(method, one.method))
    if kind == "search":
        return dw.learn(table, search=method)
    if kind == "test":
        return dw.learn(table, search=dw.PC(method))
    if kind == "posterior":
        return dw.posterior(table, method=method)
    if kind == "discretization":
        return table.discretized(method)
    if kind == "resampling":
        return dw.bootstrap(table, search=dw.HillClimb(), replicates=2, draw=method)
    return dw.score(
        GRAPH, table, score=dw.BIC(method) if kind == "measure" and method.name != "BGe" else method
    )


def reads(method: Any, kind: str) -> str:
    """What a method needs of complete rows, with the cutting of numbers where it counts states."""
    if isinstance(method, dw.StructuralEM) or (isinstance(method, Rule) and kind == "discrete"):
        return "counts"  # nothing to complete, nothing to cut
    states = isinstance(method, EvidenceTraits) and not method.on_kind(kind).takes_numbers
    cuts = kind != "discrete" and (states or type(method).__name__ in STATES_ONLY)
    return "rows" if cuts and method.reads == "counts" else str(method.reads)


def outcome(method: Any, table: dw.Table) -> str:
    try:
        used(method, table)
    except DagwrightError as problem:
        return f"{type(problem).__name__}: {problem}"
    return "done"


@pytest.mark.parametrize("kind", ["discrete", "mixed", "continuous"])
@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_rows_are_needed_where_the_traits_say_so(tables: Any, method: Any, kind: str) -> None:
    memory, disk, cluster = (outcome(method, tables[kind][place]) for place in ("memory", "disk", "cluster"))
    if memory != "done":
        assert disk != "done" != cluster
        return
    needed = reads(method, kind)
    if needed == "rows in memory":
        assert disk.startswith("CapacityError: ") and "read(..., memory_mib=)" in disk
    else:
        assert disk == "done"
    if needed == "counts":
        assert cluster == "done"
    else:
        assert "needs the rows, and they are not here: the cluster only counts them" in cluster


def complete_by_search(table: dw.Table) -> object:
    return dw.learn(table, search=dw.StructuralEM())


def complete_by_em(table: dw.Table) -> object:
    return dw.EM().fit(GRAPH, table)


@pytest.mark.parametrize("complete", [complete_by_search, complete_by_em])
def test_what_completes_rows_holds_them(complete: Any, client: Any, tmp_path: Path) -> None:
    path = tmp_path / "gaps.parquet"
    columns("discrete").with_columns(a=pl.when(pl.col("b") == 1).then("a")).write_parquet(path)
    disk = dw.read(path, engine="disk")._with(blocks=TINY)
    with pytest.raises(CapacityError, match="the rows for"):
        complete(disk)
    with pytest.raises(DataError, match=r"needs? the rows"):
        complete(cluster_table(str(path), client))


def test_a_table_is_shown_wherever_its_rows_are(tables: Any) -> None:
    for kind in ("discrete", "mixed", "continuous"):
        memory, disk, cluster = (tables[kind][place] for place in ("memory", "disk", "cluster"))
        assert str(disk) == str(cluster) == str(memory)
        assert disk._repr_html_() == memory._repr_html_()
    assert tables["discrete"]["cluster"]._repr_html_() == tables["discrete"]["memory"]._repr_html_()
    assert tables["mixed"]["cluster"]._repr_html_()  # without pictures of the numbers
