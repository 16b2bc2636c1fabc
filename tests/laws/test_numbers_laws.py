"""Laws of numbers: equal scores within classes, units, and every search on numbers and on mixed tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import _core
from dagwright.methods import registry

NEEDED = {
    "order": ["z", "x", "w", "y"],
    "target": "x",
    "by": dw.MMPC(),
}
SEARCHES = [entry for entry in registry.entries("search") if entry.name != "BranchAndCut"]


def numbers(rows: int = 150, seed: int = 0) -> dict[str, Any]:
    """x -> y <- z -> w, linear with normal noise."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, rows))
    y = x + z + 0.5 * rng.normal(size=rows)
    return {"x": x, "y": y, "z": z, "w": 2 * z + rng.normal(size=rows)}


def mixed() -> dict[str, Any]:
    data = numbers()
    return {**data, "w": np.where(data["w"] > 0, "high", "low")}


@pytest.mark.parametrize("entry", SEARCHES, ids=lambda entry: entry.name)
@pytest.mark.parametrize("kind", ["continuous", "mixed"])
def test_every_search_takes_numbers_or_says_why_not(entry: registry.Entry, kind: str) -> None:
    data = numbers() if kind == "continuous" else mixed()
    search = entry.method(**{name: NEEDED[name] for name in entry.needs})
    found = dw.learn(data, search=search, threads=1)
    assert set(found.graph.nodes) == set(data)
    assert found.table is not None
    if found.table.schema.kind == kind:
        assert any("stay numbers, judged by" in note for note in found.assumptions)
        skeleton = found.graph if isinstance(found.graph, dw.UndirectedGraph) else found.graph.skeleton()
        assert ("x", "y") in skeleton.edges or ("y", "x") in skeleton.edges
    else:  # K2 and MDL search are known by a score that counts states
        assert any("counts states, so columns of numbers were cut" in note for note in found.assumptions)
        assert entry.name in ("K2", "MdlSearch", "MIIC")


def members_of_one_class(n: int, many: int, rng: np.random.Generator) -> list[list[set[int]]]:
    """Parent sets of DAGs that covered arcs lead to, turned one after the other (Chickering 1995)."""
    order = rng.permutation(n)
    parents = [set[int]() for _ in range(n)]
    for at, child in enumerate(order):
        parents[child] = {int(order[k]) for k in range(at) if rng.random() < 0.5}
    found = []
    for _ in range(many):
        covered = [
            (parent, child)
            for child in range(n)
            for parent in parents[child]
            if parents[child] - {parent} == parents[parent]
        ]
        if covered:
            parent, child = covered[rng.integers(len(covered))]
            parents[child] = parents[child] - {parent}
            parents[parent] = parents[parent] | {child}
        found.append([set(one) for one in parents])
    return found


@pytest.mark.parametrize("kind", ["BIC", "BGe"])
def test_members_of_a_class_score_the_same(kind: str) -> None:
    rng = np.random.default_rng(7)
    n, tables, many = 6, 100, 100
    for _ in range(tables):
        x = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-2, 3, (n, 1))
        moments = _core.SetMoments.given(200.0, list(rng.normal(size=n)), x @ x.T)
        measure: _core.Measure = _core.GaussianMeasure(moments)
        if kind == "BGe":
            scale = np.diag(x @ x.T).tolist()
            measure = _core.BGeMeasure(moments, alpha_mu=1.0, alpha_w=n + 2.0, mean=[0.0] * n, scale=scale)
        score = _core.CriterionScore(measure, 2.6 if kind == "BIC" else 0.0)
        members = members_of_one_class(n, many, rng)
        families = [(child, sorted(dag[child])) for dag in members for child in range(n)]
        totals = np.reshape(score.local(families, 1), (many, n)).sum(axis=1)
        assert np.ptp(totals) <= 1e-9 * max(1.0, np.abs(totals).max())


@pytest.mark.parametrize("seed", range(3))
def test_units_change_no_class(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = numbers(300, seed)
    data["v"] = 0.3 * data["y"] + rng.normal(size=300)
    other = {
        name: column * rng.choice([-1.0, 1.0]) * 10.0 ** rng.integers(-3, 4) + rng.normal() * 100
        for name, column in data.items()
    }
    for score in (dw.BIC(), dw.AIC(), dw.BGe()):
        for search in (dw.HillClimb(), dw.GES()):
            one, two = (dw.learn(rows, score=score, search=search, threads=1) for rows in (data, other))
            assert one.essential == two.essential
    one, two = (dw.learn(rows, search=dw.PC(test=dw.StudentT()), threads=1) for rows in (data, other))
    assert one.graph == two.graph


def test_a_prior_that_counts_states_refuses_numbers() -> None:
    with pytest.raises(dw.OptionError, match="'w', 'x', 'y', 'z' hold numbers"):
        dw.learn(numbers(), structure_prior=dw.DescriptionLengthPrior())
