"""The pairwise Markov network: an edge unless the two are independent given all others (Pearl 1988)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from dagwright.evidence.oracle_evidence import BoundOracle
from dagwright.methods.traits import GraphKind
from dagwright.search.control import Control
from dagwright.search.costs import Usual
from dagwright.search.independence.by_tests import ByTests
from dagwright.search.independence.numbered_knowledge import NumberedKnowledge
from dagwright.search.local.method import undirected_answer
from dagwright.search.local.questions import Questions, halted
from dagwright.search.problem import Found, Problem


@dataclass(frozen=True, slots=True)
class PairwiseMarkov(ByTests):
    """Test every pair for independence given all other variables.

    There is one test per pair, but on a table of all variables, so it needs few variables or very many rows:
    without enough rows a test finds independence. For positive distributions the graph equals that of the
    Markov blankets, which need smaller sets.

    Parameters
    ----------
    test
        Any test or score; `GSquare` at level 0.01 by default. Not used with an oracle.

    >>> from dagwright import Dag, learn
    >>> print(learn(oracle=Dag.parse("A -> C <- B; C -> D"), search=PairwiseMarkov()).graph)
    A -- B; A -- C; B -- C; C -- D
    """

    summary: ClassVar[str] = "undirected: an edge unless independent given all others"
    citation: ClassVar[str] = "Pearl 1988"
    gives: ClassVar[GraphKind] = "undirected"
    usual: ClassVar[Usual] = Usual(0.5, 2e-5, seconds_per_row=4.5e-8, upper=True)

    def run(self, problem: Problem, control: Control) -> Found:
        knowledge = NumberedKnowledge(problem.knowledge)
        ask = Questions(problem.score, knowledge, control, "neighbors")
        edges = set(knowledge.required)

        def ask_all() -> None:
            for x in range(knowledge.n):
                others = [
                    y
                    for y in range(x + 1, knowledge.n)
                    if knowledge.may_link(x, y) and (x, y) not in knowledge.required
                ]
                rest = frozenset(range(knowledge.n)) - {x}
                for y, verdict in ask.ask_each(x, [(y, rest - {y}) for y in others]).items():
                    if not verdict.independent:
                        edges.add((x, y))

        # Untested pairs have no edge.
        stopped = halted(ask_all, control)
        found = undirected_answer(problem, ask, edges, one_sided=(), stopped=stopped)
        return replace(found, warnings=(*found.warnings, *_too_few_rows(problem)))


def _too_few_rows(problem: Problem) -> list[str]:
    """A warning where the table of a test has more cells than there are rows."""
    test = problem.score
    cells = math.prod(max(states, 1) for states in test.cardinalities)
    if isinstance(test, BoundOracle) or cells <= test.N:
        return []
    return [
        f"every test is about a table of {float(cells):.2g} cells, and there are "
        f"{test.N:g} rows, so that it can hardly find a dependence: prefer IAMB or another local method"
    ]
