"""A report as one HTML page. Every text from the data is escaped, and only the page's own script may run."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from dagwright.link_evidence import EvidenceCard
from dagwright.reporting.analysis import Analysis
from dagwright.reporting.words import card_facts, headline, percent
from dagwright.show import draw

MOST_CONFIGURATIONS = 64
BARS = 12
BITS = 1 / math.log(2)


def html_page(analysis: Analysis) -> str:
    """The page, with its style, its script and its pictures inside."""
    style, script = _resource("report.css"), _resource("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    sections = [
        ("Network", "network", _network(analysis)),
        ("Links", "links", _links(analysis)),
        ("Undecided", "undecided", _undecided(analysis)),
        ("Rivals", "rivals", _rivals(analysis)),
        ("Target", "target", _target(analysis)),
        ("Probabilities", "probabilities", _probabilities(analysis)),
        ("Data", "data", _data(analysis)),
        ("Assumptions", "assumptions", _list(analysis.found.assumptions)),
        ("Repeat and cite", "repeat", _repeat(analysis)),
    ]
    shown = [(title, name, body) for title, name, body in sections if body]
    links = "".join(f'<a href="#{name}">{title}</a>' for title, name, _ in shown)
    bodies = "".join(f'<section id="{name}"><h2>{title}</h2>{body}</section>' for title, name, body in shown)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(analysis.title)}</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(analysis.title)}</h1><p>{escape(headline(analysis))}</p><nav>{links}</nav></header>"
        f"<main>{bodies}</main><footer>{escape(analysis.versions())}</footer><script>{script}</script>"
        "</body></html>\n"
    )


def _resource(name: str) -> str:
    return (files("dagwright.reporting") / name).read_text(encoding="utf-8")


def _network(analysis: Analysis) -> str:
    picture = draw(
        analysis.found.dag,
        strength=analysis.found.confidence,
        knowledge=analysis.found.knowledge,
        highlight=() if analysis.target is None else analysis.target,
    )
    cards = "".join(_card(number, card) for number, card in enumerate(analysis.cards))
    return (
        '<p class="hint">Click a link to see what speaks for it.</p>'
        f'<div class="picture" style="--width:{picture.scene.width:.0f}px">{picture.svg}</div>'
        f'<div id="cards">{cards}</div>'
    )


def _card(number: int, card: EvidenceCard) -> str:
    rows = "".join(
        f"<tr><th>{escape(what)}</th><td>{escape(value)}</td></tr>" for what, value in card_facts(card)
    )
    names = f'id="card-{number}" data-from="{escape(card.start)}" data-to="{escape(card.end)}"'
    title = f"{escape(card.start)} &rarr; {escape(card.end)}"
    return f"<details {names}><summary>{title}</summary><table>{rows}</table></details>"


def _links(analysis: Analysis) -> str:
    rows = []
    for number, card in sorted(enumerate(analysis.cards), key=lambda pair: -pair[1].gains.get("BIC", 0.0)):
        sure = "" if card.strength is None else f"{_bar(card.strength)} {card.strength:.2f}"
        way = "" if card.direction is None else f"{card.direction:.2f}"
        decided = {"data": "data", "knowledge": "knowledge", "nothing": "undecided"}[card.decided_by]
        rows.append(
            [
                f'<a href="#card-{number}">{escape(card.start)} &rarr; {escape(card.end)}</a>',
                sure,
                way,
                decided,
                f"{card.bits:.4f}",
                f"{card.gains.get('BIC', 0.0):+.1f}",
            ]
        )
    heads = ["link", "strength", "this way", "direction by", "bits per row", "BIC gain (nats)"]
    source = "" if analysis.found.confidence is None else f"<p>{escape(analysis.found.confidence.source)}</p>"
    return _table(heads, rows) + source


def _undecided(analysis: Analysis) -> str:
    return _list(analysis.undecided()) or "<p>Nothing: every link and direction is decided.</p>"


def _rivals(analysis: Analysis) -> str:
    rows = []
    for card in analysis.weakest():
        if card.rival is None:
            continue
        instead = ", ".join(f"{a} - {b}" for a, b in card.rival.instead) or "no other link"
        rows.append(
            [f"{escape(card.start)} &rarr; {escape(card.end)}", f"{card.rival.loss:.2f}", escape(instead)]
        )
    if not rows:
        return ""
    return (
        "<p>The links that another network can best do without, and what it has in their place.</p>"
        + _table(["without", "nats lost", "instead"], rows)
    )


def _target(analysis: Analysis) -> str:
    if analysis.target is None:
        return ""
    most = max(analysis.informative.values(), default=0.0) or 1.0
    rows = [
        [escape(name), f"{_bar(nats / most)} {nats * BITS:.4f}"]
        for name, nats in list(analysis.informative.items())[:20]
    ]
    return f"<p>What tells most about {escape(analysis.target)}.</p>" + _table(["variable", "bits"], rows)


def _probabilities(analysis: Analysis) -> str:
    network = analysis.network
    parts = []
    for node in network.nodes:
        parents, states = network.parents(node), network.states(node)
        table = network.table(node).reshape(-1, len(states))
        rows = []
        for at, probabilities in enumerate(table[:MOST_CONFIGURATIONS]):
            labels = []
            rest = at
            for parent in reversed(parents):
                labels.append(escape(str(network.states(parent)[rest % network.cardinality(parent)])))
                rest //= network.cardinality(parent)
            rows.append([*reversed(labels), *(f"{p:.4f}" for p in probabilities)])
        more = len(table) - MOST_CONFIGURATIONS
        left = f"<p>and {more:,} more configurations</p>" if more > 0 else ""
        heads = [*map(escape, parents), *(f"{escape(node)} = {escape(str(state))}" for state in states)]
        given = f" given {', '.join(map(escape, parents))}" if parents else ""
        tables = _table(heads, rows, safe=True) + left
        parts.append(f"<details><summary>{escape(node)}{given}</summary>{tables}</details>")
    return "".join(parts)


def _data(analysis: Analysis) -> str:
    table = analysis.found.table
    if table is None:
        return ""
    about = {} if analysis.data is None else {column.name: column for column in analysis.data.columns}
    rows = []
    for name in table.names:
        marginal = analysis.network.query(name) if name in analysis.network.nodes else {}
        shares = "".join(
            f'<span class="state">{_bar(share)} {escape(str(state))} {percent(share)}</span>'
            for state, share in list(marginal.items())[:BARS]
        )
        known = about.get(name)
        remarks = "" if known is None else ", ".join([*known.flags, known.action])
        rows.append([escape(name), f"{table.missing[name]:,}", shares, escape(remarks)])
    summary = "" if analysis.data is None else f"<p>{escape(analysis.data.summary)}</p>"
    notes = "" if analysis.data is None else _list(analysis.data.notes)
    return summary + _table(["column", "missing", "states in the network", "remarks"], rows) + notes


def _repeat(analysis: Analysis) -> str:
    command = f"<pre>{escape(analysis.command)}</pre>" if analysis.command else ""
    fingerprint = analysis.found.data.get("fingerprint", "")
    facts = [
        f"search: {analysis.found.method}",
        f"score: {analysis.found.score_definition}",
        f"seed: {analysis.found.seed}",
        f"data: {analysis.found.data.get('rows', 0):,} rows, fingerprint {fingerprint}",
    ]
    works = [f"Method {work}" for work in analysis.citations()]
    works.append(f"Software: {analysis.versions()}, MIT licence")
    return f"{command}<pre>{escape(analysis.code)}</pre>{_list(facts)}{_list(works)}"


def _table(heads: Iterable[str], rows: Sequence[Sequence[str]], *, safe: bool = False) -> str:
    """Cells are HTML already; with ``safe`` the heads are too."""
    head = "".join(f"<th>{text if safe else escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _list(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def _bar(part: float) -> str:
    return f'<span class="bar"><i style="width:{100 * min(max(part, 0.0), 1.0):.0f}%"></i></span>'
