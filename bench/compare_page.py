"""`python -m bench.compare_page`: writes docs/compare.md, its chart and the table of a guide.

Everything comes from the files in bench/results; nothing is measured here.
`tests/docs/test_compare_page.py` makes the pages again and compares.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from bench import features, recovery_page, speed_tables
from bench.recovery import RESULTS, read

DOCS = Path(__file__).parent.parent / "docs"
HEAD = """\
# Comparison with other libraries

<!-- made by `python -m bench.compare_page` from bench/results -->

dagwright beside pyAgrum, PyBNesian, pgmpy, causal-learn and bnlearn: what each offers, how near its answers
are to the truth, and how long it takes. Graphs of numbers have [a page of their own](compare-numbers.md).
All figures except those called published come from runs of `bench/` on one machine, in which the libraries
take turns; [Repeat it](#repeat-it) says how.

## Features

A dash means that we found none in the version named below. bnlearn is judged by its published manual.
"""
SPEED = """\
## Speed

The time of another library divided by ours, for the same data in shuffled columns: above 1 we are faster.
Each library has the rows in its own memory before the clock starts. Each ratio is from one run on a shared
machine with two cores; seconds by the wall unless a row says otherwise.
"""
TABLES: tuple[tuple[str, str, Callable[[], list[str]]], ...] = (
    (
        "Hill climbing with BIC",
        "A negative difference means that the climb of PyBNesian ends in a better network: greedy searches "
        "stop at different places.",
        speed_tables.hill_climbing,
    ),
    (
        "The default search with BIC",
        "10,000 rows. The best peer is the best of hill climbing with PyBNesian, pyAgrum and pgmpy, ten "
        "minutes each. Hill climbing of others ends long before our whole search does; the last column says "
        "when ours has a network as good as the best of theirs.",
        speed_tables.default_search,
    ),
    ("Other searches", "", speed_tables.other_searches),
    ("PC", "10,000 rows where nothing else is said, level 0.01, G² (PyBNesian: X²).", speed_tables.pc),
    (
        "Exact inference",
        "One node in ten is observed; pyAgrum uses lazy propagation.",
        speed_tables.inference,
    ),
    (
        "Batches of cases",
        "All marginals of 100 cases with a fifth of the nodes observed, in milliseconds of processor time "
        "for each case. Each side has 60 s for a network, compilation included. Fast-BNI's figures are those "
        "that Jiang et al. (2023) publish for its sequential version and 2,000 cases on a 2.0 GHz Xeon "
        "8167M: another machine.",
        speed_tables.batch_inference,
    ),
    ("Sampling, EM, prediction", "", speed_tables.samples_and_gaps),
    ("Reading BIF files", "", speed_tables.files),
)
REPEAT = """\
## Repeat it

    python -m bench                              # speed; builds the environments of other libraries
    python -m bench.recovery run --stage A --folder FOLDER_WITH_BIF_FILES
    python -m bench.compare_page                 # this page, from what is stored

Versions of other libraries are pinned in `bench/peers.toml`, and their settings stand in `bench/tasks/`.
"""


def comparison() -> str:
    """docs/compare.md."""
    found = recovery_page.answers(read(RESULTS / "recovery_A.jsonl"))
    lines = [HEAD, *features.table(), "", *recovery_page.sections(found), SPEED]
    for title, text, made in TABLES:
        lines += [f"### {title}", "", *([text, ""] if text else []), *made(), ""]
    return "\n".join([*lines, REPEAT])


def pages() -> dict[Path, str]:
    """The text of each file that follows from stored results."""
    found = recovery_page.answers(read(RESULTS / "recovery_A.jsonl"))
    scores = DOCS / "how-to" / "choose-a-score.md"
    return {
        scores: recovery_page.with_table(scores.read_text(encoding="utf-8"), found),
        DOCS / "charts" / "recovery.svg": recovery_page.chart(found) + "\n",
        DOCS / "compare.md": comparison(),
    }


def main() -> int:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
