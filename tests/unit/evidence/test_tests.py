"""Independence tests: decisions, edges, missing values, permutations, and tests used as scores."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest

from dagwright import _core
from dagwright.data import Table
from dagwright.errors import GraphError, MissingValuesError, OptionError, UnknownNameError
from dagwright.evidence import (
    BIC,
    BayesFactor,
    BDeu,
    ChiSquare,
    Counting,
    CriterionSign,
    Euclidean,
    Family,
    GSquare,
    K2Score,
    LogLik,
    Permuted,
    SetFit,
    Threshold,
    independence_test,
    reference,
)
from dagwright.evidence.protocols import Triple
from dagwright.evidence.reference import Sample
from dagwright.graph.query import Query, Verdict

SPECS = [
    GSquare(),
    GSquare(0.01, adjusted=True, min_rows_per_cell=5),
    ChiSquare(),
    Threshold(0.01),
    BayesFactor(),
    CriterionSign(BIC()),
    Permuted(GSquare(), 99),
]


def codes(rows: int = 300, seed: int = 4) -> np.ndarray:
    """a -> b, a -> c, d alone; three states for c."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < 0.75, a, 1 - a)
    c = np.where(rng.random(rows) < 0.6, a, rng.integers(0, 3, rows))
    return np.stack([a, b, c, rng.integers(0, 2, rows)], axis=1)


def table(rows: int = 300, seed: int = 4, weights: list[float] | None = None) -> Table:
    states = [[0, 1], [0, 1], [0, 1, 2], [0, 1]]
    return Table(list("abcd"), list(codes(rows, seed).T), states, weights=weights)


@pytest.mark.parametrize("spec", SPECS, ids=[spec.describe() for spec in SPECS])
def test_specs_are_values_and_decide(spec) -> None:
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert copy.deepcopy(spec) == spec
    assert spec.describe().startswith(spec.name)
    bound = spec.on(table())
    dependent, independent = bound.test([Query("a", "b"), Query("b", "d", "a")])
    assert not dependent.independent
    assert independent.independent
    assert (dependent.gain or 0) > 0 >= (independent.gain or 0)


@pytest.mark.parametrize("spec", SPECS, ids=[spec.describe() for spec in SPECS])
def test_order_of_the_question_does_not_matter(spec) -> None:
    bound = spec.on(table())
    left = bound.test([Query("a", "c", ["b", "d"]), Query(["a", "b"], "c")])
    right = bound.test([Query("c", "a", ["d", "b"]), Query("c", ["b", "a"])])
    assert left == right


@pytest.mark.parametrize("spec", SPECS, ids=[spec.describe() for spec in SPECS])
def test_batches_answer_as_single_questions_do(spec) -> None:
    queries = [Query("a", "b"), Query("b", "c", "a"), Query("a", "d"), Query("b", "c")]
    bound = spec.on(table())
    assert bound.test(queries) == [bound.test([query])[0] for query in queries]
    assert bound.test([]) == []


def test_p_values_far_below_the_smallest_number() -> None:
    rows = 20_000
    column = np.arange(rows) % 2
    twins = Table(["x", "y"], [column, column], [[0, 1], [0, 1]])
    verdict = independence_test(twins, "x", "y")
    assert verdict.p_value == 0.0
    assert verdict.log_p == pytest.approx(-rows * math.log(2), rel=1e-3)
    assert not verdict.independent


def test_a_constant_has_no_degrees_of_freedom() -> None:
    flat = Table(["x", "y"], [[0, 0, 0], [0, 1, 1]], [["only"], ["n", "y"]])
    for spec in (GSquare(), ChiSquare(), Permuted(GSquare(), 99)):
        verdict = independence_test(flat, "x", "y", test=spec)
        assert (verdict.independent, verdict.df, verdict.p_value) == (True, 0, 1.0)
        assert verdict.note == "no degrees of freedom"
    # A column that could vary but does not loses its freedom only when df follow the states seen.
    still = Table(["x", "y"], [[0, 0, 0], [0, 1, 1]], [["n", "y"], ["n", "y"]])
    assert independence_test(still, "x", "y").df == 1
    assert independence_test(still, "x", "y", test=GSquare(adjusted=True)).df == 0


