"""Names as a format can spell them, and what has to travel beside them so that nothing is lost.

Formats differ in the names they allow. Each writes the nearest spelling it can; where that is not the name
itself, the name travels as JSON under the reserved property ``dagwright``, together with the types of states,
cut points and whatever else the format has no place for. Other programs see a property they do not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dagwright.data.origin import origin_entry
from dagwright.data.state_values import state_from_json, state_text, state_to_json
from dagwright.data.states import state_key
from dagwright.errors import DagwrightError, FormatError
from dagwright.io.losses import FormatLoss
from dagwright.model import BayesianNetwork

RESERVED = "dagwright"
"""The property that carries what a format has no place for."""
PLAIN_KEY = re.compile("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

Speller = Callable[[str], str]


@dataclass(frozen=True)
class AllBut:
    """For formats without a place for free properties: every key is taken but those they know."""

    known: tuple[str, ...] = ()

    def __contains__(self, key: object) -> bool:
        return key not in self.known


NO_PLACE = AllBut()


def as_is(text: str) -> str:
    return text


def identifier(text: str) -> str:
    """The nearest name of letters, digits and underscores, as Hugin, GeNIe and Netica want them.

    >>> identifier("blood pressure"), identifier("5-12"), identifier("ü")
    ('blood_pressure', 'x5_12', 'x_')
    """
    spelled = re.sub("[^A-Za-z0-9_]", "_", text)
    return spelled if spelled[:1].isalpha() else f"x{spelled}"


def distinct(texts: Iterable[str], longest: int | None = None) -> tuple[str, ...]:
    """The texts, later ones of the same spelling numbered; none longer than allowed.

    >>> distinct(["a", "b", "a", "a_2"])
    ('a', 'b', 'a_2', 'a_2_2')
    """
    taken: set[str] = set()
    result = []
    for text in texts:
        spelled, number = text[:longest], 1
        while spelled in taken:
            number += 1
            suffix = f"_{number}"
            spelled = (text if longest is None else text[: longest - len(suffix)]) + suffix
        taken.add(spelled)
        result.append(spelled)
    return tuple(result)


def spells(spelled: str, text: str) -> bool:
    """Whether a spelling in a file may come from a text, perhaps cut or numbered by `distinct`."""
    numbered = re.fullmatch(r"(.*)_\d+", spelled, re.DOTALL)
    return text.startswith(spelled) or (numbered is not None and text.startswith(numbered[1]))


@dataclass(frozen=True)
class Spelling:
    """How a format spells the nodes and states of one network."""

    nodes: Mapping[str, str]
    states: Mapping[str, tuple[Hashable, ...]]


def spell(
    network: BayesianNetwork, of_node: Speller, of_state: Speller, longest: int | None = None
) -> Spelling:
    """Spellings that differ where the names differ, none longer than allowed."""
    nodes = dict(zip(network.nodes, distinct(map(of_node, network.nodes), longest), strict=True))
    states = {
        x: distinct((of_state(state_text(s)) for s in network.states(x)), longest)
        for x in network.nodes
        if x not in network.gaussians
    }
    return Spelling(nodes, states)


def shown_label(
    network: BayesianNetwork, node: str, spelling: Spelling, key: str
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The properties of a node with its true name under ``key`` where the format cannot spell it.

    Comes with the keys that are taken by this: a label of the user's own that equals the name travels apart.
    """
    properties = dict(network.metadata.node_properties.get(node, {}))
    if node == spelling.nodes[node]:
        return properties, ()
    if key in properties:
        return properties, (key,) if properties[key] == node else ()
    return {key: node} | properties, ()


def unplain(properties: Mapping[str, str], taken: Container[str]) -> dict[str, str]:
    """The properties that a format could take for something else; ``taken`` are keys with another use."""
    return {
        key: text
        for key, text in properties.items()
        if not PLAIN_KEY.fullmatch(key) or key == RESERVED or key in taken or not _is_plain(text)
    }


def _is_plain(text: str) -> bool:
    return text.isprintable() and text != "" and text == text.strip()


def carried_by_network(
    network: BayesianNetwork,
    spelled_name: str,
    *,
    order: tuple[str, ...] | None = None,
    taken: Container[str] = (),
) -> str:
    """JSON of what the head of a file has no place for, or nothing.

    Parameters
    ----------
    spelled_name
        The name of the network as the format spells it.
    order
        In which the nodes are written, if not that of the network.
    taken
        Names of properties that the format has another use for.
    """
    about = network.metadata
    entry: dict[str, Any] = {"name": about.name} if spelled_name != about.name else {}
    entry |= {field: text for field in ("description", "citation") if (text := getattr(about, field))}
    if order is not None and order != network.nodes:
        entry["nodes"] = list(network.nodes)
    if rest := unplain(about.properties, taken):
        entry["properties"] = rest
    return _json(entry)


def carried_by_node(
    network: BayesianNetwork,
    node: str,
    spelling: Spelling,
    report: list[FormatLoss],
    taken: Container[str] = (),
) -> str:
    """JSON of what the entry of a node has no place for, or nothing."""
    entry: dict[str, Any] = {}
    if spelling.nodes[node] != node:
        entry["name"] = node
    known = () if node in network.gaussians else network.states(node)
    if list(map(state_key, spelling.states.get(node, ()))) != list(map(state_key, known)):
        try:
            entry["states"] = [state_to_json(state) for state in network.states(node)]
        except FormatError:
            shown = ", ".join(repr(s) for s in network.states(node)[:3])
            report.append(FormatLoss("states", f"texts in place of {shown}, ...", node))
    entry |= origin_entry(network.origins.get(node))
    if rest := unplain(network.metadata.node_properties.get(node, {}), taken):
        entry["properties"] = rest
    if network.counts(node) is not None:
        report.append(FormatLoss("counts", "not written; the probabilities are", node))
    if network.pseudo_counts(node) is not None:
        report.append(FormatLoss("pseudo-counts", "not written; the probabilities are", node))
    return _json(entry)


def _json(entry: dict[str, Any]) -> str:
    return json.dumps(entry, separators=(",", ":"), allow_nan=False) if entry else ""


def with_carried(properties: Mapping[str, str], carried: str, taken: Container[str] = ()) -> dict[str, str]:
    """The properties to write: the plain ones, and the reserved one if it has anything to carry."""
    odd = unplain(properties, taken)
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


def states_from(
    entry: dict[str, Any], spelled: Sequence[Hashable], of_state: Speller | None, longest: int | None
) -> list[Any] | None:
    """The states that were carried, if they are still those of the file; without a speller it has none."""
    found = entry.get("states")
    if not isinstance(found, list) or len(found) != len(spelled):
        return None
    try:
        states = [state_from_json(each) for each in found]
        if of_state is None:
            return states
        texts = [state_text(state) for state in states]
        if texts == list(spelled):
            return states
        texts = [of_state(text) for text in texts]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, DagwrightError):
        return None
    return states if list(distinct(texts, longest)) == list(spelled) else None
