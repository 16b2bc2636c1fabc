"""Stage B of the recovery study on the page of comparisons: the finalists, other libraries and the bars.

Stage B repeats the comparison with the default search on more networks and samples. The page takes these
tables as soon as stage B is stored, and those of stage A before.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bench.recovery import DEFAULT as LEARNED
from bench.recovery_page import BEFORE, DEFAULT, EMPTY, Answers, Cell, Line, shd, sizes_of
from dagwright.show.curves import Curve, curves

ENOUGH = 0.8
"""A setting joins the first table when it answered this part of the samples of the default."""

MANY_ROWS, FEW_ROWS = (1_000, 10_000), (200, 500)
BELOW_PEERS, BELOW_BIC = 0.25, 0.15
"""By what part the default should be closer, with many rows."""

WORSE, ERRORS = 0.03, 2.0
"""On one network and size: SHD per true edge, and paired standard errors."""

TIMED = ("child", "insurance", "alarm", "hailfinder")
"""The networks of the charts of distance against time, where there are answers."""

MEASURES: tuple[tuple[str, Callable[[Line], float | None]], ...] = (
    ("SHD per true edge", shd),
    ("F1 of the skeleton", lambda line: line["skeleton_f1"]),
    ("F1 of the arrowheads", lambda line: line["arrowhead_f1"]),
    ("Log-loss on new rows, nats per row", lambda line: line.get("log_loss")),
)


class Fact(NamedTuple):
    """One requirement on the default, what was found, and whether it holds; None where nothing is known."""

    requirement: str
    found: str
    met: bool | None


def peers_of(found: Answers) -> list[str]:
    """The settings of other libraries."""
    return sorted(name for name, cells in found.items() if any(one["how"]["peer"] for one in cells.values()))


def finalists_of(found: Answers) -> list[str]:
    """Our own settings besides the default and BIC."""
    known = {LEARNED, DEFAULT, BEFORE, EMPTY, *peers_of(found)}
    return sorted(name for name, cells in found.items() if cells and name not in known)


def is_there(found: Answers) -> bool:
    """Whether the stage has answers of the default beside BIC."""
    return bool(set(found.get(LEARNED, ())) & set(found.get(BEFORE, ())))


def means(found: Answers, name: str, shared: Iterable[Cell], value: Callable[[Line], float | None]) -> str:
    """One entry of a table: the mean over these samples."""
    values = [value(found[name][cell]) for cell in shared]
    numbers = [one for one in values if one is not None]
    return f"{statistics.fmean(numbers):.3f}" if len(numbers) == len(values) and numbers else "–"


def table(found: Answers, settings: Sequence[str], value: Callable[[Line], float | None]) -> list[str]:
    """A row per setting, a column per number of rows: means over the samples that all settings answered."""
    shared = sorted(set.intersection(*(set(found[name]) for name in settings)))
    sizes = sorted({rows for _, rows, _ in shared})
    lines = [f"| | {' | '.join(f'{rows:,} rows' for rows in sizes)} |", f"|---|{'---:|' * len(sizes)}"]
    by_size = [[cell for cell in shared if cell[1] == rows] for rows in sizes]
    for name in settings:
        shown = [means(found, name, cells, value) for cells in by_size]
        lines.append(f"| {label(name)} | {' | '.join(shown)} |")
    return [*lines, f"| samples | {' | '.join(str(len(cells)) for cells in by_size)} |"]


def label(name: str) -> str:
    return "default" if name == LEARNED else name


def settings_of(found: Answers, *, every: bool) -> list[str]:
    """The settings of a table: those with most of the samples, or all that share some with the default."""
    most = len(found[LEARNED])
    names = [LEARNED, *finalists_of(found), BEFORE, *peers_of(found), EMPTY]
    least = 1 if every else ENOUGH * most
    return [name for name in names if len(set(found.get(name, ())) & set(found[LEARNED])) >= least]


def sections(found: Answers) -> list[str]:
    """The tables of stage B, and whether the bars hold."""
    most, every = settings_of(found, every=False), settings_of(found, every=True)
    parts = [HEAD]
    for title, value in MEASURES:
        parts += [f"### {title}", "", *table(found, most, value), ""]
    if every != most and set.intersection(*(set(found[name]) for name in every)):
        parts += ["### SHD per true edge: samples that every library answered", ""]
        parts += [*table(found, every, shd), ""]
    return [*parts, BARS, *facts_table(facts(found)), ""]


def facts_table(known: Iterable[Fact]) -> list[str]:
    words = {True: "yes", False: "**no**", None: "not known"}
    rows = [f"| {one.requirement} | {one.found} | {words[one.met]} |" for one in known]
    return ["| requirement | found | met |", "|---|---|---|", *rows]


def facts(found: Answers) -> list[Fact]:
    """Each bar on the default, from the samples that both sides answered."""
    known = []
    for rows in MANY_ROWS:
        known.append(below(found, rows, peers_of(found), BELOW_PEERS, "every other library"))
        known.append(below(found, rows, [BEFORE], BELOW_BIC, BEFORE))
    for rows in FEW_ROWS:
        known.append(below(found, rows, peers_of(found), 0.0, "every other library"))
        known.append(below(found, rows, [EMPTY], 0.0, "the empty graph"))
    return [*known, nowhere_worse(found)]


def below(found: Answers, rows: int, others: Sequence[str], part: float, words: str) -> Fact:
    """Whether the default is closer than each of these, by this part of their distance."""
    wanted = f"at least {part:.0%} closer than {words}" if part else f"no farther than {words}"
    requirement = f"{rows:,} rows: {wanted}"
    closer: list[tuple[float, str]] = []
    for name in others:
        shared = [c for c in set(found.get(name, ())) & set(found[LEARNED]) if c[1] == rows]
        theirs = [shd(found[name][cell]) for cell in shared]
        if not theirs or not statistics.fmean(theirs):
            continue
        ours = statistics.fmean(shd(found[LEARNED][cell]) for cell in shared)
        share = 1.0 - ours / statistics.fmean(theirs)
        shown = f"{ours:.3f} against {statistics.fmean(theirs):.3f} of {name}, {len(shared)} samples"
        closer.append((share, shown))
    if not closer:
        return Fact(requirement, "no samples yet", None)
    least, shown = min(closer)
    words = f"{abs(least):.0%} {'closer' if least >= 0 else 'farther'}: {shown}"
    return Fact(requirement, words, least >= part - 1e-12)


def nowhere_worse(found: Answers) -> Fact:
    """Whether the default is clearly farther than BIC on some network and size."""
    requirement = (
        f"on no network and size farther than BIC by more than {WORSE} and {ERRORS:g} paired standard errors"
    )
    pairs: dict[tuple[str, int], list[float]] = {}
    for cell in sorted(set(found[LEARNED]) & set(found.get(BEFORE, ()))):
        difference = shd(found[LEARNED][cell]) - shd(found[BEFORE][cell])
        pairs.setdefault((cell[0], cell[1]), []).append(difference)
    judged = {key: values for key, values in pairs.items() if len(values) > 1}
    if not judged:
        return Fact(requirement, "not enough samples yet", None)
    failing = []
    for (name, rows), values in judged.items():
        mean, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))
        if mean > WORSE and mean > ERRORS * error:
            failing.append(f"`{name}` with {rows:,} rows ({mean:+.2f} ± {error:.2f})")
    words = f"{len(failing)} of {len(judged)}" + (f": {', '.join(failing)}" if failing else "")
    return Fact(requirement, words, not failing)


def seconds(line: Line) -> float:
    """Processor time where it is stored, else time by the wall."""
    return float(line.get("cpu_seconds") or line.get("seconds") or 0.0)


def timed_methods(found: Answers, network: str) -> dict[str, tuple[tuple[float, float], ...]]:
    """For each setting that takes time a point per number of rows: mean seconds and mean distance."""
    series = {}
    for name, cells in found.items():
        points = []
        for rows in sizes_of(found):
            here = [line for cell, line in sorted(cells.items()) if cell[:2] == (network, rows)]
            timed = [line for line in here if seconds(line) > 0.0]
            if timed:
                x = statistics.fmean(map(seconds, timed))
                points.append((x, statistics.fmean(map(shd, timed))))
        if points:
            series[name] = tuple(points)
    return series


def drawn_methods(found: Answers) -> list[str]:
    """The settings of the charts of distance against time."""
    usual = LEARNED if found.get(LEARNED) else DEFAULT
    return [usual, BEFORE, "BIC + HillClimb", "BIC + GES", *peers_of(found)]


def time_charts(found: Answers) -> dict[str, str]:
    """Distance against time: one SVG for each network with at least three methods, by its name."""
    drawn = {}
    for network in TIMED:
        methods = timed_methods(found, network)
        series = [
            Curve(label(name), methods[name], kind="line" if len(methods[name]) > 1 else "points")
            for name in drawn_methods(found)
            if name in methods
        ]
        if len(series) < 3:
            continue
        times = [math.log10(x) for curve in series for x, _ in curve.points]
        picture = curves(
            series,
            across_range=(min(times) - 0.1, max(times) + 0.1),
            title=f"{network}: distance against time",
            across="seconds",
            up="SHD of essential graphs per true edge",
            logarithmic=True,
        )
        drawn[network] = picture.svg
    return drawn


def time_section(found: Answers) -> list[str]:
    """The charts of distance against time, as they stand on the page."""
    drawn = time_charts(found)
    if not drawn:
        return []
    pictures = [
        f"![{name}: SHD per true edge against seconds](charts/distance-time-{name}.svg)" for name in drawn
    ]
    return [TIME if found.get(LEARNED) else TIME_OF_A, *(line for one in pictures for line in (one, ""))]


HEAD = """\
## Accuracy: distance to the true network

