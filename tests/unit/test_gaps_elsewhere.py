"""Gaps under a named policy stop no report, and gaps in other columns are no business of a question."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run

import dagwright as dw


def rows() -> dict[str, list[Any]]:
    asia = dw.read("sample:asia")
    cells = {name: asia.decode(name)[:600] for name in ("smoke", "lung", "either", "xray", "bronc")}
    cells["lung"][::9] = [None] * len(cells["lung"][::9])
    return cells


@pytest.mark.parametrize(
    "options", [{"missing": "em"}, {"missing": "available", "score": dw.NodeAverage()}, {"missing": "state"}]
)
def test_cards_and_reports_of_incomplete_data(options: dict[str, Any]) -> None:
    found = dw.learn(rows(), **options)
    card = dw.evidence_card(found, "lung", "either")
    assert card.bits > 0
    if options["missing"] != "state":
        assert (card.rows, card.rows_in_all) == (533, 600) and "533 of 600" in str(card)
        complete = dw.evidence_card(found, "bronc", "smoke")
        assert complete.rows == 600
        assert complete.bits == pytest.approx(
            dw.conditional_mutual_information(rows(), "bronc", "smoke", complete.given, unit="bits")
        )
    page = dw.report(rows(), replicates=0, rival_seconds=0, **options)
    assert page.cards and page.to_html()


def test_the_commands_with_gaps(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    data = rows()
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([list(data), *zip(*data.values(), strict=True)])
    assert run("evidence-card", str(path), "lung", "either", "--missing", "em").exit_code == 0
    page = ("report", str(path), "--replicates", "0", "-o", str(tmp_path / "page.html"))
    assert run(*page, "--missing", "em").exit_code == 0
    validated = run("cross-validate", str(path), "--folds", "2", "--missing", "em", "--search", "HillClimb")
    assert validated.exit_code == 0


def test_questions_about_complete_columns_need_no_policy() -> None:
    data = rows()
    for source in (data, dw.read(data)):
        whole = {name: cells for name, cells in data.items() if name != "lung"}
        assert dw.independence_test(source, "bronc", "smoke") == dw.independence_test(whole, "bronc", "smoke")
        xray = ("xray", "either")
        assert dw.mutual_information(source, *xray) == dw.mutual_information(whole, *xray)
        assert dw.entropy(source, "xray") == dw.entropy(whole, "xray")
        with pytest.raises(dw.MissingValuesError, match="'lung'"):
            dw.independence_test(source, "lung", "smoke")


def test_a_column_without_values_hinders_no_question_about_others() -> None:
    data = {**rows(), "empty": [None] * 600}
    assert dw.mutual_information(data, "xray", "either") > 0


def test_rows_repeat_by_their_values_not_by_their_intervals() -> None:
    report = dw.describe({"x": [i + 0.5 for i in range(90)], "y": [0, 1] * 45})
    assert (report.distinct_rows, report.merged_rows) == (90, 0)
