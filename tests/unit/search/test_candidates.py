from __future__ import annotations

import itertools
import math
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, FormatError, OptionError
from dagwright.evidence.binding import bind_score
from dagwright.evidence.protocols import Family
from dagwright.search.candidates import BYTES_PER_SET, CandidateSets, SetsDoNotFitError

SCORES = [
    dw.BIC(),
    dw.AIC(),
    dw.LogLik(),
    dw.MDL(),
    dw.Penalized(math.sqrt),
    dw.BDeu(1),
    dw.BDeu(50),
    dw.BDs(),
    dw.K2Score(),
    dw.QNML(),
    dw.FNML(),
]


def random_table(seed: int, n: int = 6, rows: int = 60) -> dw.Table:
    rng = np.random.default_rng(seed)
    columns: dict[str, list[int]] = {}
    for at in range(n):
        source = sum(
            (np.asarray(columns[f"x{p}"]) for p in range(at) if rng.random() < 0.5), np.zeros(rows, int)
        )
        states = int(rng.integers(2, 4))
        noise = rng.integers(0, states, rows)
        columns[f"x{at}"] = [int(v) for v in np.where(rng.random(rows) < 0.7, source % states, noise)]
    return dw.read(columns)


def all_families(table: dw.Table, spec: object) -> dict[tuple[int, frozenset[int]], float]:
    bound = bind_score(spec, table)
    n = len(table.names)
    families = [
        Family(child, frozenset(parents))
        for child in range(n)
        for size in range(n)
        for parents in itertools.combinations([v for v in range(n) if v != child], size)
    ]
    return dict(zip([(f.child, f.parents) for f in families], bound.local(families), strict=True))


@pytest.mark.parametrize("spec", SCORES, ids=repr)
@pytest.mark.parametrize("within", [None, 0.0, 1.5])
def test_exactly_the_sets_that_beat_their_subsets_by_brute_force(spec: object, within: float | None) -> None:
    for seed in range(4):
        table = random_table(seed).canonical().table
        values = all_families(table, spec)
        tolerance = bind_score(spec, table).tolerance
        slack = -tolerance if within is None else within + tolerance
        found = dw.candidates(table, score=spec, within=within)
        assert found.nodes == table.names
        for child, name in enumerate(table.names):
            expected = {
                parents: value
                for (x, parents), value in values.items()
                if x == child
                and all(
                    value > values[x, frozenset(sub)] - slack
                    for size in range(len(parents))
                    for sub in itertools.combinations(sorted(parents), size)
                )
            }
            got = {frozenset(map(table.names.index, one.parents)): one.score for one in found.of(name)}
            assert got.keys() == expected.keys()
            assert all(got[key] == pytest.approx(expected[key], abs=1e-9) for key in got)


def test_best_first_the_empty_set_among_them_and_the_same_on_any_number_of_threads() -> None:
    table = random_table(1, n=8)
    found = dw.candidates(table, threads=1)
    assert found == dw.candidates(table, threads=3)
    for name in found.nodes:
        scores = [one.score for one in found.of(name)]
        assert scores == sorted(scores, reverse=True)
        assert () in [one.parents for one in found.of(name)]
    assert found.bound() == pytest.approx(sum(found.of(name)[0].score for name in found.nodes))


def test_parent_bound_and_knowledge_reduce_the_sets() -> None:
    table = random_table(3)
    known = dw.Knowledge(required=[("x0", "x1")], forbidden=[("x2", "x3")], tiers=[["x4"], ["x5"]])
    found = dw.candidates(table, max_parents=2, knowledge=known)
    assert all("x0" in one.parents for one in found.of("x1"))
    assert not any("x2" in one.parents for one in found.of("x3"))
    assert not any("x5" in one.parents for one in found.of("x4"))
    assert max(len(one.parents) for name in found.nodes for one in found.of(name)) <= 2


def test_a_edge_that_must_be_there_keeps_the_sets_with_and_without_it() -> None:
    rng = np.random.default_rng(0)
    table = dw.read({name: rng.integers(0, 2, 50).tolist() for name in "abc"})
    found = dw.candidates(table, knowledge=dw.Knowledge(required=[("a", "--", "b")]))
    assert {tuple(sorted(one.parents)) for one in found.of("a")} == {(), ("b",)}
    assert [{found.nodes[x] for x in edge} for edge in found.required_edges] == [{"a", "b"}]


def test_structure_priors_are_part_of_the_score() -> None:
    table = random_table(5)
    plain = dw.candidates(table, score=dw.BIC())
    priced = dw.candidates(table, score=dw.BIC(), structure_prior=dw.ArcCost(3.0))
    before = {(name, one.parents): one.score for name in plain.nodes for one in plain.of(name)}
    for name in priced.nodes:
        for one in priced.of(name):
            assert one.score == pytest.approx(before[name, one.parents] - 3.0 * len(one.parents))
    impossible = dw.candidates(table, structure_prior=dw.ArcCost({("x0", "x1"): math.inf}))
    assert not any("x0" in one.parents for one in impossible.of("x1"))


