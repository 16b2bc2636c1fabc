"""The parts of a report about causes: effects with what they assume, and whether the graph is plausible."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from dagwright.base.seeds import RandomState
from dagwright.data import Table
from dagwright.data.schema import Variable
from dagwright.errors import DagwrightError, unknown_name
from dagwright.learning.effect import Effect, effect
from dagwright.learning.learned import Learned
from dagwright.learning.plausibility import (
    PERMUTATIONS,
    Plausibility,
    implied_independences,
    plausibility,
)
from dagwright.reporting.html_parts import fold, table, text_list

if TYPE_CHECKING:
    from dagwright.reporting.analysis import Analysis

MOST_QUESTIONS = 20_000
"""Independence tests that a report spends on permuted graphs."""
MOST_STRATA = 50
SAME_ROWS = (
    "The graph was learned from these rows, so it fits them better than it would fit new rows; the graphs "
    "with permuted names were not."
)


@dataclass(frozen=True)
class AskedEffect:
    """An effect that a reader asked for, or why there is no number."""

    cause: str
    outcome: str
    found: Effect | None
    refusal: str

    def lines(self) -> list[str]:
        """The effect with what it assumes, or the refusal, in sentences."""
        return [self.refusal] if self.found is None else str(self.found).splitlines()

    def to_dict(self) -> dict[str, Any]:
        """A dict of values that JSON can hold."""
        known = {} if self.found is None else self.found.to_dict()
        return {"cause": self.cause, "outcome": self.outcome, "refusal": self.refusal or None, **known}


def asked_effects(found: Learned, rows: Table, pairs: Iterable[Sequence[str]]) -> tuple[AskedEffect, ...]:
    """The effects over the graphs of the bootstrap, or given the learned graph where there is none."""
    confidence = found.known_confidence
    source: Any = confidence if confidence is not None and confidence.graphs else found
    answers = []
    for cause, outcome in pairs:
        for name in (cause, outcome):
            if name not in rows.names:
                raise unknown_name("column", name, rows.names)
        try:
            answer = effect(
                source,
                cause,
                outcome,
                rows,
                states=_ends(rows.schema[cause]),
                values=_last_counts(rows.schema[outcome]),
                replicates=0,
            )
            answers.append(AskedEffect(cause, outcome, answer, ""))
        except DagwrightError as problem:
            answers.append(AskedEffect(cause, outcome, None, str(problem)))
    return tuple(answers)


def _ends(variable: Variable) -> tuple[Hashable, Hashable] | None:
    """The first and the last state of a discrete cause."""
    many = variable.is_discrete and len(variable.states) > 1
    return (variable.states[0], variable.states[-1]) if many else None


def _last_counts(variable: Variable) -> dict[Hashable, float] | None:
    """The probability of the last state of a discrete outcome."""
    if not variable.is_discrete:
        return None
    return {state: float(state == variable.states[-1]) for state in variable.states}


def judged(
    found: Learned, rows: Table, missing: str | None, random_state: RandomState
) -> Plausibility | None:
    """Whether the data speak against the learned graph; None where it cannot be asked."""
    if found.dag is None or rows.interventions:
        return None
    implied = len(implied_independences(found.dag))
    often = min(PERMUTATIONS, MOST_QUESTIONS // max(implied, 1))
    policy = missing if missing in ("drop", "available") else "available"
    try:
        return plausibility(
            found.dag,
            rows,
            permutations=often,
            missing=policy if any(rows.missing.values()) else None,
            random_state=random_state,
        )
    except DagwrightError:
        return None


def effects(analysis: Analysis) -> str:
    """Each effect with its interval, its assumptions and its positivity table."""
    parts = []
    for asked in analysis.effects:
        head = f"<h3>{escape(asked.cause)} → {escape(asked.outcome)}</h3>"
        parts.append(head + text_list(asked.lines()) + _positivity(asked.found))
    return "".join(parts)


def _positivity(found: Effect | None) -> str:
    if found is None or not found.positivity:
        return ""
    names = [name for name, _ in found.positivity[0].given]
    states = list(found.positivity[0].counts)
    rows = [
        [*(escape(str(state)) for _, state in one.given), *(f"{count:,.6g}" for count in one.counts.values())]
        for one in found.positivity[:MOST_STRATA]
    ]
    heads = [*map(escape, names), *(escape(f"{found.cause} = {state}") for state in states)]
    return fold(
        "How often each state of the cause occurs", table(heads, rows, numbers=range(len(names), len(heads)))
    )


def plausible(analysis: Analysis) -> str:
    """The independences that the graph implies, tested, beside graphs with permuted names."""
    found = analysis.plausibility
    return "" if found is None else text_list(found.lines()) + f'<p class="hint">{escape(SAME_ROWS)}</p>'
