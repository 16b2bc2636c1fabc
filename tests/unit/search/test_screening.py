"""Very many rows are searched in a sample first; the answer is judged by all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import dagwright as dw
from dagwright.search import screening

CHILD = dw.load("child").sample(20_000, random_state=5)


@pytest.fixture(autouse=True)
def few_are_many() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screening, "MANY_ROWS", 10_000)
        patch.setattr(screening, "SAMPLED_ROWS", 1_000)
        patch.setattr(screening, "SAMPLED_FAMILIES", 300)
        yield


def test_the_answer_is_screened_and_scored_on_all_rows() -> None:
    found = dw.learn(CHILD, score=dw.BIC())
    assert "of 20,000 rows" in found.notes["screened"]
    assert found.notes["chosen"].startswith("OrderSearch(evaluations=300): on a sample of the rows")
    assert not found.optimal
    assert found.gap is None
    assert found.score == pytest.approx(dw.score(found.dag, CHILD, score=dw.BIC()).total)
    assert any(work.startswith("GES") for work in found.works)
    assert "screened" in str(found)


def test_no_single_arc_gains_on_all_rows() -> None:
    found = dw.learn(CHILD, score=dw.BIC())
    again = dw.learn(CHILD, score=dw.BIC(), search=dw.HillClimb(), start=found.dag)
    assert again.dag == found.dag
    whole = dw.learn(CHILD, score=dw.BIC(), search=dw.OrderSearch(evaluations=300, perturbations=20))
    assert found.score >= whole.score - 1e-6


def test_neither_order_nor_names_change_the_answer() -> None:
    found = dw.learn(CHILD)
    rng = np.random.default_rng(4)
    names = [CHILD.names[at] for at in rng.permutation(len(CHILD.names))]
    other = dw.learn(CHILD.select(names).take(rng.permutation(CHILD.n_rows)), threads=1)
    assert "screened" in found.notes
    assert other.score == found.score
    assert other.essential == found.essential


def test_screening_can_be_turned_off() -> None:
    found = dw.learn(CHILD, score=dw.BIC(), search="Auto(screen=False)", time_limit=1.0)
    assert "screened" not in found.notes
    assert found.method == "Auto(screen=False)"


def test_knowledge_holds_on_the_sample_and_on_all_rows() -> None:
    first, second = CHILD.names[:2]
    known = dw.Knowledge(forbidden=[(first, second)], required=[(second, CHILD.names[5])])
    found = dw.learn(CHILD, score=dw.BIC(), knowledge=known)
    assert "screened" in found.notes
    assert (second, CHILD.names[5]) in found.dag.edges
    assert (first, second) not in found.dag.edges


def test_a_score_that_tells_equivalent_graphs_apart_is_climbed_only() -> None:
    found = dw.learn(CHILD, score=dw.K2Score())
    assert "then HillClimb() on all of them" in found.notes["chosen"]
    assert found.warnings == ()


def test_a_stop_in_the_sample_still_gives_a_network_with_its_score() -> None:
    token = dw.CancelToken()
    found = dw.learn(CHILD, score=dw.BIC(), cancel=token, progress=lambda _: token.cancel())
    assert found.stopped == "cancelled"
    assert found.score == pytest.approx(dw.score(found.dag, CHILD, score=dw.BIC()).total)


def test_the_forecast_counts_the_sample_by_its_share() -> None:
    screened = dw.forecast(CHILD, score=dw.BIC())
    whole = dw.forecast(CHILD, score=dw.BIC(), search=dw.Auto(screen=False))
    assert "sampled rows" in screened.basis
    assert screened.evaluations < whole.evaluations / 10


def test_columns_of_numbers_are_not_sampled() -> None:
    rng = np.random.default_rng(1)
    columns = {f"x{at}": rng.normal(size=12_000) for at in range(22)}
    found = dw.learn(columns, time_limit=1.0)
    assert "screened" not in found.notes
