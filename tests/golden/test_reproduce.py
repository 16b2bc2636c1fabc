"""Every verdict of the re-run of the source texts, in quick mode."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from dagwright.cli.app import app
from dagwright.errors import UnknownNameError
from dagwright.reproduce import MEANINGS, TEXTS, Report, reproduce
from dagwright.reproduce.report import Sheet, rounds_to

EXPECTED = {
    "cowell": {"holds": 20, "answer": 6, "misprint": 4},
    "jensen-nielsen": {
        "same": 25,
        "holds": 15,
        "answer": 13,
        "near": 1,
        "misprint": 15,
        "differs": 1,
    },
    "lam-bacchus": {"same": 7, "holds": 3, "answer": 5, "near": 5, "misprint": 4, "differs": 4},
    "pena": {"holds": 20, "answer": 6, "near": 1, "misprint": 7},
}
# What cannot be reproduced, and nothing else.
DIFFERS = {
    "jensen-nielsen": {"P(independence | D) for epsilon 0.2 and 100 cases"},
    "lam-bacchus": {
        "set 4: what is learned, and how far it is from the truth",
        "arcs that differ and arcs that are missing, by the search of the paper",
        "distances by Eq. 10, by the search of the paper",
        "distances by Eq. 10, by our order search with the same score",
    },
}


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return {name: reproduce(name, quick=True) for name in TEXTS}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_every_verdict(name: str, reports: dict[str, Report]) -> None:
    report = reports[name]
    assert report.verdicts == EXPECTED[name]
    assert {row.what for row in report.rows if row.verdict == "differs"} == DIFFERS.get(name, set())
    for row in report.rows:
        assert row.ours
        assert bool(row.printed) == (row.verdict != "answer"), row
        assert row.reason or row.verdict not in ("misprint", "differs"), row
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
        "the normaliser": "5.59375",
        "P(independence": "0.3618179",
    }.items():
        assert ours(report, what) == expected


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
    monkeypatch.delenv("COLUMNS", raising=False)  # a width would fold long numbers
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
