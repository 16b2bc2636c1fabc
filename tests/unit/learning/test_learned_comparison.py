"""Two results side by side."""

from __future__ import annotations

import dagwright as dw

DATA = dw.read(dw.sample_path("asia"))
CLIMBED = dw.learn(DATA, search=dw.HillClimb(), score=dw.BIC())
BEST = dw.learn(DATA, search=dw.Exact(), score=dw.BIC())


def test_scores_of_one_kind_on_the_same_rows_compare() -> None:
    found = dw.compare_learned(CLIMBED, BEST)
    assert found.same_data
    assert found.score_gain == BEST.score - CLIMBED.score > 0
    assert found.graphs.diff == dw.compare(CLIMBED.graph, BEST.graph).diff
    assert found.confidence is None
    assert f"{found.score_gain:+.4f} nats (BIC)" in str(found)


def test_other_scores_and_other_rows_do_not() -> None:
    other = dw.compare_learned(BEST, dw.learn(DATA, search=dw.Exact(), score=dw.BDeu()))
    assert other.score_gain is None
    assert "BIC and BDeu" in str(other)
    rows = dw.load("asia").sample(500, random_state=1)
    fewer = dw.compare_learned(BEST, dw.learn(rows, search=dw.Exact(), score=dw.BIC()))
    assert (fewer.score_gain, fewer.same_data) == (None, False)
    assert "different data" in str(fewer)


def test_strengths_are_compared_where_both_know_them() -> None:
    sure = [
        dw.bootstrap(DATA, search=dw.HillClimb(), replicates=10, random_state=seed, draw=draw)
        for seed, draw in ((1, dw.CaseBootstrap()), (2, dw.Subsample(0.3)))
    ]
    found = dw.compare_learned(CLIMBED.with_confidence(sure[0]), BEST.with_confidence(sure[1]))
    assert found.confidence is not None
    assert found.confidence.largest == sure[0].compare(sure[1]).largest
    assert "strengths by at most" in str(found)
    assert "<svg" in found._repr_html_()


def test_classes_and_marks() -> None:
    pc = dw.learn(DATA, search=dw.PC())
    assert dw.compare_learned(BEST, pc).graphs.shd == dw.compare(BEST.graph, pc.graph).shd
    undirected = dw.learn(DATA, search=dw.IAMB())
    found = dw.compare_learned(BEST, undirected)
    assert found.graphs.shd == len(found.graphs.missing) + len(found.graphs.extra)
    assert "<svg" in found._repr_html_()
