"""Both sets of colors can be read, also by color-blind readers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dagwright.show.colors import DARK, LIGHT, SERIES, series_style

# Linear RGB as a dichromat sees it (Viénot, Brettel & Mollon 1999).
PROTAN = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
DEUTAN = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])


def linear(code: str) -> np.ndarray:
    share = np.array([int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of the Web Content Accessibility Guidelines 2.2."""
    bright, dark = sorted(
        (float(linear(code) @ (0.2126, 0.7152, 0.0722)) for code in (one, other)), reverse=True
    )
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(colors: dict[str, str]) -> None:
    for behind in ("paper", "node", *(f"{name}-fill" for name in SERIES)):
        assert contrast(colors["ink"], colors[behind]) >= 7
        assert contrast(colors["soft"], colors[behind]) >= 4.5
    for line in ("link", *SERIES):
        assert contrast(colors[line], colors["paper"]) >= 3


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("seen_by", [np.eye(3), PROTAN, DEUTAN], ids=["all", "protan", "deutan"])
def test_kinds_of_edges_can_be_told_apart(colors: dict[str, str], seen_by: np.ndarray) -> None:
    for one, other in itertools.combinations(("link", "orange", "blue", "purple"), 2):
        a, b = (np.clip(seen_by @ linear(colors[name]), 0, 1) ** (1 / 2.2) for name in (one, other))
        assert np.linalg.norm(a - b) > 0.15, (one, other)


def test_both_sets_have_the_same_names() -> None:
    assert set(LIGHT) == set(DARK)


def test_no_two_of_many_series_look_alike() -> None:
    assert len({series_style(at) for at in range(25)}) == 25
