"""`python -m bench.record_graphs`: stores what the peers say about random graphs for tests/differential/."""

from __future__ import annotations

import json
import sys

from bench.__main__ import ROOT, call
from bench.task import Case
from bench.tasks.graph_separation import drawn

TARGET = ROOT / "tests" / "differential" / "graph_peers.json"
SEPARATION = ("pgmpy", "pyagrum")
CLASSES = ("pgmpy", "pyagrum", "causal-learn")


def main() -> int:
    graphs = []
    versions: dict[str, str] = {}
    for seed, n in enumerate((8, 10, 14, 20)):
        for degree in (2, 4):
            arguments = {"n": n, "degree": degree, "seed": 10 * seed + degree, "queries": 25}
            _, arcs, queries = drawn(arguments)
            said: dict[str, dict[str, object]] = {"separated": {}, "essential": {}}
            for what, task, peers in (
                ("separated", "graph_separation", SEPARATION),
                ("essential", "graph_classes", CLASSES),
            ):
                for peer in peers:
                    reply = call(task, Case("recorded", {**arguments, "what": "essential"}), peer)
                    said[what][peer] = reply["answer"]
                    versions[peer] = reply["version"]
            graphs.append({"n": n, "arcs": arcs, "queries": queries, **said})
    record = {"command": "python -m bench.record_graphs", "versions": versions, "graphs": graphs}
    TARGET.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
