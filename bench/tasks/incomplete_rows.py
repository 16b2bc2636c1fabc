"""Rows with gaps: EM for the parameters of a given graph, prediction of one target, structures by EM."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = (
    "EM at least 5x faster than pyAgrum, prediction at least 50x faster than pgmpy per row, same predictions"
)
PEERS = ("dagwright", "pyagrum", "pgmpy")
TARGET = "VENTALV"
SHARE_MISSING = 0.1
HIDDEN_ITERATIONS = 10
SLOW_ROWS = 300  # rows that pgmpy is given: it takes milliseconds for each
Arguments = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    from bench.peers import network_file

    file = str(network_file("alarm"))
    rows = 500 if options.quick else 10_000
    yield Case(f"em {rows}", {"file": file, "rows": rows}, ("dagwright", "pyagrum"), repeats=1)
    hidden = {"file": str(network_file("asia")), "rows": 1000, "hidden": "bronc"}
    yield Case("em hidden column", hidden, ("dagwright", "pgmpy"), repeats=1)
    structure = {"file": file, "rows": rows // 5, "structure": True}
    yield Case(f"structural em {rows // 5}", structure, ("dagwright",), repeats=1)
    many = 10_000 if options.quick else 100_000
    yield Case("predict", {"file": file, "rows": many, "predict": True}, ("dagwright", "pgmpy"), repeats=1)


def drawn(arguments: Arguments) -> tuple[Any, dict[str, Any]]:
    """The network and rows of it, as codes; for EM some cells are -1."""
    import numpy as np

    from bench.networks import read_bif

    network = read_bif(Path(arguments["file"]))
    rows = {x: codes.astype(int) for x, codes in network.sample(arguments["rows"], 5).items()}
    if "hidden" in arguments:
        rows[arguments["hidden"]][:] = -1
    elif not arguments.get("predict"):
        generator = np.random.default_rng(5)
        for codes in rows.values():
            codes[generator.random(len(codes)) < SHARE_MISSING] = -1
    return network, rows


def run_dagwright(arguments: Arguments, clock: Clock) -> Any:
    import numpy as np

    import dagwright as dw

    network, rows = drawn(arguments)
    states = {x: tuple(of_x) for x, of_x in network.states.items()}
    dag = dw.Dag(list(states), network.edges)
    codes = [np.where(rows[x] < 0, 255, rows[x]).astype(np.uint8) for x in states]
    table = dw.Table(list(states), codes, list(states.values()))
    if arguments.get("structure"):
        with clock:
            learned = dw.learn(table, missing="em")
        truth = dw.observed_score(dag, table).total
        return [learned.score, truth, dw.compare(dag, learned.dag).skeleton_f1]
    if not arguments.get("predict"):
        tables = dw.EM(max_iterations=HIDDEN_ITERATIONS, tolerance=0.0) if "hidden" in arguments else dw.EM()
        with clock:
            found = tables.fit(dag, table)
        return found.log_likelihood
    shapes = {x: [len(states[p]) for p in (*network.parents[x], x)] for x in states}
    tables = {x: network.tables[x].reshape(shape) for x, shape in shapes.items()}
    built = dw.BayesianNetwork(dag, states, tables, parents=network.parents)
    with clock:
        answer = built.predict(table, TARGET)
    return answer[:SLOW_ROWS]


def run_pyagrum(arguments: Arguments, clock: Clock) -> float:
    import csv
    import gzip

    import pyagrum

    network, rows = drawn(arguments)
    with tempfile.TemporaryDirectory() as folder:
        bif, data = Path(folder) / "network.bif", Path(folder) / "rows.csv"
        bif.write_bytes(gzip.decompress(Path(arguments["file"]).read_bytes()))
        template = pyagrum.loadBN(str(bif))
        with data.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(rows)
            names = {x: [*states, "?"] for x, states in network.states.items()}
            for row in zip(*rows.values(), strict=True):
                writer.writerow([names[x][code] for x, code in zip(rows, row, strict=True)])
        learner = pyagrum.BNLearner(str(data), template, ["?"])
        learner.useSmoothingPrior(1e-3)  # without one it refuses parent configurations that never occur
        learner.useEM(1e-4)
        learner.EMsetMaxIter(5)  # some seconds each; the findings compare the time of one iteration
        with clock:
            learner.learnParameters(template.dag())
        return float(learner.EMnbrIterations())


def run_pgmpy(arguments: Arguments, clock: Clock) -> Any:
    import gzip

    import pandas

    if "hidden" in arguments:
        return hidden_column_by_pgmpy(arguments, clock)
    from pgmpy.readwrite import BIFReader

    network, rows = drawn(arguments)
    model = BIFReader(string=gzip.decompress(Path(arguments["file"]).read_bytes()).decode()).get_model()
    frame = pandas.DataFrame(
        {x: [network.states[x][c] for c in codes[:SLOW_ROWS]] for x, codes in rows.items() if x != TARGET}
    )
    with clock:
        answer = model.predict(frame)
    return [str(state) for state in answer[TARGET]]


def hidden_column_by_pgmpy(arguments: Arguments, clock: Clock) -> float:
    """EM with a column that is hidden throughout: the only gaps pgmpy takes."""
    import pandas
    from pgmpy.estimators import ExpectationMaximization
    from pgmpy.models import DiscreteBayesianNetwork

    network, rows = drawn(arguments)
    hidden = arguments["hidden"]
    frame = pandas.DataFrame({x: codes for x, codes in rows.items() if x != hidden})
    model = DiscreteBayesianNetwork(list(network.edges), latents={hidden})
    learner = ExpectationMaximization(model, frame)
    with clock:
        learner.get_parameters(
            latent_card={hidden: len(network.states[hidden])},
            max_iter=HIDDEN_ITERATIONS,
            atol=0.0,
            n_jobs=1,
            seed=1,
            show_progress=False,
        )
    return float(HIDDEN_ITERATIONS)


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        yield Finding(case.name, "seconds", ours.seconds, "s")
        if case.arguments.get("structure"):
            score, truth, f1 = ours.answer
            yield Finding(case.name, "score above the generating graph", score - truth, "nats")
            yield Finding(case.name, "F1 of the skeleton", f1, "")
        elif "hidden" in case.arguments:
            theirs = results.get(case.name, "pgmpy")
            if theirs is not None:
                ratio = theirs.seconds / ours.seconds
                yield Finding(case.name, "pgmpy / dagwright seconds", ratio, at_least=5.0)
        elif case.arguments.get("predict"):
            theirs = results.get(case.name, "pgmpy")
            if theirs is not None:
                different = sum(str(a) != b for a, b in zip(ours.answer, theirs.answer, strict=True))
                yield Finding(case.name, "predictions unlike pgmpy", different, "", at_most=0)
                ratio = (theirs.seconds / SLOW_ROWS) / (ours.seconds / case.arguments["rows"])
                yield Finding(case.name, "pgmpy / dagwright seconds per row", ratio, "x", at_least=50.0)
        elif (theirs := results.get(case.name, "pyagrum")) is not None:
            note = f"pyagrum made {theirs.answer:.0f} iterations, dagwright all it needed"
            yield Finding(
                case.name,
                "pyagrum / dagwright seconds",
                theirs.seconds / ours.seconds,
                at_least=5.0,
                note=note,
            )