@pytest.mark.parametrize(
    "spec", [GSquare(), ChiSquare(), Threshold(0.1), Permuted(ChiSquare(), 99), BIC(), BDeu()]
)
def test_no_rows_is_independence(spec) -> None:
    verdict = independence_test(table(0), "a", "b", test=spec)
    assert verdict.independent


def test_too_little_data_is_said() -> None:
    verdict = independence_test(table(30), "a", "b", ["c", "d"], GSquare(min_rows_per_cell=5))
    assert verdict.independent
    assert verdict.note == "too little data: 30 rows for 24 cells, 5 per cell are required"
    enough = independence_test(table(30), "a", "b", ["c", "d"], GSquare(min_rows_per_cell=1))
    assert enough.note == ""


def test_fractional_weights_carry_a_warning() -> None:
    half = table(weights=[0.5] * 300)
    verdict = independence_test(half, "a", "b")
    assert "approximate" in verdict.note
    assert verdict.statistic == pytest.approx(independence_test(table(), "a", "b").statistic / 2)
    with pytest.raises(OptionError, match="whole weights"):
        independence_test(half, "a", "b", test=Permuted(GSquare()))
    assert independence_test(table(weights=[2.0] * 300), "a", "b").note == ""


def gaps() -> Table:
    data = codes()
    rng = np.random.default_rng(8)
    columns = [
        np.where(rng.random(300) < share, 255, data[:, i]) for i, share in enumerate((0.2, 0.0, 0.3, 0.0))
    ]
    return Table(list("abcd"), columns, [[0, 1], [0, 1], [0, 1, 2], [0, 1]])


def test_missing_values_need_a_policy() -> None:
    with pytest.raises(MissingValuesError, match="available"):
        independence_test(gaps(), "b", "d", "c")
    complete = gaps().select(["b", "d"])
    assert independence_test(gaps(), "b", "d") == independence_test(complete, "b", "d")


@pytest.mark.parametrize(
    "spec",
    [
        GSquare(),
        GSquare(adjusted=True),
        ChiSquare(),
        Threshold(0.02),
        Permuted(GSquare(), 99),
        CriterionSign(BIC()),
    ],
)
def test_each_question_uses_the_rows_that_answer_it(spec) -> None:
    data = gaps()
    queries = [Query("a", "b"), Query("b", "d"), Query("a", "c", "d"), Query("b", "d", "c")]
    found = spec.on(Counting(data, missing="available")).test(queries)
    for query, verdict in zip(queries, found, strict=True):
        used = sorted(query.x | query.y | query.given)
        known = data.select(used).complete("drop")
        own = spec.on(known).test([query])[0]
        assert verdict.independent == own.independent
        assert verdict.statistic == pytest.approx(own.statistic, abs=1e-9)
        assert verdict.effect == pytest.approx(own.effect, abs=1e-12)
        assert verdict.df == own.df
    with pytest.raises(MissingValuesError):
        spec.on(Counting(data, missing="available")).local([Family(0, frozenset([1]))])


@pytest.mark.parametrize("test", [GSquare(0.05), ChiSquare(0.05)], ids=["G2", "X2"])
def test_permutation_p_values_follow_the_reference(test) -> None:
    rows = codes(40, seed=9)[:, :3]
    sample = Sample.of(rows, [2, 2, 3])
    small = Table(list("abc"), list(rows.T), [[0, 1], [0, 1], [0, 1, 2]])
    statistic = reference.g_square if isinstance(test, GSquare) else reference.chi_square
    for x, y, given in (([1], [2], [0]), ([1], [2], []), ([1, 0], [2], [])):
        expected = reference.permutation_p_value(
            lambda s, x=x, y=y, given=given: statistic(s, x, y, given),
            sample,
            x,
            given,
            2000,
            np.random.default_rng(0),
        )
        names = [["abc"[v] for v in side] for side in (x, y, given)]
        found = independence_test(small, *names, Permuted(test, 4000, seed=1))
        assert found.p_value == pytest.approx(expected, abs=0.05)
        assert found.statistic == pytest.approx(statistic(sample, x, y, given), abs=1e-9)


