"""Formulas of the documentation are typeset: every math block becomes sound MathML."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from xml.dom import minidom

import pytest

PROJECT = Path(__file__).resolve().parents[2]
HOOK = importlib.util.spec_from_file_location("docs_math", PROJECT / "tools" / "docs_math.py")
assert HOOK is not None and HOOK.loader is not None
docs_math = importlib.util.module_from_spec(HOOK)
HOOK.loader.exec_module(docs_math)

PAGES = sorted((PROJECT / "docs").rglob("*.md"))
PAGES = [page for page in PAGES if docs_math.BLOCK.search(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_formula_of_a_page_is_typeset(page: Path) -> None:
    shown = docs_math.with_formulas(page.read_text("utf-8"))
    formulas = re.findall(r"<math.*?</math>", shown)
    assert formulas and "```math" not in shown
    for formula in formulas:
        assert minidom.parseString(formula).documentElement.tagName == "math"
        assert "\\" not in formula


def test_there_are_formulas() -> None:
    assert any(page.stem == "theory" for page in PAGES)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (r"\frac{a}{b}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"),
        (r"x^2", "<msup><mi>x</mi><mrow><mn>2</mn></mrow></msup>"),
        (r"x_i^2", "<msubsup><mi>x</mi><mrow><mi>i</mi></mrow><mrow><mn>2</mn></mrow></msubsup>"),
        (r"\sum_{s} n", "<munder><mo>∑</mo><mrow><mrow><mi>s</mi></mrow></mrow></munder><mi>n</mi>"),
        (r"a & b", '<mtd style="text-align:right"><mi>a</mi></mtd>'),
        (r"\text{a < b}", "<mtext>a &lt; b</mtext>"),
    ],
)
def test_marks(text: str, part: str) -> None:
    assert part in docs_math.mathml(text)


@pytest.mark.parametrize("text", [r"\unknown", r"\frac{a}", r"{a", r"x^"])
def test_what_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="formula"):
        docs_math.mathml(text)
