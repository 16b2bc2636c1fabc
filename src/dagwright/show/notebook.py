"""HTML of the objects in a notebook, without scripts and without the network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dagwright.confidence import Confidence
from dagwright.data import DataReport, EqualWidth, Table
from dagwright.data.number_report import HEADS
from dagwright.graph.named_graph import NamedNodes
from dagwright.knowledge import Knowledge
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork, MarkovNetwork
from dagwright.show.charts import state_row_bars
from dagwright.show.drawing import draw
from dagwright.show.notebook_html import html_table, list_view, more, paragraph
from dagwright.show.scene import Group, Scene, box
from dagwright.show.svg_writer import write_svg

MOST_NODES, MOST_BARS, MOST_ROWS = 120, 15, 60
SPARK_WIDTH, SPARK_HEIGHT = 160.0, 12.0
SPARK_BARS = 10


def notebook_view(thing: Any) -> str:
    """HTML of a public value, complete in itself."""
    if isinstance(thing, Table):
        return _table_view(thing)
    if isinstance(thing, DataReport):
        return _report_view(thing)
    if isinstance(thing, Knowledge):
        return list_view("Knowledge", map(str, thing))
    if isinstance(thing, Learned):
        head, *facts = str(thing).splitlines()
        return _picture(thing, thing.graph.nodes) + list_view(head, facts)
    if isinstance(thing, Confidence):
        return _picture(thing, thing.nodes) + _edges_view(thing)
    if isinstance(thing, BayesianNetwork):
        if len(thing.nodes) <= MOST_BARS:
            return draw(thing, bars=True).html
        head = repr(thing).splitlines()[0]
        return _picture(thing, thing.nodes) + paragraph(head)
    if isinstance(thing, NamedNodes):
        return _picture(thing, thing.nodes)
    if isinstance(thing, MarkovNetwork):
        return _picture(thing, thing.graph.nodes)
    from dagwright.show.notebook_results import result_view

    return result_view(thing)


def _picture(thing: Any, nodes: Sequence[str]) -> str:
    """The drawing; of a graph too large to read at once, its groups."""
    if len(nodes) <= MOST_NODES:
        return draw(thing).html
    note = (
        f"<p>{len(nodes):,} nodes in groups; <code>draw(around=...)</code> shows the surroundings of a node, "
        "<code>draw()</code> everything.</p>"
    )
    return draw(thing, clusters=True).html + note


def _table_view(table: Table) -> str:
    rows = [
        (
            name,
            table.kinds[name],
            f"{len(table.states_of(name)):,}" if table.schema[name].is_discrete else "-",
            f"{table.missing[name]:,}",
            _spark(table, name),
        )
        for name in table.names[:MOST_ROWS]
    ]
    weighed = f", weights sum to {table.N:g}" if table.weights is not None else ""
    return (
        f"<p>{table.n_rows:,} rows{weighed}, {len(table.names):,} columns</p>"
        + html_table(("column", "kind", "states", "missing", "shares"), rows, raw=(4,))
        + more(len(rows), len(table.names), "columns")
    )


def _spark(table: Table, name: str) -> str:
    """The shares of the states as one bar, each state a piece of it with its name on hovering."""
    numbers = not table.schema[name].is_discrete
    if table.missing[name] == table.n_rows or (numbers and not table.has_rows):
        return ""
    x, pieces = 0.0, []
    shades = ("blue", "border", "green", "faint")
    if numbers:
        table = table.select([name]).discretized(EqualWidth(SPARK_BARS))
    for at, bar in enumerate(state_row_bars(table, name)):
        width = SPARK_WIDTH * bar.share
        if width > 0:
            piece = box(x, 0, max(width - 1, 0.5), SPARK_HEIGHT, fill=shades[at % len(shades)])
            pieces.append(Group((piece,), title=f"{bar.name}: {bar.words}"))
        x += width
    return write_svg(
        Scene(SPARK_WIDTH, SPARK_HEIGHT, tuple(pieces), f"shares of {name}"), inline=True
    ).strip()


def _report_view(report: DataReport) -> str:
    rows = [
        (c.name, c.kind_in_words, f"{c.distinct:,}", f"{c.missing:,}", ", ".join(c.flags) or "-", c.action)
        for c in report.columns
    ]
    heads = ("column", "kind", "distinct", "missing", "remarks", "what will be done")
    notes = list_view("Notes", report.notes) if report.notes else ""
    about = [(name, *summary.cells) for name, summary in report.numbers.items()]
    numbers = html_table(("numbers", *HEADS), about) if about else ""
    return paragraph(report.summary) + html_table(heads, rows) + numbers + notes


def _edges_view(confidence: Confidence) -> str:
    edges = confidence.edges(0.1)
    rows = [
        (
            one.start,
            one.end,
            f"{one.strength:.3f}",
            "exact" if one.low == one.high else f"{one.low:.3f} to {one.high:.3f}",
            f"{one.direction:.3f}",
        )
        for one in edges[:MOST_ROWS]
    ]
    return (
        paragraph(confidence.source)
        + html_table(("from", "to", "strength", "95 %", "this direction"), rows, numbers=(2, 3, 4))
        + more(len(rows), len(edges), "edges of strength 0.1 and more")
    )
