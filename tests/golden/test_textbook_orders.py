"""Searches in a given order on the 32 rows of Jensen & Nielsen 2007, Table 7.4."""

from __future__ import annotations

from typing import Any

import pytest

import dagwright as dw

# How often each row (A, B, C) occurs; the other four do not.
COUNTS = {(0, 0, 0): 11, (0, 1, 1): 3, (1, 0, 0): 12, (1, 0, 1): 6}

# K2 of Cooper & Herskovits 1992 and K3 (BIC) for the six orders: arcs and score in nats.
K2_AND_K3: dict[str, dict[str, tuple[set[str], float]]] = {
    "K2": {
        "ABC": ({"AB", "AC", "BC"}, -51.66206316515056),
        "ACB": ({"AB", "CB"}, -52.495825113970184),
        "BAC": ({"AC", "BA", "BC"}, -50.797065727663984),
        "BCA": ({"BA", "BC", "CA"}, -50.4916840781128),
        "CAB": ({"AB", "CB"}, -52.495825113970184),
        "CBA": ({"BA", "CA", "CB"}, -51.184831258672716),
    },
    "K3": {
        "ABC": ({"AB", "BC"}, -52.653167425542165),
        "ACB": ({"AB", "CB"}, -51.33942306844068),
        "BAC": ({"BA", "BC"}, -52.653167425542165),
        "BCA": ({"BA", "BC"}, -52.653167425542165),
        "CAB": ({"AB", "CB"}, -51.33942306844068),
        "CBA": ({"BA", "CB"}, -52.653167425542165),
    },
}

# Thickening and thinning (Cowell 2001, section 4.1), single predecessors at a time.
THICK_THIN: dict[str, dict[str, set[str]]] = {
    "threshold_0.02_nats": {
        "ABC": {"AB", "AC", "BC"},
        "ACB": {"AB", "CB"},
        "BAC": {"AC", "BA", "BC"},
        "BCA": {"BA", "BC", "CA"},
        "CAB": {"AB", "CB"},
        "CBA": {"BA", "CA", "CB"},
    },
    "chi2_0.05": {
        "ABC": {"AB", "AC", "BC"},
        "ACB": {"AB", "CB"},
        "BAC": {"AC", "BA", "BC"},
        "BCA": {"BA", "BC", "CA"},
        "CAB": {"AB", "CB"},
        "CBA": {"BA", "CA", "CB"},
    },
    "bayes_k2": {
        "ABC": {"AB", "AC", "BC"},
        "ACB": {"AB", "CB"},
        "BAC": {"AC", "BA", "BC"},
        "BCA": {"BA", "BC", "CA"},
        "CAB": {"AB", "CB"},
        "CBA": {"BA", "CA", "CB"},
    },
    "bic": {
        "ABC": {"AB", "BC"},
        "ACB": {"AB", "CB"},
        "BAC": {"BA", "BC"},
        "BCA": {"BA", "BC"},
        "CAB": {"AB", "CB"},
        "CBA": {"BA", "CB"},
    },
}


def table() -> dict[str, list[int]]:
    rows = [row for row, count in COUNTS.items() for _ in range(count)]
    return {name: [row[at] for row in rows] for at, name in enumerate("ABC")}


def arcs(found: dw.Learned) -> set[str]:
    return {start + end for start, end in found.graph.edges}


@pytest.mark.parametrize("order", sorted(K2_AND_K3["K2"]))
@pytest.mark.parametrize("search", [dw.K2, dw.K3], ids=lambda search: search.__name__)
def test_k2_and_k3(search: Any, order: str) -> None:
    found = dw.learn(table(), search=search(list(order)))
    expected, score = K2_AND_K3[search.__name__][order]
    assert arcs(found) == expected
    assert found.score == pytest.approx(score, abs=1e-8)


@pytest.mark.parametrize("order", sorted(K2_AND_K3["K2"]))
@pytest.mark.parametrize(
    ("judge", "by"),
    [
        ("threshold_0.02_nats", dw.Threshold(0.02)),
        ("chi2_0.05", dw.GSquare(alpha=0.05)),
        ("bayes_k2", dw.BayesFactor(dw.K2Score())),
        ("bic", dw.BIC()),
    ],
    ids=str,
)
def test_thickening_and_thinning(judge: str, by: Any, order: str) -> None:
    found = dw.learn(table(), search=dw.ThickThin(list(order), by=by))
    assert arcs(found) == THICK_THIN[judge][order]