def test_a_score_without_a_bound_is_refused_where_all_its_sets_cannot_fit() -> None:
    rng = np.random.default_rng(0)
    wide = dw.read({f"x{at}": rng.integers(0, 2, 20).tolist() for at in range(40)})
    with pytest.raises(CapacityError, match=r"no bound is known for LogLik.*max_parents=5"):
        dw.candidates(wide, score=dw.LogLik())
    with pytest.raises(CapacityError, match=r"do not fit into.*or give more memory$"):
        dw.candidates(wide, memory=4_000)
    with pytest.raises(CapacityError, match=r"with 6 \* 2\^16 bytes, 0.000366 GiB, all sets go into a table"):
        dw.candidates(random_table(1, n=16), score=dw.BDeu(1), memory=100_000)
    assert dw.candidates(wide, score=dw.LogLik(), max_parents=1).stopped is None


@pytest.mark.parametrize("spec", [dw.BIC(), dw.BDeu(1), dw.K2Score(), dw.FNML(), dw.QNML()], ids=repr)
def test_stopped_every_node_has_a_set_and_a_limit_that_no_set_exceeds(spec: object) -> None:
    table = random_table(2, n=12, rows=300)
    whole = dw.candidates(table, score=spec)
    optimum = dw.learn(table, score=spec, search=dw.Exact()).score
    assert whole.limits is None
    assert whole.most is None
    for seconds in (0.0, 0.01, 0.05):
        found = dw.candidates(table, score=spec, time_limit=seconds)
        if found.stopped is None:
            continue
        assert found.stopped == "deadline"
        assert all(size >= 1 for size in found.sizes().values())
        best = [whole.of(name)[0].score for name in found.nodes]
        assert found.limits is not None
        assert all(limit >= score - 1e-9 for limit, score in zip(found.limits, best, strict=True))
        assert optimum - 1e-9 <= found.bound() <= sum(found.limits) + 1e-9
        assert found.gap_of(optimum) == pytest.approx(found.bound() - optimum)
        again = pickle.loads(pickle.dumps(found))
        assert (again.limits, again.most) == (found.limits, found.most)


@pytest.mark.parametrize("prior", [None, dw.FanIn(monotone=True)], ids=repr)
@pytest.mark.parametrize("score", [dw.BIC(), dw.QNML()], ids=repr)
def test_families_share_what_all_variables_explain(score: Any, prior: dw.StructurePrior | None) -> None:
    """Cut short at any size, the bound holds, and is below the sum of limits where rows are nearly unique."""
    tighter = 0
    for seed in range(6):
        table = random_table(seed, n=9, rows=60 + 40 * seed)
        given = {"score": score, "structure_prior": prior}
        optimum = dw.learn(table, search=dw.Exact(), **given).score
        for sets in (12, 25, 50):
            try:
                found = dw.candidates(table, memory=BYTES_PER_SET * sets, **given)
            except SetsDoNotFitError as cut:
                found = cut.sets
            assert found.bound() >= optimum - 1e-9
            tighter += found.limits is not None and found.bound() < sum(found.limits) - 1.0
    assert tighter > 0


COUNTS = [
    None,
    dw.FanIn(),
    dw.FanIn(monotone=True),
    dw.FanIn(most=2),
    dw.ArcCost(-2.0),
    dw.ParentCount([-math.inf, 1.0, -5.0, 30.0, -8.0, 9.0]),
]


@pytest.mark.parametrize("prior", COUNTS, ids=repr)
@pytest.mark.parametrize("spec", [dw.BIC(), dw.AIC(), dw.BDeu(1), dw.BDeu(30), dw.QNML()], ids=repr)
def test_refined_groups_of_rows_and_counted_families_give_the_same_sets(
    spec: object, prior: dw.evidence.StructurePrior | None
) -> None:
    """Rows with a weight go the general way through counted families; the scores are the same digits."""
    for seed, rows in ((1, 2), (2, 3), (3, 90), (4, 700)):
        rng = np.random.default_rng(seed)
        columns = {f"x{at}": rng.integers(0, states, rows) for at, states in enumerate((2, 3, 6, 2, 4, 2, 1))}
        columns["copy"] = np.where(rng.random(rows) < 0.9, columns["x1"], 0)
        known = dw.Knowledge(required=[("x2", "x0")], forbidden=[("x3", "x4")], max_parents={"x5": 3})
        find = partial(dw.candidates, score=spec, knowledge=known, structure_prior=prior)
        plain = find(dw.read(columns))
        for threads in (1, 3):
            again = find(dw.read(columns), threads=threads)
            assert again == plain
            assert again.evaluations == plain.evaluations
        weighted = dw.read({**columns, "w": np.ones(rows)}, weights="w")
        assert find(weighted) == plain
        if prior is not None:
            assert find(dw.read(columns), structure_prior=by_hand(prior, 8)) == plain


def by_hand(prior: dw.evidence.StructurePrior, n: int) -> dw.FamilyPrior:
    """The same prior as a function of families, which no bound is known of: all sets are scored."""
    values = prior.on([str(at) for at in range(n)], [2] * n, 1.0).parent_counts(n)
    assert values is not None
    return dw.FamilyPrior(lambda child, parents: values[len(parents)])  # noqa: ARG005


