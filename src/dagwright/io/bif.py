"""BIF, the interchange format (Cozman 1998, version 0.15) in the dialects that are in use.

The files of the Bayesian network repository name each configuration (``(yes, no) 0.1, 0.9;``); JavaBayes
quotes names and gives one ``table`` per node, in which the states of the node change slowest and those of its
last parent fastest; ``default`` fills the configurations that are not named. Comments, properties, commas and
bars are optional as in the specification. Other programs read bare identifiers only, so names are written as
such; where that is not the name itself, the name travels in a property.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from dagwright.io.content import decoded, encoded
from dagwright.io.draft import Draft, NodeDraft, Speaking, finished
from dagwright.io.losses import FormatLoss
from dagwright.io.quoting import quoted
from dagwright.io.rows import table_of_rows, take_family, take_name, take_properties, take_states
from dagwright.io.scanner import Scanner
from dagwright.io.spelling import (
    Spelling,
    carried_by_network,
    carried_by_node,
    identifier,
    spell,
    with_carried,
)
from dagwright.model import BayesianNetwork

TOKENS = re.compile(
    r"\s*+(?:(?://[^\n]*+|/\*.*?\*/)\s*+)*+"
    r'(?:"(?P<string>[^"]*+)"|(?P<word>(?:[^\s{}\[\]()|,;"/]|/(?![/*]))++)|(?P<symbol>[{}\[\]()|,;]))?',
    re.DOTALL,
)
BARE = re.compile("[A-Za-z_][A-Za-z0-9_]*|[0-9]+", re.ASCII)
KEYWORDS = {"network", "variable", "probability", "property", "type", "discrete", "default", "table"}
BLOCKS = re.compile("network|variable|probability")
"""Words that some readers take for the beginning of a block wherever they stand, even in a text."""


def bare(text: str) -> str:
    """The nearest name that every reader takes: an identifier or a whole number, and no word of the format.

    >>> bare("(5, 12]"), bare("3"), bare("table"), bare("variable 1")
    ('x_5__12_', '3', 'table_', 'v_ariable_1')
    """
    spelled = text if BARE.fullmatch(text) else identifier(text)
    spelled = BLOCKS.sub(lambda found: f"{found[0][0]}_{found[0][1:]}", spelled)
    return f"{spelled}_" if spelled in KEYWORDS else spelled


UNNAMED = "unknown"
"""What the repository's files call a network without a name."""


def read_bytes(content: bytes) -> BayesianNetwork:
    text = decoded(content)
    draft = Draft(len(text))
    bodies: dict[str, int] = {}
    scanner = Scanner(text, TOKENS)
    while scanner.kind:
        match scanner.expect_word("network", "variable", "probability"):
            case "network":
                name = take_name(scanner, "the name of the network")
                draft.name = "" if name == UNNAMED else name
                scanner.expect("{")
                take_properties(scanner, draft.properties)
                scanner.expect("}")
            case "variable":
                _take_variable(scanner, draft)
            case _:
                take_family(scanner, draft, bodies)
    for node in draft.nodes:
        if node not in bodies:
            scanner.fail(f"the probabilities of {node!r}")
    draft.require_plausible()
    labels = {node: {state: code for code, state in enumerate(d.states)} for node, d in draft.nodes.items()}
    for node, position in bodies.items():
        draft.nodes[node].table = table_of_rows(scanner, draft, node, position, labels)
    return finished(draft, Speaking(bare, bare))


def _take_variable(scanner: Scanner, draft: Draft) -> None:
    at = scanner.start
    name = take_name(scanner, "the name of a variable")
    if name in draft.nodes:
        scanner.refuse(f"the variable {name!r} is declared twice", at)
    node = NodeDraft(name, [], where=scanner.place_of(at))
    scanner.expect("{")
    take_properties(scanner, node.properties)
    scanner.expect_word("type")
    scanner.expect_word("discrete")
    scanner.expect("[")
    count = scanner.take_count("the number of states")
    scanner.expect("]")
    node.states = take_states(scanner, name, count)
    scanner.skip(";")
    take_properties(scanner, node.properties)
    scanner.expect("}")
    draft.nodes[name] = node


def write_bytes(network: BayesianNetwork, report: list[FormatLoss] | None = None) -> bytes:
    losses: list[FormatLoss] = [] if report is None else report
    spelling = spell(network, bare, bare)
    head = bare(network.name) if network.name else UNNAMED
    carried = carried_by_network(network, "" if head == UNNAMED else head)
    lines = [f"network {head} {{", *_properties(network.metadata.properties, carried), "}"]
    for node in network.nodes:
        lines += _variable(network, node, spelling, carried_by_node(network, node, spelling, losses))
    for node in network.nodes:
        lines += _probability(network, node, spelling)
    return encoded("\n".join(lines) + "\n")


def _properties(properties: Mapping[str, str], carried: str) -> Iterator[str]:
    for key, text in with_carried(properties, carried).items():
        safe = BLOCKS.sub(lambda found: f"\\u{ord(found[0][0]):04x}{found[0][1:]}", quoted(text))
        yield f"  property {key} = {safe} ;"


def _variable(network: BayesianNetwork, node: str, spelling: Spelling, carried: str) -> Iterator[str]:
    states = ", ".join(map(str, spelling.states[node]))
    yield f"variable {spelling.nodes[node]} {{"
    yield f"  type discrete [ {network.cardinality(node)} ] {{ {states} }};"
    yield from _properties(network.metadata.node_properties.get(node, {}), carried)
    yield "}"


def _probability(network: BayesianNetwork, node: str, spelling: Spelling) -> Iterator[str]:
    parents = network.parents(node)
    rows = network.table(node).reshape(-1, network.cardinality(node)).tolist()
    if not parents:
        yield f"probability ( {spelling.nodes[node]} ) {{"
        yield f"  table {', '.join(map(repr, rows[0]))};"
    else:
        given = ", ".join(spelling.nodes[parent] for parent in parents)
        yield f"probability ( {spelling.nodes[node]} | {given} ) {{"
        states = [spelling.states[parent] for parent in parents]
        for configuration, row in zip(itertools.product(*states), rows, strict=True):
            yield f"  ({', '.join(map(str, configuration))}) {', '.join(map(repr, row))};"
    yield "}"
