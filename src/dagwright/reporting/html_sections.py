"""The sections of a page, each from an analysis to HTML; empty where there is nothing to tell."""

from __future__ import annotations

import math
from html import escape
from itertools import islice, product

from dagwright.learning.edge_evidence import EvidenceCard
from dagwright.model import BayesianNetwork
from dagwright.reporting.analysis import Analysis
from dagwright.reporting.html_parts import bar, figure, fold, table, text_list
from dagwright.reporting.words import RIVAL_FACTS, edge_name, rival_facts
from dagwright.show import draw
from dagwright.show.node_shapes import percent

MOST_CONFIGURATIONS, MOST_STATES, MOST_TOLD = 64, 12, 20
MOST_PICTURED, PICTURED_NODES = 4, 30
BITS = 1 / math.log(2)


def network(analysis: Analysis) -> str:
    """The picture, and beside it the card of the edge that was chosen."""
    picture = draw(analysis.found, highlight=() if analysis.target is None else analysis.target)
    cards = "".join(_card(number, card) for number, card in enumerate(analysis.cards))
    hint = "Choose an edge in the picture or in the table below to see its evidence."
    return (
        f'<div class="network">{figure(picture.svg, picture.width)}'
        f'<div id="cards"><p class="hint">{hint}</p>{cards}</div></div>'
    )


def _card(number: int, card: EvidenceCard) -> str:
    rows = "".join(f"<dt>{escape(what)}</dt><dd>{escape(value)}</dd>" for what, value in card.facts())
    names = f' id="card-{number}" data-from="{escape(card.start)}" data-to="{escape(card.end)}"'
    return fold(escape(edge_name(card)), f"<dl>{rows}</dl>", names)


def edges(analysis: Analysis) -> str:
    """One row for each edge, those that gain most first."""
    confidence = analysis.found.known_confidence
    rows = []
    for number, card in sorted(enumerate(analysis.cards), key=lambda pair: -pair[1].gains.get("BIC", 0.0)):
        row = [f'<a href="#card-{number}">{escape(edge_name(card))}</a>']
        if confidence is not None:
            row += [f"{bar(card.strength or 0.0)} {card.strength:.2f}", f"{card.direction:.2f}"]
        decided = {
            "data": "data",
            "intervention": "intervention",
            "knowledge": "knowledge",
            "rule": "rule for numbers",
            "nothing": "not identified",
        }[card.decided_by]
        row += [decided, f"{card.bits:.4f}", f"{card.gains.get('BIC', 0.0):+,.1f}"]
        rows.append(row)
    some = [] if confidence is None else ["strength", "this direction"]
    heads = ["edge", *some, "direction", "bits per row", "BIC gain, nats"]
    last = len(heads) - 1
    source = "" if confidence is None else f'<p class="hint">Strengths: {escape(confidence.source)}.</p>'
    return table(heads, rows, numbers=(last - 1, last, *range(2, 1 + len(some)))) + source


def undecided(analysis: Analysis) -> str:
    return text_list(analysis.undecided()) or "<p>Nothing: every edge and direction is decided.</p>"


def rivals(analysis: Analysis) -> str:
    """Whole networks that come close, then single edges that can be done without."""
    parts = []
    if analysis.rivals.note:
        parts.append(f"<p>{escape(analysis.rivals.note)}</p>")
    if analysis.rivals.classes:
        parts.append(_rival_classes(analysis))
    without = [
        [escape(edge_name(card)), f"{card.rival.loss:,.2f}", escape(card.rival.replaced_by)]
        for card in analysis.weakest()
        if card.rival is not None
    ]
    if without:
        parts.append("<h3>Edges with the weakest support</h3>")
        parts.append(table(["without", "score lower by (nats)", "edges instead"], without, numbers=(1,)))
    return "".join(parts)


def _rival_classes(analysis: Analysis) -> str:
    rows, pictures = [], list[str]()
    for rank, one in enumerate(analysis.rivals.classes, 1):
        rows.append([str(rank), *map(escape, rival_facts(one))])
        if one.same or len(pictures) == MOST_PICTURED or len(analysis.dag.nodes) > PICTURED_NODES:
            continue
        drawn = draw(
            analysis.dag.cpdag(), compare=one.graph, names=("this report", f"number {rank}"), font_size=12.0
        )
        pictures.append(fold(f"Number {rank} as a picture", figure(drawn.svg, drawn.width)))
    explained = (
        '<p class="hint">Each row is an equivalence class: the data cannot tell its networks apart. How '
        "much less probable it is follows from the scores if all networks are equally probable a priori; for "
        "penalized likelihoods it is approximate.</p>"
    )
    return table(["", *RIVAL_FACTS], rows, numbers=(0, 1, 2, 3)) + explained + "".join(pictures)


