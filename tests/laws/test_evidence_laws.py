"""Laws that every measure, score and test keeps, on random tables with unseen states and weights."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dagwright.data import Table
from dagwright.evidence import (
    AIC,
    BIC,
    FNML,
    MDL,
    QNML,
    AdaptiveBDeu,
    BayesFactor,
    BDe,
    BDeu,
    BDs,
    ChiSquare,
    Counting,
    DirichletScore,
    Family,
    GSquare,
    K2Score,
    LogLik,
    Penalized,
    SetFit,
    Threshold,
    Triple,
    reference,
)
from dagwright.evidence.reference import Sample
from dagwright.graph.dag import Dag

NAMES = "abcde"


@st.composite
def samples(draw: st.DrawFn, variables: int = 4, weighted: bool = True) -> Sample:
    """Random rows; states may go unseen, columns may be constant, weights may be whole or absent."""
    cardinalities = draw(st.lists(st.integers(1, 4), min_size=variables, max_size=variables))
    rows = draw(st.integers(0, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    used = [int(rng.integers(1, r + 1)) for r in cardinalities]
    codes = np.stack([rng.integers(0, u, rows) for u in used], axis=1)
    if rows:
        codes[:, 1] = np.where(rng.random(rows) < 0.7, codes[:, 0] % used[1], codes[:, 1])
    weights = rng.integers(0, 4, rows) if weighted and draw(st.booleans()) else None
    return Sample.of(codes, cardinalities, weights)


def table_of(sample: Sample, names: str = NAMES) -> Table:
    return Table(
        list(names[: len(sample.cardinalities)]),
        list(sample.codes.T),
        [list(range(r)) for r in sample.cardinalities],
        weights=sample.weights,
    )


def families(n: int) -> list[Family]:
    return [
        Family(child, frozenset(parents))
        for child in range(n)
        for size in range(n)
        for parents in itertools.combinations([v for v in range(n) if v != child], size)
    ]


def triples(n: int) -> list[Triple]:
    """Single variables and a few sets, with every conditioning set of the rest."""
    found = []
    for x, y in itertools.combinations(range(n), 2):
        rest = [v for v in range(n) if v not in (x, y)]
        for size in range(len(rest) + 1):
            found += [
                Triple(frozenset([x]), frozenset([y]), frozenset(z))
                for z in itertools.combinations(rest, size)
            ]
    return [
        *found,
        Triple(frozenset([0, 1]), frozenset([2]), frozenset([3])),
        Triple(frozenset([3]), frozenset([0, 2]), frozenset()),
    ]


def tolerance(sample: Sample) -> float:
    return 1e-12 * max(100.0, sample.N * math.log(sample.N + 2.0))


SCORES = {
    "LogLik": (LogLik(), reference.log_likelihood),
    "AIC": (AIC(), reference.aic),
    "BIC": (BIC(), reference.bic),
    "Penalized": (Penalized(0.3), lambda s, x, p: reference.penalized(s, x, p, 0.3)),
    "MDL": (MDL(), reference.mdl),
    "MDL(2)": (MDL(2.0), lambda s, x, p: reference.mdl(s, x, p, 2.0 * math.log(2))),
    "K2": (K2Score(), reference.k2),
    "BDeu(1)": (BDeu(), reference.bdeu),
    "BDeu(10)": (BDeu(10.0), lambda s, x, p: reference.bdeu(s, x, p, 10.0)),
    "adaptive BDeu": (AdaptiveBDeu(), reference.adaptive_bdeu),
    "BDs": (BDs(2.0), lambda s, x, p: reference.bds(s, x, p, 2.0)),
    "Dirichlet": (DirichletScore(0.5), lambda s, x, p: reference.dirichlet_score(s, x, p, 0.5)),
    "fNML": (FNML(), reference.fnml),
    "qNML": (QNML(), reference.qnml),
}
EQUIVALENT = [name for name, (spec, _) in SCORES.items() if spec.equivalent]


@settings(max_examples=25, deadline=None)
@given(samples())
@pytest.mark.parametrize("name", SCORES)
def test_native_scores_equal_the_reference(name: str, sample: Sample) -> None:
    spec, twin = SCORES[name]
    asked = families(len(sample.cardinalities))
    found = spec.on(table_of(sample)).local(asked)
    expected = [twin(sample, f.child, sorted(f.parents)) for f in asked]
    assert found == pytest.approx(expected, abs=tolerance(sample), rel=0)


@settings(max_examples=30, deadline=None)
@given(samples())
def test_measures_equal_the_reference(sample: Sample) -> None:
    counting = Counting(table_of(sample))
    sets = [frozenset(s) for k in range(5) for s in itertools.combinations(range(4), k)]
    twins = {
        ("multinomial", 0.0): reference.multinomial,
        ("dirichlet", 3.0): reference.dirichlet(3.0),
        ("adaptive", 0.0): reference.adaptive_dirichlet,
        ("nml", 0.0): reference.quotient_nml,
    }
    for (kind, ess), twin in twins.items():
        found = counting.measure(kind, ess).evidence(sets)  # type: ignore[arg-type]
        for s, evidence in zip(sets, found, strict=True):
            fit, dim = twin(sample, sorted(s))
            assert evidence.fit == pytest.approx(fit, abs=tolerance(sample))
            assert evidence.dim == dim


@settings(max_examples=60, deadline=None)
@given(samples())
def test_statistics_equal_the_reference(sample: Sample) -> None:
    assume(sample.N > 0)
    table = table_of(sample)
    asked = triples(4)
    for adjusted in (False, True):
        g2 = GSquare(adjusted=adjusted).on(table).verdicts(asked)
        x2 = ChiSquare(adjusted=adjusted).on(table).verdicts(asked)
        for triple, g, p in zip(asked, g2, x2, strict=True):
            x, y, z = (sorted(side) for side in triple)
            df = reference.degrees_of_freedom(sample, x, y, z, adjusted=adjusted)
            assert g.df == p.df == df
            assert g.statistic == pytest.approx(reference.g_square(sample, x, y, z), abs=1e-9)
            assert p.statistic == pytest.approx(reference.chi_square(sample, x, y, z), abs=1e-9)
            assert g.effect == pytest.approx(
                reference.conditional_mutual_information(sample, x, y, z), abs=1e-12
            )
            if df == 0:
                assert g.independent
                assert g.p_value == 1.0


@settings(max_examples=40, deadline=None)
@given(samples())
def test_every_verdict_has_a_gain_with_its_sign(sample: Sample) -> None:
    table = table_of(sample)
    specs = [
        GSquare(),
        ChiSquare(0.2),
        Threshold(0.01),
        BayesFactor(),
        *(spec for spec, _ in SCORES.values()),
    ]
    for spec in specs:
        for verdict in spec.on(table).verdicts(triples(4)):
            assert verdict.gain is not None
            assert verdict.independent == (verdict.gain <= 0)


@settings(max_examples=60, deadline=None)
@given(samples())
def test_a_test_is_a_difference_of_scores(sample: Sample) -> None:
    """Cowell 2001, Eqs. 8, 10, 12: adding y to the parents z of x changes a score by the interaction."""
    table = table_of(sample)
    single = [t for t in triples(4) if len(t.x) == len(t.y) == 1]
    for spec in (LogLik(), AIC(), BIC(), BDeu(), AdaptiveBDeu(), QNML(), MDL()):
        bound = spec.on(table)
        asked = [Family(min(t.x), z) for t in single for z in (t.given | t.y, t.given)]
        local = bound.local(asked)
        for i, verdict in enumerate(bound.verdicts(single)):
            assert verdict.gain == pytest.approx(local[2 * i] - local[2 * i + 1], abs=2 * bound.tolerance)


@settings(max_examples=40, deadline=None)
@given(samples())
def test_bic_decides_like_g2_at_its_level(sample: Sample) -> None:
    assume(sample.N > 1)
    table = table_of(sample)
    bic = BIC().on(table)
    for triple, verdict in zip(triples(4), bic.verdicts(triples(4)), strict=True):
        if verdict.df and abs(verdict.gain or 0.0) > 1e-9:
            level = BIC().level(verdict.df, sample.N)
            assert GSquare(level).on(table).verdicts([triple])[0].independent == verdict.independent


@settings(max_examples=40, deadline=None)
@given(samples())
def test_chain_rule(sample: Sample) -> None:
    """CMI(a, bc | d) = CMI(a, b | d) + CMI(a, c | bd)."""
    a, b, c, d = (frozenset([i]) for i in range(4))
    found = (
        LogLik().on(table_of(sample)).verdicts([Triple(a, b | c, d), Triple(a, b, d), Triple(a, c, b | d)])
    )
    whole, first, second = (v.gain or 0.0 for v in found)
    assert whole == pytest.approx(first + second, abs=4 * tolerance(sample))


@settings(max_examples=15, deadline=None)
@given(samples(), st.randoms(use_true_random=False))
@pytest.mark.parametrize("name", SCORES)
def test_relabeling_changes_nothing(name: str, sample: Sample, random) -> None:
    """Rows, columns and states in another order give the same numbers, to the last digit for scores."""
    spec, _ = SCORES[name]
    n = len(sample.cardinalities)
    columns, rows = list(range(n)), list(range(len(sample.codes)))
    random.shuffle(columns)
    random.shuffle(rows)
    codes = sample.codes.copy()
    for v, r in enumerate(sample.cardinalities):
        states = list(range(r))
        random.shuffle(states)
        codes[:, v] = np.asarray(states)[codes[:, v]] if len(codes) else codes[:, v]
    other = Sample.of(
        codes[rows][:, columns], [sample.cardinalities[c] for c in columns], sample.weights[rows]
    )
    place = {column: i for i, column in enumerate(columns)}
    asked = families(n)
    moved = [Family(place[f.child], frozenset(place[p] for p in f.parents)) for f in asked]
    assert spec.on(table_of(sample)).local(asked) == spec.on(table_of(other)).local(moved)


@settings(max_examples=25, deadline=None)
@given(samples())
def test_a_constant_column_changes_nothing(sample: Sample) -> None:
    codes = np.concatenate([sample.codes, np.zeros((len(sample.codes), 1), dtype=np.int64)], axis=1)
    wider = Sample.of(codes, [*sample.cardinalities, 1], sample.weights)
    asked = families(4)
    with_constant = [Family(f.child, f.parents | {4}) for f in asked]
    for name, (spec, _) in SCORES.items():
        if not name.startswith("MDL"):  # its price of an arc depends on the number of columns
            bound = spec.on(table_of(wider))
            assert bound.local(with_constant) == pytest.approx(bound.local(asked), abs=tolerance(sample))
            assert bound.local([Family(4, frozenset([0, 1]))]) == pytest.approx([0.0], abs=tolerance(sample))
    constant = frozenset([4])
    for verdict in GSquare().on(table_of(wider)).verdicts([Triple(frozenset([0]), constant, frozenset([1]))]):
        assert verdict.independent
        assert verdict.df == 0


@settings(max_examples=30, deadline=None)
@given(samples())
def test_doubled_rows_double_the_fit(sample: Sample) -> None:
    doubled = Sample.of(
        np.concatenate([sample.codes] * 2), sample.cardinalities, np.concatenate([sample.weights] * 2)
    )
    asked = families(4)
    once, twice = (LogLik().on(table_of(s)).local(asked) for s in (sample, doubled))
    assert twice == pytest.approx([2 * v for v in once], abs=4 * tolerance(doubled))


@settings(max_examples=30, deadline=None)
@given(samples())
def test_equal_rows_and_weights_are_the_same(sample: Sample) -> None:
    repeated = Sample.of(np.repeat(sample.codes, sample.weights.astype(int), axis=0), sample.cardinalities)
    for spec, _ in SCORES.values():
        bound = [spec.on(table_of(s)).local(families(4)) for s in (sample, repeated)]
        assert bound[0] == pytest.approx(bound[1], abs=tolerance(sample))


def flips() -> list[tuple[Dag, Dag]]:
    """Pairs that differ in the direction of one covered arc: both have parents {c} besides."""
    more = [("c", "a"), ("c", "b"), ("b", "d"), ("a", "d")]
    return [(Dag(list("abcd"), [*more, ("a", "b")]), Dag(list("abcd"), [*more, ("b", "a")]))]


@settings(max_examples=40, deadline=None)
@given(samples())
@pytest.mark.parametrize("name", EQUIVALENT)
def test_covered_arcs_can_be_turned_around(name: str, sample: Sample) -> None:
    bound = SCORES[name][0].on(table_of(sample))
    for left, right in flips():
        assert bound.total(left) == pytest.approx(bound.total(right), abs=4 * bound.tolerance)


@pytest.mark.parametrize("spec", [K2Score(), BDs(), FNML(), DirichletScore(2.0)], ids=lambda s: s.name)
def test_scores_that_are_not_equivalent_say_so(spec) -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, [2, 3, 2, 4], (40, 4))
    codes[:, 1] = np.where(rng.random(40) < 0.6, codes[:, 0], codes[:, 1])
    bound = spec.on(table_of(Sample.of(codes, [2, 3, 2, 4])))
    left, right = flips()[0]
    assert not spec.equivalent
    assert abs(bound.total(left) - bound.total(right)) > 1e-3


class PythonMultinomial:
    """A measure as a user would write it: the batch protocol and nothing else."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.N = sample.N
        self.cardinalities = sample.cardinalities
        self.names = NAMES[: len(sample.cardinalities)]
        self.batches = 0

    def evidence(self, sets, rows=None) -> list[SetFit]:
        assert rows is None
        self.batches += 1
        return [SetFit(*reference.multinomial(self.sample, sorted(s))) for s in sets]


