"""The built page of the studio: small, no foreign addresses, no inline code, the colors of the reports."""

from __future__ import annotations

import gzip
import re
import runpy
from pathlib import Path

import pytest

import dagwright
from dagwright.show.colors import DARK, LIGHT
from dagwright.show.difference import FIRST_ONLY, SECOND_ONLY, TURNED
from dagwright.show.graph_diagram import THICKEST, THINNEST
from dagwright.show.graph_edges import HIDDEN, INTERVENED, UNDECIDED

PAGE = Path(dagwright.__file__).parent / "studio" / "page"
SOURCES = Path(__file__).parents[3] / "studio"
# Names of markup languages, and edges in messages of the libraries. None of them is fetched.
NAMED = {"www.w3.org", "svelte.dev", "svelteflow.dev", "${e}flow.dev"}


def parts(ending: str) -> list[Path]:
    return sorted((PAGE / "assets").glob(f"*{ending}"))


def test_the_page_is_one_script_and_one_style_sheet_that_it_refers_to() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    assert len(parts(".js")) == len(parts(".css")) == 1
    for part in [*parts(".js"), *parts(".css")]:
        assert f"/assets/{part.name}" in index


def test_the_script_keeps_its_budget() -> None:
    assert sum(len(gzip.compress(part.read_bytes(), 9)) for part in parts(".js")) <= 200_000


def test_a_strict_content_security_policy_has_nothing_to_refuse() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    assert "<style" not in index
    assert not re.search(r"<script[^>]*>[^<]", index)
    assert not re.search(r"\son\w+\s*=", index)
    script = parts(".js")[0].read_text(encoding="utf-8")
    assert not re.search(r"\beval\(|new Function\(", script)


def test_nothing_is_fetched_from_elsewhere() -> None:
    files = [PAGE / "index.html", *parts(".js"), *parts(".css")]
    found = {
        host
        for file in files
        for host in re.findall(r"https?://([^\s\"'`)/?]+)", file.read_text(encoding="utf-8"))
    }
    assert found <= NAMED
    assert "@import" not in parts(".css")[0].read_text(encoding="utf-8")


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the sources of the page are not here")
def test_the_colors_are_those_of_reports_and_pictures() -> None:
    text = (SOURCES / "src" / "tokens.css").read_text(encoding="utf-8")
    light, dark = text.split(':root[data-theme="dark"]')
    for colors, block in ((LIGHT, light), (DARK, dark)):
        assert {name: re.search(rf"--{name}: ([^;]+);", block)[1] for name in colors} == colors  # type: ignore[index]


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    written = runpy.run_path(str(SOURCES.parent / "tools" / "page_types.py"))["types_of_page"]()
    kept = (SOURCES / "src" / "api" / "documents.ts").read_text(encoding="utf-8")
    assert kept == written, "run 'make page' and commit the result"


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the sources of the page are not here")
def test_edges_have_the_colors_dashes_and_widths_of_the_pictures() -> None:
    text = (SOURCES / "src" / "canvas" / "EdgeLine.svelte").read_text(encoding="utf-8")
    rules = dict(re.findall(r"^  ([^{}]+?) {([^}]*)}", text, re.MULTILINE))
    colors, dashes = {}, {}
    for selectors, declared in rules.items():
        for selector in selectors.split(", "):
            if color := re.search(r"--color: var\(--(\w+)\)", declared):
                colors[selector.strip(".")] = color[1]
            if dash := re.search(r"stroke-dasharray: ([\d ]+)", declared):
                dashes[selector.split()[0].strip(".")] = tuple(map(int, dash[1].split()))
    drawn = {"first": FIRST_ONLY, "second": SECOND_ONLY, "changed": TURNED}
    assert colors.items() >= {"undecided": UNDECIDED, "hidden": HIDDEN, "intervened": INTERVENED}.items()
    assert colors.items() >= {name: look.color for name, look in drawn.items()}.items()
    assert "undecided" not in dashes
    assert {name: dashes.get(name, ()) for name in drawn} == {name: look.dash for name, look in drawn.items()}
    widths = (SOURCES / "src" / "lib" / "looks.ts").read_text(encoding="utf-8")
    assert f"THINNEST = {THINNEST};" in widths and f"THICKEST = {THICKEST};" in widths