def test_permutations_are_seeded() -> None:
    small = table(30)
    first, again, other = (
        independence_test(small, "b", "c", test=Permuted(GSquare(), 199, seed=s)) for s in (3, 3, 4)
    )
    assert first == again
    assert first.p_value != other.p_value


def test_permuted_takes_what_it_can_shuffle() -> None:
    with pytest.raises(OptionError, match="at least 19"):
        Permuted(GSquare(0.05), 18)
    assert Permuted(GSquare(0.05), 19).allowed == 0
    with pytest.raises(OptionError, match="Threshold"):
        Permuted(Threshold(0.1))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="seed"):
        Permuted(GSquare(), 99, seed=-1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: GSquare(0.0),
        lambda: ChiSquare(1.0),
        lambda: GSquare(math.nan),
        lambda: GSquare(min_rows_per_cell=0),
        lambda: Threshold(-0.1),
        lambda: BayesFactor(log_odds=math.inf),
        lambda: CriterionSign(Euclidean()).on(table()),
    ],
)
def test_options_out_of_range(make) -> None:
    with pytest.raises(OptionError):
        make()


def test_bad_questions() -> None:
    with pytest.raises(UnknownNameError, match="'e'"):
        independence_test(table(), "a", "e")
    with pytest.raises(GraphError, match="twice"):
        independence_test(table(), "a", "b", "a")


def test_prior_odds_shift_the_bayes_factor() -> None:
    plain = independence_test(table(), "a", "b", test=BayesFactor(BDeu(4)))
    shifted = independence_test(table(), "a", "b", test=BayesFactor(BDeu(4), log_odds=-1000))
    assert plain.statistic == shifted.statistic == pytest.approx(plain.gain)
    assert shifted.gain == pytest.approx((plain.gain or 0) - 1000)
    assert not plain.independent
    assert shifted.independent
    assert independence_test(table(), "a", "b", test=BDeu(4)).gain == plain.gain


def test_scores_that_are_not_set_functions_average_both_directions() -> None:
    bound = K2Score().on(table())
    a, b, c = 0, 1, 2
    to_b = bound.local([Family(b, frozenset([a, c])), Family(b, frozenset([c]))])
    to_a = bound.local([Family(a, frozenset([b, c])), Family(a, frozenset([c]))])
    verdict = bound.test([Query("a", "b", "c")])[0]
    assert verdict.gain == pytest.approx((to_b[0] - to_b[1] + to_a[0] - to_a[1]) / 2, abs=1e-9)


def test_an_oracle_is_a_test_too() -> None:
    class Always:
        def test(self, queries) -> list[Verdict]:
            return [Verdict(independent=True) for _ in queries]

    assert independence_test(table(), "a", "b", test=Always()).independent


def test_a_test_as_a_score_gains_what_the_test_says() -> None:
    binary = table().select(["a", "b", "d"])
    spec = GSquare(0.05)
    bound = spec.on(binary)
    before, after, first = bound.local(
        [Family(0, frozenset([2])), Family(0, frozenset([1, 2])), Family(0, frozenset())]
    )
    verdict = bound.test([Query("a", "b", "d")])[0]
    assert first == 0.0
    assert after - before == pytest.approx(verdict.gain)
    critical = _core.chi2_isf(0.05, verdict.df or 0)
    assert verdict.gain == pytest.approx(((verdict.statistic or 0) - critical) / 2)


def test_the_level_of_a_criterion() -> None:
    # log-likelihood against BIC: adding an arc by BIC is a G2 test at level chi2.sf(df log N, df)
    assert BIC().level(1, 1000) == pytest.approx(0.008583, abs=1e-5)
    assert BIC().level(2, 1000) == pytest.approx(0.001, abs=1e-9)
    assert BIC().level(6, 1000) == pytest.approx(2.4e-7, rel=0.02)
    assert LogLik().level(3, 1000) == 1.0


