"""dagwright's own format of networks: JSON, one object per node, nothing lost.

    {"format": "dagwright-network", "format_version": 2,                                # 1 if all discrete
     "name": ..., "description": ..., "citation": ..., "properties": {text: text},      # all optional
     "nodes": [
       {"name": "tub", "states": ["yes", "no"], "parents": ["asia"],                    # parents: optional
        "table": [[0.05, 0.95], [0.01, 0.99]],
        "counts": ..., "pseudo_counts": ..., "properties": {...},                       # all optional
        "cuts": [...], "scale": ..., "other": ..., "ordered": true},                    # all optional
       {"name": "weight", "parents": ["sex", "height"], "given": ["sex"],
        "regression": [[-60, 0.75, 8], [-55, 0.8, 8]],
        "rows": [[12], [9]], "standard_errors": [[3.1, 0.2], [3.3, 0.2]],               # both optional
        "scale": "date"}                                                                # optional
     ]}

``table`` has one row per configuration of the parents, the last parent changing fastest, and one column per
state; ``counts`` and ``pseudo_counts`` likewise, the latter one number if all are equal. Rows that were
rounded in print and so do not sum to 1 are divided by their sum on reading. States are texts, numbers or
booleans; others are objects with one key: ``{"date": "2024-02-29"}``, ``{"datetime": ...}``,
``{"float": "inf"}``. ``cuts`` and ``scale`` are the cut points of a discretized node, ``other`` is the state
that takes in unknown values, ``ordered`` marks a category whose states have an order.

A continuous node has a ``regression`` in place of states and table: for each configuration of the discrete
parents in ``given`` the intercept, the coefficient of each other parent and the standard deviation. A
standard error of -1 is not known. Its ``scale`` is ``date`` where the numbers are days since 1970-01-01, and
``datetime`` where they are seconds since then.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from dagwright.data.origin import origin_entry, origin_of
from dagwright.data.state_values import state_from_json, state_to_json
from dagwright.errors import DagwrightError, FormatError
from dagwright.graph.dag import Dag
from dagwright.io.content import encoded
from dagwright.io.draft import unrounded
from dagwright.io.losses import FormatLoss
from dagwright.io.native_regressions import Get, Put, regression_entry, regression_of
from dagwright.model import BayesianNetwork, Metadata
from dagwright.model.gaussian.checks import require_continuous_last
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import Floats

FORMAT = "dagwright-network"
FORMAT_VERSION = 2
READ_VERSIONS = (1, 2)


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:  # noqa: ARG001  nothing is lost
    """The network as JSON text, one line per node."""
    head = document_of(network, _rows)
    nodes = ",\n".join(map(_text, head.pop("nodes")))
    lines = [f"{_text(key)}: {_text(value)}" for key, value in head.items()]
    return encoded("{" + ",\n".join([*lines, f'"nodes": [\n{nodes}\n]']) + "}\n")


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def document_of(network: BayesianNetwork, put: Put) -> dict[str, Any]:
    """Everything a network holds, as JSON values; tables as ``put`` gives them."""
    about = network.metadata
    # A file without regressions is a file of version 1, which older programs read.
    head: dict[str, Any] = {"format": FORMAT, "format_version": FORMAT_VERSION if network.gaussians else 1}
    head |= {key: text for key in ("name", "description", "citation") if (text := getattr(about, key))}
    if about.properties:
        head["properties"] = dict(about.properties)
    return head | {"nodes": [_node_entry(network, node, put) for node in network.nodes]}


def _node_entry(network: BayesianNetwork, node: str, put: Put) -> dict[str, Any]:
    if node in network.gaussians:
        return regression_entry(network, node, put)
    entry: dict[str, Any] = {"name": node, "states": _state_entries(network, node)}
    if network.parents(node):
        entry["parents"] = list(network.parents(node))
    entry["table"] = put(network.table(node))
    if (counts := network.counts(node)) is not None:
        entry["counts"] = put(counts)
    if (prior := network.pseudo_counts(node)) is not None:
        entry["pseudo_counts"] = float(prior.flat[0]) if np.all(prior == prior.flat[0]) else put(prior)
    if properties := network.metadata.node_properties.get(node):
        entry["properties"] = dict(properties)
    return entry | origin_entry(network.origins.get(node))


def _rows(table: Floats) -> list[list[float]]:
    rows: list[list[float]] = table.reshape(-1, table.shape[-1]).tolist()
    return rows


def _state_entries(network: BayesianNetwork, node: str) -> list[Any]:
    try:
        return [state_to_json(state) for state in network.states(node)]
    except FormatError as problem:
        raise FormatError(f"node {node!r}: {problem}") from None


def read_bytes(content: bytes) -> BayesianNetwork:
    """The network that `write_bytes` wrote."""
    return network_of(content, _array)


def network_of(text: bytes, get: Get) -> BayesianNetwork:
    """The network of a document whose tables ``get`` finds."""
    try:
        document = json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise FormatError("not a text in UTF-8") from None
    except RecursionError:
        raise FormatError("brackets nested too deeply for a network") from None
    except json.JSONDecodeError as problem:
        raise FormatError(f"line {problem.lineno}, column {problem.colno}: {problem.msg}") from None
    except ValueError:  # an integer of thousands of digits
        raise FormatError("a number is too long to be one") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"not a network: the field 'format' is not {FORMAT!r}")
    if document.get("format_version") not in READ_VERSIONS:
        raise FormatError(
            f"a network of format version {document.get('format_version')}; this dagwright reads "
            f"{' and '.join(map(str, READ_VERSIONS))}"
        )
    try:
        return _network(document, get)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        if isinstance(problem, DagwrightError):
            raise FormatError(str(problem)) from None
        what = f"no field {problem}" if isinstance(problem, KeyError) else problem
        raise FormatError(f"a network with a missing or malformed field: {what}") from None
    except LookupError as problem:
        raise FormatError(str(problem)) from None


def _network(document: dict[str, Any], get: Get) -> BayesianNetwork:
    entries = {entry["name"]: entry for entry in document["nodes"]}
    if len(entries) < len(document["nodes"]):
        raise FormatError("two nodes have the same name")
    parents = {node: tuple(entry.get("parents", ())) for node, entry in entries.items()}
    graph = Dag(entries, ((parent, node) for node, given in parents.items() for parent in given))
    continuous = {node for node, entry in entries.items() if "regression" in entry}
    discrete = {node: entry for node, entry in entries.items() if node not in continuous}
    states = {node: [state_from_json(s) for s in entry["states"]] for node, entry in discrete.items()}
    cardinalities = {node: len(of_node) for node, of_node in states.items()} | dict.fromkeys(continuous, 1)
    require_capacity(cardinalities, parents)
    require_continuous_last(graph, continuous)
    shapes = {node: [cardinalities[v] for v in (*parents[node], node)] for node in discrete}
    counts = {node: entry["counts"] for node, entry in entries.items() if "counts" in entry}
    prior = {node: entry["pseudo_counts"] for node, entry in entries.items() if "pseudo_counts" in entry}
    tables: dict[str, Any] = {
        node: unrounded(get(node, entry["table"], shapes[node])) for node, entry in discrete.items()
    }
    tables |= {node: regression_of(node, entries[node], cardinalities, get) for node in continuous}
    return BayesianNetwork(
        graph,
        states,
        tables,
        parents={node: parents[node] for node in discrete},
        counts={node: get(node, values, shapes[node]) for node, values in counts.items()},
        pseudo_counts={
            node: values if isinstance(values, int | float) else get(node, values, shapes[node])
            for node, values in prior.items()
        },
        origins={node: origin for node, entry in entries.items() if (origin := origin_of(entry))},
        metadata=Metadata(
            document.get("name", ""),
            document.get("description", ""),
            document.get("citation", ""),
            document.get("properties", {}),
            {node: entry["properties"] for node, entry in entries.items() if "properties" in entry},
        ),
    )


def _array(node: str, rows: Any, shape: list[int]) -> Floats:
    array = np.array(rows, dtype=np.float64)
    if array.shape != (math.prod(shape[:-1]), shape[-1]):
        raise FormatError(
            f"node {node!r}: a table of shape {array.shape}; its parents have {math.prod(shape[:-1]):,} "
            f"configurations and it has {shape[-1]} states"
        )
    return array.reshape(shape)
