"""Tables of speed for the page of comparisons, from the stored results of `python -m bench`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bench.report import RESULTS

NAMES = {
    "pybnesian": "PyBNesian",
    "pyagrum": "pyAgrum",
    "pgmpy": "pgmpy",
    "causal-learn": "causal-learn",
}
MISSING = "–"
Values = dict[str, dict[str, float]]


def stored(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def values(name: str, task: str) -> Values:
    """The value of each quantity, by case."""
    found: Values = {}
    for finding in stored(name)["tasks"][task]["findings"]:
        found.setdefault(finding["case"], {})[finding["quantity"]] = finding["value"]
    return found


def notes(name: str, task: str, quantity: str) -> dict[str, str]:
    """The remarks on a quantity, by case."""
    findings = stored(name)["tasks"][task]["findings"]
    return {one["case"]: one["note"] for one in findings if one["quantity"] == quantity and one["note"]}


def number(value: float | None, digits: int = 3) -> str:
    if value is None:
        return MISSING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.{digits}g}"


def rows(cases: Values, columns: dict[str, str], first: str = "") -> list[str]:
    """A row per case, a column per quantity, under the heading of the quantity."""
    lines = [f"| {first} | {' | '.join(columns.values())} |", f"|---|{'---:|' * len(columns)}"]
    for case, known in cases.items():
        shown = [number(known.get(quantity)) for quantity in columns]
        if set(shown) != {MISSING}:
            lines.append(f"| {case} | {' | '.join(shown)} |")
    return lines


def times(peers: Iterable[str], what: str = " seconds") -> dict[str, str]:
    """The columns of ratios: the peer's time divided by ours."""
    return {f"{peer} / dagwright{what}": f"{NAMES[peer]} time / ours" for peer in peers}


def measured(*names: str) -> str:
    """When and with which versions the figures of these files were measured."""
    versions: dict[str, str] = {}
    days = set()
    for name in names:
        found = stored(name)
        days.add(found["when"][:10])
        versions |= {NAMES[peer]: v for peer, v in found["versions"].items() if peer in NAMES}
    shown = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    return f"Measured {' and '.join(sorted(days))} with {shown}."


def hill_climbing() -> list[str]:
    cases = {
        f"{case.replace('_', ', ')} rows": known for case, known in values("hill_climb", "hill_climb").items()
    }
    for known in cases.values():
        known.pop("BIC above pybnesian's", None)
    larger = {
        f"{case}, 10000 rows": known
        for case, known in values("hill_climb_larger", "hill_climb_larger").items()
    }
    for case, known in larger.items():
        cases[case] = {**known, **cases.get(case, {})}
    columns = {
        **times(("pybnesian", "pyagrum", "pgmpy")),
        "BIC above pybnesian's": "our BIC above PyBNesian's, nats",
    }
    return [*rows(cases, columns), "", measured("hill_climb", "hill_climb_larger")]


def default_search() -> list[str]:
    columns = {
        "seconds of the whole search": "our seconds, whole search",
        "gain": "our BIC above the best of the others, nats",
    }
    columns["pybnesian's seconds / ours to that BIC"] = "PyBNesian time / our time to the best of the others"
    cases = values("larger", "larger")
    for known in cases.values():
        known["gain"] = next(value for key, value in known.items() if key.startswith("BIC above the best"))
    return [*rows(cases, columns), "", measured("larger")]


def other_searches() -> list[str]:
    cases: Values = {
        "GES, alarm, 10,000 rows": values("ges", "ges")["alarm_10000"],
        "MMHC, alarm": values("local_discovery", "local_discovery")["alarm MMHC"],
        "bootstrap of hill climbing, alarm, 10,000 rows": values("bootstrap", "bootstrap")["alarm_10000"],
    }
    trees = values("trees", "trees")
    cases["Chow-Liu tree, alarm, 10,000 rows"] = {
        "pgmpy / dagwright seconds": trees["alarm_10000"]["pgmpy / dagwright seconds"]
    }
    for case, known in values("gaussian_speed", "gaussian_speed").items():
        kind, variables, _, count = case.split()
        name = {"climb": "hill climbing", "pc": "PC", "ges": "GES"}[kind]
        ratios = {key.replace("processor time", "seconds"): value for key, value in known.items()}
        cases[f"{name}, continuous, {variables} columns, {int(count):,} rows (processor time)"] = ratios
    return [
        *rows(cases, times(NAMES)),
        "",
        measured("ges", "local_discovery", "bootstrap", "trees", "gaussian_speed"),
    ]


