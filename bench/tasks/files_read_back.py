"""Every file dagwright writes is read back by other programs as the same network."""

from __future__ import annotations

import json
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
    "xdsl": ("pgmpy",),
}
"""Not in it: pyAgrum 3.3 takes the first parent of XDSL and UAI tables for the fastest, pgmpy 1.1 the child
of a UAI table for the slowest, so both read their own files only."""
NETWORKS = ("alarm", "asia", "cancer", "child", "earthquake", "insurance", "sachs", "survey")
BEYOND_PYAGRUM = ("child", "bif")
"""States such as ``<5``, which stand bare in BIF files but not in pyAgrum's grammar."""
FOLDER = Path(__file__).parents[1] / ".data" / "files"


def cases(options: Options) -> Iterable[Case]:
    import dagwright as dw

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("asia", "child") if options.quick else NETWORKS:
        for suffix, readers in READERS.items():
            path = FOLDER / f"{name}.{suffix}"
            dw.load(name).save(path, lossless=True)
            known = [peer for peer in readers if (name, suffix, peer) != (*BEYOND_PYAGRUM, "pyagrum")]
            arguments = {"path": str(path), "name": name, "suffix": suffix}
            yield Case(f"{name}.{suffix}", arguments, peers=("dagwright", *known), repeats=1)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, Any]:
    import dagwright as dw

    with clock:
        network = dw.load(arguments["path"])
    assert network == dw.load(arguments["name"])
    return {
        node: [list(network.states(node)), list(network.parents(node)), network.table(node).ravel().tolist()]
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
    }
    with clock:
        model = readers[arguments["suffix"]](arguments["path"]).get_model()
    return {
        cpd.variable: [
            list(cpd.state_names[cpd.variable]),
            list(cpd.variables[1:]),
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
        parents = [name for name in reversed(cpt.names) if name != variable.name()]
        answer[variable.name()] = [list(variable.labels()), parents, cpt.toarray().ravel().tolist()]
    return answer


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        for peer in ("pgmpy", "pyagrum"):
            theirs = results.get(case.name, peer)
            if ours is not None and theirs is not None:
                apart = difference(ours.answer, theirs.answer, names=case.arguments["suffix"] != "xdsl")
                # pyAgrum holds the numbers of BIF and NET files in single precision.
                yield Finding(case.name, f"apart from {peer}'s", apart, "", at_most=1e-7)


def difference(ours: dict[str, Any], theirs: dict[str, Any], *, names: bool) -> float:
    """The largest difference of two probabilities; 1 if nodes, states or parents differ.

    In XDSL files states are identifiers, so only their number is compared.
    """
    import numpy as np

    if set(ours) != set(theirs):
        return 1.0
    largest = 0.0
    for node, (states, parents, table) in ours.items():
        their_states, their_parents, their_table = theirs[node]
        known = json.dumps(states) == json.dumps(their_states) or (
            not names and len(states) == len(their_states)
        )
        if not known or sorted(parents) != sorted(their_parents):
            return 1.0
        shape = [len(ours[parent][0]) for parent in their_parents]
        axes = [their_parents.index(parent) for parent in parents]
        same = np.reshape(their_table, (*shape, len(states))).transpose(*axes, len(axes)).ravel()
        largest = max(largest, float(np.abs(same - np.array(table)).max()))
    return largest
