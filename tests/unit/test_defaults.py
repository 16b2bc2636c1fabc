"""One rule for defaults: a named score stands alone, a prior named alone joins the default score."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright import defaults
from dagwright.errors import OptionError

ASIA = dw.read("sample:asia")
PAIR = replace(
    defaults.DEFAULTS["discrete"],
    score="BDeu(ess=3)",
    structure_prior="FanIn(monotone=True)",
)


def names(found: Any) -> str:
    return str(found.score_name)


@pytest.fixture
def other_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another default pair, to see where it is read."""
    monkeypatch.setitem(defaults.DEFAULTS, "discrete", PAIR)


@pytest.mark.usefixtures("other_pair")
@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({}, "BDeu + FanIn"),
        ({"score": dw.BIC()}, "BIC"),
        ({"score": "BIC", "structure_prior": dw.ArcCost(1.0)}, "BIC + ArcCost"),
        ({"structure_prior": dw.ArcCost(1.0)}, "BDeu + ArcCost"),
        ({"search": dw.HillClimb()}, "BDeu + FanIn"),
        ({"search": dw.K2(ASIA.names)}, "K2"),
        ({"search": dw.MMHC()}, "BDeu + FanIn"),
    ],
    ids=repr,
)
def test_a_named_score_stands_alone(named: dict[str, Any], expected: str) -> None:
    found = dw.learn(ASIA, **named)
    assert names(found) == expected
    assert dw.score(found).total == pytest.approx(found.score, abs=1e-7)
    assert dw.score(found, ASIA).total == pytest.approx(found.score, abs=1e-7)


@pytest.mark.usefixtures("other_pair")
def test_every_verb_follows_the_rule() -> None:
    graph = "smoke -> lung; smoke -> bronc"
    prior = dw.FanIn(monotone=True).log_prior(dw.Dag(ASIA.names, [("smoke", "lung"), ("smoke", "bronc")]))
    alone = dw.score(graph, ASIA, dw.BDeu(3)).total
    assert dw.score(graph, ASIA).total == pytest.approx(alone + prior)
    assert dw.candidates(ASIA).score_name == "BDeu + FanIn"
    assert dw.candidates(ASIA, score=dw.BIC()).score_name == "BIC"
    assert names(dw.learn(ASIA, missing="em", search="hc")) == "BDeu + FanIn"


def test_the_score_of_a_result_is_its_own() -> None:
    for given in ({"score": dw.BDeu(5)}, {"structure_prior": dw.FanIn()}, {"search": dw.GES()}):
        found = dw.learn(ASIA, **given)
        assert float(dw.score(found)) == pytest.approx(found.score, abs=1e-7)
    found = dw.learn(ASIA, structure_prior=dw.FanIn())
    assert "n = 8 variables" in dw.score(found).definition
    bic = dw.score(found, score=dw.BIC())
    assert bic.total == pytest.approx(dw.BIC().on(ASIA).total(found.graph))
    priced = dw.score("A -> B", {"A": [0, 1], "B": [0, 1]}, structure_prior=dw.ArcCost(2.0))
    assert priced.total == pytest.approx(dw.score("A -> B", {"A": [0, 1], "B": [0, 1]}).total - 2.0)
    assert priced.by_node["B"] < priced.by_node["A"]


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="needs data"):
        dw.score("A -> B")
    with pytest.raises(OptionError, match="distance"):
        dw.score("smoke -> lung", ASIA, dw.Euclidean(), structure_prior=dw.FanIn())


def test_a_rival_without_an_edge_is_compared_under_the_same_prior() -> None:
    prior = dw.ArcCost(5.0)
    found = dw.learn(ASIA, structure_prior=prior)
    assert found.dag is not None
    card = dw.evidence_card(found, *found.dag.edges[0])
    assert card.rival is not None
    bound = dw.learn(
        ASIA,
        structure_prior=prior,
        knowledge=dw.Knowledge(forbidden=[found.dag.edges[0], found.dag.edges[0][::-1]]),
    )
    assert found.score is not None
    assert bound.score is not None
    assert card.rival.loss >= found.score - bound.score - 1e-6


