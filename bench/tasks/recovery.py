"""How near to the true network: a short check of what `python -m bench.recovery` studies at length.

Also the peers' methods that no other task runs: pyAgrum's tabu search and MIIC, causal-learn's BOSS and PC
with directions.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.ges import from_marks
from bench.tasks.hill_climb import Arguments, Edges, shuffled

BAR = "no bar: a short check of the recovery study"
PEERS = ("dagwright", "pyagrum_tabu", "pyagrum_miic", "causal_learn_boss", "causal_learn_pc")
NETWORKS = ("asia", "child")
ROWS = 1_000


def cases(options: Options) -> Iterable[Case]:
    from bench.samples import draw

    for network in NETWORKS[:1] if options.quick else NETWORKS:
        arguments = {"network": network, "sample": str(draw(network, ROWS)), "order": 0}
        yield Case(f"{network} {ROWS}", arguments, peers=("dagwright",), repeats=1)


def run_dagwright(arguments: Arguments, clock: Clock) -> Edges:
    import dagwright as dw

    table = dw.read(shuffled(arguments).labels())
    with clock:
        found = dw.learn(table)
    return [tuple(edge) for edge in found.graph.edges]


def _pyagrum(arguments: Arguments) -> Any:
    import pyagrum

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.csv"
        shuffled(arguments).write_codes(file)
        learner = pyagrum.BNLearner(str(file))
    learner.setNumberOfThreads(1)
    return learner


def run_pyagrum_tabu(arguments: Arguments, clock: Clock) -> Edges:
    learner = _pyagrum(arguments)
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useLocalSearchWithTabuList()
    with clock:
        dag = learner.learnDAG()
    return [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in dag.arcs()]


def run_pyagrum_miic(arguments: Arguments, clock: Clock) -> Edges:
    learner = _pyagrum(arguments)
    learner.useMIIC()
    learner.useSmoothingPrior(1e-6)  # without one it refuses cells that are empty
    with clock:
        dag = learner.learnDAG()
    return [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in dag.arcs()]


def run_causal_learn_boss(arguments: Arguments, clock: Clock) -> dict[str, Any]:
    import numpy as np
    from causallearn.search.PermutationBased.BOSS import boss

    sample = shuffled(arguments)
    names = list(sample.codes)
    rows = np.column_stack(list(sample.codes.values())).astype(np.int64)
    with clock:
        marks = boss(rows, "local_score_BDeu", verbose=False).graph
    return from_marks(names, marks)


def run_causal_learn_pc(arguments: Arguments, clock: Clock) -> dict[str, Any]:
    import numpy as np
    from causallearn.search.ConstraintBased.PC import pc

    codes = shuffled(arguments).codes
    rows = np.column_stack(list(codes.values()))
    with clock:
        marks = pc(rows, 0.05, "gsq", stable=True, show_progress=False).G.graph
    return from_marks(list(codes), marks)


def findings(results: Results) -> Iterable[Finding]:
    import dagwright as dw
    from bench.tasks.search_quality import truth

    for case in results.cases():
        result = results.get(case.name, "dagwright")
        if result is not None:
            true = truth(case.arguments["network"])
            found = dw.Dag(true.nodes, [tuple(edge) for edge in result.answer])
            distance = dw.compare(true, found).shd / len(true.edges)
            yield Finding(case.name, "SHD per true edge", distance, "")
