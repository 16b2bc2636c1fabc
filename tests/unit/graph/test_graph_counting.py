from __future__ import annotations

import pytest

from dagwright.errors import CapacityError, OptionError
from dagwright.graph.counting import (
    all_dags,
    count_dags,
    count_dags_in_tiers,
    count_dags_on_order,
    count_equivalence_classes,
)


def test_counts_of_nothing() -> None:
    assert count_dags(0) == count_dags_on_order(0) == count_dags_in_tiers([]) == 1
    assert count_equivalence_classes(0) == 1


def test_enumeration_agrees_with_the_recurrence() -> None:
    for n in range(5):
        assert len(set(all_dags(n))) == count_dags(n)
    tiers = [arcs for arcs in all_dags(4) if all((a >= 2) <= (b >= 2) for a, b in arcs)]
    assert len(tiers) == count_dags_in_tiers([2, 2])
    assert count_dags_in_tiers([1] * 6) == count_dags_on_order(6)


def test_what_cannot_be_counted() -> None:
    with pytest.raises(OptionError, match="negative"):
        count_dags(-1)
    with pytest.raises(CapacityError, match="3,781,503"):
        count_equivalence_classes(6)
