"""XDSL, the format of GeNIe and SMILE (BayesFusion, SMILE Programmer's Manual).

In a table the states of the node change fastest and those of its first parent slowest. Identifiers are of
letters, digits and underscores; GeNIe shows the ``name`` in the ``genie`` extension, where true names go. The
rest travels as JSON in an extension of its own. Continuous nodes are linear equations with normal noise.
Noisy-MAX nodes are expanded to tables; their parameters stay a property of the node and are written back.
"""

from __future__ import annotations

import numpy as np

from dagwright.errors import DagwrightError, FormatError
from dagwright.io.content import encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, finished
from dagwright.io.equations import equation_text, read_equation
from dagwright.io.losses import FormatLoss
from dagwright.io.noisy_max import PROPERTY, NoisyMax
from dagwright.io.spelling import (
    NO_PLACE,
    RESERVED,
    Spelling,
    carried_by_network,
    carried_by_node,
    identifier,
    spell,
)
from dagwright.io.xml_tree import Element, parse_xml, xml_spelling, xml_text
from dagwright.io.xmlbif import table_of
from dagwright.model import BayesianNetwork, LinearGaussian
from dagwright.model.tables.checks import Floats


def read_bytes(content: bytes) -> BayesianNetwork:
    root = parse_xml(content)
    if root.tag != "smile":
        root.refuse(f"expected <smile>, found <{root.tag}>")
    draft = Draft(len(content), name=root.attributes.get("id", ""))
    elements: dict[str, Element] = {}
    for element in root.one("nodes").children:
        if element.tag not in ("cpt", "deterministic", "equation", "noisymax"):
            element.refuse(
                f"a node of kind <{element.tag}>; dagwright reads <cpt>, <deterministic>, <noisymax> and "
                "<equation>: make it one of these in GeNIe"
            )
        name = element.attribute("id")
        if name in draft.nodes:
            element.refuse(f"the node {name!r} is declared twice")
        states = [state.attribute("id") for state in element.all("state")]
        given = element.first("parents")
        properties = {each.attribute("id"): each.text for each in element.all("property")}
        parents = given.text.split() if given is not None else []
        draft.nodes[name] = NodeDraft(name, states, parents, properties=properties, where=element.place)
        elements[name] = element
    for extensions in root.all("extensions"):
        _take_extensions(extensions, draft)
    continuous = {node for node, element in elements.items() if element.tag == "equation"}
    draft.require_plausible(continuous)
    sizes = {node: len(each.states) for node, each in draft.nodes.items() if node not in continuous}
    for node, element in elements.items():
        if element.tag == "equation":
            draft.nodes[node].regression = _regression(element.one("definition"), draft, node, sizes)
        elif element.tag == "noisymax":
            own = _noisy_max(element, draft, node)
            draft.nodes[node].table = own.table().reshape(-1, len(draft.nodes[node].states))
            draft.nodes[node].properties[PROPERTY] = own.to_text(draft.nodes[node].parents)
        elif element.tag == "cpt":
            draft.nodes[node].table = table_of(element.one("probabilities"), draft, node)
        else:
            draft.nodes[node].table = _outcomes(element.one("resultingstates"), draft, node)
    return finished(draft, Speaking(identifier, identifier))


def _take_extensions(extensions: Element, draft: Draft) -> None:
    for ours in extensions.all(RESERVED):
        if ours.text:
            draft.properties[RESERVED] = ours.text
        for each in ours.all("node"):
            if (node := draft.nodes.get(each.attribute("id"))) is not None:
                node.properties[RESERVED] = each.text
    for genie in extensions.all("genie"):
        if RESERVED not in draft.properties and (name := genie.attributes.get("name")):
            draft.name = name
        for each in genie.all("node"):
            node, label = draft.nodes.get(each.attributes.get("id", "")), each.first("name")
            if node is None or label is None or RESERVED in node.properties:
                continue
            if label.text not in ("", node.name):
                node.properties["label"] = label.text


def _regression(element: Element, draft: Draft, node: str, sizes: dict[str, int]) -> LinearGaussian:
    """The distribution of a continuous node."""
    try:
        return read_equation(node, element.text, draft.nodes[node].parents, sizes)
    except DagwrightError as problem:
        element.refuse(f"node {node!r}: {problem}")


