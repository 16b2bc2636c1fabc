"""`python -m bench.record`: stores what the peers say about one small data set for tests/differential/."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime

import numpy as np

from bench.__main__ import ROOT, call
from bench.networks import Network
from bench.samples import DATA, Sample
from bench.scorer import Scorer
from bench.task import Case
from bench.tasks import hill_climb, scores

TARGET = ROOT / "tests" / "differential"
ROWS = 500
STATES = {"a": 2, "b": 3, "c": 2, "d": 4, "e": 3, "f": 2, "g": 3, "h": 2}
PARENTS = {"a": "", "b": "a", "c": "a", "d": "bc", "e": "d", "f": "c", "g": "ef", "h": "g"}
FAMILIES = [
    ("a", []),
    ("e", []),
    ("b", ["a"]),
    ("d", ["b", "c"]),
    ("g", ["e", "f"]),
    ("h", ["a", "c", "f"]),
    ("h", ["b", "d"]),
]


def made_up_network(seed: int) -> Network:
    """A network with random tables: Dirichlet(1/2) rows, so that the arcs are strong."""
    random = np.random.default_rng(seed)
    states = {x: [f"{x}{k}" for k in range(r)] for x, r in STATES.items()}
    parents = {x: list(given) for x, given in PARENTS.items()}
    tables = {}
    for x, given in parents.items():
        q = int(np.prod([STATES[parent] for parent in given], dtype=int))
        tables[x] = random.dirichlet(np.full(STATES[x], 0.5), size=q)
    return Network(states, parents, tables)


def main() -> int | str:
    network = made_up_network(seed=7)
    codes = network.sample(ROWS, seed=7)
    if any(len(np.unique(codes[x])) < r for x, r in STATES.items()):
        return "a state never occurs: choose another seed"
    sample = Sample(codes, network.states)
    sample.write_csv(TARGET / "peer_data.csv")
    file = DATA / "recorded.npz"
    sample.save(file)

    scorer = Scorer(codes)
    values: dict[str, dict[str, object]] = {}
    versions: dict[str, str] = {}
    for peer in ("pgmpy", "pybnesian", "pyagrum"):
        reply = call("scores", Case("recorded", {"sample": str(file), "families": FAMILIES}), peer)
        climbed = call("hill_climb", Case("recorded", {"sample": str(file), "order": 0}), peer)
        edges = sorted(climbed["answer"])
        values[peer] = {"scores": reply["answer"], "hill_climb": edges, "hill_climb_bic": scorer.bic(edges)}
        versions[peer] = reply["version"]
    document = {
        "command": "python -m bench.record",
        "when": datetime.now(UTC).date().isoformat(),
        "data": f"peer_data.csv: {ROWS} rows drawn from a made-up network",
        "units": "nats, larger is better; pyAgrum's bits are multiplied by ln 2",
        "ess": scores.ESS,
        "hill_climb": f"{hill_climb.__doc__} hill_climb_bic is by bench/scorer.py.",
        "versions": versions,
        "families": FAMILIES,
        "values": values,
    }
    (TARGET / "peer_values.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
