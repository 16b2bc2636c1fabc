"""Evidence cards: their numbers are those of the scores and tests themselves."""

from __future__ import annotations

import json
import math

import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal

FOUND = dw.learn(SAMPLE)
TABLE = dw.read(SAMPLE)


def test_gains_are_differences_of_scores() -> None:
    card = dw.evidence_card(FOUND, "either", "dysp", rival=False)
    assert FOUND.dag is not None
    without = FOUND.dag.with_edges(remove=[("either", "dysp")])
    for name, score in {"BIC": dw.BIC(), "BDeu": dw.BDeu(), "AIC": dw.AIC()}.items():
        gain = dw.score(FOUND.dag, TABLE, score).total - dw.score(without, TABLE, score).total
        assert card.gains[name] == pytest.approx(gain, abs=1e-6)


def test_the_test_is_g2_given_the_other_parents() -> None:
    card = dw.evidence_card(FOUND, "either", "dysp", rival=False)
    verdict = dw.independence_test(TABLE, "either", "dysp", card.given, dw.GSquare())
    assert (card.g2, card.df, card.p_value) == (verdict.statistic, verdict.df, verdict.p_value)
    assert card.bits == pytest.approx((verdict.effect or 0.0) / math.log(2))
    # BIC keeps an arc when G2 > df log N, so its level is the tail beyond that; with 2 degrees of freedom
    # that tail is exp(-log N).
    assert card.df == 2
    assert card.bic_level == pytest.approx(1 / 5000)


def test_a_edge_that_is_not_there() -> None:
    card = dw.evidence_card(FOUND, "asia", "xray")
    assert not card.present
    assert card.rival is None
    assert card.gains["BIC"] < 0
    assert "not in the network" in str(card)


def test_who_decides_the_direction() -> None:
    free = dw.evidence_card(FOUND, "smoke", "bronc", rival=False)
    assert free.decided_by == "nothing"
    assert dw.evidence_card(FOUND, "lung", "either", rival=False).decided_by == "data"
    told = dw.learn(SAMPLE, knowledge=dw.Knowledge(required=["smoke -> bronc"]))
    card = dw.evidence_card(told, "smoke", "bronc")
    assert card.decided_by == "knowledge"
    assert "requires smoke -> bronc" in card.knowledge
    assert card.rival is None  # there is no network without it


def test_the_rival_is_a_network_without_the_edge() -> None:
    card = dw.evidence_card(FOUND, "lung", "either")
    assert card.rival is not None
    assert card.rival.loss > 0
    assert ("lung", "either") not in card.rival.instead


def test_strengths_come_from_the_confidence() -> None:
    sure = dw.bootstrap(TABLE, search=dw.HillClimb(), replicates=5)
    cards = dw.evidence_cards(FOUND.with_confidence(sure))
    assert len(cards) == len(FOUND.dag.edges if FOUND.dag else ())
    assert all(card.strength == sure.strength(card.start, card.end) for card in cards)
    assert "strength" in str(cards[0])
    assert json.loads(json.dumps(cards[0].to_dict()))["start"] == cards[0].start


def test_a_loaded_result_needs_data() -> None:
    loaded = dw.Learned.from_json(FOUND.to_json())
    with pytest.raises(dw.DataError, match="data="):
        dw.evidence_card(loaded, "lung", "either")
    assert dw.evidence_card(loaded, "lung", "either", data=TABLE).present


class TestCommands:
    def test_confidence(self) -> None:
        words = ("bootstrap", SAMPLE, "--search", "HillClimb", "--replicates", "8", "--seed", "2")
        text = answer(*words)
        assert "lung -> either" in text
        assert "8 replicates" in text
        expected = dw.bootstrap(SAMPLE, search=dw.HillClimb(), replicates=8, random_state=2)
        assert dw.Confidence.from_json(answer(*words, "--json")) == expected
        assert "did you mean 'Jackknife'?" in refusal(*words, "--draw", "Jacknife")

    def test_posterior(self) -> None:
        words = ("posterior", SAMPLE, "--column", "smoke", "--column", "lung", "--column", "bronc")
        expected = dw.posterior(TABLE.select(["smoke", "lung", "bronc"])).confidence
        assert dw.Confidence.from_json(answer(*words, "--json")) == expected
        assert "strength" in answer(*words, "--method", "order", "--time-limit", "20")
        assert "did you mean 'order'" in refusal(*words, "--method", "oder")

    def test_card(self) -> None:
        assert "bits per row" in answer("evidence-card", SAMPLE, "lung", "either")
        assert json.loads(answer("evidence-card", SAMPLE, "lung", "either", "--json"))["present"]

    def test_a_forecast(self) -> None:
        assert "families" in answer("forecast", SAMPLE)
        assert json.loads(answer("forecast", SAMPLE, "--search", "HillClimb", "--json"))["evaluations"] > 0

    def test_searches_race_on_one_score(self) -> None:
        words = ("bench", SAMPLE, "--search", "HillClimb", "--search", "PC", "--search", "K2(['lung'])")
        climbed, tested, refused = json.loads(answer(*words, "--json"))
        assert climbed["score"] == pytest.approx(dw.learn(SAMPLE, search=dw.HillClimb()).score)
        assert tested["edges"] > 0
        assert "order" in refused["problem"]
        assert "below best" in answer(*words)