def target(analysis: Analysis) -> str:
    """The variables that tell most about the variable of interest."""
    if analysis.target is None:
        return ""
    most = max(analysis.informative.values(), default=0.0) or 1.0
    told = islice(analysis.informative.items(), MOST_TOLD)
    rows = [[escape(name), f"{bar(nats / most)} {nats * BITS:.4f}"] for name, nats in told]
    more = len(analysis.informative) - len(rows)
    left = f'<p class="hint">and {more:,} less informative variables</p>' if more else ""
    return (
        f"<p>Variables most informative about {escape(analysis.target)}.</p>"
        + table(["variable", "bits"], rows)
        + left
    )


def probabilities(analysis: Analysis) -> str:
    """The table of each node, to open."""
    known = analysis.network
    parts = []
    for node in known.nodes:
        if node in known.gaussians:
            continue
        parents, states = known.parents(node), known.states(node)
        cells = known.table(node).reshape(-1, len(states))
        given = product(*(known.states(parent) for parent in parents))
        rows = [
            [*(escape(str(state)) for state in configuration), *(f"{p:.4f}" for p in cells[at])]
            for at, configuration in enumerate(islice(given, MOST_CONFIGURATIONS))
        ]
        more = len(cells) - MOST_CONFIGURATIONS
        left = f"<p>and {more:,} more configurations</p>" if more > 0 else ""
        heads = [escape(str(name)) for name in (*parents, *states)]
        behind = f" <small>given {', '.join(map(escape, parents))}</small>" if parents else ""
        numbers = range(len(parents), len(heads))
        parts.append(fold(f"{escape(node)}{behind}", table(heads, rows, numbers=numbers) + left))
    return f'<div class="folds">{"".join(parts)}</div>' if parts else ""


def data(analysis: Analysis) -> str:
    """The content of each column, and how it was prepared."""
    rows_of = analysis.found.table
    if rows_of is None:
        return ""
    about = {} if analysis.data is None else {column.name: column for column in analysis.data.columns}
    rows = []
    for name in rows_of.names:
        shares = _marginal(analysis.network, name) if name in analysis.network.nodes else ""
        known = about.get(name)
        remarks = "" if known is None else ", ".join([*known.flags, known.action])
        lost = rows_of.missing[name] if known is None else known.missing
        rows.append([escape(name), f"{lost:,}" if lost else "–", shares, f"<small>{escape(remarks)}</small>"])
    summary = "" if analysis.data is None else f"<p>{escape(analysis.data.summary)}.</p>"
    notes = "" if analysis.data is None else text_list(analysis.data.notes)
    gaps = str(analysis.missingness or "").splitlines()
    missing = f"<h3>Missing values</h3>{text_list(map(str.strip, gaps))}" if gaps else ""
    heads = ["column", "missing", "distribution in the network", "remarks"]
    return summary + table(heads, rows, numbers=(1,)) + notes + missing


def _marginal(network: BayesianNetwork, name: str) -> str:
    """The states with their probabilities, or the mean and the middle 95 % of a number."""
    found = network.query(name)
    if name in network.gaussians:
        low, high = found.quantile([0.025, 0.975])
        return f"mean {found.mean:.4g}, sd {found.sd:.4g}, 95 % from {low:.4g} to {high:.4g}"
    shares = "".join(
        f'<span class="state">{bar(share)} {escape(str(state))} <small>{percent(share)}</small></span>'
        for state, share in islice(found.items(), MOST_STATES)
    )
    more = len(found) - MOST_STATES
    return shares + (f" <small>and {more} more</small>" if more > 0 else "")


def assumptions(analysis: Analysis) -> str:
    return text_list(analysis.found.assumptions)


def repeat(analysis: Analysis) -> str:
    """The command, the call, and the works behind them."""
    command = f"<pre>{escape(analysis.command)}</pre>" if analysis.command else ""
    fingerprint = analysis.found.data.get("fingerprint", "")
    facts = [
        f"search: {analysis.found.method}",
        f"score: {analysis.found.score_definition}",
        f"seed: {analysis.found.seed}",
        f"data: {analysis.found.data.get('rows', 0):,} rows, fingerprint {fingerprint}",
    ]
    works = [f"Method {work}" for work in analysis.citations()]
    works.append(f"Software: {analysis.versions()}, MIT license")
    return f"{command}<pre>{escape(analysis.code)}</pre>{text_list(facts)}<h3>Cite</h3>{text_list(works)}"
