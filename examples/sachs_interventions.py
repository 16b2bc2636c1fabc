"""Signaling proteins under nine conditions (Sachs et al. 2005), beside the published consensus network.

    python examples/sachs_interventions.py FOLDER

FOLDER holds one CSV file for each condition, whose names begin with its number, 1 to 9. Conditions 1 and 2
stimulate the cells in general; the others inhibit or activate a protein that is measured.
"""

from __future__ import annotations

import csv
import math
import sys
from pathlib import Path

import dagwright as dw

SETS = {"1": [], "2": [], "3": ["Akt"], "4": ["PKC"], "5": ["PIP2"], "6": ["Mek"], "7": ["Akt"], "8": ["PKC"]}
SETS["9"] = ["PKA"]


def rows(folder: Path) -> dw.Table:
    """All cells with the logarithms of their intensities, and the condition of each."""
    columns: dict[str, list[float | str]] = {}
    for path in sorted(folder.glob("[1-9]*.csv")):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                for name, value in row.items():
                    columns.setdefault(name, []).append(math.log(float(value)))
                columns.setdefault("condition", []).append(path.name[0])
    return dw.read(columns, kinds={"condition": "category"})


def main(folder: Path) -> None:
    consensus = dw.load("sachs").graph
    numbers = rows(folder)
    proteins = [name for name in numbers.names if name != "condition"]
    binned = numbers.discretized({name: dw.EqualFrequency(bins=3) for name in proteins})
    for words, table in (("three levels", binned), ("logarithms", numbers)):
        pooled = dw.learn(table, exclude=["condition"])
        found = dw.learn(table, interventions={"condition": SETS})
        for kind, graph in (("pooled", pooled.essential), ("with interventions", found.essential)):
            edges = {*graph.directed_edges, *graph.undirected_edges}
            joined = {frozenset(edge) for edge in edges}
            kept = [arc for arc in consensus.edges if frozenset(arc) in joined]
            right = [arc for arc in kept if arc in graph.directed_edges]
            turned = [arc for arc in kept if arc[::-1] in graph.directed_edges]
            print(
                f"{words}, {kind}: {len(graph.directed_edges)} arcs, {len(graph.undirected_edges)} edges "
                f"without direction; {len(kept)} of the 17 published edges, {len(right)} in the published "
                f"direction, {len(turned)} the other way"
            )
        print(found.essential)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
