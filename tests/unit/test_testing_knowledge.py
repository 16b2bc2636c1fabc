"""The random problems of the conformance check are what they should be."""

from __future__ import annotations

from dagwright.testing import knowledge_cases


def test_cases_are_consistent_varied_and_repeatable() -> None:
    cases = list(knowledge_cases(200))
    kinds = set()
    for data, known in cases:
        resolved = known.resolve(data)
        assert known.check(resolved.initial_dag()) == []
        kinds |= {statement.kind for statement in known}
    assert kinds == {"required", "forbidden", "tiers", "order", "max_parents", "roots", "leaves", "allowed"}
    assert sum(bool(known.resolve(data).required_links) for data, known in cases) > 40
    assert cases == list(knowledge_cases(200))
