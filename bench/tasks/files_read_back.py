"""Every file dagwright writes is read back by other programs as the same network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "pgmpy and pyAgrum read the same states, parents and tables from the files that dagwright writes"
PEERS = ("dagwright", "pgmpy", "pyagrum")
READERS = {
    "bif": ("pgmpy", "pyagrum"),
    "bifxml": ("pgmpy", "pyagrum"),
    "net": ("pgmpy", "pyagrum"),
    "xdsl": ("pgmpy", "pyagrum"),
    "uai": ("pgmpy", "pyagrum"),
}
OTHER_TABLES = {("xdsl", "pyagrum"), ("uai", "pgmpy"), ("uai", "pyagrum")}
"""pyAgrum 3.3 takes the first parent of XDSL and UAI tables for the fastest, pgmpy 1.1 the child of a UAI
table for the slowest: of these files only nodes, parents and states are compared."""
NETWORKS = ("alarm", "asia", "cancer", "child", "earthquake", "insurance", "sachs", "survey", "odd names")
BEYOND = {("odd names", "net", "pgmpy")}
"""pgmpy 1.1 takes blanks and parentheses within the quotes of a NET file for the end of a state."""
FOLDER = Path(__file__).parents[1] / ".data" / "files"


def cases(options: Options) -> Iterable[Case]:
    import dagwright as dw

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("asia", "child", "odd names") if options.quick else NETWORKS:
        network = odd_names() if name == "odd names" else dw.load(name)
        for suffix, readers in READERS.items():
            path = FOLDER / f"{name}.{suffix}"
            network.save(path, lossless=True)
            arguments = {"path": str(path), "suffix": suffix}
            able = [peer for peer in readers if (name, suffix, peer) not in BEYOND]
            yield Case(f"{name}.{suffix}", arguments, peers=("dagwright", *able), repeats=1)


def odd_names() -> Any:
    """A network of intervals, blanks, quotes, other scripts and words of the formats."""
    import dagwright as dw

    mass, size, words = "body mass (kg)", "größe", 'say "hi"'
    states = {
        mass: ["<=65.4", "(65.4, 72.8]", ">72.8"],
        size: ["<=165.1", "(165.1, 173.7]"],
        words: ["a b", '"q"', "<5"],
        "variable": ["network", "table"],
        "n": [1, 2, 3],
    }
    arcs = [(mass, size), (size, words), ("variable", words), ("n", "variable")]
    network = dw.random_network(
        dw.Dag(list(states), arcs),
        cardinalities={node: len(of_node) for node, of_node in states.items()},
        random_state=1,
    )
    for node, of_node in states.items():
        network = network.with_states(node, of_node)
    return network


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import dagwright as dw

    with clock:
        network = dw.load(arguments["path"])
    numbered = arguments["suffix"] == "uai"
    names = {node: str(i) if numbered else plain(node) for i, node in enumerate(network.nodes)}
    return {
        names[node]: [
            [str(i) if numbered else plain(state) for i, state in enumerate(network.states(node))],
            [names[parent] for parent in network.parents(node)],
            network.table(node).ravel().tolist(),
        ]
        for node in network.nodes
    }


def run_pgmpy(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import numpy as np
    from pgmpy import readwrite

    readers = {
        "bif": readwrite.BIFReader,
        "bifxml": readwrite.XMLBIFReader,
        "net": readwrite.NETReader,
        "xdsl": readwrite.XDSLReader,
        "uai": readwrite.UAIReader,
    }
    with clock:
        model = readers[arguments["suffix"]](arguments["path"]).get_model()
    return {
        plain(cpd.variable): [
            list(map(plain, cpd.state_names[cpd.variable])),
            list(map(plain, cpd.variables[1:])),
            np.moveaxis(np.asarray(cpd.values), 0, -1).ravel().tolist(),
        ]
        for cpd in model.get_cpds()
    }


def run_pyagrum(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import pyagrum as gum

    with clock:
        network = gum.loadBN(arguments["path"])
    answer = {}
    for identity in network.nodes():
        variable, cpt = network.variable(identity), network.cpt(identity)
        parents = [plain(name) for name in reversed(cpt.names) if name != variable.name()]
        states = list(map(plain, variable.labels()))
        answer[plain(variable.name())] = [states, parents, cpt.toarray().ravel().tolist()]
    return answer


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        for peer in ("pgmpy", "pyagrum"):
            theirs = results.get(case.name, peer)
            if ours is not None and theirs is not None:
                alike = (case.arguments["suffix"], peer) not in OTHER_TABLES
                apart = difference(ours.answer, theirs.answer, tables=alike)
                # pyAgrum holds the numbers of BIF and NET files in single precision.
                yield Finding(case.name, f"apart from {peer}'s", apart, "", at_most=1e-7)


def plain(name: object) -> str:
    r"""The letters and digits of a name, which every format keeps.

    Spellings begin with an x for a digit and hold \u0022 for a quote; UAI readers put "var_" before numbers.
    """
    return re.sub(r"\\u[0-9a-f]{4}|^x(?=[^A-Za-z])|^var_|[^A-Za-z0-9]", "", str(name))


def difference(ours: dict[str, Any], theirs: dict[str, Any], *, tables: bool) -> float:
    """The largest difference of two probabilities; 1 if nodes, states or parents differ."""
    import numpy as np

    if set(ours) != set(theirs):
        return 1.0
    largest = 0.0
    for node, (states, parents, table) in ours.items():
        their_states, their_parents, their_table = theirs[node]
        if states != their_states or sorted(parents) != sorted(their_parents):
            return 1.0
        if not tables:
            continue
        shape = [len(ours[parent][0]) for parent in their_parents]
        axes = [their_parents.index(parent) for parent in parents]
        same = np.reshape(their_table, (*shape, len(states))).transpose(*axes, len(axes)).ravel()
        largest = max(largest, float(np.abs(same - np.array(table)).max()))
    return largest
