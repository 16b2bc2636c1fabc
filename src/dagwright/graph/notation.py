"""Graphs as text: ``A -> B; B -- C; "a name" -> A; D``.

Statements are separated by semicolons or line breaks; ``->``, ``<-`` and ``--`` join names, chains are
allowed, and a name alone is an isolated node. A name with spaces, quotes or arrows in it goes between double
quotes, where a backslash protects the next character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dagwright.errors import FormatError

BARE = r'[^\s;"<>-]+(?:-(?![->])[^\s;"<>-]*)*'
TOKEN = re.compile(
    rf'[ \t\r]*(?:(?P<arrow>->|<-|--)|(?P<end>[;\n])|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>{BARE}))',
    re.DOTALL,
)
SIGNS = ("->", "<-", "--", "o-", "-o", ";")
MODEL = re.compile(r"\s*(?:\[[^\[\]]*\]\s*)+", re.DOTALL)
"""The model string of the R package bnlearn, such as ``[A][B|A][C|A:B]``."""
ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
UNESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Statements:
    """The content of a graph text: all nodes in order of appearance, arcs and undirected edges."""

    nodes: tuple[str, ...]
    directed: tuple[tuple[str, str], ...]
    undirected: tuple[tuple[str, str], ...]


def is_graph_text(text: str) -> bool:
    """Whether a text is written as a graph, and is not just a name.

    >>> is_graph_text("A -> B"), is_graph_text("[A][B|A]"), is_graph_text("asia"), is_graph_text("A; B")
    (True, True, False, True)
    """
    return any(sign in text for sign in SIGNS) or re.fullmatch(MODEL, text) is not None


def quote(name: str) -> str:
    """A node name as it is written in a graph text."""
    if re.fullmatch(BARE, name) and not name.startswith("["):
        return name
    return '"' + "".join(ESCAPES.get(letter, letter) for letter in name) + '"'


def unquote(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: UNESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)


def write(
    nodes: Iterable[str],
    directed: Iterable[tuple[str, str]],
    undirected: Iterable[tuple[str, str]],
) -> str:
    """The text of a graph: arcs and edges sorted by name, then the isolated nodes."""
    lines = [(start, end, "->") for start, end in directed] + [
        (start, end, "--") for start, end in undirected
    ]
    joined = {name for start, end, _ in lines for name in (start, end)}
    parts = [f"{quote(start)} {arrow} {quote(end)}" for start, end, arrow in sorted(lines)]
    parts += [quote(name) for name in sorted(nodes) if name not in joined]
    return "; ".join(parts)


def read(text: str) -> Statements:
    """Read a graph text, or a model string of the R package bnlearn.

    >>> read("A -> B <- C; B -- D; E").directed
    (('A', 'B'), ('C', 'B'))
    >>> read("[A][C][B|A:C]").directed
    (('A', 'B'), ('C', 'B'))
    """
    if MODEL.fullmatch(text):
        return _read_model(text)
    nodes: dict[str, None] = {}
    directed: list[tuple[str, str]] = []
    undirected: list[tuple[str, str]] = []
    previous: str | None = None
    arrow: str | None = None
    position = 0
    body = text.rstrip()
    while position < len(body):
        match = TOKEN.match(body, position)
        if match is None:
            raise FormatError(
                f"cannot read the graph text at {body[position : position + 20].strip()!r}; {HINT}"
            )
        position = match.end()
        if match["end"]:
            _refuse_dangling(arrow)
            previous = None
        elif match["arrow"]:
            if previous is None or arrow is not None:
                raise FormatError(
                    f"the arrow {match['arrow']!r} in the graph text has no name before it; {HINT}"
                )
            arrow = match["arrow"]
        else:
            name = match["bare"] if match["bare"] is not None else unquote(match["quoted"])
            nodes[name] = None
            if arrow is not None and previous is not None:
                pair = (name, previous) if arrow == "<-" else (previous, name)
                (undirected if arrow == "--" else directed).append(pair)
            elif previous is not None:
                raise FormatError(
                    f"the names {previous!r} and {name!r} follow each other without an arrow; {HINT}"
                )
            previous, arrow = name, None
    _refuse_dangling(arrow)
    return Statements(tuple(nodes), tuple(directed), tuple(undirected))


def _read_model(text: str) -> Statements:
    families: dict[str, list[str]] = {}
    for content in re.findall(r"\[([^\[\]]*)\]", text):
        child, bar, given = content.partition("|")
        parents = [parent.strip() for parent in given.split(":")] if bar else []
        child = child.strip()
        if not child or not all(parents):
            raise FormatError(f"the model string has {f'[{content}]'!r}; write for example [A][B|A][C|A:B]")
        if child in families:
            raise FormatError(f"the model string has the node {child!r} twice; give it one pair of brackets")
        families[child] = parents
    arcs = tuple((parent, child) for child, parents in families.items() for parent in parents)
    return Statements(tuple(dict.fromkeys([*families, *(parent for parent, _ in arcs)])), arcs, ())


HINT = 'write for example A -> B; B -- C; "a name with spaces" -> A; D'


def _refuse_dangling(arrow: str | None) -> None:
    if arrow is not None:
        raise FormatError(f"the arrow {arrow!r} in the graph text has no name after it; {HINT}")