We draw samples from standard networks and shuffle the columns; states that do not occur are left out. Each
learned network is compared with the network that generated the data by the structural Hamming distance (SHD)
between essential graphs, divided by the number of true edges. Smaller is better. The empty graph is
included, at a distance of 1, because this measure rewards sparse graphs. Log-loss is that of the fitted
network on 2,000 new rows. "default" is `learn(data)`: the default search, score and structure prior
([why](adr/0006-the-default-pair.md)). Each table uses the samples for which all of its settings finished; the
last row counts them. Our searches end by their own budgets of evaluations; other libraries had 60 s of
processor time for each sample and their usual settings: BIC for hill climbing and tabu search, G² at level
0.05 for PC, and for MIIC a smoothing prior of 1e-6, because it does not accept empty cells.
"""

BARS = """\
### Requirements on the default

A comparison with another library uses the samples that both answered. Up to three samples of the networks of
this study had a part in the choice of the default pair, so this is not an independent confirmation.
"""

TIME = """\
### Distance against time

Each point is one number of rows: mean processor time and mean distance over its samples. Lines go from few
rows to many.
"""

TIME_OF_A = """\
### Distance against time

Each point is one number of rows: mean time and mean distance over its samples. Lines go from few rows to
many. Our times are wall-clock times on a busy machine, those of other libraries processor times.
"""
