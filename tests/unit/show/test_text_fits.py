"""Text stays within its picture and its box, also in the widest of the fonts that systems have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import dagwright as dw
from dagwright import show
from dagwright.show.diagram import Bar, NodeLook, Style
from dagwright.show.node_shapes import NodeShape
from dagwright.show.picture import Picture
from dagwright.show.scene import Text
from dagwright.show.text_width import helvetica_width, shortened, text_width

# Advance widths of DejaVu Sans at 1000 pixels, regular and bold.
DEJAVU = {"(6572, 7339]": 6506, "Adelie penguin": 7487, "100.0 %": 4131, "größe ≤ 5": 5013}
DEJAVU_BOLD = {"(6572, 7339]": 7208, "Adelie penguin": 8468}


def test_no_common_font_is_wider_than_measured() -> None:
    for text, width in DEJAVU.items():
        assert text_width(text, 1000) >= width - 5  # widths are rounded to thousandths
        assert helvetica_width(text, 1000) < width
    for text, width in DEJAVU_BOLD.items():
        assert text_width(text, 1000, bold=True) >= width - 5  # widths are rounded to thousandths
    assert text_width("ä", 10) == text_width("a", 10)
    assert text_width(shortened("a very long name of a node", 10, 60, bold=True), 10, bold=True) <= 60


def extent(text: Text) -> tuple[float, float]:
    """Where a line of text begins and ends across."""
    width = text_width(text.text, text.size, bold=text.bold)
    width = width if text.fit is None else min(width, text.fit)
    return {
        "start": (text.x, text.x + width),
        "middle": (text.x - width / 2, text.x + width / 2),
        "end": (text.x - width, text.x),
    }[text.anchor]


def pictures() -> Iterator[tuple[str, Picture]]:
    random = np.random.default_rng(0)
    length = random.normal(7000, 900, 300)
    table = dw.read(
        {
            "flipper length in millimeters": length,
            "mass": 2 * length + random.normal(0, 500, 300),
            "kind": random.choice(["Adelie penguin", "Gentoo (papua)"], 300),
        }
    )
    found = dw.learn(table, search=dw.HillClimb())
    network = found.network()
    seen = {"kind": "Adelie penguin"}
    yield "graph", found.draw()
    yield "bars", network.draw(bars=True, evidence=seen)
    sure = dw.bootstrap(table, search=dw.HillClimb(), replicates=5)
    yield "strengths", found.with_confidence(sure).draw()
    other = dw.Dag(table.names, [("mass", "kind")])
    yield "difference", found.draw(compare=other, names=("an assumed network", "the learned network"))
    yield (
        "calibration",
        show.calibration_chart({"penguins of two kinds": dw.calibration(network, table, "kind")}),
    )
    yield "trace", show.trace_chart(found)
    yield "groups", dw.load("alarm").draw(clusters=True)
    yield "blanket", dw.load("alarm").draw(around="HR")


@pytest.mark.parametrize(("name", "picture"), list(pictures()))
def test_text_stays_within_the_picture(name: str, picture: Picture) -> None:
    for text in picture.scene.marks():
        if isinstance(text, Text) and not text.turned:
            left, right = extent(text)
            assert left >= -0.5, (name, text)
            assert right <= picture.scene.width + 0.5, (name, text)


def test_a_chosen_state_in_bold_does_not_reach_its_bar() -> None:
    bars = tuple(Bar(label, 0.5, chosen=label == "mmmmm") for label in ("mmmmm", "no"))
    shape = NodeShape(NodeLook("node", bars=bars), Style())
    assert shape.state_width >= text_width("mmmmm", 0.85 * shape.size, bold=True)
