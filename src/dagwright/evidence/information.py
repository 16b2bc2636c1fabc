"""Entropies, mutual information and divergence, of data or of a known distribution.

Variables are named; x, y and given may each be one name or several. Missing values are refused unless a
policy is named (see `dagwright.data.POLICIES`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagwright.data import Table
from dagwright.data.missing import OF_QUESTIONS, apply_policy
from dagwright.defaults import usual_test
from dagwright.errors import DataError, OptionError, shortened
from dagwright.evidence.bound import interactions
from dagwright.evidence.chi_squared import TestSpec
from dagwright.evidence.counting import Counting, asked_rows, counting_of
from dagwright.evidence.criteria import Score
from dagwright.evidence.decisions import CriterionSign
from dagwright.evidence.numbers import MeasureSpec, Numbers, on_kind, takes_numbers
from dagwright.evidence.protocols import IndependenceTest, Triple
from dagwright.evidence.units import Unit, in_unit
from dagwright.graph.graph_like import GraphLike, as_dag
from dagwright.graph.query import Names, Query, Verdict, name_set
from dagwright.methods.method_like import as_method
from dagwright.sentences import Argument


def entropy(
    data: Any, x: Names, given: Names = (), *, unit: Unit = "nats", missing: str | None = None
) -> float:
    """H(x | given) = -sum p(x, z) log p(x | z).

    >>> entropy({"coin": ["head", "tail"]}, "coin", unit="bits")
    1.0
    """
    counting = counting_of(data, name_set(x) | name_set(given), missing)
    of, condition = _columns(counting, x), _columns(counting, given)
    rows = (of | condition) & counting.incomplete or None
    joint, base = counting.measure("multinomial").evidence([of | condition, condition], rows)
    N = counting.rows_known(rows)
    return in_unit(max(0.0, (base.fit - joint.fit) / N) if N else 0.0, unit)


def mutual_information(
    data: Any, x: Names, y: Names, *, unit: Unit = "nats", missing: str | None = None
) -> float:
    """Sum of p(x, y) log [p(x, y) / (p(x) p(y))].

    >>> mutual_information({"a": [0, 1], "b": ["n", "y"]}, "a", "b", unit="bits")
    1.0
    """
    return conditional_mutual_information(data, x, y, unit=unit, missing=missing)


def conditional_mutual_information(
    data: Any, x: Names, y: Names, given: Names = (), *, unit: Unit = "nats", missing: str | None = None
) -> float:
    """Sum of p(x, y, z) log [p(x, y | z) / (p(x | z) p(y | z))] (Jensen & Nielsen 2007, Eq. 7.2).

    Zero exactly when x and y are independent given z.
    """
    query = Query(x, y, given)
    counting = counting_of(data, query.x | query.y | query.given, missing)
    triple = Triple(*(_columns(counting, side) for side in (query.x, query.y, query.given)))
    rows = (triple.x | triple.y | triple.given) & counting.incomplete or None
    found = interactions(counting.measure("multinomial"), [triple], rows)[0]
    N = counting.rows_known(rows)
    return in_unit(max(0.0, found.fit / N) if N else 0.0, unit)


def family_weight(
    data: Any, child: str, parents: Names = (), *, unit: Unit = "nats", missing: str | None = None
) -> float:
    """W(child, parents) = H(child) - H(child | parents), 0 without parents (Lam & Bacchus 1994, Eq. 7)."""
    given = name_set(parents)
    if not given:
        in_unit(0.0, unit)
        return 0.0
    return conditional_mutual_information(data, child, given, unit=unit, missing=missing)


def network_weight(graph: GraphLike, data: Any, *, unit: Unit = "nats") -> float:
    """The sum of W(node, parents) over the nodes of a graph (Lam & Bacchus 1994, Eq. 8).

    Of two graphs the heavier fits the data better: N times the weight is the log-likelihood, up to a constant
    that is the same for all graphs. The graph is given as in `score`.

    >>> network_weight("a -> b", {"a": [0, 1], "b": ["n", "y"]}, unit="bits")
    1.0
    """
    counting = Counting(data)
    graph = as_dag(graph, names=counting.names)
    families = [(frozenset([x]), _columns(counting, graph.parents(x))) for x in graph.nodes]
    triples = [Triple(_columns(counting, x), given, frozenset()) for x, given in families if given]
    found = interactions(counting.measure("multinomial"), triples)
    weight = math.fsum(max(0.0, one.fit) for one in found)
    return in_unit(weight / counting.N if counting.N else 0.0, unit)


def cross_entropy(graph: GraphLike, data: Any, *, unit: Unit = "nats") -> float:
    """The divergence of a graph with fitted parameters from the data: sum of p log(p/q) over all rows.

    Computed as the sum of the entropies of the nodes, minus the weight of the graph, minus the entropy of the
    rows (Lam & Bacchus 1994, Theorem 4.2; Cowell 2001, Eq. 6). Zero for a complete graph. The graph is given
    as in `score`.
    """
    counting = Counting(data)
    everything = list(range(len(counting.names)))
    dag = as_dag(graph, names=counting.names)
    sets = [frozenset([v]) for v in everything] + [frozenset(everything), frozenset()]
    *alone, whole, empty = [e.fit for e in counting.measure("multinomial").evidence(sets)]
    N = counting.N
    if not N:
        return in_unit(0.0, unit)
    entropies = math.fsum((empty - fit) / N for fit in alone) - (empty - whole) / N
    return in_unit(max(0.0, entropies - network_weight(dag, counting.table)), unit)


def kl_divergence(p: ArrayLike | Table, q: ArrayLike | Table, *, unit: Unit = "nats") -> float:
    """Sum of p (log p - log q); infinite where p > 0 = q (Cowell 2001, section 2).

    Both may be arrays of probabilities of one shape, or tables over the same columns, whose weighted rows are
    the distributions.

    >>> kl_divergence([0.5, 0.5], [0.5, 0.5])
    0.0
    """
    if isinstance(p, Table) != isinstance(q, Table):
        raise OptionError("kl_divergence compares two arrays or two tables, not one of each")
    left, right = (
        _aligned(p, q) if isinstance(p, Table) and isinstance(q, Table) else (_checked(p), _checked(q))
    )
    if left.shape != right.shape:
        raise DataError(f"the distributions have shapes {left.shape} and {right.shape}")
    support = left > 0
    if np.any(right[support] == 0):
        return math.inf
    terms = left[support] * (np.log(left[support]) - np.log(right[support]))
    return in_unit(max(0.0, math.fsum(terms.tolist())), unit)


def independence_test(
    data: Any,
    x: Names,
    y: Names,
    given: Names = (),
    test: TestSpec | Score | MeasureSpec | IndependenceTest | None = None,
    *,
    missing: str | None = None,
) -> Verdict:
    """Is x independent of y given the rest? A score decides by its sign.

    By default the test is that of `dagwright.defaults` for the kind of these columns: `GSquare` for states,
    `StudentT` where some hold numbers.

    >>> verdict = independence_test({"a": [0, 1] * 20, "b": ["n", "y"] * 20}, "a", "b")
    >>> verdict.independent, round(verdict.statistic, 3), verdict.df
    (False, 55.452, 1.0)
    """
    query = Query(x, y, given)
    test = as_method(test, "test", "test", "score", "measure")
    names = query.x | query.y | query.given
    bound: Any = test
    if test is None or isinstance(test, TestSpec | Score | MeasureSpec):
        rows = asked_rows(data, names)
        kind = rows.schema.kind
        spec = usual_test(kind=kind) if test is None else on_kind(test, kind)
        if isinstance(spec, Score | MeasureSpec):
            spec = CriterionSign(spec)
        if takes_numbers(spec):
            bound = spec.on(Numbers(apply_policy(rows, missing, offers=OF_QUESTIONS), missing=missing))
        else:
            bound = spec.on(counting_of(rows, names, missing))
    if not isinstance(bound, IndependenceTest):
        raise OptionError(
            Argument("test", bound),
            " is not a test, such as GSquare(alpha=0.01)",
        )
    answers: Sequence[Verdict] = bound.test([query])
    return answers[0]


def _columns(counting: Counting, names: Names) -> frozenset[int]:
    return frozenset(map(counting.table.column_index, name_set(names)))


def _checked(values: ArrayLike | Table) -> np.ndarray[Any, np.dtype[np.float64]]:
    try:
        probabilities = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError(
            f"kl_divergence compares arrays of probabilities or tables, not {shortened(values)}; "
            "divergence() compares networks"
        ) from None
    total = math.fsum(probabilities.ravel().tolist())
    if np.any(probabilities < 0) or not math.isclose(total, 1.0, abs_tol=1e-9):
        raise DataError("a distribution must hold probabilities that sum to 1")
    return probabilities


def _aligned(p: Table, q: Table) -> tuple[np.ndarray[Any, np.dtype[np.float64]], ...]:
    """The probabilities of the cells of two tables, cell by cell, over all cells that occur in either."""
    cells: list[dict[tuple[Any, ...], float]] = []
    for table in (p, q):
        if set(table.names) != set(p.names):
            raise DataError("the two tables must have the same columns")
        counting = Counting(table)
        columns = [table.column_index(name) for name in p.names]
        states = [table.states[c] for c in columns]
        codes, counts = counting.cells(columns)
        keys = (tuple(s[int(k)] for s, k in zip(states, row, strict=True)) for row in codes)
        cells.append(dict(zip(keys, (counts / counting.N).tolist(), strict=True)))
    keys_of_both = list(dict.fromkeys([*cells[0], *cells[1]]))
    return tuple(np.array([known.get(key, 0.0) for key in keys_of_both]) for known in cells)
