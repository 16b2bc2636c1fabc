"""Sentences and facts that all forms of a report share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagwright.link_evidence import SPEECH, EvidenceCard, p_text

if TYPE_CHECKING:
    from dagwright.reporting.analysis import Analysis


def percent(share: float) -> str:
    """A share of one as per cent."""
    return f"{100 * share:.1f} %"


def headline(analysis: Analysis) -> str:
    """The whole analysis in a sentence or two."""
    found = analysis.found
    rows = found.data.get("rows", 0)
    score = "" if found.score is None else f" It scores {found.score:,.2f} ({found.score_definition})"
    proof = ", and no network scores higher." if found.optimal else "."
    return (
        f"{len(analysis.dag.nodes)} variables, {rows:,} rows, {len(analysis.dag.edges)} links, "
        f"found by {found.method}.{score}{proof if score else ''}"
    )


def card_facts(card: EvidenceCard) -> list[tuple[str, str]]:
    """The facts of a card, each with its name."""
    facts = [
        ("given", ", ".join(card.given) or "nothing else"),
        ("independence test", f"G2 {card.g2:.4g}, df {card.df:g}, p {p_text(card.p_value, card.log_p)}"),
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
        instead = ", ".join(f"{a} - {b}" for a, b in card.rival.instead) or "no other link"
        facts.append(("without it", f"{card.rival.loss:.4g} nats lost; instead: {instead}"))
    return facts