def pc() -> list[str]:
    cases = values("pc", "pc")
    lines = rows(cases, times(("pybnesian", "pyagrum", "causal-learn")))
    remarks = [
        f"{NAMES[peer]} on {case}: {note.split(',')[0]}, so the ratio is a lower bound"
        for peer in NAMES
        for case, note in notes("pc", "pc", f"{peer} / dagwright seconds").items()
        if note.startswith("no answer")
    ]
    remarks += [f"PyBNesian fails on {case}" for case in notes("pc", "pc", "pybnesian fails")]
    return [*lines, "", f"{'. '.join(remarks)}. {measured('pc')}"]


def inference() -> list[str]:
    cases: Values = {}
    for case, known in values("inference", "inference").items():
        name, kind = case.split()
        ratio = known.get("pyagrum / dagwright seconds")
        if ratio is not None:
            cases.setdefault(name, {})[kind] = ratio
    columns = {
        "marginals": "all marginals, changing evidence",
        "cold": "first query",
        "questions": "ten queries of different nodes",
    }
    return [*rows(cases, columns, "pyAgrum time / ours"), "", measured("inference")]


def batch_inference() -> list[str]:
    cases = values("batch_inference", "batch_inference")
    columns = {
        "dagwright, each case": "dagwright, ms per case",
        "pyagrum, each case": "pyAgrum, ms per case",
        "Fast-BNI, each case, published": "Fast-BNI, published, ms per case",
    }
    lines = rows(cases, columns)
    short = [
        f"{who} on {case}: {note}"
        for peer, who in (("dagwright", "dagwright"), ("pyagrum", "pyAgrum"))
        for case, note in notes("batch_inference", "batch_inference", f"{peer}, each case").items()
    ]
    failed = [
        f"{NAMES.get(run['peer'], run['peer'])} on {run['case']}: {run['error']}"
        for run in stored("batch_inference")["tasks"]["batch_inference"]["runs"]
        if "error" in run
    ]
    remarks = f"Fewer than 100 cases: {'; '.join([*short, *failed])}. " if short or failed else ""
    return [*lines, "", remarks + measured("batch_inference")]


def samples_and_gaps() -> list[str]:
    drawn, gaps = values("models", "sampling"), values("models", "incomplete_rows")
    predicted = {"pgmpy / dagwright seconds": gaps["predict"]["pgmpy / dagwright seconds per row"]}
    cases: Values = {
        "a million rows drawn from alarm": drawn["alarm 1000000"],
        "EM, alarm, 10,000 rows, a tenth of the cells missing": gaps["em 10000"],
        "EM, asia, 1,000 rows, one column hidden": gaps["em hidden column"],
        "prediction of one node of alarm, per row": predicted,
    }
    text = "In the first EM pyAgrum made 5 iterations; dagwright ran until convergence."
    return [*rows(cases, times(("pyagrum", "pgmpy"))), "", f"{text} {measured('models')}"]


def files() -> list[str]:
    cases = values("models", "read_bif")
    ratios = sorted(
        (known["pyagrum / dagwright"], case)
        for case, known in cases.items()
        if "pyagrum / dagwright" in known
    )
    faster = [case for ratio, case in ratios if ratio < 1.0]
    text = f"Below 1 the other reader is faster: pyAgrum's on {len(faster)} of {len(ratios)} networks."
    return [*rows(cases, times(("pyagrum", "pgmpy"), "")), "", f"{text} {measured('models')}"]
