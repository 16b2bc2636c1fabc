"""Numbers of DAGs under expert knowledge (Jensen & Nielsen 2007, section 7.3.2)."""

from __future__ import annotations

from dagwright.knowledge import Knowledge

TIERS = [["R", "T"], ["A1", "A2"], ["D1", "D2", "D3"], ["S1", "S2", "S3"]]
NAMES = [name for tier in TIERS for name in tier]


def test_tiers_of_two_two_three_three() -> None:
    assert Knowledge(tiers=TIERS).resolve(NAMES).count_dags() == 773_094_113_280_000


def test_three_mutually_independent_nodes_divide_the_count_by_25() -> None:
    count = Knowledge(tiers=TIERS, independent=["D1, D2, D3 | R, T"]).resolve(NAMES).count_dags()
    assert count * 25 == 773_094_113_280_000


def test_a_linear_order_of_ten() -> None:
    assert Knowledge(order=NAMES).resolve(NAMES).count_dags() == 2**45


def test_expert_statements_about_one_pair() -> None:
    names = "ABCDE"
    expected = {2: (3, 1, 1), 3: (25, 9, 8), 4: (543, 207, 168), 5: (29281, 11649, 8816)}
    for n, (total, not_adjacent, directed) in expected.items():
        assert Knowledge().resolve(list(names[:n])).count_dags() == total
        assert Knowledge(forbidden=["A -- B"]).resolve(list(names[:n])).count_dags() == not_adjacent
        assert Knowledge(required=["A -> B"]).resolve(list(names[:n])).count_dags() == directed
        assert Knowledge(required=["A -- B"]).resolve(list(names[:n])).count_dags() == total - not_adjacent
