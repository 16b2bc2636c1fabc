"""GraphML (Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002), as networkx, yEd and igraph read it.

The id of a node is its name; a name that XML cannot hold stands beside it as JSON. A partially directed graph
has edges with ``directed="false"``.
"""

from __future__ import annotations

import json

from dagwright.io.content import encoded
from dagwright.io.graph_parts import Graph, GraphParts, known_kind, parts_of
from dagwright.io.losses import FormatLoss
from dagwright.io.spelling import RESERVED, distinct
from dagwright.io.xml_tree import Element, parse_xml, xml_spelling, xml_text

HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="{RESERVED}" for="node" attr.name="{RESERVED}" attr.type="string" />"""


def read_bytes(content: bytes) -> Graph:
    root = parse_xml(content)
    graph = root.one("graph")
    default = graph.attributes.get("edgedefault", "directed")
    parts = GraphParts(kind=known_kind(graph.attributes.get("id", "")))
    names: dict[str, str] = {}
    for node in graph.all("node"):
        spelled = node.attribute("id")
        if spelled in parts.nodes:
            node.refuse(f"the node {spelled!r} is declared twice")
        parts.nodes[spelled] = None
        for data in node.all("data"):
            if data.attributes.get("key") == RESERVED:
                names[spelled] = true_name(data)
    for edge in graph.all("edge"):
        pair = edge.attribute("source"), edge.attribute("target")
        if edge.attributes.get("directed", str(default == "directed").lower()) == "true":
            parts.directed.append(pair)
        else:
            parts.undirected.append((min(pair), max(pair)))
    if default == "undirected" and not parts.directed:
        parts.kind = parts.kind or "undirected"
    return parts.renamed(names).graph()


def true_name(element: Element, text: str | None = None) -> str:
    """A name that travels as JSON."""
    try:
        name = json.loads(element.text if text is None else text)
    except (ValueError, RecursionError):
        name = None
    if not isinstance(name, str):
        element.refuse("expected a name as JSON")
    return name


def write_bytes(graph: Graph, report: list[FormatLoss] | None = None) -> bytes:  # noqa: ARG001  nothing is lost
    parts = parts_of(graph)
    spelled = dict(zip(parts.nodes, distinct(map(xml_spelling, parts.nodes)), strict=True))
    default = "undirected" if parts.kind == "undirected" else "directed"
    lines = [HEAD, f'  <graph id="{parts.kind}" edgedefault="{default}">']
    for node in parts.nodes:
        start = f'    <node id="{xml_text(spelled[node])}"'
        data = f'<data key="{RESERVED}">{xml_text(json.dumps(node))}</data>'
        lines.append(f"{start} />" if spelled[node] == node else f"{start}>{data}</node>")
    unlike = ' directed="false"' if parts.kind == "pdag" else ""
    for edges, mark in ((parts.directed, ""), (parts.undirected, unlike)):
        for start, end in edges:
            source, target = xml_text(spelled[start]), xml_text(spelled[end])
            lines.append(f'    <edge source="{source}" target="{target}"{mark} />')
    return encoded("\n".join([*lines, "  </graph>", "</graphml>"]) + "\n")
