"""UAI, the format of the inference competitions (UAI 2008 to 2022), for ``BAYES`` networks.

Variables and states are numbers, and every scope ends with the child, which changes fastest. Names, and
whatever else UAI does not know, travel as JSON in one comment line after the last table, where programs have
stopped reading. Files without it give the nodes X0, X1, ... with states 0, 1, ...
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from dagwright.io.content import decoded, encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, configurations, finished
from dagwright.io.losses import FormatLoss
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import (
    NO_PLACE,
    RESERVED,
    Spelling,
    carried_by_network,
    carried_by_node,
)
from dagwright.model import BayesianNetwork

NOTE = f"#~{RESERVED} "
TOKENS = re.compile(r"\s*+(?:#[^\n]*+\s*+)*+(?P<word>[^\s#]++)?")


def read_bytes(content: bytes) -> BayesianNetwork:
    text = decoded(content)
    draft = Draft(len(text))
    scanner = Scanner(text, TOKENS)
    at = scanner.start
    if scanner.take("BAYES", ("word",)) != "BAYES":
        scanner.refuse("expected BAYES: dagwright reads Bayesian networks, not factor graphs", at)
    count = scanner.take_count("the number of variables")
    _require_room(scanner, count)
    cardinalities = [scanner.take_count("the number of states") for _ in range(count)]
    draft.claim_states(sum(cardinalities))
    draft.nodes = {f"X{i}": NodeDraft(f"X{i}", list(range(r))) for i, r in enumerate(cardinalities)}
    at = scanner.start
    if scanner.take_count("the number of tables") != count:
        scanner.refuse(f"expected one table for each of {count} variables", at)
    order = [_take_scope(scanner, draft) for _ in range(count)]
    if len(set(order)) < count:
        scanner.refuse("two tables end with the same variable, which both take for the child")
    draft.require_plausible()
    for node in order:
        _take_table(scanner, draft, node)
    if scanner.kind:
        scanner.fail("the end of the file")
    _take_note(text, draft)
    return finished(draft, Speaking(None, None))


def _require_room(scanner: Scanner, count: int) -> None:
    """Refuse counts that the rest of the file is too short for."""
    if 2 * count > len(scanner.text) - scanner.start + 2:
        scanner.refuse(f"{count:,} entries are announced, but the file is too short for them")


def _take_scope(scanner: Scanner, draft: Draft) -> str:
    at = scanner.start
    size = scanner.take_count("the size of a scope")
    _require_room(scanner, size)
    names = [f"X{scanner.take_count('the number of a variable')}" for _ in range(size)]
    for name in names:
        if name not in draft.nodes:
            scanner.refuse(f"there is no variable {name[1:]}", at)
    if not names:
        scanner.refuse("a table without variables", at)
    draft.nodes[names[-1]].parents = names[:-1]
    draft.nodes[names[-1]].where = scanner.place_of(at)
    return names[-1]


def _take_table(scanner: Scanner, draft: Draft, node: str) -> None:
    shape = draft.shape(node)
    q, r = configurations(shape), shape[-1]
    at = scanner.start
    if scanner.take_count("the number of entries") != q * r:
        scanner.refuse(f"expected {q * r}, the number of entries of this table", at)
    _require_room(scanner, q * r)
    values = np.empty(q * r)
    for place in range(q * r):
        values[place] = scanner.take_number()
    draft.nodes[node].table = values.reshape(q, r)


def _take_note(text: str, draft: Draft) -> None:
    start = text.rfind(NOTE)
    if start < 0:
        return
    try:
        note = json.loads(text[start + len(NOTE) :])
    except (ValueError, RecursionError):
        return
    if not isinstance(note, dict):
        return
    draft.properties[RESERVED] = json.dumps(note.get("network", {}))
    nodes: Any = note.get("nodes")
    for name, entry in nodes.items() if isinstance(nodes, dict) else ():
        if name in draft.nodes:
            draft.nodes[name].properties[RESERVED] = json.dumps(entry)


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    number = {node: i for i, node in enumerate(network.nodes)}
    spelling = Spelling(
        {node: f"X{i}" for node, i in number.items()},
        {node: tuple(range(network.cardinality(node))) for node in network.nodes},
    )
    lines = ["BAYES", str(len(number)), " ".join(str(network.cardinality(node)) for node in number)]
    lines.append(str(len(number)))
    for node in network.nodes:
        scope = [number[each] for each in (*network.parents(node), node)]
        lines.append(" ".join(map(str, (len(scope), *scope))))
    for node in network.nodes:
        table = network.table(node)
        rows = table.reshape(-1, table.shape[-1]).tolist()
        lines += ["", str(table.size), *(" ".join(map(_decimal, row)) for row in rows)]
    note: dict[str, Any] = {}
    if about := carried_by_network(network, "", taken=NO_PLACE):
        note["network"] = json.loads(about)
    carried = {node: carried_by_node(network, node, spelling, losses, NO_PLACE) for node in network.nodes}
    note["nodes"] = {spelling.nodes[node]: json.loads(entry) for node, entry in carried.items() if entry}
    lines += ["", NOTE + json.dumps(note, separators=(",", ":"), allow_nan=False)]
    return encoded("\n".join(lines) + "\n")


def _decimal(probability: float) -> str:
    """All digits without an exponent, which not every reader knows."""
    return np.format_float_positional(probability, trim="0")
