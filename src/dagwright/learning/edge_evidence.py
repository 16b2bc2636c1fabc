"""The evidence for and against one edge of a learned network."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

from dagwright import _core
from dagwright.data import Table
from dagwright.errors import GraphError, OptionError, require_a
from dagwright.evidence.counting import as_rows
from dagwright.evidence.fourfold import Fourfold
from dagwright.graph.comparison import edges_in_words
from dagwright.graph.dag import Dag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge, apply_knowledge
from dagwright.learning.judges import Judges, judges_of
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.learning.linear_effect import LinearEffect
from dagwright.search.hill_climb import HillClimb

DecidedBy = Literal["data", "intervention", "knowledge", "rule", "nothing"]
BITS = 1 / math.log(2)
SPEECH = {
    "data": "the data decide its direction",
    "intervention": "oriented by intervention: an experiment decides its direction",
    "knowledge": "knowledge decides its direction",
    "rule": "the rule for numbers and categories decides its direction: no number is a parent of a category",
    "nothing": "not identified: the graph with this edge reversed fits equally well",
}


@dataclass(frozen=True)
class Rival:
    """A network without the edge: what it scores less (nats), and which edges it has instead."""

    loss: float
    instead: tuple[tuple[str, str], ...]

    @property
    def replaced_by(self) -> str:
        """The edges it has instead, in words."""
        return edges_in_words(self.instead) or "no other edge"

    def __str__(self) -> str:
        return f"score lower by {self.loss:.4g} nats; instead: {self.replaced_by}"


@dataclass(frozen=True)
class EvidenceCard(Viewable):
    """The evidence for one edge ``start -> end``.

    Attributes
    ----------
    present
        Whether the learned graph has it.
    given
        The other parents of ``end``, on which everything below is conditional.
    gains
        What the arc is worth in each score, in nats; positive speaks for it.
    g2, df
        Twice the logarithm of the likelihood ratio of dependence given the other parents, and the number of
        parameters that it is about.
    test, p_value, log_p
        The test of independence given the other parents: its statistic in words (G² for counts, Student's t
        or Rao's F where columns hold numbers) and its p-value.
    bits
        Conditional mutual information in bits per row.
    bic_level
        The significance level at which that test would keep exactly the arcs that BIC keeps here.
    strength, direction, interval
        From the confidence of the result: how often the two are adjacent, how often in this direction,
        and the 95 % interval of the strength. None without one.
    knowledge
        What the knowledge says about the two, in words; empty if nothing.
    decided_by
        What decides the direction: the data, an intervention, the stated knowledge, or the rule of knowledge
        that no number is a parent of a category, which also structural EM adds; or nothing.
    rival
        The best network found without an edge between the two; None if it was not looked for.
    fourfold
        Counts, odds ratio and risk ratio where both have two states; else None.
    effect
        Partial correlation, slope and variance explained, where an end holds numbers; else None.
    rows, rows_in_all
        How many rows the card counts: where values are missing, those without gaps in its columns; where
        experiments set variables, those in which ``end`` was not set. ``rows_in_words`` says which.
    start_states, end_states
        The states of the two, in the order of the counts.
    """

    start: str
    end: str
    present: bool
    given: tuple[str, ...]
    gains: dict[str, float]
    g2: float
    df: float
    p_value: float
    log_p: float
    test: str
    bits: float
    bic_level: float
    strength: float | None
    direction: float | None
    interval: tuple[float, float] | None
    knowledge: str
    decided_by: DecidedBy
    rival: Rival | None
    fourfold: Fourfold | None = None
    effect: LinearEffect | None = None
    start_states: tuple[str, ...] = ()
    end_states: tuple[str, ...] = ()
    rows: int = 0
    rows_in_all: int = 0
    rows_in_words: str = ""

    def to_dict(self) -> dict[str, Any]:
        """A dict of values that JSON can hold."""
        return asdict(self)

    def facts(self) -> list[tuple[str, str]]:
        """The facts on the card, each with its name."""
        facts = [
            ("given", ", ".join(self.given) or "nothing else"),
            ("independence test", f"{self.test}, p {p_text(self.p_value, self.log_p)}"),
            ("equivalent level of BIC", f"{self.bic_level:.2g}"),
            ("information", f"{self.bits:.4g} bits per row"),
            ("gain in nats", ", ".join(f"{name} {gain:+.4g}" for name, gain in self.gains.items())),
        ]
        facts += self._ratios()
        if self.effect is not None:
            facts[1:1] = self.effect.facts()
        if self.strength is not None and self.interval is not None:
            low, high = self.interval
            facts.append(
                (
                    "strength",
                    f"{self.strength:.3f} ({low:.3f} to {high:.3f}), in this direction {self.direction:.3f}",
                )
            )
        if self.present:
            facts.append(("direction", SPEECH[self.decided_by]))
        if self.rows < self.rows_in_all:
            facts.append(("rows", f"{self.rows:,} of {self.rows_in_all:,}: {self.rows_in_words}"))
        if self.knowledge:
            facts.append(("knowledge", self.knowledge))
        if self.rival is not None:
            facts.append(("without it", str(self.rival)))
        return facts

    def _ratios(self) -> list[tuple[str, str]]:
        """Counts and ratios of a 2 x 2 table, in words."""
        if self.fourfold is None:
            return []
        rows = zip(self.start_states, self.fourfold.counts, strict=True)
        counts = "; ".join(
            f"{self.start}={state}: "
            + ", ".join(f"{n:,g} {self.end}={end}" for n, end in zip(row, self.end_states, strict=True))
            for state, row in rows
        )
        first, second = self.start_states
        of = f"of {self.end}={self.end_states[1]}, {self.start}={second} against {first}"
        facts = [
            ("counts", counts),
            ("odds ratio", f"{_ratio(self.fourfold.odds_ratio)}, {of}"),
            ("risk ratio", f"{_ratio(self.fourfold.risk_ratio)}, {of}"),
        ]
        if self.fourfold.adjusted_odds_ratio is not None:
            adjusted = f"{_ratio(self.fourfold.adjusted_odds_ratio)}, within {', '.join(self.given)}"
            facts.append(("adjusted odds ratio", f"{adjusted} (Mantel-Haenszel)"))
        return facts

    def __str__(self) -> str:
        head = f"{self.start} -> {self.end}" + ("" if self.present else "  (not in the network)")
        return "\n".join([head, *(f"  {what}: {value}" for what, value in self.facts())])


def _ratio(ratio: tuple[float, float, float]) -> str:
    value, low, high = ratio
    return f"{value:.3g} ({low:.3g} to {high:.3g})"


def p_text(p_value: float, log_p: float) -> str:
    """A p-value, also one that is too small to be a number."""
    return f"{p_value:.3g}" if p_value > 0 else f"1e{log_p / math.log(10):.0f}"


def evidence_card(
    found: Learned, start: str, end: str, *, data: Any = None, rival: bool = True, threads: int | None = None
) -> EvidenceCard:
    """The evidence for and against one edge, in the network or not.

    Parameters
    ----------
    start, end
        Two nodes; where the network has ``end -> start`` instead, the card is about that.
    data
        As in `Learned.network`: None means the data of the search.
    rival
        Whether to look for the best network without the edge: hill climbing from the one that was found.

    >>> from dagwright import learn, sample_path
    >>> card = evidence_card(learn(sample_path("asia")), "lung", "either")
    >>> card.present, card.gains["BIC"] > 500, card.bits > 0.3
    (True, True, True)
    """
    for node in (start, end):
        require_a(str, node, "each end of the edge", "the name of a node")
    if start == end:
        raise OptionError(f"an edge has two different ends, and {start!r} is named twice")
    return next(_cards(found, [(start, end)], data, rival, threads))


def evidence_cards(
    found: Learned, *, data: Any = None, rival: bool = False, threads: int | None = None
) -> tuple[EvidenceCard, ...]:
    """A card for every edge of the network, in the order of its arcs."""
    return tuple(_cards(found, _member(found).edges, data, rival, threads))


def _cards(found: Learned, pairs: Any, data: Any, rival: bool, threads: int | None) -> Iterator[EvidenceCard]:
    dag, table, known = _member(found), as_rows(found.rows(data)), found.knowledge or Knowledge()
    by_kind = _in_all_columns(table, threads, found.score_spec)
    gaps = any(table.missing.values())
    resolved, stated = known.resolve(dag.nodes), known.without("continuous").resolve(dag.nodes)
    observed, essential = dag.cpdag(), dag.cpdag(found.targets)
    under_stated, under_all = (
        essential if one.native.empty() else apply_knowledge(essential, one).graph
        for one in (stated, resolved)
    )
    for pair in pairs:
        start, end = pair[::-1] if pair[::-1] in dag.edges else pair
        others = tuple(sorted(set(dag.parents(end)) - {start}))
        family_rows = table.select((start, end, *others))
        judges = by_kind(family_rows, end)
        test = judges.judgment(start, end, others)
        N = judges.table.N
        decided: DecidedBy = (
            "data"
            if (start, end) in observed.directed_edges
            else "intervention"
            if (start, end) in essential.directed_edges
            else "knowledge"
            if (start, end) in under_stated.directed_edges
            else "rule"
            if (start, end) in under_all.directed_edges
            else "nothing"
        )
        confidence = found.known_confidence
        yield EvidenceCard(
            start=start,
            end=end,
            present=(start, end) in dag.edges,
            given=others,
            gains=judges.gains(start, end, others),
            g2=test.ratio,
            df=test.df,
            test=test.words,
            p_value=test.p_value,
            log_p=test.log_p,
            bits=test.nats * BITS,
            bic_level=_core.chi2_sf(test.df * math.log(N), test.df) if test.df > 0 and N > 1 else 1.0,
            strength=None if confidence is None else confidence.strength(start, end),
            direction=None if confidence is None else confidence.direction(start, end),
            interval=None if confidence is None else confidence.interval(start, end),
            knowledge=_said(stated, start, end) or _ruled_out(resolved, start, end),
            decided_by=decided,
            rival=_rival(found, dag, table, known, (start, end), threads) if rival else None,
            fourfold=judges.fourfold(start, end, others),
            effect=judges.effect(start, end, others),
            start_states=tuple(map(str, table.states_of(start))),
            end_states=tuple(map(str, table.states_of(end))),
            rows=judges.table.n_rows,
            rows_in_all=table.n_rows,
            rows_in_words=" and ".join(
                (["without gaps in these columns"] if gaps else [])
                + ([f"where {end} was not set"] if end in table.interventions else [])
            ),
        )


def _member(found: Learned) -> Dag:
    """The DAG of the result; where it has numbers, the one that has parameters if there is one."""
    require_a(Learned, found, "found", "a result of learn()")
    if found.dag is None:
        raise OptionError("evidence cards are about the arcs of a DAG, and this result has none")
    try:
        return found.parameter_graph()
    except GraphError:  # an edge from a number to a category that no equivalent graph avoids
        return found.dag


def _in_all_columns(table: Table, threads: int | None, learned_by: Any) -> Callable[[Table, str], Judges]:
    """The judges of an edge: those of all columns of its kind, so that edges share what is remembered.

    Where values are missing, each edge is judged on the rows that are complete on its columns; where
    experiments set its end, on the rows that did not, with the penalties of all rows.
    """
    gaps = any(table.missing.values())
    total = table.N if table.interventions else None
    free: dict[int, Table] = {}  # by the table with interventions, which `unset` keeps

    @cache
    def of_kind(key: int, numbers: bool) -> Judges:
        rows = free[key]
        names = rows.names if numbers else [v.name for v in rows.schema if v.is_discrete]
        return judges_of(rows.select(names), threads, learned_by, total)

    def judges(family_rows: Table, end: str) -> Judges:
        if gaps:
            rows = family_rows.unset(end).complete("drop").with_interventions({})
            return judges_of(rows, threads, learned_by, total)
        key = id(table.unset(end))
        free.setdefault(key, table.unset(end).with_interventions({}))
        return of_kind(key, bool(family_rows.schema.continuous))

    return judges


def _said(resolved: Any, start: str, end: str) -> str:
    if (start, end) in resolved.required_arcs:
        return f"knowledge requires {start} -> {end}"
    if (start, end) in resolved.required_links or (end, start) in resolved.required_links:
        return "knowledge requires an edge between the two"
    forbidden = [
        resolved.reason(*arc) for arc in ((start, end), (end, start)) if not resolved.allows_arc(*arc)
    ]
    if not forbidden:
        return ""
    barred = "both directions" if len(forbidden) == 2 else "one direction"
    return f"knowledge forbids {barred}: {forbidden[0]}"


def _ruled_out(resolved: Any, start: str, end: str) -> str:
    """What the rule for numbers and categories forbids between the two."""
    if resolved.allows_arc(start, end) and resolved.allows_arc(end, start):
        return ""
    return "the rule that no number is a parent of a category forbids one direction"


def _rival(
    found: Learned, dag: Dag, table: Table, known: Knowledge, arc: tuple[str, str], threads: int | None
) -> Rival | None:
    """Hill climbing from the network without the edge, which stays forbidden."""
    resolved = known.resolve(dag.nodes)
    required = {frozenset(pair) for pair in (*resolved.required_arcs, *resolved.required_links)}
    if any(table.missing.values()):
        return None
    if arc not in dag.edges or found.score_spec is None or found.score is None or frozenset(arc) in required:
        return None
    without = learn(
        table,
        score=found.score_spec,
        structure_prior=found.structure_prior,
        search=HillClimb(),
        knowledge=known + Knowledge(forbidden=[arc, arc[::-1]]),
        start=dag.with_edges(remove=[arc]),
        threads=threads,
    )
    if without.dag is None or without.score is None:
        return None
    before = {frozenset(edge) for edge in dag.edges}
    return Rival(
        found.score - without.score,
        tuple(edge for edge in without.dag.edges if frozenset(edge) not in before),
    )
