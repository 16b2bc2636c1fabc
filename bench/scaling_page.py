"""`python -m bench.scaling_page`: docs/scaling.md and its charts, from stored results.

What is beyond the measured sizes follows from a model with constants of the same runs, and the page says
which is which.
"""

from __future__ import annotations

import json
import math
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.report import RESULTS
from dagwright.scale.cluster import BRANCHES
from dagwright.show.curves import Curve, curves

DOCS = Path(__file__).resolve().parents[1] / "docs"
COLUMNS = 37
"""Of alarm, whose samples are the rows."""
LINK = 1e9
"""Bytes in a second between two machines: an ordinary network of ten gigabits."""

HEAD = """\
# Scaling: rows, variables, workers

<!-- made by `python -m bench.scaling_page` from bench/results -->

What is marked *measured* ran on a machine with two cores and 24 GiB. What is marked *model* follows from
the constants of those runs. `dw.forecast` measures these constants on your machine or cluster.
"""
REPEAT = """\
## Repeat it

    python -m bench --task large_data --name large_data
    DAGWRIGHT_BENCH_ROWS=1e7,1e8 python -m bench --task large_data --name large_data_8   # 12 GB of disk
    python -m bench --task many_variables --name many_variables
    python -m bench --task cluster --name cluster
    python -m bench.scaling_page
"""


@dataclass(frozen=True)
class Run:
    """What one case of a stored task took."""

    seconds: float
    processor: float
    mib: float


Runs = Mapping[tuple[str, str], Run]
"""By case and peer."""


