"""GEXF 1.3, the format of Gephi: the label of a node is its name.

A name that XML cannot hold stands as JSON in an attribute of its node.
"""

from __future__ import annotations

import json

from dagwright.io.content import encoded
from dagwright.io.graph_parts import Graph, GraphParts, known_kind, parts_of
from dagwright.io.graphml import true_name
from dagwright.io.losses import FormatLoss
from dagwright.io.spelling import RESERVED
from dagwright.io.xml_tree import parse_xml, xml_spelling, xml_text

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">"""


def read_bytes(content: bytes) -> Graph:
    root = parse_xml(content)
    graph = root.one("graph")
    default = graph.attributes.get("defaultedgetype", "undirected")
    parts = GraphParts()
    if (meta := root.first("meta")) is not None and (keywords := meta.first("keywords")) is not None:
        parts.kind = known_kind(keywords.text)
    names: dict[str, str] = {}
    nodes, edges = graph.first("nodes"), graph.first("edges")
    for node in nodes.all("node") if nodes is not None else ():
        identity = node.attribute("id")
        if identity in parts.nodes:
            node.refuse(f"the node {identity!r} is declared twice")
        parts.nodes[identity] = None
        names[identity] = node.attributes.get("label", identity)
        for value in (each for values in node.all("attvalues") for each in values.all("attvalue")):
            if value.attributes.get("for") == RESERVED:
                names[identity] = true_name(value, value.attribute("value"))
    for edge in edges.all("edge") if edges is not None else ():
        pair = edge.attribute("source"), edge.attribute("target")
        for end in pair:
            if end not in names:
                edge.refuse(f"an edge of the node {end!r}, which is not declared")
        if edge.attributes.get("type", default) == "directed":
            parts.directed.append(pair)
        else:
            parts.undirected.append(pair)
    if default == "undirected" and not parts.directed:
        parts.kind = parts.kind or "undirected"
    return parts.renamed(names).graph()


def write_bytes(graph: Graph, report: list[FormatLoss] | None = None) -> bytes:  # noqa: ARG001  nothing is lost
    parts = parts_of(graph)
    number = {node: str(i) for i, node in enumerate(parts.nodes)}
    default = "undirected" if parts.kind == "undirected" else "directed"
    lines = [
        HEAD,
        f"  <meta><keywords>{parts.kind}</keywords></meta>",
        f'  <graph defaultedgetype="{default}">',
    ]
    lines += [
        '    <attributes class="node">',
        f'      <attribute id="{RESERVED}" title="{RESERVED}" type="string" />',
    ]
    lines += ["    </attributes>", "    <nodes>"]
    for node in parts.nodes:
        label = xml_spelling(node)
        start = f'      <node id="{number[node]}" label="{xml_text(label)}"'
        value = f'<attvalue for="{RESERVED}" value="{xml_text(json.dumps(node))}" />'
        lines.append(f"{start} />" if label == node else f"{start}><attvalues>{value}</attvalues></node>")
    lines += ["    </nodes>", "    <edges>"]
    edges = [(pair, "directed") for pair in parts.directed] + [
        (pair, "undirected") for pair in parts.undirected
    ]
    for identity, ((start, end), kind) in enumerate(edges):
        ends = f'source="{number[start]}" target="{number[end]}"'
        lines.append(f'      <edge id="{identity}" {ends} type="{kind}" />')
    return encoded("\n".join([*lines, "    </edges>", "  </graph>", "</gexf>"]) + "\n")
