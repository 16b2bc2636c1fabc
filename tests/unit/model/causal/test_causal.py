"""Interventions: surgery, effects, adjustment and its refusal."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.errors import DataError, GraphError, OptionError, UnknownNameError


@pytest.fixture(scope="module")
def kidney() -> dw.BayesianNetwork:
    """Kidney stones (Charig et al. 1986): the treatment that is better for all looks worse overall."""
    return dw.BayesianNetwork(
        dw.Dag(
            ["size", "treatment", "cured"], [("size", "treatment"), ("size", "cured"), ("treatment", "cured")]
        ),
        {"size": ["small", "large"], "treatment": ["A", "B"], "cured": [0, 1]},
        {
            "size": [357 / 700, 343 / 700],
            "treatment": [[87 / 357, 270 / 357], [263 / 343, 80 / 343]],
            "cured": [
                [[6 / 87, 81 / 87], [36 / 270, 234 / 270]],
                [[71 / 263, 192 / 263], [25 / 80, 55 / 80]],
            ],
        },
    )


def test_seeing_is_not_doing(kidney: dw.BayesianNetwork) -> None:
    seen = [kidney.query("cured", {"treatment": t})[1] for t in "AB"]
    done = [kidney.do({"treatment": t}).query("cured")[1] for t in "AB"]
    assert seen == pytest.approx([273 / 350, 289 / 350])
    assert seen[0] < seen[1]
    assert done[0] > done[1]
    assert done[0] == pytest.approx(357 / 700 * 81 / 87 + 343 / 700 * 192 / 263)
    assert kidney.causal_effect("treatment", "cured", ("B", "A")) == pytest.approx(done[0] - done[1])
    assert kidney.adjusted("cured", {"treatment": "A"})[1] == pytest.approx(done[0])


def test_evidence_after_an_intervention(kidney: dw.BayesianNetwork) -> None:
    """Evidence on a descendant counts, and the cut arcs carry nothing back."""
    after = kidney.do({"treatment": "A"})
    assert after.graph.parents("treatment") == ()
    joint = np.array([357 / 700 * 81 / 87, 343 / 700 * 192 / 263])
    assert list(after.query("size", {"cured": 1}).values()) == pytest.approx(list(joint / joint.sum()))
    assert after.query("size", {"treatment": "A"}) == pytest.approx(kidney.query("size"))
    with pytest.raises(dw.ImpossibleEvidenceError):
        after.query("size", {"treatment": "B"})
    mixed = kidney.do({"treatment": {"A": 0.25, "B": 0.75}}).query("cured")[1]
    parts = [kidney.do({"treatment": t}).query("cured")[1] for t in "AB"]
    assert mixed == pytest.approx(0.25 * parts[0] + 0.75 * parts[1])
    effect = kidney.causal_effect("treatment", "cured", ("B", "A"), evidence={"size": "large"})
    assert effect == pytest.approx(192 / 263 - 55 / 80)


def test_adjustment_sets() -> None:
    dag = dw.Dag.parse("U -> X; U -> Z -> Y; X -> M -> Y")
    states = dict.fromkeys(dag.nodes, ("0", "1"))
    random = np.random.default_rng(1)
    tables = {x: random.dirichlet([1, 1], size=[2] * len(dag.parents(x))) for x in dag.nodes}
    network = dw.BayesianNetwork(dag, states, tables)
    assert network.adjustment_sets("X", "Y") == [("U",), ("Z",)]
    assert network.adjustment_sets("X", "Y", observed=["X", "Y", "Z", "M"]) == [("Z",)]
    assert network.adjustment_sets("X", "Y", observed=["X", "Y", "M"]) == []
    assert network.adjustment_sets("Y", "X") == [("M", "U"), ("M", "Z")]
    assert network.adjustment_sets("U", "Y") == [()]
    with pytest.raises(dw.NotIdentifiableError, match="the path X <- U -> Z -> Y stays open"):
        network.adjusted("Y", {"X": "1"}, observed=["X", "Y", "M"])
    exact = network.do({"X": "1"}).query("Y")
    for observed in (None, ["X", "Y", "Z"], ["X", "Y", "U"]):
        assert network.adjusted("Y", {"X": "1"}, observed=observed) == pytest.approx(exact)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000))
def test_adjustment_equals_surgery_and_sets_are_minimal(seed: int) -> None:
    random = np.random.default_rng(seed)
    names = list("abcdef")
    edges = [(a, b) for a, b in itertools.combinations(names, 2) if random.random() < 0.4]
    dag = dw.Dag(names, edges)
    tables = {x: random.dirichlet([2, 2], size=[2] * len(dag.parents(x))) for x in names}
    network = dw.BayesianNetwork(dag, dict.fromkeys(names, ("0", "1")), tables)
    cause, effect = random.choice(names, 2, replace=False).tolist()
    observed = [x for x in names if random.random() < 0.7 or x in (cause, effect)]
    sets = network.adjustment_sets(cause, effect, observed=observed)
    cut = dag.with_edges(remove=[(cause, child) for child in dag.children(cause)])
    allowed = sorted(set(observed) - {cause, effect, *dag.descendants(cause)})
    valid = [
        set(z)
        for k in range(len(allowed) + 1)
        for z in itertools.combinations(allowed, k)
        if cut.d_separated(cause, effect, z)
    ]
    minimal = [z for z in valid if not any(other < z for other in valid)]
    assert sorted(map(sorted, minimal)) == sorted(map(list, sets))
    if sets:
        exact = network.do({cause: "1"}).query(effect)
        assert network.adjusted(effect, {cause: "1"}, observed=observed) == pytest.approx(exact)
    else:
        with pytest.raises(dw.NotIdentifiableError):
            network.adjusted(effect, {cause: "1"}, observed=observed)


def test_refusals(kidney: dw.BayesianNetwork) -> None:
    with pytest.raises(OptionError, match="at least one node"):
        kidney.do({})
    with pytest.raises(UnknownNameError, match="state of 'treatment'"):
        kidney.do({"treatment": "C"})
    with pytest.raises(DataError, match="sum to"):
        kidney.do({"treatment": {"A": 0.2}})
    with pytest.raises(OptionError, match="one cause at a time"):
        kidney.adjusted("cured", {"treatment": "A", "size": "small"})
    with pytest.raises(GraphError, match="must differ"):
        kidney.causal_effect("size", "size", ("small", "large"))
    with pytest.raises(OptionError, match="are not numbers"):
        kidney.causal_effect("cured", "size", (0, 1))
    with pytest.raises(OptionError, match="lacks the state 'large'"):
        kidney.causal_effect("cured", "size", (0, 1), values={"small": 1.0})
    with pytest.raises(UnknownNameError):
        kidney.adjustment_sets("treatment", "cured", observed=["sise"])
    never = kidney.with_table("treatment", [[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(DataError, match="never occurs for some states of size"):
        never.adjusted("cured", {"treatment": "A"})
