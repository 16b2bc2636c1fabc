"""The 25 structures over A, B, C scored on the 32 rows of Jensen & Nielsen 2007, Table 7.4 (Exercise 7.8).

The book asks for the scores without printing them; these values were computed once, independently of this
package, from the counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from dagwright.data import Table
from dagwright.evidence import AIC, BIC, MDL, BDeu, K2Score, LogLik, reference, score
from dagwright.evidence.reference import Sample
from dagwright.graph import Dag

CELLS = {(0, 0, 0): 11, (0, 1, 1): 3, (1, 0, 0): 12, (1, 0, 1): 6}
SAMPLE = Sample.of(np.repeat(list(CELLS), list(CELLS.values()), axis=0))
COLUMNS = ("loglik_bits", "bic", "aic", "k2", "bdeu1", "bdeu10", "mdl16_bits")
# arcs, size, then one value per column
TABLE = [
    (
        "",
        3,
        -73.430794702077,
        -56.096952168220,
        -53.898348314021,
        -56.119433177731,
        -56.809104358340,
        -57.209518467583,
        121.430794702077,
    ),
    (
        "A->B",
        4,
        -69.561464664573,
        -55.147804913468,
        -52.216333107869,
        -55.663407644451,
        -55.548351081033,
        -56.515831296351,
        135.146427165294,
    ),
    (
        "A->C",
        4,
        -73.025703318982,
        -57.549032169559,
        -54.617560363960,
        -56.852091756262,
        -58.676307572831,
        -57.750056143848,
        138.610665819704,
    ),
    (
        "B->A",
        4,
        -69.561464664573,
        -55.147804913468,
        -52.216333107869,
        -54.798410206964,
        -55.548351081033,
        -56.515831296351,
        135.146427165294,
    ),
    (
        "B->C",
        4,
        -67.331793569430,
        -53.602314680294,
        -50.670842874695,
        -53.332073138171,
        -53.912264540056,
        -54.912049446367,
        132.916756070151,
    ),
    (
        "C->A",
        4,
        -73.025703318982,
        -57.549032169559,
        -54.617560363960,
        -56.680241499335,
        -58.676307572831,
        -57.750056143848,
        138.610665819704,
    ),
    (
        "C->B",
        4,
        -67.331793569430,
        -53.602314680294,
        -50.670842874695,
        -54.025220318731,
        -53.912264540056,
        -54.912049446367,
        132.916756070151,
    ),
    (
        "A->B A->C",
        5,
        -69.156373281478,
        -56.599884914807,
        -52.935545157808,
        -56.396066222982,
        -57.415554295524,
        -57.056368972615,
        152.326298282920,
    ),
    (
        "A->B B->C",
        5,
        -63.462463531926,
        -52.653167425542,
        -48.988827668543,
        -52.876047604891,
        -52.651511262749,
        -54.218362275135,
        146.632388533368,
    ),
    (
        "A->B C->A",
        5,
        -69.156373281478,
        -56.599884914807,
        -52.935545157808,
        -56.224215966055,
        -57.415554295524,
        -57.056368972615,
        152.326298282920,
    ),
    (
        "A->B C->B",
        6,
        -59.067131062940,
        -51.339423068441,
        -46.942215360041,
        -52.495825113970,
        -48.747296297637,
        -52.395251952827,
        158.237056064382,
    ),
    (
        "A->C B->A",
        5,
        -69.156373281478,
        -56.599884914807,
        -52.935545157808,
        -55.531068785495,
        -57.415554295524,
        -57.056368972615,
        152.326298282921,
    ),
    (
        "A->C B->C",
        6,
        -62.531369717350,
        -53.740650324532,
        -49.343442616132,
        -52.118088698431,
        -51.875252789435,
        -53.629476800324,
        161.701294718792,
    ),
    (
        "A->C C->B",
        5,
        -66.926702186336,
        -55.054394681633,
        -51.390054924634,
        -54.757878897262,
        -55.779467754547,
        -55.452587122631,
        150.096627187778,
    ),
    (
        "B->A B->C",
        5,
        -63.462463531926,
        -52.653167425542,
        -48.988827668543,
        -52.011050167404,
        -52.651511262749,
        -54.218362275135,
        146.632388533368,
    ),
    (
        "B->A C->A",
        6,
        -64.761040812492,
        -55.286140557706,
        -50.888932849306,
        -53.279044117673,
        -53.511339330412,
        -55.233258650308,
        163.930965813934,
    ),
    (
        "B->A C->B",
        5,
        -63.462463531926,
        -52.653167425542,
        -48.988827668543,
        -52.704197347964,
        -52.651511262749,
        -54.218362275135,
        146.632388533368,
    ),
    (
        "B->C C->A",
        5,
        -66.926702186336,
        -55.054394681633,
        -51.390054924634,
        -53.892881459775,
        -55.779467754547,
        -55.452587122631,
        150.096627187778,
    ),
    (
        "C->A C->B",
        5,
        -66.926702186336,
        -55.054394681633,
        -51.390054924634,
        -54.586028640335,
        -55.779467754547,
        -55.452587122631,
        150.096627187778,
    ),
    (
        "A->B A->C B->C",
        7,
        -58.662039679845,
        -52.791503069780,
        -47.661427409981,
        -51.662063165151,
        -50.614499512128,
        -52.935789629092,
        175.416927182009,
    ),
    (
        "A->B A->C C->B",
        7,
        -58.662039679845,
        -52.791503069780,
        -47.661427409981,
        -53.228483692501,
        -50.614499512128,
        -52.935789629092,
        175.416927182009,
    ),
    (
        "A->B C->A C->B",
        7,
        -58.662039679845,
        -52.791503069780,
        -47.661427409981,
        -53.056633435574,
        -50.614499512128,
        -52.935789629092,
        175.416927182009,
    ),
    (
        "A->C B->A B->C",
        7,
        -58.662039679845,
        -52.791503069780,
        -47.661427409981,
        -50.797065727664,
        -50.614499512128,
        -52.935789629092,
        175.416927182009,
    ),
    (
        "B->A B->C C->A",
        7,
        -58.662039679845,
        -52.791503069780,
        -47.661427409981,
        -50.491684078113,
        -50.614499512128,
        -52.935789629092,
        175.416927182009,
    ),
    (
        "B->A C->A C->B",
        7,
        -58.662039679845,
        -52.791503069780,
        -47.661427409981,
        -51.184831258673,
        -50.614499512128,
        -52.935789629092,
        175.416927182009,
    ),
]
LOCAL: dict[str, Callable[[int, list[int]], float]] = {
    "loglik_bits": lambda x, p: reference.log_likelihood(SAMPLE, x, p) / math.log(2),
    "bic": lambda x, p: reference.bic(SAMPLE, x, p),
    "aic": lambda x, p: reference.aic(SAMPLE, x, p),
    "k2": lambda x, p: reference.k2(SAMPLE, x, p),
    "bdeu1": lambda x, p: reference.bdeu(SAMPLE, x, p, 1.0),
    "bdeu10": lambda x, p: reference.bdeu(SAMPLE, x, p, 10.0),
    "mdl16_bits": lambda x, p: -reference.mdl(SAMPLE, x, p, 16 * math.log(2)) / math.log(2),
}


def families(arcs: str) -> dict[int, list[int]]:
    parents: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for arc in arcs.split():
        start, end = arc.split("->")
        parents["ABC".index(end)].append("ABC".index(start))
    return parents


@pytest.mark.parametrize("row", TABLE, ids=[row[0] or "empty" for row in TABLE])
def test_reference_scores_of_all_structures(row: tuple[str, int, float]) -> None:
    arcs, size, *values = row
    parents = families(arcs)
    assert sum(reference.parameters(SAMPLE, x, p) for x, p in parents.items()) == size
    for column, value in zip(COLUMNS, values, strict=True):
        total = math.fsum(LOCAL[column](x, p) for x, p in parents.items())
        assert total == pytest.approx(value, abs=1e-9), column


PUBLIC = {
    "loglik_bits": (LogLik(), "bits"),
    "bic": (BIC(), "nats"),
    "aic": (AIC(), "nats"),
    "k2": (K2Score(), "nats"),
    "bdeu1": (BDeu(1), "nats"),
    "bdeu10": (BDeu(10), "nats"),
    "mdl16_bits": (MDL(16), "bits"),
}


@pytest.mark.parametrize("row", TABLE, ids=[row[0] or "empty" for row in TABLE])
def test_scores_of_all_structures(row: tuple[str, int, float]) -> None:
    arcs, _, *values = row
    graph = Dag(["A", "B", "C"], [(arc[0], arc[-1]) for arc in arcs.split()])
    table = Table(["A", "B", "C"], list(SAMPLE.codes.T), [["1", "2"]] * 3)
    for column, value in zip(COLUMNS, values, strict=True):
        spec, unit = PUBLIC[column]
        sign = -1 if column == "mdl16_bits" else 1  # the book's length is minimized, the score is maximized
        assert score(graph, table, spec, unit=unit).total == pytest.approx(sign * value, abs=1e-9), column  # type: ignore[arg-type]