def _noisy_max(element: Element, draft: Draft, node: str) -> NoisyMax:
    """The parameters of a noisy-MAX node, whose table they expand to."""
    try:
        strengths = [int(each) for each in element.one("strengths").text.split()]
        parameters = [float(each) for each in element.one("parameters").text.split()]
        return NoisyMax.of(strengths, parameters, draft.shape(node))
    except (ValueError, FormatError) as problem:
        element.refuse(f"node {node!r}: {problem}")


def _kept_noisy_max(network: BayesianNetwork, node: str) -> NoisyMax | None:
    """The noisy-MAX parameters that the table of a node was expanded from, if it still is that table."""
    text = network.metadata.node_properties.get(node, {}).get(PROPERTY)
    if text is None:
        return None
    own = NoisyMax.from_text(text, network.parents(node), network.table(node).shape)
    return own if own is not None and np.array_equal(own.table(), network.table(node)) else None


def _outcomes(element: Element, draft: Draft, node: str) -> Floats:
    """The table of a deterministic node: the state of each configuration has probability one."""
    codes = {state: code for code, state in enumerate(draft.nodes[node].states)}
    table = draft.certain_table(node, element.text.split(), codes)
    if table is None:
        element.refuse(f"node {node!r} needs one of its states for each configuration of its parents")
    return table


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    spelling = spell(network, identifier, identifier)
    name = identifier(network.name) if network.name else "network"
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<smile version="1.0" id="{name}">', "  <nodes>"]
    # GeNIe wants parents before children; the true order travels along if it is another.
    order = network.graph.topological_order()
    for node in order:
        if node in network.gaussians:
            lines += _equation(network, node, spelling, losses)
            continue
        noisy = _kept_noisy_max(network, node)
        kind = "cpt" if noisy is None else "noisymax"
        lines.append(f'    <{kind} id="{spelling.nodes[node]}">')
        lines += [f'      <state id="{state}" />' for state in spelling.states[node]]
        if parents := network.parents(node):
            lines.append(f"      <parents>{' '.join(spelling.nodes[each] for each in parents)}</parents>")
        if noisy is None:
            lines.append(f"      <probabilities>{_numbers(network.table(node))}</probabilities>")
        else:
            strengths = " ".join(str(state) for order in noisy.orders for state in order)
            lines.append(f"      <strengths>{strengths}</strengths>")
            lines.append(f"      <parameters>{_numbers(noisy.columns)}</parameters>")
        lines.append(f"    </{kind}>")
    shown = xml_text(xml_spelling(network.name)) if network.name else name
    lines += ["  </nodes>", "  <extensions>", f'    <genie version="1.0" app="dagwright" name="{shown}">']
    for node in order:
        lines.append(f'      <node id="{spelling.nodes[node]}">')
        lines += [f"        <name>{xml_text(xml_spelling(node))}</name>", "      </node>"]
    lines.append("    </genie>")
    about = carried_by_network(network, name, order=order, taken=NO_PLACE)
    lines.append(f"    <{RESERVED}>{xml_text(about)}")
    for node in network.nodes:
        if carried := carried_by_node(network, node, spelling, losses, NO_PLACE):
            lines.append(f'      <node id="{spelling.nodes[node]}">{xml_text(carried)}</node>')
    return encoded("\n".join([*lines, f"    </{RESERVED}>", "  </extensions>", "</smile>"]) + "\n")


def _numbers(array: Floats) -> str:
    return " ".join(map(repr, array.ravel().tolist()))


def _equation(network: BayesianNetwork, node: str, spelling: Spelling, losses: list[FormatLoss]) -> list[str]:
    """The lines of a continuous node."""
    own = network.gaussians[node]
    lines = [f'    <equation id="{spelling.nodes[node]}">']
    if own.parents:
        lines.append(f"      <parents>{' '.join(spelling.nodes[each] for each in own.parents)}</parents>")
    text = equation_text(spelling.nodes[node], own, spelling.nodes)
    lines += [f"      <definition>{xml_text(text)}</definition>", "    </equation>"]
    if own.fitted is not None:
        losses.append(FormatLoss("standard errors", "not written; the equation is", node))
    return lines
