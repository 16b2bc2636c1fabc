"""Scores at the edges: nothing to count, impossible priors, options out of range, too large a space."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import weakref

import numpy as np
import pytest

from dagwright.data import Table
from dagwright.errors import CapacityError, MissingValuesError, OptionError, UnknownNameError
from dagwright.evidence import (
    AIC,
    BIC,
    FNML,
    MDL,
    QNML,
    BDe,
    BDeu,
    BDs,
    Counting,
    DirichletScore,
    Euclidean,
    Family,
    K2Score,
    LogLik,
    Penalized,
    equivalence_gap,
    score,
)
from dagwright.graph.dag import Dag
from dagwright.graph.query import Query

SPECS = [
    LogLik(),
    AIC(),
    BIC(),
    Penalized(0.5),
    MDL(),
    MDL(3.0),
    K2Score(),
    DirichletScore(1.0),
    BDeu(),
    BDs(),
    FNML(),
    QNML(),
]
every_score = pytest.mark.parametrize("spec", SPECS, ids=[repr(spec) for spec in SPECS])


def table(rows: int = 200, weights: list[float] | None = None) -> Table:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < 0.8, a, 1 - a)
    c = rng.integers(0, 3, rows)
    return Table(["a", "b", "c"], [a, b, c], [[0, 1], [0, 1], [0, 1, 2]], weights=weights)


@every_score
def test_nothing_to_count(spec) -> None:
    """Only what the graph itself costs is left: 1 + 2 + 2 parameters and one arc."""
    per_parameter = {AIC(): 1.0, Penalized(0.5): 0.5, MDL(3.0): 3.0 * math.log(2)}.get(spec, 0.0)
    per_arc = math.log(3) if isinstance(spec, MDL) else 0.0
    total = spec.on(table(0)).total(Dag(list("abc"), [("a", "b")]))
    assert total == pytest.approx(-5 * per_parameter - per_arc, abs=1e-12)


@every_score
def test_one_row_and_one_column(spec) -> None:
    single = Table(["only"], [[1]], [["n", "y"]])
    value = spec.on(single).total(Dag(["only"]))
    assert math.isfinite(value)
    assert value <= 0.0


@every_score
def test_specs_are_values(spec) -> None:
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert copy.deepcopy(spec) == spec
    assert hash(spec) == hash(copy.copy(spec))
    assert repr(spec).startswith(type(spec).__name__)
    assert spec.decomposable


@every_score
def test_every_score_states_its_sign_unit_and_penalty(spec) -> None:
    text = spec.describe(table())
    assert text.startswith(spec.name)
    assert ", nats, larger is better, " in text
    assert text.endswith("N = 200")


def test_descriptions() -> None:
    assert BIC().describe(table()) == "BIC, nats, larger is better, penalty log(N)/2 per parameter, N = 200"
    assert "equivalent sample size 10" in BDeu(10).describe(table())
    assert "no unit" in Euclidean(0.1).describe(table())


@every_score
def test_missing_values_are_refused_by_name(spec) -> None:
    gaps = Table(["a", "b"], [[0, 1, 255], [0, 1, 1]], [["n", "y"], ["n", "y"]])
    with pytest.raises(MissingValuesError, match="'a'"):
        spec.on(gaps)
    with pytest.raises(MissingValuesError, match="'a'"):
        spec.on(Counting(gaps, missing="available"))
    assert spec.on(Counting(gaps, missing="drop")).N == 2
    assert score(Dag(list("ab")), gaps, spec, missing="state").by_node.keys() == {"a", "b"}


@pytest.mark.parametrize(
    "make",
    [
        lambda: BDeu(0),
        lambda: BDeu(math.nan),
        lambda: BDs(-1),
        lambda: BDe([[1.0]], ess=0),
        lambda: DirichletScore(0.0),
        lambda: DirichletScore(-2.0),
        lambda: MDL(-1.0),
        lambda: Penalized(-0.1).on(table()),
        lambda: Penalized(lambda _: math.inf).on(table()),
        lambda: Euclidean(-1.0),
        lambda: Counting(table(), threads=0),
    ],
)
def test_options_out_of_range(make) -> None:
    with pytest.raises(OptionError):
        make()


def test_penalty_function_sees_N() -> None:
    own = Penalized(lambda N: math.log(N) / 2)
    graph = Dag(list("abc"), [("a", "b"), ("c", "b")])
    assert own.on(table()).total(graph) == BIC().on(table()).total(graph)


def test_scores_of_a_graph_by_node() -> None:
    graph = Dag(list("cab"), [("a", "b")])
    found = score(graph, table(), BDeu(2))
    assert list(found.by_node) == ["c", "a", "b"]
    assert found.total == pytest.approx(sum(found.by_node.values()))
    assert float(found) == found.total
    assert "equivalent sample size 2" in str(found)
    assert score(graph, table(), unit="bits").total == pytest.approx(
        score(graph, table()).total / math.log(2)
    )
    with pytest.raises(OptionError, match="'nats' or 'bits'"):
        score(graph, table(), unit="dits")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="'d'"):
        score(Dag(list("abd")), table())


def test_prior_counts_from_a_function() -> None:
    asked = []

    def prior(child: str, parents: tuple[str, ...]) -> np.ndarray:
        asked.append((child, parents))
        return np.full([3 if name == "c" else 2 for name in (*parents, child)], 1.0)

    family = Family(1, frozenset([2, 0]))
    own, k2 = (spec.on(table()).local([family]) for spec in (DirichletScore(prior), K2Score()))
    assert own == pytest.approx(k2, abs=1e-10)
    assert asked == [("b", ("a", "c"))]
    uneven = DirichletScore(lambda *_: [0.5, 1.5]).on(table(1))
    code = int(table(1).codes("a")[0])
    assert uneven.local([Family(0, frozenset())])[0] == pytest.approx(math.log([0.25, 0.75][code]))


def test_prior_counts_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="shape"):
        DirichletScore(lambda *_: np.ones(5)).on(table()).local([Family(0, frozenset())])
    with pytest.raises(OptionError, match="positive"):
        DirichletScore(lambda *_: [0.0, 1.0]).on(table()).local([Family(0, frozenset())])
    wide = Table([f"v{i}" for i in range(30)], [[0]] * 30, [[0, 1]] * 30)
    with pytest.raises(CapacityError, match="bound the number of parents"):
        DirichletScore(lambda *_: 1.0).on(wide).local([Family(0, frozenset(range(1, 30)))])
    with pytest.raises(CapacityError, match="bound the number of parents"):
        BDe(Coins()).on(wide).local([Family(0, frozenset(range(1, 30)))])


def test_a_prior_may_rule_out_cells() -> None:
    data = Table(["a", "b"], [[0, 1], [0, 1]], [[0, 1], [0, 1]])
    prior = np.array([[0.5, 0.0], [0.0, 0.5]])
    possible = BDe(prior, ess=2.0).on(data)
    # Cells the prior rules out are empty in these data: factor 1. Given a, b is certain.
    assert possible.local([Family(1, frozenset([0]))]) == pytest.approx([0.0], abs=1e-12)
    broken = Table(["a", "b"], [[0, 1, 0], [0, 1, 1]], [[0, 1], [0, 1]])
    bound = BDe(prior, ess=2.0).on(broken)
    assert bound.local([Family(1, frozenset([0])), Family(0, frozenset())])[0] == -math.inf
    assert bound.total(Dag(list("ab"), [("a", "b")])) == -math.inf
    assert math.isfinite(bound.total(Dag(list("ab"))))
    assert bound.test([Query("a", "b")])[0].gain == -math.inf
    assert hash(BDe(prior)) != hash(BDe(prior))


def test_a_prior_must_fit_the_data() -> None:
    with pytest.raises(OptionError, match="shape"):
        BDe(np.ones((2, 2)) / 4).on(table())
    with pytest.raises(OptionError, match="sum to 1"):
        BDe(np.ones((2, 2, 3))).on(table())
    other = Table(["a", "b", "c"], [[0], [0], [0]], [["no", "yes"], [0, 1], [0, 1, 2]])
    with pytest.raises(OptionError, match="states of 'a'"):
        BDe(other).on(table())
    with pytest.raises(UnknownNameError):
        BDe(other.rename({"a": "d"})).on(table())


class Coins:
    """A distribution that offers only marginals."""

    def marginal(self, names) -> np.ndarray:
        sizes = [3 if name == "c" else 2 for name in names]
        return np.full(sizes, 1.0 / math.prod(sizes))


def test_a_prior_that_offers_marginals() -> None:
    family = [Family(2, frozenset([0, 1]))]
    assert BDe(Coins(), ess=4).on(table()).local(family) == pytest.approx(BDeu(4).on(table()).local(family))


def test_euclidean_is_for_small_spaces_and_whole_graphs() -> None:
    wide = Table([f"v{i}" for i in range(21)], [[0]] * 21, [[0, 1]] * 21)
    with pytest.raises(CapacityError, match="joint cell"):
        Euclidean().on(wide)
    assert Euclidean().on(table()).total(Dag(list("ab"))) == Euclidean().on(table()).total(Dag(list("abc")))
    with pytest.raises(OptionError, match="unit"):
        score(Dag(list("abc")), table(), Euclidean(), unit="bits")
    with pytest.raises(OptionError, match="at least one row"):
        Euclidean().on(table(0))
    assert not Euclidean().decomposable


def test_fractional_weights_are_counted_as_they_are() -> None:
    half, whole = table(40, weights=[0.5] * 40), table(40)
    asked = [Family(1, frozenset([0])), Family(2, frozenset([0, 1]))]
    assert LogLik().on(half).local(asked) == pytest.approx([v / 2 for v in LogLik().on(whole).local(asked)])
    assert half.N == 20


def test_equivalent_graphs_differ_by_rounding_only() -> None:
    chains = ([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c")], [("c", "b"), ("b", "a")])
    turned = [Dag(list("abc"), arcs) for arcs in chains]
    assert equivalence_gap(BDeu(), table(), turned) < 1e-9
    assert equivalence_gap(MDL(), table(), turned) < 1e-9
    assert equivalence_gap(K2Score(), table(), turned) > 1e-3
    assert equivalence_gap(BIC(), table(), []) == 0.0


def test_bound_scores_are_collected() -> None:
    """The core is invisible to garbage collection, so no cycle may run through it."""
    gone = {}
    for spec in (*SPECS, BDe(Coins())):
        bound = spec.on(table())
        bound.native.local([(0, [1])])
        gone[str(spec)] = weakref.ref(bound)
        del bound
    gc.collect()
    assert [spec for spec, reference in gone.items() if reference() is not None] == []


def test_huge_families_do_not_lose_parameters() -> None:
    many = Table([f"v{i}" for i in range(60)], [[0, 1]] * 60, [[0, 1]] * 60)
    value = AIC().on(many).local([Family(0, frozenset(range(1, 60)))])[0]
    assert value == -(2.0**59)
    ternary = Table([f"v{i}" for i in range(60)], [[0, 1]] * 60, [[0, 1, 2]] * 60)
    rest = frozenset(f"v{i}" for i in range(2, 60))
    verdict = LogLik().on(ternary).test([Query("v0", "v1", rest)])[0]
    assert verdict.df == pytest.approx(4.0 * 3.0**58, rel=1e-15)