@pytest.mark.parametrize("prior", COUNTS, ids=repr)
@pytest.mark.parametrize("spec", [dw.AIC(), dw.BDeu(1), dw.QNML(), dw.LogLik()], ids=repr)
def test_where_most_sets_must_be_counted_a_table_of_all_sets_gives_the_same(
    spec: object, prior: dw.evidence.StructurePrior | None
) -> None:
    table = random_table(11, n=13, rows=80)
    weighted = dw.read({**table.to_dict(), "w": np.ones(80)}, weights="w")
    counted = dw.candidates(weighted, score=spec, structure_prior=prior)
    looked_up = dw.candidates(table, score=spec, structure_prior=prior, threads=2)
    assert looked_up == counted
    assert prior is not None or looked_up.evaluations > counted.evaluations


def test_many_rows_go_straight_to_the_table() -> None:
    table = random_table(5, n=8, rows=17_000)
    weighted = dw.read({**table.to_dict(), "w": np.ones(17_000)}, weights="w")
    assert dw.candidates(table, score=dw.BDeu(1)) == dw.candidates(weighted, score=dw.BDeu(1))


def test_pickle_and_equality() -> None:
    found = dw.candidates(random_table(4), score=dw.BIC(), max_parents=2)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert hash(again) == hash(found)
    assert (again.max_parents, again.score_name, again.evaluations) == (2, "BIC", found.evaluations)
    assert found != dw.candidates(random_table(4), score=dw.BIC(), max_parents=1)


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(dw.DagwrightError, match="every variable needs a candidate set"):
        CandidateSets.from_arrays(
            ["a", "b"], np.array([0, 1, 1]), np.zeros(1), np.array([0, 0]), np.array([], int)
        )
    with pytest.raises(dw.DagwrightError, match="other variables"):
        CandidateSets.from_arrays(["a"], np.array([0, 1]), np.zeros(1), np.array([0, 1]), np.array([0]))
    with pytest.raises(OptionError, match="1 variables for 2 nodes"):
        CandidateSets.from_arrays(
            ["a", "b"], np.array([0, 1]), np.zeros(1), np.array([0, 0]), np.array([], int)
        )
    with pytest.raises(OptionError, match="within"):
        dw.candidates(random_table(0), within=-1.0)


def test_score_files_come_back_digit_for_digit(tmp_path: Path) -> None:
    found = dw.candidates(random_table(6), score=dw.BIC())
    assert found.save(tmp_path / "x.jkl") == ["score: the file does not say that its numbers are BIC"]
    again = CandidateSets.load(tmp_path / "x.jkl")
    assert again == found
    assert again.score_name is None


def test_names_with_white_space_become_numbers_and_it_is_said(tmp_path: Path) -> None:
    table = dw.read({"a b": [0, 1, 0, 1], "c": [0, 1, 1, 1]})
    lost = dw.candidates(table).save(tmp_path / "x.jkl")
    assert lost[0].startswith("names: some hold white space")
    assert CandidateSets.load(tmp_path / "x.jkl").nodes == ("0", "1")


def test_a_score_file_of_another_program_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.jkl"
    text = "META made by hand\n2\n1 1\n-2.5 0\n  # and a remark\n0 2\n-3 0\n-1.25 1 1\n"
    path.write_text(text, encoding="utf-8-sig")
    found = CandidateSets.load(path)
    assert found.nodes == ("0", "1")
    assert found.of("0") == [(("1",), -1.25), ((), -3.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file ends where the number of variables should be"),
        ("two\n", "line 1: the number of variables must be a whole number, not 'two'"),
        ("2 3\n", "line 1: the first line must hold"),
        ("1\na 1\n-1 1 b\n", "line 3: parent 'b' of 'a' is not a variable"),
        ("1\na 1\n-1 1 a\n", "line 3: 'a' cannot be its own parent"),
        ("0\n", "line 1: there must be at least one variable"),
        ("1\na 1\nx 0\n", "line 3: the score must be a number or -inf, not 'x'"),
        ("1\na 1\nnan 0\n", "line 3: the score must be a number or -inf, not 'nan'"),
        ("1\na 1\ninf 0\n", "line 3: the score must be a number or -inf, not 'inf'"),
        ("1\na 1\n-1 2 a\n", "line 3: 2 parents announced, 1 given"),
        ("1\na 2\n-1 0\n", "line 4: the file ends where a parent set of 'a' should be"),
        ("1\na 2\n-1 0\n-2 0\n", "line 4: this parent set of 'a' occurs twice in the file"),
        ("1\na 0\n", "line 2: variable 'a' has no parent sets"),
        ("2\na 1\n-1 0\na 1\n-1 0\n", "line 4: variable 'a' occurs twice in the file"),
        ("1\na 1\n-1 0\n-1 0\n", "line 4: more lines than"),
    ],
)
def test_a_malformed_score_file_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "wrong.jkl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        CandidateSets.load(path)
