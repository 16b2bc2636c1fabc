"""Reports on tables with numbers, identifiers, gaps and dates."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from command_line import answer
from dagwright.reporting.number_sections import NORMALITY, normality_warnings, residuals

BIC = dw.BIC(measure=dw.Embedded())


def body(rows: int = 160) -> dict[str, list[Any]]:
    rng = np.random.default_rng(4)
    sex = rng.integers(0, 2, rows)
    height = 165 + 12 * sex + rng.normal(0, 6, rows)
    weight = -80 + 0.9 * height + rng.normal(0, 7, rows)
    skewed = rng.exponential(1.0, rows)
    day = datetime.date(2020, 1, 1)
    return {
        "id": [f"P{k:04}" for k in range(rows)],
        "visit": [(day + datetime.timedelta(days=int(k))).isoformat() for k in rng.integers(0, 700, rows)],
        "sex": ["fm"[k] for k in sex],
        "height": height.round(2).tolist(),
        "weight": [None if k % 17 == 0 else round(w, 2) for k, w in enumerate(weight.tolist())],
        "wait": skewed.round(3).tolist(),
    }


@pytest.fixture(scope="module")
def page() -> dw.Analysis:
    complete = {name: column for name, column in body().items() if name != "visit"}
    complete["weight"] = [80.0 if w is None else w for w in complete["weight"]]
    return dw.report(complete, score=BIC, replicates=3, target="weight", rival_seconds=0)


def test_the_page_shows_densities_equations_and_residuals(page: dw.Analysis) -> None:
    html = page.to_html()
    assert NORMALITY in html
    assert 'class="dw-density"' in html
    assert "line width: partial correlation" in html
    assert "Residuals of weight" in html
    assert "weight = " in html
    assert "partial correlation" in page.to_markdown()
    assert "## Equations" in page.to_markdown()


def test_skewed_residuals_are_named(page: dw.Analysis) -> None:
    assert page.found.table is not None
    found = residuals(page.network, page.found.table, "wait")
    z = np.array(body()["wait"])
    z = (z - z.mean()) / z.std()
    assert found.skewness == pytest.approx(float(np.mean(z**3)), rel=1e-6)
    assert any(text.startswith("The residuals of wait are skewed") for text in normality_warnings([found]))


def test_the_target_has_its_informants(page: dw.Analysis) -> None:
    assert next(iter(page.informative)) == "height"
    height, weight = (np.array(page.found.table.reals(name)) for name in ("height", "weight"))
    r = np.corrcoef(height, weight)[0, 1]
    assert page.informative["height"] == pytest.approx(-0.5 * np.log1p(-(r**2)), rel=1e-6)


def test_the_command_needs_no_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = body()
    lines = [",".join(columns)]
    lines += [
        ",".join("" if cell is None else str(cell) for cell in row)
        for row in zip(*columns.values(), strict=True)
    ]
    (tmp_path / "body.csv").write_text("\n".join(lines))
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    answer("report", "../body.csv", "--score", "BIC(measure=Embedded())", "--replicates", "2")
    html = (empty / "report.html").read_text()
    assert "missing at random" in html
    assert [file.name for file in empty.iterdir()] == ["report.html"]
    asked = ["--score", "BIC(measure=Embedded())", "--replicates", "0", "-o", "r.json"]
    answer("report", "../body.csv", *asked)
    document = json.loads((empty / "r.json").read_text())
    assert "id" not in document["learned"]["nodes"]
    assert any(card["effect"] for card in document["cards"])


def test_an_arc_from_a_number_to_a_category_is_avoided() -> None:
    rng = np.random.default_rng(5)
    height, other = rng.normal(0, 1, (2, 300))
    sex = np.array(["f", "m"])[(height + other + rng.normal(0, 0.3, 300) > 0).astype(int)]
    rows = {"height": height, "other": other, "sex": sex}
    found = dw.report(rows, score=BIC, replicates=0, rival_seconds=0)
    assert not any(end == "sex" for _, end in found.network.graph.edges)
