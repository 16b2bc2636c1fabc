"""Counting under knowledge beyond what enumeration reaches."""

from __future__ import annotations

import pytest

from dagwright.errors import CapacityError
from dagwright.knowledge import Knowledge


def test_wide_tiers_have_a_closed_form() -> None:
    names = [f"v{i}" for i in range(40)]
    tiers = [names[:20], names[20:]]
    one = Knowledge().resolve(names[:20]).count_dags()
    assert Knowledge(tiers=tiers).resolve(names).count_dags() == one * one << 400


def test_one_parent_each_counts_rooted_forests() -> None:
    # Labeled rooted forests on n nodes: (n + 1)^(n - 1), Cayley.
    for n in range(1, 9):
        assert Knowledge(max_parents=1).resolve(list("ABCDEFGH"[:n])).count_dags() == (n + 1) ** (n - 1)


def test_no_variables_and_no_arcs() -> None:
    assert Knowledge().resolve([]).count_dags() == 1
    assert Knowledge(allowed=[]).resolve(list("ABC")).count_dags() == 1


def test_too_much_work_is_refused() -> None:
    with pytest.raises(CapacityError, match="30 variables"):
        Knowledge(max_parents=2).resolve([f"v{i}" for i in range(30)]).count_dags()
