"""Sentences and facts that all forms of a report share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.learning.edge_evidence import EvidenceCard

if TYPE_CHECKING:
    from dagwright.reporting.analysis import Analysis
    from dagwright.reporting.rival_networks import RivalNetwork

RIVAL_FACTS = ("nats below best", "less probable by", "networks", "differences")


def edge_name(card: EvidenceCard) -> str:
    """The edge with its arrow, or a dash where nothing decides its direction."""
    return f"{card.start} {'–' if card.decided_by == 'nothing' else '→'} {card.end}"


def rival_facts(rival: RivalNetwork) -> list[str]:
    """The values of `RIVAL_FACTS` for one rival."""
    times = factor_text(rival.bayes_factor) if rival.behind >= 0.005 else ""
    return [f"{rival.behind:,.2f}", times, f"{rival.members:,}", rival.difference()]


def factor_text(factor: float) -> str:
    """A Bayes factor for people.

    >>> factor_text(6.558), factor_text(15807.3), factor_text(3e11)
    ('6.56 ×', '15,800 ×', 'over a million ×')
    """
    if factor > 1e6:
        return "over a million ×"
    return f"{float(f'{factor:.3g}'):,.10g} ×"


def headline(analysis: Analysis) -> str:
    """How the network was found, what is proven about it, and why its score is the default if it is."""
    found = analysis.found
    chosen = found.notes.get("chosen")
    by = found.method if chosen is None else f"{chosen.split(':')[0]}, which Auto() chose"
    score = "" if found.score is None else f" Its score is {found.score:,.2f} ({found.score_definition})"
    proof = "."
    if found.optimal:
        proof = "; no network scores higher."
    elif found.gap is not None:
        proof = f"; it is proven that no network scores more than {found.gap:,.4g} nats higher."
    usual = found.notes.get("score and prior")
    reason = "" if usual is None else f" Score and prior are {usual}."
    return f"Found by {by}.{score}{proof if score else ''}{reason}"


def key_facts(analysis: Analysis) -> list[tuple[str, str]]:
    """The few numbers to begin with."""
    found = analysis.found
    rows = found.data.get("rows", 0)
    cases = found.data.get("N", rows)
    free = sum(card.decided_by == "nothing" for card in analysis.cards)
    facts = [
        ("variables", f"{len(analysis.dag.nodes):,}"),
        ("rows", f"{rows:,}"),
        *([("sum of weights", f"{cases:,.6g}")] if cases != rows else []),
        ("edges", f"{len(analysis.dag.edges):,}"),
        ("directions undecided", f"{free:,}"),
    ]
    if found.known_confidence is not None:
        strong = sum((card.strength or 0.0) >= 0.8 for card in analysis.cards)
        facts.append(("edges of strength 0.8 and more", f"{strong:,}"))
    return facts
