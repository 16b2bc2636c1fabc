"""Tetrad's knowledge text: `/knowledge`, then the sections addtemporal, forbiddirect and requiredirect.

A tier line is a number, `*` after it when arcs inside the tier are forbidden, `-` when the tier may act only
on the next one, and names. A line of the other sections is `from to` or `from ==> to`. Names may hold `*`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dagwright.errors import FormatError
from dagwright.knowledge.edges import Edge
from dagwright.knowledge.knowledge import Knowledge
from dagwright.knowledge.statements import Forbidden, Required, Tier, Tiers

_TIER = re.compile(r"(\d+)([*-]*)(?:\s+(.*))?$")
_SECTIONS = {"addtemporal", "forbiddirect", "requiredirect"}


@dataclass
class _Draft:
    tiers: dict[int, Tier] = field(default_factory=dict)
    only_next: set[int] = field(default_factory=set)
    forbidden: list[Edge] = field(default_factory=list)
    required: list[Edge] = field(default_factory=list)


def from_tetrad(text: str) -> Knowledge:
    """The knowledge of a Tetrad text.

    >>> from_tetrad("/knowledge\\naddtemporal\\n1* age sex\\n2 cancer\\nrequiredirect\\nage cancer")
    Knowledge(required=['age -> cancer'], tiers=[{'nodes': ['age', 'sex'], 'inner': False}, ['cancer']])
    """
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines or lines[0][1].lower() != "/knowledge":
        raise FormatError("this is not a Tetrad knowledge file: its first line is not '/knowledge'")
    draft = _Draft()
    section = None
    for number, line in lines[1:]:
        if line.lower() in _SECTIONS:
            section = line.lower()
        elif section == "addtemporal":
            _read_tier(draft, line, number)
        elif section is not None:
            edges = draft.forbidden if section == "forbiddirect" else draft.required
            edges.append(_read_arc(line, number))
        else:
            raise FormatError(
                f"line {number}: expected one of {', '.join(sorted(_SECTIONS))}, found {line!r}"
            )
    return _finish(draft)


def _read_tier(draft: _Draft, line: str, number: int) -> None:
    match = _TIER.match(line)
    if match is None:
        raise FormatError(f"line {number}: expected a tier number and names, found {line!r}")
    tier, marks = int(match[1]), match[2]
    if tier in draft.tiers:
        raise FormatError(f"line {number}: tier {tier} is given twice")
    draft.tiers[tier] = Tier(tuple(sorted(set((match[3] or "").split()))), inner="*" not in marks)
    if "-" in marks:
        draft.only_next.add(tier)


def _read_arc(line: str, number: int) -> Edge:
    ends = [end for end in re.split(r"\s+", line) if end not in {"==>", "-->", "->"}]
    if len(ends) != 2:
        raise FormatError(f"line {number}: expected two names, found {line!r}")
    return Edge(ends[0], ends[1])


def _finish(draft: _Draft) -> Knowledge:
    numbers = sorted(draft.tiers)
    forbidden = list(draft.forbidden)
    for at, number in enumerate(numbers):
        if number in draft.only_next:
            later = [node for beyond in numbers[at + 2 :] for node in draft.tiers[beyond].nodes]
            forbidden += [Edge(node, other) for node in draft.tiers[number].nodes for other in later]
    return Knowledge(
        required=draft.required,
        forbidden=forbidden,
        tiers=[draft.tiers[number] for number in numbers] or None,
    )


def to_tetrad(knowledge: Knowledge) -> str:
    """Tetrad text, when the knowledge has nothing that Tetrad cannot say."""
    groups = dict(knowledge.groups)
    tiers: list[str] = []
    forbidden: list[str] = []
    required: list[str] = []
    for statement in knowledge:
        if isinstance(statement, Tiers) and not tiers:
            for at, tier in enumerate(statement.tiers, start=1):
                names = [name for node in tier.nodes for name in _names(node, groups)]
                tiers.append(" ".join([f"{at}{'' if tier.inner else '*'}", *names]))
        elif isinstance(statement, Forbidden):
            edge = statement.edge
            both = [edge] if edge.directed else [edge, Edge(edge.head, edge.tail)]
            forbidden += [line for one in both for line in _arc_lines(one, groups)]
        elif isinstance(statement, Required) and statement.edge.directed:
            required += _arc_lines(statement.edge, groups)
        else:
            raise FormatError(f"Tetrad's form cannot say '{statement}'; save as .toml or .json")
    sections = [
        "/knowledge",
        "addtemporal",
        *tiers,
        "",
        "forbiddirect",
        *forbidden,
        "",
        "requiredirect",
        *required,
    ]
    return "\n".join(sections) + "\n"


def _names(node: str, groups: dict[str, tuple[str, ...]]) -> list[str]:
    if node in groups:
        return [
            name
            for member in groups[node]
            for name in _names(member, {k: v for k, v in groups.items() if k != node})
        ]
    if re.search(r"\s", node) or "?" in node:
        raise FormatError(f"Tetrad's form cannot name {node!r}; save as .toml or .json")
    return [node]


def _arc_lines(edge: Edge, groups: dict[str, tuple[str, ...]]) -> list[str]:
    return [f"{tail} {head}" for tail in _names(edge.tail, groups) for head in _names(edge.head, groups)]
