"""A report as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dagwright.reporting.causal_sections import SAME_ROWS
from dagwright.reporting.number_sections import NORMALITY, normality_warnings, of_network
from dagwright.reporting.words import RIVAL_FACTS, edge_name, headline, key_facts, rival_facts

if TYPE_CHECKING:
    from dagwright.reporting.analysis import Analysis

SPECIAL = "\\`*_{}[]<>#|!~"


def markdown_page(analysis: Analysis) -> str:
    """Headings, tables and lists; names from the data have their special characters escaped."""
    counts = ", ".join(f"{value} {what}" for what, value in key_facts(analysis))
    parts = [
        f"# {plain(analysis.title)}",
        f"{plain(counts[:1].upper() + counts[1:])}.",
        plain(headline(analysis)),
    ]
    heads = ["edge", "strength", "this direction", "bits per row", "BIC gain (nats)"]
    rows = [
        [
            edge_name(card),
            "" if card.strength is None else f"{card.strength:.2f}",
            "" if card.direction is None else f"{card.direction:.2f}",
            f"{card.bits:.4f}",
            f"{card.gains.get('BIC', 0.0):+.1f}",
        ]
        for card in analysis.cards
    ]
    parts += ["## Edges", _table(heads, rows)]
    if analysis.found.known_confidence is not None:
        parts.append(plain(analysis.found.known_confidence.source))
    parts += ["## Undecided", _list(analysis.undecided()) or "Nothing."]
    if analysis.rivals.note:
        parts += ["## Rival networks", plain(analysis.rivals.note)]
    if analysis.rivals.classes:
        parts.append(_table(RIVAL_FACTS, map(rival_facts, analysis.rivals.classes)))
    if analysis.target is not None:
        told = [[name, f"{nats / math.log(2):.4f}"] for name, nats in analysis.informative.items()]
        head = f"## Variables most informative about {plain(analysis.target)}"
        parts += [head, _table(["variable", "bits"], told)]
    for effect in analysis.effects:
        head = f"## Effect of {plain(effect.cause)} on {plain(effect.outcome)}"
        parts += [head, _list(effect.lines())]
    if analysis.plausibility is not None:
        parts += ["## Plausibility", _list([*analysis.plausibility.lines(), SAME_ROWS])]
    parts.append("## Evidence")
    for card in analysis.cards:
        parts.append(f"### {plain(edge_name(card))}")
        parts.append(_list(f"{what}: {value}" for what, value in card.facts()))
    network = analysis.network
    if network.gaussians:
        parts += ["## Equations", NORMALITY, _list(normality_warnings(of_network(analysis)))]
        parts += [f"```\n{network.cpd(node)}\n```" for node in network.continuous]
    if analysis.data is not None:
        parts += ["## Data", plain(analysis.data.summary)]
        columns = [
            [c.name, c.kind, f"{c.distinct:,}", f"{c.missing:,}", c.action] for c in analysis.data.columns
        ]
        parts.append(_table(["column", "kind", "states", "missing", "what was done"], columns))
    if analysis.missingness is not None:
        gaps = str(analysis.missingness).splitlines()
        parts += ["## Missing values", _list(plain(line.strip()) for line in gaps)]
    parts += ["## Assumptions", _list(analysis.found.assumptions), "## Repeat and cite"]
    if analysis.command:
        parts.append(f"```\n{analysis.command}\n```")
    parts.append(f"```python\n{analysis.code}\n```")
    parts.append(_list([*analysis.citations(), analysis.versions()]))
    return "\n\n".join(part for part in parts if part) + "\n"


def plain(text: str) -> str:
    """The text with what Markdown would take for its own escaped, on one line.

    >>> plain("a_b|c")
    'a\\\\_b\\\\|c'
    """
    one_line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in SPECIAL else letter for letter in one_line)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(map(plain, row))} |" for row in rows]
    return "\n".join(lines)


def _list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {plain(text)}" for text in texts)
