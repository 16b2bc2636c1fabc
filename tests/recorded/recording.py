"""The answers of every method on twenty small tables, as one dictionary of texts.

Numbers are hexadecimal floats: a stored answer and a new one agree to the last bit or not at all.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dagwright as dw

STORED = Path(__file__).with_name("answers.json")
Answers = dict[str, Any]


def drawn(seed: int, n: int, rows: int, states: int, missing: float = 0.0) -> dict[str, list[Any]]:
    """Columns in which every variable but the first copies one or two earlier ones, with noise."""
    rng = random.Random(seed)
    columns: dict[str, list[Any]] = {}
    for at in range(n):
        r = 2 + rng.randrange(states - 1)
        sources = [columns[f"v{rng.randrange(at)}"] for _ in range(rng.choice([1, 1, 2]))] if at else []
        values = []
        for row in range(rows):
            noise = rng.randrange(r)
            copied = sum(int(source[row]) for source in sources) % r
            values.append(str(copied if sources and rng.random() < 0.65 else noise))
        columns[f"v{at}"] = values
    for values in columns.values():
        for row in range(rows):
            if missing and rng.random() < missing:
                values[row] = None
    return columns


def tables() -> dict[str, dw.Table]:
    """Twenty tables: samples, weights, few and many rows, few and many states, gaps, copies of a column."""
    found = {
        "asia": dw.read(dw.sample_path("asia")),
        "titanic": dw.read(dw.sample_path("titanic"), weights="people"),
        "berkeley": dw.read(dw.sample_path("berkeley"), weights="applicants"),
    }
    shapes = [
        (3, 40, 2), (4, 25, 3), (4, 900, 2), (5, 60, 4), (5, 500, 3), (6, 120, 2), (6, 1500, 5),
        (7, 200, 3), (7, 3000, 2), (8, 90, 3), (8, 700, 2), (9, 400, 3), (10, 250, 2), (12, 600, 3),
    ]  # fmt: skip
    for seed, (n, rows, states) in enumerate(shapes):
        found[f"drawn-{n}-{rows}-{states}"] = dw.read(drawn(seed, n, rows, states))
    twin = drawn(20, 5, 300, 3)
    found["twin columns"] = dw.read({**twin, "w": list(twin["v1"])})
    found["gaps-5-400"] = dw.read(drawn(21, 5, 400, 3, missing=0.05))
    found["gaps-6-150"] = dw.read(drawn(22, 6, 150, 2, missing=0.1))
    return found


def scores() -> dict[str, Any]:
    return {
        "BIC": dw.BIC(),
        "AIC": dw.AIC(),
        "LogLik": dw.LogLik(),
        "Penalized": dw.Penalized(0.75),
        "MDL": dw.MDL(),
        "BDeu": dw.BDeu(ess=2.0),
        "BDs": dw.BDs(),
        "K2": dw.K2Score(),
        "Dirichlet": dw.DirichletScore(0.5),
        "qNML": dw.QNML(),
        "fNML": dw.FNML(),
    }


def tests() -> dict[str, Any]:
    return {
        "G2": dw.GSquare(alpha=0.05),
        "G2 adjusted": dw.GSquare(alpha=0.05, adjusted=True),
        "X2": dw.ChiSquare(alpha=0.05),
        "BIC": dw.BIC(),
        "Bayes factor": dw.BayesFactor(),
        "threshold": dw.Threshold(0.02),
        "permuted": dw.Permuted(dw.GSquare(alpha=0.05), rounds=200),
    }


def score_searches(names: tuple[str, ...]) -> dict[str, Any]:
    order = sorted(names)
    return {
        "Auto": dw.Auto(),
        "HillClimb": dw.HillClimb(),
        "HillClimb restarts": dw.HillClimb(restarts=3, max_parents=3),
        "HillClimb first": dw.HillClimb(improvement="first"),
        "Tabu": dw.Tabu(tenure=4, patience=25),
        "Annealing": dw.Annealing(steps=2000),
        "GES": dw.GES(),
        "GES turning": dw.GES(turning=True),
        "OrderSearch": dw.OrderSearch(),
        "BOSS": dw.BOSS(),
        "Exact": dw.Exact(),
        "K2": dw.K2(order),
        "K3": dw.K3(order),
        "ThickThin": dw.ThickThin(order),
        "ChowLiu": dw.ChowLiu(),
        "ChowLiu forest": dw.ChowLiu(forest=True),
        "TAN": dw.TAN(order[0]),
        "FAN": dw.FAN(order[0]),
        "MdlSearch": dw.MdlSearch(),
        "MMHC": dw.MMHC(),
        "H2PC": dw.H2PC(),
        "Decomposable": dw.Decomposable(),
    }


def test_searches() -> dict[str, Any]:
    return {
        "PC": dw.PC(test=dw.GSquare(alpha=0.01)),
        "PC X2": dw.PC(test=dw.ChiSquare(alpha=0.05)),
        "PC adjusted": dw.PC(test=dw.GSquare(alpha=0.05, adjusted=True)),
        "PC BIC": dw.PC(test=dw.BIC()),
        "PC threshold": dw.PC(test=dw.Threshold(0.02)),
        "PC Bayes factor": dw.PC(test=dw.BayesFactor()),
        "FCI": dw.FCI(test=dw.GSquare(alpha=0.01)),
        "RFCI": dw.RFCI(test=dw.GSquare(alpha=0.01)),
        "GrowShrink": dw.GrowShrink(test=dw.GSquare(alpha=0.01)),
        "IAMB": dw.IAMB(test=dw.GSquare(alpha=0.01)),
        "InterIAMB": dw.InterIAMB(test=dw.GSquare(alpha=0.01)),
        "FastIAMB": dw.FastIAMB(test=dw.GSquare(alpha=0.01)),
        "FdrIAMB": dw.FdrIAMB(test=dw.GSquare(alpha=0.01)),
        "MMPC": dw.MMPC(test=dw.GSquare(alpha=0.01)),
        "HITON-PC": dw.HitonPC(test=dw.GSquare(alpha=0.01)),
        "HPC": dw.HPC(test=dw.GSquare(alpha=0.01)),
        "Polytree": dw.Polytree(),
        "PairwiseMarkov": dw.PairwiseMarkov(test=dw.GSquare(alpha=0.01)),
    }


def dropped(table: dw.Table) -> str | None:
    """The missing-value policy for methods that need complete rows."""
    return "drop" if any(table.missing.values()) else None


def exact(number: float | None) -> str | None:
    return None if number is None else float(number).hex()


def learned(found: dw.Learned) -> list[Any]:
    """The graph, the bits of the score and the number of evaluations."""
    return [str(found.graph), exact(found.score), found.evaluations, found.optimal]


def answered(ask: Callable[[], Any]) -> Any:
    """What a call gives, or the kind of error it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ask()
    except dw.DagwrightError as error:
        return type(error).__name__


