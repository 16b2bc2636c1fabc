"""Graphs with marked edges as text: ``A o-> B; B <-> C; C -- D; D o-o E; E o- F``.

Like the text of other graphs, but with a circle ``o`` at either end, and arrows stand between spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dagwright.errors import FormatError
from dagwright.graph.edge_marks import ARROW, CIRCLE, TAIL
from dagwright.graph.notation import BARE, quote, unquote

LEFT = {"<": ARROW, "o": CIRCLE, "": TAIL}
RIGHT = {">": ARROW, "o": CIRCLE, "": TAIL}
ARROWS = {
    (LEFT[left], RIGHT[right]): f"{left}-{right}" if left or right else "--"
    for left in LEFT
    for right in RIGHT
}
"""The arrow by the marks at its left and right end."""

MARKS = {arrow: ends for ends, arrow in ARROWS.items()}
TOKEN = re.compile(
    rf'[ \t\r]*(?:(?P<arrow><->|<-o|o->|o-o|->|<-|--|o-|-o)(?=\s|"|$)|(?P<end>[;\n])'
    rf'|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>{BARE}))',
    re.DOTALL,
)
HINT = 'write for example A o-> B; B <-> C; C o-o D; "a name with spaces" -> A; E'

MarkedEdge = tuple[str, str, str]


def has_marks(text: str) -> bool:
    """Whether a graph text uses circles or bidirected edges, which other graphs cannot have."""
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    return re.search(r'(?:^|[\s"])(?:<->|<-o|o->|o-o|o-|-o)(?=[\s"]|$)', outside) is not None


def quoted_name(name: str) -> str:
    """A node name as it is written in the text of a marked graph."""
    return f'"{name}"' if name in MARKS else quote(name)


def write(nodes: Iterable[str], edges: Iterable[MarkedEdge]) -> str:
    """The text of a marked graph: edges as they are given, then the isolated nodes."""
    lines = list(edges)
    joined = {name for start, _, end in lines for name in (start, end)}
    parts = [f"{quoted_name(start)} {arrow} {quoted_name(end)}" for start, arrow, end in lines]
    return "; ".join(parts + [quoted_name(name) for name in sorted(nodes) if name not in joined])


def read(text: str) -> tuple[tuple[str, ...], list[MarkedEdge]]:
    """The nodes in order of appearance, and the edges.

    >>> read("A o-> B <-> C; D")
    (('A', 'B', 'C', 'D'), [('A', 'o->', 'B'), ('B', '<->', 'C')])
    """
    nodes: dict[str, None] = {}
    edges: list[MarkedEdge] = []
    for statement in _statements(text):
        for place, (kind, token) in enumerate(statement):
            if (kind == "arrow") != (place % 2 == 1):
                raise FormatError(f"names and arrows must alternate in the graph text, at {token!r}; {HINT}")
        if len(statement) % 2 == 0:
            raise FormatError(
                f"the arrow {statement[-1][1]!r} in the graph text has no name after it; {HINT}"
            )
        names, arrows = [t for _, t in statement[::2]], [t for _, t in statement[1::2]]
        nodes.update(dict.fromkeys(names))
        edges += zip(names, arrows, names[1:], strict=False)
    return tuple(nodes), edges


def _statements(text: str) -> Iterable[list[tuple[str, str]]]:
    body, position = text.rstrip(), 0
    statement: list[tuple[str, str]] = []
    while position < len(body):
        match = TOKEN.match(body, position)
        if match is None:
            raise FormatError(
                f"cannot read the graph text at {body[position : position + 20].strip()!r}; {HINT}"
            )
        position = match.end()
        if match["end"]:
            if statement:
                yield statement
            statement = []
        elif match["arrow"]:
            statement.append(("arrow", match["arrow"]))
        else:
            name = match["bare"] if match["bare"] is not None else unquote(match["quoted"])
            statement.append(("name", name))
    if statement:
        yield statement