def test_results_of_a_default_are_those_of_the_method_it_names() -> None:
    usual = defaults.DEFAULTS["discrete"]
    prior = dw.FanIn(monotone=True)
    assert defaults.usual_pair(None, None) == (dw.AdaptiveBDeu(), prior)
    assert defaults.usual_search() == dw.Auto()
    assert defaults.usual_test() == dw.GSquare()
    assert dw.GSquare().alpha == usual.alpha
    assert dw.fit("smoke -> lung", ASIA) == dw.fit(
        "smoke -> lung", ASIA, parameter_prior=usual.parameter_prior
    )
    assert str(usual).splitlines()[0].split(maxsplit=1) == ["score", "AdaptiveBDeu()"]


def test_the_default_pair_says_why() -> None:
    table, score = (
        dw.read({name: column[:4_000] for name, column in ASIA.to_dict().items()}),
        dw.AdaptiveBDeu(),
    )
    found = dw.learn(table)
    assert (found.score_spec, found.structure_prior) == (score, dw.FanIn(monotone=True))
    named = dw.learn(table, score=score, structure_prior=dw.FanIn(monotone=True))
    assert (found.graph, found.score) == (named.graph, named.score)
    assert "the default: it came closest" in found.notes["score and prior"]
    assert "score and prior" not in named.notes
    joined = dw.learn(table, structure_prior="FanIn(scale=0.5)")
    assert joined.notes["score and prior"] == "AdaptiveBDeu(), the default score, with the prior FanIn"
    again = dw.Learned.from_json(found.to_json())
    assert dw.score(again, table).total == pytest.approx(found.score, abs=1e-7)
    assert dw.score(found.graph, table).total == pytest.approx(found.score, abs=1e-7)
    assert dw.candidates(table).score_name == found.score_name
    climbed = dw.learn(table, search=dw.HillClimb()).score
    ends = [outcome.score for outcome in dw.search.greedy_tie_outcomes(table)]
    assert min(abs(end - climbed) for end in ends) < 1e-7


@pytest.mark.parametrize("missing", [None, "em", "drop", "state"])
@pytest.mark.parametrize("every", [9, 90])
def test_a_result_on_rows_with_gaps_scores_as_it_says(missing: str | None, every: int) -> None:
    """By default few incomplete rows are left out, and many are taken by EM."""
    table = dw.load("asia").sample(400, random_state=2)
    rows = {name: list(table.decode(name)) for name in table.names}
    rows["lung"][::every] = [None] * len(rows["lung"][::every])
    found = dw.learn(rows, search=dw.HillClimb(), missing=missing)
    assert found.score is not None
    assert dw.score(found).total == pytest.approx(found.score, abs=1e-7)
    assert dw.score(found, unit="bits").total == pytest.approx(found.score / math.log(2), abs=1e-6)


@pytest.mark.parametrize("states", [2, 4])
@pytest.mark.parametrize(("n", "rows"), [(10, 10_000), (30, 1_000)])
def test_independent_columns_of_equally_likely_states_stay_apart(states: int, n: int, rows: int) -> None:
    """Scores that spend less on a pair than on its two columns would join most of them."""
    rng = np.random.default_rng(3)
    table = dw.read({f"x{at}": rng.integers(0, states, rows).astype(str) for at in range(n)})
    search = dw.OrderSearch(chains=2, perturbations=50, evaluations=5_000)
    assert len(dw.learn(table, search=search).graph.edges) <= 2


def test_who_prints_the_defaults_prints_the_same_facts() -> None:
    for one in defaults.DEFAULTS.values():
        facts = one.facts()
        assert [line.split(maxsplit=1) for line in str(one).splitlines()] == [list(fact) for fact in facts]
        assert dict(facts)["missing"] == "em; drop where at most 5 % of the rows have gaps"
        assert {"score", "structure_prior", "search", "test"} <= dict(facts).keys()
