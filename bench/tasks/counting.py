"""The counting engine: equal to NumPy, rows per second, threads, and where each strategy is chosen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "equal to NumPy; 1 G rows/s at 2 states, 0.5 at 4; two threads 1.7x; every strategy wins somewhere"
PEERS = ("dagwright",)
STRATEGIES = ("bitmap", "histogram", "grouped")
G_ROWS = {2: 1.0, 4: 0.5}
PARENTS = {2: 3, 4: 2}
CLEARLY = 1.3
"""How much faster than the others counts as a win; one that alone applies wins anyway."""


def cases(options: Options) -> Iterable[Case]:
    rows = 100_000 if options.quick else 1_000_000
    yield Case("equal to NumPy", {"what": "equal", "tables": 40 if options.quick else 200}, repeats=1)
    for states in G_ROWS:
        yield Case(f"{states} states", {"what": "speed", "rows": rows, "states": states})
    yield Case("two threads", {"what": "threads", "rows": rows})
    yield Case("strategies", {"what": "strategies", "rows": [10_000, rows]}, repeats=1)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> Any:
    work = {"equal": equal_to_numpy, "speed": speed, "threads": threads, "strategies": strategies}
    rest = {name: value for name, value in arguments.items() if name != "what"}
    with clock:
        return work[arguments["what"]](**rest)


def fastest(work: Callable[[], object], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def random_table(
    rows: int, cardinalities: list[int], seed: int, weights: Any = None
) -> tuple[Any, list[Any]]:
    """A table of the core and its columns: skewed states, so that cells differ in size."""
    import numpy as np

    from dagwright import _core

    random = np.random.default_rng(seed)
    columns = [
        (random.beta(1.0, 1.5, rows) * r).astype(np.uint8 if r <= 255 else np.uint16) for r in cardinalities
    ]
    return _core.Table.from_codes(columns, cardinalities, rows, weights), columns


def equal_to_numpy(tables: int) -> dict[str, int]:
    """Random tables by every strategy against np.unique: how many were tried, how many differ."""
    import numpy as np

    from dagwright import _core

    random = np.random.default_rng(1)
    tried = different = 0
    for seed in range(tables):
        rows = int(
            random.choice([0, 1, 63, 64, 65, 1_000, 20_000, 1_000_000], p=[0.1] * 5 + [0.24, 0.24, 0.02])
        )
        cardinalities = [
            int(r) for r in random.choice([2, 3, 4, 8, 30, 255, 256, 300], random.integers(1, 9))
        ]
        weights = random.integers(0, 9, rows).astype(float) if random.random() < 0.4 else None
        table, columns = random_table(rows, cardinalities, seed, weights)
        asked = random.permutation(len(columns))[: random.integers(1, len(columns) + 1)].tolist()
        codes, index = np.unique(
            np.column_stack([columns[v] for v in asked]).astype(np.uint32), axis=0, return_inverse=True
        )
        counts = np.bincount(index.ravel(), weights, minlength=len(codes)).astype(float)
        codes, counts = codes[counts > 0], counts[counts > 0]
        for strategy in (None, *STRATEGIES):
            forced = None if strategy is None else _core.Strategy[strategy]
            cells = _core.Counter(table, strategy=forced).cells(asked)
            tried += 1
            occupied = cells.units > 0
            different += not (
                np.array_equal(cells.codes[occupied], codes)
                and np.array_equal(cells.counts[occupied], counts)
            )
    return {"tried": tried, "different": different}


def speed(rows: int, states: int) -> dict[str, float]:
    """G rows/s of families one by one, by number of parents, and of all children of one parent set."""
    import numpy as np

    from dagwright import _core

    table, _ = random_table(rows, [states] * 24, seed=2)
    counter = _core.Counter(table)
    random = np.random.default_rng(3)
    result = {}
    for parents in range(PARENTS[states] + 1):
        families = [random.permutation(24)[: parents + 1].tolist() for _ in range(30)]

        def alone(families: list[list[int]] = families) -> None:
            for child, *given in families:
                counter.occupied(given, [child])

        result[f"{parents} parents"] = rows * len(families) / fastest(alone) / 1e9
    given = list(range(PARENTS[states]))
    children = list(range(PARENTS[states], 24))
    together = fastest(lambda: counter.occupied(given, children))
    result[f"{PARENTS[states]} parents, batch of {len(children)}"] = rows * len(children) / together / 1e9
    return result


def threads(rows: int) -> dict[str, float]:
    """Seconds for one batch of sets with one thread and with two, nothing remembered."""
    from dagwright import _core

    table, _ = random_table(rows, [2, 3, 4] * 8, seed=4)
    sets = [[a, b, c] for a in range(6) for b in range(6, 12) for c in range(12, 24)]
    seconds = {1: [], 2: []}
    for _ in range(20):
        for count, times in seconds.items():
            measure = _core.CountingMeasure(_core.CellSums(table), _core.MeasureKind.multinomial)
            measure.evidence([[v] for v in range(24)], threads=1)  # builds what is built once per column
            times.append(fastest(lambda m=measure, c=count: m.evidence(sets, threads=c), 1))
    return {"one": min(seconds[1]), "two": min(seconds[2])}


def strategies(rows: list[int]) -> list[dict[str, Any]]:
    """Every strategy on a grid of table sizes, states and variables; 2 x 10 columns are few distinct rows."""
    from dagwright import _core

    grid = []
    for N in rows:
        for states in (2, 4, 10, 50, 300):
            columns = 12
            table, _ = random_table(N, [states] * columns, seed=5)
            counters = {name: _core.Counter(table, strategy=_core.Strategy[name]) for name in STRATEGIES}
            chooser = _core.Counter(table)
            for variables in (1, 2, 3, 4, 6, 8):
                *base, last = range(variables)
                point: dict[str, Any] = {"rows": N, "states": states, "variables": variables}
                point["chosen"] = chooser.choose(base, last).name
                for name, counter in counters.items():
                    if counter.choose(base, last) != name:
                        continue  # it does not apply, and would fall back to another
                    if name == "bitmap" and states**variables > 3_000:
                        continue  # seconds per call: no contest
                    counter.occupied(base, [last])
                    point[name] = N / fastest(lambda c=counter, b=base, v=last: c.occupied(b, [v])) / 1e9
                grid.append(point)
    return grid


def findings(results: Results) -> Iterable[Finding]:
    def answers(case: str) -> list[Any]:
        result = results.get(case, "dagwright")
        return result.answers if result else []

    for equal in answers("equal to NumPy"):
        yield Finding("equal to NumPy", f"different of {equal['tried']}", equal["different"], "", at_most=0)
    for states, bar in G_ROWS.items():
        speeds = answers(f"{states} states")
        for quantity in speeds[0] if speeds else ():
            fastest_of_all = max(speed[quantity] for speed in speeds)
            yield Finding(f"{states} states", quantity, fastest_of_all, "G rows/s", bar)
    if times := answers("two threads"):
        gain = min(t["one"] for t in times) / min(t["two"] for t in times)
        yield Finding("two threads", "speed over one", gain, "x", 1.7, note="needs two idle cores")
    grid = [point for answer in answers("strategies") for point in answer]
    wins = dict.fromkeys(STRATEGIES, 0)
    for point in grid:
        speeds = {name: point[name] for name in STRATEGIES if name in point}
        best = max(speeds, key=speeds.__getitem__)
        others = [value for name, value in speeds.items() if name != best]
        wins[best] += speeds[best] > CLEARLY * max(others, default=0.0)
        chosen = point["chosen"]
        case = f"{point['rows']} rows, {point['states']} states, {point['variables']} variables"
        lost = "" if chosen == best else f"{best} would give {speeds[best]:.3g}"
        yield Finding(case, chosen, speeds.get(chosen, float("nan")), "G rows/s", note=lost)
    for name, count in wins.items() if grid else ():
        yield Finding("strategies", f"{name} is clearly fastest", count, "cases", 1)
