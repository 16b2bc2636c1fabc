"""Every registered search obeys the same random knowledge sets: 100 of them, or 50 in a short run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import pytest

from dagwright.methods.registry import entries
from dagwright.search.control import Control
from dagwright.search.local.mmpc import MMPC
from dagwright.search.problem import Found, Problem
from dagwright.testing import check_search_obeys_knowledge

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
ARGUMENTS: dict[str, Any] = {"order": tuple(f"x{at}" for at in range(6)), "target": "x0", "by": MMPC()}
# What a search obeys does not depend on how long it goes on.
SHORT: dict[str, dict[str, Any]] = {
    "Annealing": {"steps": 500},
    "Averaged": {"replicates": 5},
    "OrderSearch": {"chains": 1, "perturbations": 5},
}


@pytest.mark.parametrize("entry", list(entries("search")), ids=lambda entry: entry.name)
def test_registered_searches_obey_knowledge(entry: Any) -> None:
    needed = {name: ARGUMENTS[name] for name in entry.needs}
    check_search_obeys_knowledge(
        entry.method(**needed, **SHORT.get(entry.name, {})), cases=100 if THOROUGH else 50
    )


@dataclass(frozen=True)
class Disobedient:
    """Joins all variables in a row, whatever is known."""

    def run(self, problem: Problem, control: Control) -> Found:  # noqa: ARG002
        return Found(problem.dag([[at - 1] if at else [] for at in range(len(problem.names))]))


def test_a_search_that_ignores_knowledge_is_caught() -> None:
    with pytest.raises(AssertionError, match=r"case 0: Disobedient\(\) under Knowledge\("):
        check_search_obeys_knowledge(Disobedient())
