"""Names as a format can spell them, and what has to travel beside them so that nothing is lost.

Formats differ in the names they allow. Each writes the nearest spelling it can; where that is not the name
itself, the name travels as JSON under the reserved property ``dagwright``, together with the types of states,
cut points and whatever else the format has no place for. Other programs see a property they do not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dagwright.errors import DagwrightError, FormatError
from dagwright.io.losses import Loss
from dagwright.io.origins import origin_entry
from dagwright.io.state_values import state_from_json, state_text, state_to_json
from dagwright.model import BayesianNetwork

RESERVED = "dagwright"
"""The property that carries what a format has no place for."""
PLAIN_KEY = re.compile("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

Speller = Callable[[str], str]


def as_is(text: str) -> str:
    return text


def identifier(text: str) -> str:
    """The nearest name of letters, digits and underscores, as Hugin, GeNIe and Netica want them.

    >>> identifier("blood pressure"), identifier("5-12"), identifier("ü")
    ('blood_pressure', 'x5_12', '_')
    """
    spelled = re.sub("[^A-Za-z0-9_]", "_", text)
    return spelled if spelled[:1].isalpha() or spelled[:1] == "_" else f"x{spelled}"


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts, later ones of the same spelling numbered.

    >>> distinct(["a", "b", "a", "a_2"])
    ('a', 'b', 'a_2', 'a_2_2')
    """
    taken: set[str] = set()
    result = []
    for text in texts:
        spelled, number = text, 1
        while spelled in taken:
            number += 1
            spelled = f"{text}_{number}"
        taken.add(spelled)
        result.append(spelled)
    return tuple(result)


def spells(spelled: str, text: str) -> bool:
    """Whether a spelling in a file may come from a text, perhaps numbered by `distinct`."""
    return spelled == text or re.fullmatch(rf"{re.escape(text)}(_\d+)+", spelled) is not None


@dataclass(frozen=True)
class Spelling:
    """How a format spells the nodes and states of one network."""

    nodes: dict[str, str]
    states: dict[str, tuple[str, ...]]


def spell(network: BayesianNetwork, of_node: Speller, of_state: Speller) -> Spelling:
    """Spellings that differ where the names differ."""
    nodes = dict(zip(network.nodes, distinct(map(of_node, network.nodes)), strict=True))
    states = {x: distinct(of_state(state_text(s)) for s in network.states(x)) for x in network.nodes}
    return Spelling(nodes, states)


def unplain(properties: dict[str, str]) -> dict[str, str]:
    """The properties whose names a format could take for something else."""
    return {
        key: text
        for key, text in properties.items()
        if not PLAIN_KEY.fullmatch(key) or key == RESERVED or not text or text != text.strip()
    }


def carried_by_network(network: BayesianNetwork, spelled_name: str, places: tuple[str, ...] = ()) -> str:
    """JSON of what the head of a file has no place for, or nothing; ``places`` are those it has."""
    about = network.metadata
    entry: dict[str, Any] = {"name": about.name} if spelled_name != about.name else {}
    entry |= {
        field: text
        for field in ("description", "citation")
        if field not in places and (text := getattr(about, field))
    }
    if rest := unplain(dict(about.properties)):
        entry["properties"] = rest
    return _json(entry)


def carried_by_node(network: BayesianNetwork, node: str, spelling: Spelling, report: list[Loss]) -> str:
    """JSON of what the entry of a node has no place for, or nothing."""
    entry: dict[str, Any] = {}
    if spelling.nodes[node] != node:
        entry["name"] = node
    if spelling.states[node] != network.states(node):
        try:
            entry["states"] = [state_to_json(state) for state in network.states(node)]
        except FormatError:
            shown = ", ".join(repr(s) for s in network.states(node)[:3])
            report.append(Loss("states", f"texts in place of {shown}, ...", node))
    entry |= origin_entry(network.origins.get(node))
    if rest := unplain(dict(network.metadata.node_properties.get(node, {}))):
        entry["properties"] = rest
    if network.counts(node) is not None:
        report.append(Loss("counts", "not written; the probabilities are", node))
    return _json(entry)


def _json(entry: dict[str, Any]) -> str:
    return json.dumps(entry, separators=(",", ":"), allow_nan=False) if entry else ""


def with_carried(properties: dict[str, str], carried: str) -> dict[str, str]:
    """The properties to write: the plain ones, and the reserved one if it has anything to carry."""
    odd = unplain(properties)
    plain = {key: text for key, text in properties.items() if key not in odd}
    return plain | ({RESERVED: carried} if carried else {})


def taken_from(properties: dict[str, str]) -> dict[str, Any]:
    """Remove and read the reserved property; what is no JSON object stays an ordinary property."""
    try:
        entry = json.loads(properties[RESERVED])
    except (KeyError, ValueError, RecursionError):
        return {}
    if not isinstance(entry, dict):
        return {}
    del properties[RESERVED]
    further = entry.get("properties")
    if isinstance(further, dict):
        properties.update({key: text for key, text in further.items() if isinstance(text, str)})
    return entry


def states_from(entry: dict[str, Any], spelled: list[str], of_state: Speller) -> list[Any] | None:
    """The states that were carried, if they are still those of the file."""
    found = entry.get("states")
    if not isinstance(found, list) or len(found) != len(spelled):
        return None
    try:
        states = [state_from_json(each) for each in found]
        texts = [of_state(state_text(state)) for state in states]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, DagwrightError):
        return None
    return states if list(distinct(texts)) == spelled else None
