"""Every verdict of the re-run of the source texts, in quick mode."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from dagwright.cli.app import app
from dagwright.errors import UnknownNameError
from dagwright.reproduce import MEANINGS, TEXTS, Report, reproduce
from dagwright.reproduce.report import Sheet, rounds_to

EXPECTED = {
    "cowell": {"holds": 23, "answer": 12, "misprint": 4},
    "jensen-nielsen": {
        "same": 31,
        "holds": 17,
        "answer": 17,
        "near": 1,
        "misprint": 15,
        "differs": 1,
        "unavailable": 16,
    },
    "lam-bacchus": {
        "same": 7,
        "holds": 5,
        "answer": 6,
        "near": 5,
        "misprint": 4,
        "differs": 6,
        "unavailable": 1,
    },
    "pena": {"holds": 20, "answer": 6, "near": 1, "misprint": 7, "unavailable": 1},
}
# What cannot be reproduced, and nothing else.
DIFFERS = {
    "jensen-nielsen": {"P(independence | D) for epsilon 0.2 and 100 cases"},
    "lam-bacchus": {
        "set 4: what is learned, and how far it is from the truth",
        "arcs that differ and arcs that are missing, by the search of the paper",
        "distances by Eq. 10, by the search of the paper",
        "distances by Eq. 10, by our order search with the same score",
        "arcs that differ and arcs that are missing, reading: d of 16 bits",
        "arcs that differ and arcs that are missing, reading: the order of the variables known",
    },
}


@pytest.fixture(scope="module")
def said() -> list[str]:
    return []


@pytest.fixture(scope="module")
def reports(said: list[str]) -> dict[str, Report]:
    return {name: reproduce(name, quick=True, progress=said.append) for name in TEXTS}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_every_verdict(name: str, reports: dict[str, Report]) -> None:
    report = reports[name]
    assert report.verdicts == EXPECTED[name]
    assert {row.what for row in report.rows if row.verdict == "differs"} == DIFFERS.get(name, set())
    for row in report.rows:
        assert row.ours
        assert bool(row.printed) == (row.verdict != "answer"), row
        assert row.reason or row.verdict not in ("misprint", "differs", "unavailable"), row
    repeated = {what: count for what, count in Counter(row.what for row in report.rows).items() if count > 1}
    assert repeated == {}


def ours(report: Report, what: str) -> str:
    return next(row.ours for row in report.rows if row.what.startswith(what))


def test_answers_of_the_textbook(reports: dict[str, Report]) -> None:
    report = reports["jensen-nielsen"]
    for what, expected in {
        "Exercise 7.3": "C -> B; C -> E; D -> B; D -> E; E -> A",
        "Exercise 7.4 (i)": "140, 160, 8,370",
        "Exercise 7.7": "46",
        "Exercise 7.8": "best A -> B, C -> B with -74.0671 bits",
        "Exercise 7.10": "A -> B, C -> B (-74.0671 bits); B -> A, B -> C (-75.9625 bits)",
        "Exercise 7.15": "A - B, B - C, log-likelihood -63.4625 bits",
        "Exercise 7.16 (i)": "202/108056025",
        "Exercise 7.16 (ii)": "385/808, 63/404, 297/808",
        "Exercise 7.16 (iii)": "55/91",
        "Exercise 7.17": "0.8783100657: below X2 -> X1, above X1 -> X2",
        "the normalizer": "5.59375",
        "DAGs over 5 variables": "29281",
        "Table 7.2": "11: 2, 12: 6, 21: 2, 22: 0",
        "Table 7.3: mutual information of Cold and Sore": "0.021012 bits",
        "Exercise 7.12": "A -> B, C -> B (-74.0671 bits) where a changed pair is left alone for one step; "
        "B -> A, B -> C (-75.9625 bits) for 15",
        "Example 7.1": "rule 1: C -> F; rule 1: D -> F; rule 2: F -> G; rule 4: E -> D; rule 2: D -> A; "
        "rule 2: A -> C; rule 2: D -> B; rule 4: A -> B",
        "P(independence": "0.3618179",
    }.items():
        assert ours(report, what) == expected
    within = re.fullmatch(
        r"equal within (\S+) nats for 5 graphs over Table 7.4", ours(report, "Exercise 7.11")
    )
    assert within
    assert float(within[1]) < 1e-9


def test_what_cannot_be_run_is_named(reports: dict[str, Report]) -> None:
    named = {
        name: [row.what.split(":")[0] for row in report.rows if row.verdict == "unavailable"]
        for name, report in reports.items()
    }
    assert named == {
        "cowell": [],
        "jensen-nielsen": [
            *("Figure 7.8", "Figure 7.5"),
            *["Table 7.3"] * 10,
            *("Exercise 7.1", "Exercise 7.2", "Exercise 7.9", "Exercise 7.14"),
        ],
        "lam-bacchus": ["Example 3"],
        "pena": ["the exercise that runs PC on given DAGs"],
    }


def test_two_verdicts_of_a_turned_arc(reports: dict[str, Report]) -> None:
    assert ours(reports["cowell"], "turning lung -> tub").startswith(
        "remove: dependent (+124.0972); add: independent (-2.4414)"
    )


def test_what_was_tried_on_alarm(reports: dict[str, Report]) -> None:
    report = reports["lam-bacchus"]
    reason = next(
        row.reason for row in report.rows if row.what.endswith("missing, by the search of the paper")
    )
    for tried in ("d of 8, 16 and 32 bits", "20,000 rows", "budget", "pairs", "as drawn"):
        assert tried in reason
    assert not any("inferred" in row.reason for row in report.rows)


def test_progress_names_every_step_of_the_long_run(reports: dict[str, Report], said: list[str]) -> None:
    assert reports
    assert "ALARM, sample 1 of 1, the search of the paper" in said
    assert "ALARM, reading 2 of 2: the order of the variables known" in said


def test_experiments_of_the_paper(reports: dict[str, Report]) -> None:
    report = reports["lam-bacchus"]
    assert ours(report, "set 2") == "a -> e, b -> c, c -> e, d -> e; distances 0.0031, 0.0140"
    assert ours(report, "set 3") == "a -> e, b -> c, b -> e, d -> e; distances 0.0028, 0.0111"
    assert ours(report, "bits of the Huffman code") == "2180"
    assert ours(report, "distance of the two networks") == (
        "0.056014 (mean absolute difference), 0.011586 bits (Kullback-Leibler)"
    )
    assert ours(report, "Theorem 4.3") == "0.0000, 0.1906, 0.4489, 0.4615"


class Tags(HTMLParser):
    """Checks that tags are closed in order, and counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        assert not {"src", "href"} & {name for name, _ in attrs}
        if tag not in ("meta", "path", "rect", "line", "circle"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.seen[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag


def test_the_page_stands_alone(reports: dict[str, Report]) -> None:
    for name, pictures in (("jensen-nielsen", 2), ("lam-bacchus", 1), ("pena", 0)):
        page = Tags()
        page.feed(reports[name].to_html())
        assert page.seen["svg"] == pictures
        assert page.seen["tr"] == len(reports[name].rows) + len(reports[name].sections)
        assert page.seen["script"] == 0
        assert page.open == []
    assert "quick: fewer seeds" in reports["lam-bacchus"].to_html()
    assert "quick" not in reports["pena"].summary


def test_the_command(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    run = CliRunner().invoke(app, ["reproduce", "pena", "--html", "pena.html"])
    assert run.exit_code == 0, run.output
    assert "DAGs over 12 nodes" in run.stdout
    assert "521,939,651,343,829,405,020,504,063" in run.stdout
    assert "saved as pena.html" in run.stdout
    document = json.loads(CliRunner().invoke(app, ["reproduce", "cowell", "--json"]).stdout)
    assert document["verdicts"] == EXPECTED["cowell"]
    assert set(document["sections"][0]["rows"][0]) == {"what", "printed", "ours", "verdict", "reason"}
    wrong = CliRunner().invoke(app, ["reproduce", "cowel"])
    assert wrong.exit_code == 1


def test_unknown_texts_and_rounding() -> None:
    with pytest.raises(UnknownNameError, match="unknown text 'lam'"):
        reproduce("lam")
    assert rounds_to(2.344, "2.34")
    assert not rounds_to(2.346, "2.34")
    assert rounds_to(7.73e14, "8e14")
    with pytest.raises(ValueError, match="not a printed number"):
        rounds_to(1.0, "one")
    sheet = Sheet("a sheet")
    sheet.number("a", "1.0", 2.0, differs="why")
    sheet.claim("b", "so", "not so", holds=False)
    sheet.wrong("c", "x", "y", "no reason", shown_to_be=False)
    assert [row.verdict for row in sheet.done().rows] == ["differs", "differs", "holds"]
    assert set(MEANINGS) >= {row.verdict for row in sheet.rows}