def questions(names: tuple[str, ...]) -> Iterator[tuple[str, str, list[str]]]:
    a, b, *others = sorted(names)
    yield a, b, []
    yield a, b, others[:1]
    yield a, others[-1], [b, *others[:1]] if len(others) > 1 else [b]


def of_table(table: dw.Table) -> Answers:
    """Every answer about one table."""
    names = table.names
    missing = dropped(table)
    chain = dw.Dag(sorted(names), list(zip(sorted(names), sorted(names)[1:], strict=False)))
    answers: Answers = {}
    for name, score in scores().items():
        answers[f"score {name}"] = answered(
            lambda score=score: exact(dw.score(chain, table, score, missing=missing).total)
        )
    for name, test in tests().items():
        for x, y, given in questions(names):
            verdict = answered(lambda q=(x, y, given), test=test: told(table, q, test))
            answers[f"test {name} {x};{y}|{','.join(given)}"] = verdict
    for name, search in score_searches(names).items():
        for title, score in (("BIC", dw.BIC()), ("BDeu", dw.BDeu(ess=2.0)), ("fNML", dw.FNML())):
            if title == "fNML" and (len(names) > 6 or name not in ("HillClimb", "GES", "Exact", "ThickThin")):
                continue
            answers[f"{name}, {title}"] = answered(
                lambda search=search, score=score: learned(
                    dw.learn(table, search=search, score=score, missing=missing, random_state=7)
                )
            )
    for name, search in test_searches().items():
        answers[name] = answered(
            lambda search=search: learned(
                dw.learn(table, search=search, missing="available" if missing else None, random_state=7)
            )
        )
    if missing:
        answers["StructuralEM"] = answered(
            lambda: learned(dw.learn(table, score=dw.BIC(), missing="em", random_state=7))
        )
        answers["NodeAverage"] = answered(
            lambda: learned(
                dw.learn(table, score=dw.NodeAverage(), search=dw.HillClimb(), missing="available")
            )
        )
        answers["EM"] = answered(lambda: parameters(dw.EM().fit(chain, table).network))
        return answers
    answers["knowledge"] = answered(
        lambda: learned(
            dw.learn(
                table, knowledge=dw.Knowledge(forbidden=[(names[0], names[1])], max_parents=2), score=dw.BIC()
            )
        )
    )
    answers["bootstrap"] = answered(
        lambda: strengths(
            dw.bootstrap(table, search=dw.HillClimb(), score=dw.BIC(), replicates=8, random_state=3), names
        )
    )
    if len(names) <= 6:
        for name, method in (("exact", dw.ExactPosterior()), ("orders", dw.OrderMCMC(samples=60))):
            answers[f"posterior {name}"] = answered(
                lambda method=method: strengths(
                    dw.posterior(table, method=method, score=dw.BDeu(ess=2.0), random_state=5).confidence,
                    names,
                )
            )
    network = dw.fit(chain, table, parameter_prior=dw.BDeu(ess=1.0))
    answers["rivals"] = answered(
        lambda: [exact(score) for score in dw.rivals(table, 5, score=dw.BIC()).scores]
    )
    last, first = sorted(names)[-1], sorted(names)[0]
    for state in network.states(first):
        answers[f"query {first}={state}"] = answered(
            lambda state=state: [
                exact(part) for part in network.query(last, evidence={first: state}).values()
            ]
        )
    return answers


