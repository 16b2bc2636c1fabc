"""The numbers of four source texts, computed again: printed value, our value, verdict, reason."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

from dagwright.errors import unknown_name
from dagwright.reproduce.report import MEANINGS, Progress, Report, Row, Section, Verdict

TEXTS = {
    "cowell": "Cowell (2001), Conditions under which conditional independence and scoring methods lead to "
    "identical selection of Bayesian network models",
    "jensen-nielsen": "Jensen & Nielsen (2007), Bayesian Networks and Decision Graphs, chapter 7",
    "lam-bacchus": "Lam & Bacchus (1994), Learning Bayesian belief networks: an approach based on the MDL "
    "principle",
    "pena": "Peña, lecture on learning Bayesian and Markov networks",
}

# Those with experiments of chance, which `quick` shortens.
OF_CHANCE = ("jensen-nielsen", "lam-bacchus")


def reproduce(text: str, *, quick: bool = False, progress: Progress | None = None) -> Report:
    """Run the examples, exercises and experiments of a text again.

    Parameters
    ----------
    text
        "lam-bacchus", "jensen-nielsen", "pena" or "cowell".
    quick
        Fewer seeds and smaller samples in the experiments of chance; the report says so.
    progress
        Called with the title of each part before it is run.

    >>> reproduce("cowell", quick=True).verdicts["holds"] > 10
    True
    """
    if text not in TEXTS:
        raise unknown_name("text", text, sorted(TEXTS))
    began = time.perf_counter()
    parts: Any = import_module(f"dagwright.reproduce.{text.replace('-', '_')}").parts
    sections = parts(quick, progress or (lambda _: None))
    shortened = quick and text in OF_CHANCE
    return Report(text, TEXTS[text], tuple(sections), shortened, time.perf_counter() - began)


__all__ = ["MEANINGS", "TEXTS", "Report", "Row", "Section", "Verdict", "reproduce"]
