"""A confidence as a table in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dagwright.confidence.confidence import Confidence

MOST_ROWS = 30


def link_table(confidence: Confidence) -> str:
    """The links of strength 0.1 and more, strongest first."""
    links = confidence.links(0.1)
    rows = "".join(
        f"<tr><td>{escape(one.start)}</td><td>{escape(one.end)}</td><td>{one.strength:.3f}</td>"
        f"<td>{one.low:.3f} to {one.high:.3f}</td><td>{one.direction:.3f}</td></tr>"
        for one in links[:MOST_ROWS]
    )
    more = f"<p>and {len(links) - MOST_ROWS} more</p>" if len(links) > MOST_ROWS else ""
    heads = "".join(f"<th>{head}</th>" for head in ("from", "to", "strength", "95 %", "this way"))
    return (
        f"<p>{escape(confidence.source)}</p><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{more}"
    )