def told(table: dw.Table, question: tuple[str, str, list[str]], test: Any) -> list[Any]:
    x, y, given = question
    verdict = dw.independence_test(table, x, y, given=given, test=test, missing=dropped(table))
    return [verdict.independent, exact(verdict.statistic), exact(verdict.df), exact(verdict.p_value)]


def parameters(network: dw.BayesianNetwork) -> list[Any]:
    return [exact(part) for name in sorted(network.graph.nodes) for part in network.table(name).ravel()]


def cut_points() -> Answers:
    """Where each rule cuts two columns of numbers."""
    rng = random.Random(30)
    first = [round(rng.gauss(0.0, 1.0), 3) for _ in range(400)]
    second = [round(value + rng.gauss(0.0, 0.5), 3) for value in first]
    rules = {
        "equal frequency": dw.EqualFrequency(bins=3),
        "equal width": dw.EqualWidth(bins=4),
        "k-means": dw.KMeans1D(bins=3),
        "Hartemink": dw.Hartemink(bins=3),
    }
    return {
        name: [list(states) for states in dw.read({"a": first, "b": second}, discretize=rule).states]
        for name, rule in rules.items()
    }


def strengths(found: Any, names: tuple[str, ...]) -> list[Any]:
    ordered = sorted(names)
    return [exact(found.strength(a, b)) for i, a in enumerate(ordered) for b in ordered[i + 1 :]]


def recorded() -> dict[str, Answers]:
    return {**{name: of_table(table) for name, table in tables().items()}, "cut points": cut_points()}


if __name__ == "__main__":
    text = json.dumps(recorded(), indent=0, sort_keys=True, ensure_ascii=False)
    Path(sys.argv[1] if len(sys.argv) > 1 else STORED).write_text(text + "\n", encoding="utf-8")
