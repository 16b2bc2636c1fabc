"""`python -m bench.compare_page`: writes docs/compare.md, its charts and the table of a guide.

Everything comes from the files in bench/results; nothing is measured here.
`tests/docs/test_compare_page.py` makes the pages again and compares.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from bench import anytime_page, confirmation_page, features, recovery_page, speed_tables, stability
from bench.recovery import RESULTS, read

DOCS = Path(__file__).parent.parent / "docs"
HEAD = """\
# Comparison with other libraries

<!-- made by `python -m bench.compare_page` from bench/results -->

dagwright, pyAgrum, PyBNesian, pgmpy, causal-learn and bnlearn: features, distance to the true network, and
speed. Continuous and mixed data have [their own page](compare-numbers.md). All figures that are not marked as
published come from runs of `bench/` on one machine, in which the libraries take turns
([how to repeat them](#repeat-the-comparison)).

## Features

A dash means that we did not find the feature in the version named below. The column for bnlearn follows its
published manual.
"""
SPEED = """\
## Speed

Ratios are the time of another library divided by ours, on the same data with shuffled columns: above 1,
dagwright is faster. Each library holds the data in memory before the clock starts. Each ratio is from one run
on a shared machine with two cores. Times are wall-clock times unless a row says otherwise.
"""
TABLES: tuple[tuple[str, str, Callable[[], list[str]]], ...] = (
    (
        "Hill climbing with BIC",
        "A negative difference means that PyBNesian's hill climbing ends in a higher-scoring network: greedy "
        "searches stop in different local maxima.",
        speed_tables.hill_climbing,
    ),
    (
        "The default search with BIC",
        "10,000 rows. We compare with the best network that hill climbing finds in PyBNesian, pyAgrum and "
        "pgmpy, ten minutes each. Their hill climbing ends long before our whole search does; the last "
        "column compares PyBNesian's time with the time that our search needs to reach a network as good.",
        speed_tables.default_search,
    ),
    ("Other searches", "", speed_tables.other_searches),
    ("PC", "10,000 rows unless stated otherwise, level 0.01, G² (PyBNesian: X²).", speed_tables.pc),
    (
        "Exact inference",
        "One node in ten is observed; pyAgrum uses lazy propagation.",
        speed_tables.inference,
    ),
    (
        "Batches of cases",
        "All marginals of 100 cases with a fifth of the nodes observed, in milliseconds of processor time "
        "for each case. Each library has 60 s for a network, compilation included. Fast-BNI's figures are "
        "those that Jiang et al. (2023) publish for its sequential version and 2,000 cases on a 2.0 GHz Xeon "
        "8167M: another machine.",
        speed_tables.batch_inference,
    ),
    ("Sampling, EM and prediction", "", speed_tables.samples_and_gaps),
    ("Reading BIF files", "", speed_tables.files),
)
REPEAT = """\
## Repeat the comparison

    python -m bench                              # speed; builds the environments of other libraries
    python -m bench.recovery run --stage A --folder FOLDER_WITH_BIF_FILES
    python -m bench.stability run --folder FOLDER_WITH_BIF_FILES --orders 5
    python -m bench.compare_page                 # this page, from what is stored

The versions of other libraries are in `bench/peers.toml`, their settings in `bench/tasks/`.
"""


def comparison() -> str:
    """docs/compare.md."""
    first, second = stage("A"), stage("B")
    confirmed = confirmation_page.is_there(second)
    accuracy = confirmation_page.sections(second) if confirmed else recovery_page.first_sections(first)
    accuracy += confirmation_page.time_section(second if confirmed else first)
    orders = [*map(wrapped, stability.section())]
    lines = [HEAD, *features.table(), "", *accuracy, *recovery_page.sections(first), *orders, SPEED]
    lines += anytime_page.section()
    for title, text, made in TABLES:
        intro = [wrapped(text), ""] if text else []
        lines += [f"### {title}", "", *intro, *map(wrapped, made()), ""]
    return "\n".join([*lines, REPEAT])


def stage(name: str) -> recovery_page.Answers:
    """The stored answers of a stage of the recovery study; empty before it is run."""
    return recovery_page.answers(read(RESULTS / f"recovery_{name}.jsonl"))


def wrapped(line: str) -> str:
    """A line of prose in lines of the usual length; rows of tables stay whole."""
    if line.startswith("|"):
        return line
    return textwrap.fill(line, 110, break_long_words=False, break_on_hyphens=False)


def pages() -> dict[Path, str]:
    """The text of each file that follows from stored results."""
    first, second = stage("A"), stage("B")
    timed = confirmation_page.time_charts(second if confirmation_page.is_there(second) else first)
    charts = {"recovery": recovery_page.chart(first)}
    charts |= {f"distance-time-{name}": picture for name, picture in timed.items()}
    charts |= {f"anytime-{name}": picture for name, picture in anytime_page.charts().items()}
    scores = DOCS / "how-to" / "choose-a-score.md"
    return {
        scores: recovery_page.with_table(scores.read_text(encoding="utf-8"), first),
        **{DOCS / "charts" / f"{name}.svg": picture + "\n" for name, picture in charts.items()},
        DOCS / "compare.md": comparison(),
    }


def main() -> int:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
