"""XMLBIF 0.3, the interchange format in XML (Cozman 1998), as JavaBayes, Weka, SamIam and others write it.

In a table the states of the node change fastest and those of its first parent slowest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dagwright.io.content import encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, configurations, finished
from dagwright.io.losses import FormatLoss
from dagwright.io.scanner import numbers_in
from dagwright.io.spelling import (
    carried_by_network,
    carried_by_node,
    spell,
    with_carried,
)
from dagwright.io.xml_tree import Element, parse_xml, xml_spelling, xml_text
from dagwright.model import BayesianNetwork

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<BIF VERSION="0.3">
<NETWORK>"""


def read_bytes(content: bytes) -> BayesianNetwork:
    root = parse_xml(content)
    network = root if root.tag == "NETWORK" else root.one("NETWORK")
    draft = Draft(len(content), properties=_properties(network))
    if (name := network.first("NAME")) is not None:
        draft.name = name.text
    for element in network.all("VARIABLE"):
        _take_variable(element, draft)
    tables: dict[str, Element] = {}
    for element in network.all("DEFINITION", "PROBABILITY"):
        child = element.one("FOR").text
        if child not in draft.nodes:
            element.refuse(f"probabilities of {child!r}, which is not a variable")
        if child in tables:
            element.refuse(f"the probabilities of {child!r} are given twice")
        if len(list(element.all("FOR"))) > 1:
            element.refuse("a table for several variables at once, which dagwright does not read")
        draft.nodes[child].parents = [each.text for each in element.all("GIVEN")]
        draft.nodes[child].properties |= _properties(element)
        tables[child] = element.one("TABLE")
    draft.require_plausible()
    for node, element in tables.items():
        draft.nodes[node].table = table_of(element, draft, node)
    return finished(draft, Speaking(xml_spelling, xml_spelling))


def _properties(element: Element) -> dict[str, str]:
    properties = {}
    for each in element.all("PROPERTY"):
        key, _, text = each.text.partition("=")
        if key.strip():
            properties[key.strip()] = text.strip()
    return properties


def _take_variable(element: Element, draft: Draft) -> None:
    kind = element.attributes.get("TYPE", "nature").lower()
    if kind not in ("nature", "discrete"):
        element.refuse(f"a variable of type {kind!r}; dagwright reads networks of chance variables")
    name = element.one("NAME").text
    if name in draft.nodes:
        element.refuse(f"the variable {name!r} is declared twice")
    states = [each.text for each in element.all("OUTCOME", "VALUE")]
    draft.nodes[name] = NodeDraft(name, states, properties=_properties(element), where=element.place)


def table_of(element: Element, draft: Draft, node: str) -> np.ndarray:
    """The numbers of an element, the states of the node changing fastest."""
    shape = draft.shape(node)
    values = numbers_in(element.text)
    if values is None:
        element.refuse(f"the table of {node!r} holds something that is not a number")
    if len(values) != configurations(shape) * shape[-1]:
        element.refuse(
            f"the table of {node!r} needs {configurations(shape):,} x {shape[-1]} numbers, but "
            f"{len(values):,} are given"
        )
    return np.array(values, dtype=np.float64).reshape(configurations(shape), shape[-1])


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    spelling = spell(network, xml_spelling, xml_spelling)
    name = xml_spelling(network.name) if network.name else ""
    lines = [HEAD, f"<NAME>{xml_text(name)}</NAME>"]
    lines += _property_lines(network.metadata.properties, carried_by_network(network, name))
    for node in network.nodes:
        lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{xml_text(spelling.nodes[node])}</NAME>"]
        lines += [f"  <OUTCOME>{xml_text(str(state))}</OUTCOME>" for state in spelling.states[node]]
        properties = network.metadata.node_properties.get(node, {})
        carried = carried_by_node(network, node, spelling, losses)
        lines += [f"  {line}" for line in _property_lines(properties, carried)]
        lines.append("</VARIABLE>")
    for node in network.nodes:
        lines += ["<DEFINITION>", f"  <FOR>{xml_text(spelling.nodes[node])}</FOR>"]
        lines += [f"  <GIVEN>{xml_text(spelling.nodes[parent])}</GIVEN>" for parent in network.parents(node)]
        rows = network.table(node).reshape(-1, network.cardinality(node)).tolist()
        lines += ["  <TABLE>", *(f"    {' '.join(map(repr, row))}" for row in rows), "  </TABLE>"]
        lines.append("</DEFINITION>")
    return encoded("\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n")


def _property_lines(properties: Mapping[str, str], carried: str) -> Iterator[str]:
    for key, text in with_carried(properties, carried).items():
        yield f"<PROPERTY>{key} = {xml_text(text)}</PROPERTY>"