class Marginal:
    """A Bayesian measure in Python: no degrees of freedom, so only its sign can decide."""

    def __init__(self, sample: Sample) -> None:
        self.sample, self.N, self.cardinalities = sample, sample.N, sample.cardinalities

    def evidence(self, sets, rows=None) -> list[SetFit]:
        assert rows is None
        measure = reference.dirichlet(1.0)
        return [SetFit(*measure(self.sample, sorted(s))) for s in sets]


def test_chi_squared_needs_degrees_of_freedom() -> None:
    measure = Marginal(Sample.of(codes(50), [2, 2, 3, 2]))
    with pytest.raises(OptionError, match="sign of its log Bayes factor"):
        GSquare().on(measure)
    with pytest.raises(OptionError, match="give data"):
        GSquare(adjusted=True).on(measure)
    for spec in (K2Score(), BDeu(), ChiSquare(), Permuted(GSquare(), 99)):
        with pytest.raises(OptionError, match="Marginal is a measure"):
            spec.on(measure)
    own = LogLik().on(measure).test([Query("0", "1", "2")])[0]
    native = BDeu(1.0).on(table(50)).test([Query("a", "b", "c")])[0]
    assert own.gain == pytest.approx(native.gain, abs=1e-9)
    assert own.independent == native.independent


@pytest.mark.parametrize("spec", [GSquare(0.05), BayesFactor(log_odds=-3.0), Threshold(0.02), BIC()])
def test_searches_climb_on_anything(spec) -> None:
    """The native hill climber takes scores and tests alike."""
    parents = _core.hill_climb(spec.on(table()).native, _core.Knowledge(4), [[], [], [], []]).parents
    edges = {frozenset([child, parent]) for child, of in enumerate(parents) for parent in of}
    assert {frozenset([0, 1]), frozenset([0, 2])} <= edges


def test_a_measure_in_python_leads_to_the_same_graph() -> None:
    class Multinomial:
        def __init__(self, sample: Sample) -> None:
            self.sample, self.N, self.cardinalities = sample, sample.N, sample.cardinalities

        def evidence(self, sets, rows=None) -> list[SetFit]:
            assert rows is None
            return [SetFit(*reference.multinomial(self.sample, sorted(s))) for s in sets]

    measure = Multinomial(Sample.of(codes(120), [2, 2, 3, 2]))
    own, native = (
        _core.hill_climb(BIC().on(source).native, _core.Knowledge(4), [[], [], [], []])
        for source in (measure, table(120))
    )
    assert own.parents == native.parents
    assert own.score == pytest.approx(native.score)


@pytest.mark.parametrize(
    "spec",
    [
        GSquare(),
        GSquare(0.3, min_rows_per_cell=20),
        GSquare(adjusted=True),
        ChiSquare(),
        ChiSquare(adjusted=True),
    ],
    ids=repr,
)
def test_the_core_computes_the_statistics_that_numpy_computes(spec: GSquare | ChiSquare) -> None:
    bound = spec.on(table())
    sets = [(x, y, z) for x in ([0], [0, 3]) for y in ([1], [2]) for z in ([], [3], [1, 3])]
    triples = [Triple(frozenset(x), frozenset(y), frozenset(z) - set(x) - set(y)) for x, y, z in sets]
    values = spec.statistic(table()).values(triples, None)
    for verdict, value in zip(bound.verdicts(triples), values, strict=True):
        assert (verdict.statistic, verdict.df) == (value.statistic, value.df)
        assert verdict.effect == pytest.approx(value.information / bound.N, rel=1e-9)
    assert bound.decisions(triples) == [verdict.independent for verdict in bound.verdicts(triples)]
    with pytest.raises(IndexError, match="variable 9 does not exist; there are 4"):
        bound.verdicts([Triple(frozenset([0]), frozenset([9]), frozenset())])
