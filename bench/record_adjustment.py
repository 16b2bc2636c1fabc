"""`python -m bench.record_adjustment`: stores pgmpy's adjustment sets for tests/differential/."""

from __future__ import annotations

import sys

from bench.__main__ import ROOT, call
from bench.task import Case
from bench.tasks.adjustment import GRAPHS, drawn

TARGET = ROOT / "tests" / "differential" / "adjustment_peers.txt"


def line(seed: int, sets: list[list[int]]) -> str:
    """Nodes, arcs, cause, outcome, hidden nodes and minimal sets; a node is a digit."""
    n, arcs, cause, outcome, hidden = drawn(seed)
    shown = ",".join("".join(map(str, one)) or "-" for one in sets) or "none"
    return " ".join(
        [
            str(n),
            ",".join(f"{a}{b}" for a, b in arcs) or "-",
            f"{cause}{outcome}",
            "".join(map(str, hidden)) or "-",
            shown,
        ]
    )


def main() -> int:
    reply = call("adjustment", Case("recorded", {"graphs": GRAPHS}), "pgmpy")
    head = (
        f"# python -m bench.record_adjustment, pgmpy {reply['version']}: nodes arcs cause-outcome hidden sets"
    )
    lines = [line(seed, sets) for seed, sets in enumerate(reply["answer"])]
    TARGET.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
