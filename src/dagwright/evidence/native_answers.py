"""Answers of the core's independence tests as verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp

from dagwright import _core
from dagwright.evidence.protocols import Triple
from dagwright.graph.query import Verdict

NoteOf = Callable[[Triple, _core.Caveat, float], str]
"""What to note about a question, from what limits its answer and the N of the rows that could answer it."""


def verdicts_of(answers: _core.Answers, triples: Sequence[Triple], note: NoteOf) -> list[Verdict]:
    """One verdict for each question about column numbers."""
    columns = zip(
        answers.independent,
        answers.statistic,
        answers.df,
        answers.log_p,
        answers.effect,
        answers.gain,
        map(note, triples, answers.caveat, answers.rows),
        strict=True,
    )
    return [
        Verdict(independent, statistic, df, None if log_p is None else exp(log_p), effect, gain, log_p, said)
        for independent, statistic, df, log_p, effect, gain, said in columns
    ]