@settings(max_examples=20, deadline=None)
@given(samples())
def test_a_measure_in_python_gives_the_same_scores_and_tests(sample: Sample) -> None:
    table, measure = table_of(sample), PythonMultinomial(sample)
    for spec in (LogLik(), AIC(), BIC(), MDL()):
        own, native = spec.on(measure), spec.on(table)
        assert own.local(families(4)) == pytest.approx(native.local(families(4)), abs=tolerance(sample))
        graph = Dag(list("abcd"), [("a", "b"), ("b", "c")])
        assert own.total(graph) == pytest.approx(native.total(graph), abs=tolerance(sample))
    for test in (GSquare(), Threshold(0.02)):
        for own, native in zip(
            test.on(measure).verdicts(triples(4)), test.on(table).verdicts(triples(4)), strict=True
        ):
            assert own.df == native.df
            assert own.gain == pytest.approx(native.gain, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(samples(weighted=False))
def test_bde_with_a_uniform_prior_is_bdeu(sample: Sample) -> None:
    table = table_of(sample)
    uniform = np.full(sample.cardinalities, 1.0 / math.prod(sample.cardinalities))
    names = list(table.names)
    priors = [
        uniform,
        Table.from_distribution(uniform, names, [list(range(r)) for r in sample.cardinalities]),
    ]
    for prior in priors:
        found = BDe(prior, ess=3.0).on(table)
        assert found.local(families(4)) == pytest.approx(BDeu(3.0).on(table).local(families(4)), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(samples(), st.integers(0, 2**32))
def test_bde_equals_the_reference_and_is_equivalent(sample: Sample, seed: int) -> None:
    prior = (
        np.random.default_rng(seed)
        .dirichlet(np.ones(math.prod(sample.cardinalities)))
        .reshape(sample.cardinalities)
    )
    bound = BDe(prior, ess=5.0).on(table_of(sample))

    def marginal(variables) -> np.ndarray:
        others = tuple(i for i in range(4) if i not in variables)
        summed = prior.sum(axis=others)
        return np.transpose(summed, [sorted(variables).index(v) for v in variables])

    asked = families(4)
    expected = [reference.bde(sample, f.child, sorted(f.parents), 5.0, marginal) for f in asked]
    assert bound.local(asked) == pytest.approx(expected, abs=1e-9)
    left, right = flips()[0]
    assert bound.total(left) == pytest.approx(bound.total(right), abs=1e-8)