def stored(name: str, task: str) -> dict[str, Any]:
    """A task of a stored run; empty where it was not run."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return {"runs": [], "findings": []}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["tasks"][task]
    return found


def runs_of(*tasks: dict[str, Any]) -> Runs:
    """The memory is the peak; with rows on disk, without files that are mapped where that was measured."""
    anonymous = {
        (one["case"], "dagwright_disk"): one["value"]
        for task in tasks
        for one in task["findings"]
        if one["quantity"] == "anonymous memory on disk"
    }
    return {
        (case := (one["case"], one["peer"])): Run(
            min(one["seconds"]), one["cpu_seconds"], anonymous.get(case, one["peak_mib"])
        )
        for task in tasks
        for one in task["runs"]
        if one["seconds"]
    }


def duration(seconds: float) -> str:
    """A time in the unit that suits it, two digits."""
    for unit, size in (("days", 86_400.0), ("h", 3_600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{two_digits(seconds / size)} {unit}"
    return f"{two_digits(seconds)} s"


def two_digits(value: float) -> str:
    if value == 0:
        return "0"
    digits = 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, digits):,.{max(digits, 0)}f}"


def memory(number: float) -> str:
    """Bytes in the unit that suits them, two digits."""
    for unit, one in (("TiB", 2.0**40), ("GiB", 2.0**30)):
        if number >= one:
            return f"{two_digits(number / one)} {unit}"
    return f"{two_digits(number / 2**20)} MiB"


def size(count: float) -> str:
    """10^7 and the like."""
    power = round(math.log10(count))
    return f"10^{power}" if abs(10**power - count) < 1 else f"{count:,.0f}"


def prose(text: str) -> str:
    """A paragraph in lines of the usual width."""
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(heads)} |", f"|{'---:|' * len(heads)}"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows)]


def chart(title: str, across: str, series: Sequence[Curve]) -> str:
    powers = [
        Curve(one.name, tuple((x, math.log10(y)) for x, y in one.points), kind=one.kind, dash=one.dash)
        for one in series
    ]
    up = "seconds, as a power of ten"
    return curves(powers, title=title, across=across, up=up, logarithmic=True).svg + "\n"


def largest(runs: Runs, search: str, peer: str) -> tuple[int, Run]:
    """The most rows that a search has seen, and what it took."""
    rows = max(int(case.split("_")[1]) for case, by in runs if by == peer and case.startswith(f"{search}_"))
    return rows, runs[f"{search}_{rows}", peer]


def rows_section(runs: Runs) -> tuple[list[str], str]:
    """Hill climbing and PC against the number of rows."""
    counts = sorted({int(case.split("_")[1]) for case, _ in runs})
    lines, series = [], []
    for search in ("HillClimb", "PC"):
        for peer, words in (("dagwright_memory", "in memory"), ("dagwright_disk", "on disk")):
            points = tuple(
                (float(n), runs[f"{search}_{n}", peer].seconds)
                for n in counts
                if (f"{search}_{n}", peer) in runs
            )
            series.append(Curve(f"{search}, {words}", points))
    measured = []
    for n in counts:
        cells = [f"{size(n)} *measured*"]
        for search in ("HillClimb", "PC"):
            for peer in ("dagwright_memory", "dagwright_disk"):
                one = runs.get((f"{search}_{n}", peer))
                cells.append("" if one is None else f"{two_digits(one.seconds)} s, {one.mib:,.0f} MiB")
        measured.append(cells)
    modeled = []
    for n in (10 * counts[-1], 100 * counts[-1]):
        cells = [f"{size(n)} *model*"]
        for search in ("HillClimb", "PC"):
            most, held = largest(runs, search, "dagwright_memory")
            cells.append(f"{duration(held.seconds * n / most)}, {memory(COLUMNS * n)}")
            most, disk = largest(runs, search, "dagwright_disk")
            cells.append(f"{duration(disk.seconds * n / most)}, `memory_mib`")
        modeled.append(cells)
    heads = ("rows", "HillClimb, memory", "HillClimb, disk", "PC, memory", "PC, disk")
    lines += [
        "## Rows",
        "",
        prose("""\
            Samples of `alarm` (37 variables), two threads, reading and coding not counted. Each count passes
            once over the rows, so time grows with their number. In memory a row takes one byte for each
            column of up to 255 states. On disk the memory stays within `memory_mib`; mapped files, which the
            system takes out of memory when it needs room, are not counted.
            """),
        "",
        "![Seconds against rows](charts/scaling-rows.svg)",
        "",
        *table(heads, [*measured, *modeled]),
        "",
    ]
    return lines, chart("Learning alarm from more and more rows", "rows", series)


def variables_section(runs: Runs) -> tuple[list[str], str]:
    """Hill climbing and the default against the number of variables."""
    counts = sorted({int(case) for case, _ in runs})
    names = {"dagwright_hc": "HillClimb", "dagwright": "the default"}
    series = [
        Curve(
            words,
            tuple((float(n), runs[str(n), peer].processor) for n in counts if (str(n), peer) in runs),
        )
        for peer, words in names.items()
    ]
    measured = []
    for n in counts:
        cells = [f"{n:,} *measured*"]
        for peer in names:
            one = runs.get((str(n), peer))
            cells.append("" if one is None else f"{duration(one.processor)}, {one.mib:,.0f} MiB")
        measured.append(cells)
    most = counts[-1]
    climb = runs[str(most), "dagwright_hc"]
    beyond = [
        "100,000 *model*",
        f"{duration(climb.processor * (100_000 / most) ** 2)}, {memory(8 * 1e10)}",
        "",
    ]
    lines = [
        "## Variables",
        "",
        prose("""\
            10,000 rows of random networks with two parents on average and two or three states, processor
            time of both cores. Hill climbing scores each pair of variables once at the start: n² counts, and
            n² numbers in memory. The default adds order search, with a budget for each variable that falls
            beyond 200 variables.
            """),
        "",
        "![Seconds against variables](charts/scaling-variables.svg)",
        "",
        *table(("variables", *names.values()), [*measured, beyond]),
        "",
    ]
    return lines, chart("Learning from 10,000 rows of more and more variables", "variables", series)


@dataclass(frozen=True)
class Cluster:
    """Constants of a run on a cluster."""

    rows: int
    seconds: float
    batches: float
    overhead: float
    task: float
    bytes_moved: float

    def on(self, workers: int, rows: float) -> float:
        """Counting is shared. In each batch every worker has a task, and tasks add eight tables at a time."""
        counting = max(self.seconds - self.batches * self.overhead, 0.0) * 2 / workers * rows / self.rows
        tasks = left = workers
        rounds = 1  # the last at the client
        while left > BRANCHES:
            left = math.ceil(left / BRANCHES)
            tasks, rounds = tasks + left, rounds + 1
        adding = BRANCHES * self.table_bytes / LINK
        return counting + self.batches * (rounds * (self.overhead + adding) + max(tasks - 2, 0) * self.task)

    @property
    def table_bytes(self) -> float:
        """The counts of a batch from one worker."""
        return self.bytes_moved / self.batches / 2


def cluster_of(task: dict[str, Any]) -> Cluster:
    values = {one["quantity"]: one["value"] for one in task["findings"]}
    case = task["findings"][0]["case"]
    seconds = next(min(one["seconds"]) for one in task["runs"] if one["peer"] == "dagwright_dask")
    return Cluster(
        int(case.split("_")[1]),
        seconds,
        values["batches"],
        values["overhead of a batch"] / 1000.0,
        values["an empty task"] / 1000.0,
        values["bytes from the workers"] * 2**20,
    )


def workers_section(cluster: Cluster) -> tuple[list[str], str]:
    counts = [2, 8, 32, 128, 512, 1000]
    sizes = [float(cluster.rows), 1e9, 1e12]
    series = [
        Curve(f"{size(rows)} rows", tuple((float(w), cluster.on(w, rows)) for w in counts)) for rows in sizes
    ]
    rows = [
        [
            f"{w:,}",
            *(
                duration(cluster.seconds) + " *measured*"
                if w == 2 and n == cluster.rows
                else f"{duration(cluster.on(w, n))}, {memory(COLUMNS * n / w)}"
                for n in sizes
            ),
        ]
        for w in counts
    ]
    lines = [
        "## Workers",
        "",
        prose(f"""\
            Hill climbing on a Dask cluster, {cluster.batches:,.0f} batches of counts. Two workers on one
            machine are *measured*; the rest is *model*. Counting is shared by the workers. A batch has one
            task for each worker, and tasks that add {BRANCHES} tables of
            {cluster.table_bytes / 1024:,.0f} KiB at a time, which travel over a link of 1 GB/s. Each round of
            this tree takes {1000 * cluster.overhead:,.0f} ms, and the scheduler
            {1000 * cluster.task:,.1f} ms for each task, so the batches of many workers take longer. Few
            workers with many threads avoid that. Beside each time: the memory for the rows of one worker.
            """),
        "",
        "![Seconds against workers](charts/scaling-workers.svg)",
        "",
        *table(("workers", *(f"{size(n)} rows" for n in sizes)), rows),
        "",
    ]
    return lines, chart("Hill climbing on a cluster, by the model", "workers", series)


def limits_section(cluster: Cluster) -> list[str]:
    tera = COLUMNS * 1e12 / 1e12
    return [
        "## What breaks first",
        "",
        prose(f"""\
            **10^12 rows.** The coded rows of 37 columns are {tera:,.0f} TB, {tera:,.0f} GB for each of 1,000
            workers. So memory is the first limit: workers need that much, or disks to map it from. Reading
            and coding the files comes next: it passes over all data twice, once for the states and once for
            the codes. Time is not the limit: {duration(cluster.on(1000, 1e12))} for hill climbing by the
            model. Counts stay exact: they are 64-bit integers, and sums of products of numbers are wider than
            128 bits beyond 2^30 rows.
            """),
        "",
        prose(f"""\
            **100,000 variables.** The n² gains that hill climbing keeps take {memory(8 * 1e10)}, so memory is
            again the first limit. No cluster helps, because the gains of all pairs stand on the
            machine that searches. To learn about some variables of interest, use `dw.blanket` or
            `dw.neighbors`: they test one variable against all others.
            """),
        "",
    ]


def pages() -> dict[Path, str]:
    """The text of each file that follows from stored results."""
    by_rows = runs_of(stored("large_data", "large_data"), stored("large_data_8", "large_data"))
    by_variables = runs_of(stored("many_variables", "many_variables"))
    cluster = cluster_of(stored("cluster", "cluster"))
    rows, rows_chart = rows_section(by_rows)
    variables, variables_chart = variables_section(by_variables)
    workers, workers_chart = workers_section(cluster)
    lines = [HEAD, *rows, *variables, *workers, *limits_section(cluster), REPEAT]
    return {
        DOCS / "scaling.md": "\n".join(lines),
        DOCS / "charts" / "scaling-rows.svg": rows_chart,
        DOCS / "charts" / "scaling-variables.svg": variables_chart,
        DOCS / "charts" / "scaling-workers.svg": workers_chart,
    }


def main() -> int:
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
