"""Sentences and facts that all forms of a report share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dagwright.link_evidence import SPEECH, EvidenceCard, p_text
from dagwright.show.node_shapes import percent

if TYPE_CHECKING:
    from dagwright.reporting.analysis import Analysis
    from dagwright.reporting.rival_networks import RivalNetwork

__all__ = [
    "RIVAL_FACTS",
    "card_facts",
    "headline",
    "key_facts",
    "link_name",
    "links_text",
    "percent",
    "rival_facts",
]
RIVAL_FACTS = ("nats behind", "less probable by", "networks", "what differs")


def link_name(card: EvidenceCard) -> str:
    """The link with its arrow, or a dash where nothing decides its direction."""
    return f"{card.start} {'–' if card.decided_by == 'nothing' else '→'} {card.end}"


def links_text(links: Iterable[tuple[str, str]]) -> str:
    """Links without their directions."""
    return ", ".join(f"{a} – {b}" for a, b in links) or "no other link"


def rival_facts(rival: RivalNetwork) -> list[str]:
    """What `RIVAL_FACTS` name."""
    times = f"{rival.bayes_factor:,.3g} ×" if rival.behind >= 0.005 else ""
    return [f"{rival.behind:,.2f}", times, f"{rival.members:,}", rival.difference()]


def headline(analysis: Analysis) -> str:
    """How the network was found and what is proven about it, in a sentence or two."""
    found = analysis.found
    chosen = found.notes.get("chosen")
    by = found.method if chosen is None else f"{chosen.split(':')[0]}, which Auto() chose"
    score = "" if found.score is None else f" Its score is {found.score:,.2f} ({found.score_definition})"
    proof = "; no network scores higher." if found.optimal else "."
    return f"Found by {by}.{score}{proof if score else ''}"


def key_facts(analysis: Analysis) -> list[tuple[str, str]]:
    """The few numbers to begin with."""
    found = analysis.found
    free = sum(card.decided_by == "nothing" for card in analysis.cards)
    facts = [
        ("variables", f"{len(analysis.dag.nodes):,}"),
        ("rows", f"{found.data.get('rows', 0):,}"),
        ("links", f"{len(analysis.dag.edges):,}"),
        ("directions undecided", f"{free:,}"),
    ]
    if found.known_confidence is not None:
        strong = sum((card.strength or 0.0) >= 0.8 for card in analysis.cards)
        facts.append(("links of strength 0.8 and more", f"{strong:,}"))
    return facts


def card_facts(card: EvidenceCard) -> list[tuple[str, str]]:
    """The facts of a card, each with its name."""
    facts = [
        ("given", ", ".join(card.given) or "nothing else"),
        ("independence test", f"G² {card.g2:.4g}, df {card.df:g}, p {p_text(card.p_value, card.log_p)}"),
        ("level that BIC amounts to", f"{card.bic_level:.2g}"),
        ("information", f"{card.bits:.4g} bits per row"),
        ("gain in nats", ", ".join(f"{name} {gain:+.4g}" for name, gain in card.gains.items())),
    ]
    if card.strength is not None and card.interval is not None:
        low, high = card.interval
        facts.append(
            ("strength", f"{card.strength:.3f} ({low:.3f} to {high:.3f}), this way {card.direction:.3f}")
        )
    facts.append(("direction", SPEECH[card.decided_by]))
    if card.knowledge:
        facts.append(("knowledge", card.knowledge))
    if card.rival is not None:
        instead = links_text(card.rival.instead)
        facts.append(("without it", f"{card.rival.loss:.4g} nats lost; instead: {instead}"))
    return facts
