"""Anything that can serve as a score, bound to a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dagwright.data import Table
from dagwright.errors import OptionError
from dagwright.evidence.bound import Bound, BoundCriterion, BoundLocal
from dagwright.evidence.chi_squared import TestSpec
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import Score
from dagwright.evidence.interventional import OnUnsetRows, bind_by_child, refuse_pooled
from dagwright.evidence.numbers import MeasureSpec, Numbers, on_kind, takes_numbers
from dagwright.evidence.oracle_evidence import BoundAnswers
from dagwright.evidence.protocols import Family, IndependenceTest, KnownColumns, LocalScore, Measure, SetFit
from dagwright.evidence.structure_priors import WithPrior
from dagwright.graph.dag import Dag
from dagwright.graph.mag import Mag
from dagwright.graph.oracle import as_oracle
from dagwright.graph.undirected import UndirectedGraph
from dagwright.methods.method_like import as_method
from dagwright.methods.traits import name_of


def bind_score(
    score: Any,
    table: Table,
    *,
    threads: int | None = None,
    original: Table | None = None,
    missing: str | None = None,
    sample_size: float | None = None,
) -> Bound:
    """The score on the columns of ``table``.

    Parameters
    ----------
    score
        A score, test or measure of this library; an object whose ``on(table)`` gives a measure or a local
        score; a measure or local score that speaks of the columns of ``original`` by their numbers; or an
        object with ``test(queries)``, such as an oracle, that speaks of them by name.
    original
        The table whose numbering such an object knows, and from which priors are taken; ``table`` holds the
        same columns in another order, and all or some of its rows.
    missing
        "available" for a test that may count each question on the rows where it is complete.
    sample_size
        The N of penalties, where these rows are only some of those that a graph is judged by.
    """
    score = on_kind(as_method(score, "score", "score", "test", "measure"), table.schema.kind)
    if not table.interventions:
        return _on_rows(score, table, threads, original, missing, sample_size)
    if isinstance(score, TestSpec) or not hasattr(score, "on"):
        refuse_pooled(score)
    whole = table if original is None else original
    return bind_by_child(
        score, table, lambda rows: _on_rows(score, rows, threads, whole, missing, sample_size or table.N)
    )


def _on_rows(
    score: Any,
    table: Table,
    threads: int | None,
    original: Table | None,
    missing: str | None,
    sample_size: float | None = None,
) -> Bound:
    """The score on rows without interventions."""
    if takes_numbers(score):
        found = score.on(
            Numbers(table, missing=missing, threads=threads, sample_size=sample_size, whole=original)
        )
        return found if isinstance(found, Bound) else BoundCriterion(score, found, found, 0.0)
    counting = Counting(
        table,
        missing="available" if missing == "available" else None,
        threads=threads,
        sample_size=sample_size,
    )
    if isinstance(score, Score | TestSpec):
        if not score.decomposable:
            raise OptionError(f"{score.name} is not a sum over nodes, so this search cannot maximize it")
        bound: Bound = score.on(counting)
        return bound
    if hasattr(score, "on"):
        return _as_bound(score, score.on(table), counting)
    if isinstance(score, Measure | LocalScore):
        columns = [(original or table).column_index(name) for name in table.names]
        return _as_bound(score, Renumbered(score, columns, table), counting)
    if isinstance(score, IndependenceTest):
        return BoundAnswers(score, counting, score)
    if isinstance(score, Dag | Mag | UndirectedGraph) or hasattr(score, "oracle"):
        return BoundAnswers(score, counting, as_oracle(score))
    raise OptionError(
        f"{score!r} is neither a score nor a test, such as BIC(), GSquare(alpha=0.01) or an oracle: it has "
        "none of on(table), evidence(sets), local(families) and test(queries)"
    )


def describe_test(bound: Bound) -> str:
    """How a bound test, or a score in its place, decides symmetric questions."""
    spec = bound.spec
    if isinstance(bound, BoundAnswers):
        return f"answers of {type(spec).__name__}"
    judge = spec.judge if isinstance(spec, TestSpec) else spec
    one_way = isinstance(judge, Score) and not judge.equivalent
    how = spec.describe() if isinstance(spec, TestSpec) else f"sign of the gain, {describe_score(bound)[1]}"
    return f"{how}, mean of both directions" if one_way else how


def describe_score(bound: Bound) -> tuple[str, str]:
    """Name and definition of a bound score, in words."""
    return _in_words(bound.spec, bound)


def _in_words(spec: object, bound: Bound) -> tuple[str, str]:
    if isinstance(spec, WithPrior):
        return spec.name, f"{_in_words(spec.score, bound)[1]}; structure prior: {spec.prior.describe()}"
    if isinstance(spec, OnUnsetRows):
        inner = _in_words(spec.score, bound)[1]
        return spec.name, f"{inner}; each family on the rows where its child was not set"
    if isinstance(spec, MeasureSpec):
        return spec.name, spec.describe(bound.data)
    if isinstance(spec, Score):
        inexact = f"; {bound.approximation}" if bound.approximation else ""
        return spec.name, spec.describe(bound.data) + inexact
    if isinstance(spec, TestSpec):
        return spec.name, f"gain over the critical value, {spec.describe()}"
    name = name_of(spec)
    return name, f"{name}, larger is better"


def _as_bound(spec: Any, found: Any, counting: Counting) -> Bound:
    if isinstance(found, Bound):
        return found
    if hasattr(found, "evidence"):
        return BoundCriterion(spec, found, found, 0.0)
    if hasattr(found, "local"):
        return BoundLocal(spec, counting, found)
    if hasattr(found, "test"):
        return BoundAnswers(spec, counting, found)
    raise OptionError(
        f"{spec!r}.on(table) gave {type(found).__name__}, which has neither evidence, local nor test"
    )


class Renumbered:
    """A measure or local score that is asked by other column numbers than it knows."""

    def __init__(self, inner: Any, columns: Sequence[int], table: Table) -> None:
        self._columns = columns
        self.names = table.names
        self.N = float(table.N)
        self.cardinalities = table.cardinalities
        if isinstance(inner, Measure):
            self.N = float(inner.N)
            self.cardinalities = tuple(inner.cardinalities[column] for column in columns)
            self.evidence = self._evidence
        else:
            self.local = self._local
        self._inner = inner

    def _known(self, members: Any) -> frozenset[int]:
        return frozenset(self._columns[member] for member in members)

    def _evidence(self, sets: Sequence[frozenset[int]], rows: KnownColumns | None = None) -> list[SetFit]:
        wanted = None if rows is None else self._known(rows)
        return list(self._inner.evidence([self._known(members) for members in sets], wanted))

    def _local(self, families: Sequence[Family]) -> list[float]:
        return list(
            self._inner.local(
                [Family(self._columns[child], self._known(parents)) for child, parents in families]
            )
        )
