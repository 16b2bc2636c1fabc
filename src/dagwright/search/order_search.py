"""Search over orders of the variables (Teyssier & Koller 2005; Lee & van Beek 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from dagwright import _core
from dagwright.errors import OptionError
from dagwright.search.control import Control, stopped_by
from dagwright.search.costs import Cost
from dagwright.search.problem import Found, Problem
from dagwright.search.set_counts import all_sets
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import first_parents, running_scores

ENTRY_BYTES = 64
"""A parent set in the lists of order search."""

LONGEST_LIST = 50_000
"""Entries that order search keeps for a variable."""

MANY_VARIABLES = 200
"""More variables than this share one budget."""

LISTS_CUT_OFF = (
    "not all parent sets that can matter were scored, so a better network may have been missed; "
    "OrderSearch(evaluations=...) scores more"
)


@dataclass(frozen=True, slots=True)
class OrderSearch(SearchTraits):
    """Search for the order of the variables in which the best parent sets among predecessors score highest.

    Given an order no choice of parents can form a cycle, so each variable takes the best set among those
    before it. Moves change the order: a variable is tried at every position (``"insert"``), or two neighbors
    change places (``"swap"``). When no move improves the score, some variables are moved at random and the
    climb starts again; a lower score is undone. Several such chains start from different orders, the first
    from the graph that hill climbing finds, and restart when they no longer improve.

    Candidate parent sets are scored beforehand: first few, then more and more. Sets that a bound excludes are
    skipped (de Campos & Ji 2011), so for BIC and small data the lists are often complete; the result notes
    it. Single arcs are added, deleted and reversed at the end of every stage, which finds sets that
    incomplete lists miss. The budget counts rounds and scored families, never seconds. ``notes["running
    scores"]`` holds every new best score and the step that reached it.

    Parameters
    ----------
    moves
        ``"insert"`` or ``"swap"``; insertions reach more orders and are the better choice.
    chains
        How many searches from different orders; they share the threads.
    perturbations
        Rounds per chain and stage; more are made while the best still improves. 0 is plain hill climbing over
        orders. None means 1,000 and 2 per variable; fewer on more than 200 variables.
    evaluations
        Families scored per variable for the longest lists. None means 24,000, or two million in all if that
        is more; fewer on more than 200 variables, down to 4,000, and on more than 50,000 rows.
    max_parents
        Most parents a variable may have; None means no bound.

    >>> from dagwright import learn
    >>> xor = [[a, b, a ^ b] for a in (0, 1) for b in (0, 1)] * 25
    >>> found = learn(dict(zip("abc", zip(*xor))), search=OrderSearch())
    >>> len(found.graph.edges)  # no single arc gains anything here
    2
    """

    summary: ClassVar[str] = "iterated local search over orders of the variables"
    citation: ClassVar[str] = "Teyssier & Koller 2005; Lee & van Beek 2017"

    moves: Literal["insert", "swap"] = "insert"
    chains: int = 8
    perturbations: int | None = None
    evaluations: int | None = None
    max_parents: int | None = None

    def __post_init__(self) -> None:
        if self.moves not in ("insert", "swap"):
            raise OptionError(f"moves are 'insert' or 'swap', not {self.moves!r}")
        for name, least in (("chains", 1), ("perturbations", 0), ("evaluations", 1), ("max_parents", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise OptionError(f"{name} must be at least {least}, not {value}")

    def cost(self, problem: Problem) -> Cost:
        n = len(problem.names)
        families = (self.evaluations or evaluations_per_variable(n, problem.score.N)) * n
        least = min(families, sum(all_sets(problem, self.max_parents)))
        rounds = self.chains * (rounds_per_chain(n) if self.perturbations is None else self.perturbations)
        return Cost(
            2 * least,
            min(LONGEST_LIST * n, families) * ENTRY_BYTES,
            rounds * n * n * 2e-8,
            upper=False,
            basis=f"{least:,} parent sets and {rounds:,} rounds, more while the best improves",
        )

    def run(self, problem: Problem, control: Control) -> Found:
        problem = problem.bounded(self.max_parents)
        n = len(problem.names)
        perturbations = rounds_per_chain(n) if self.perturbations is None else self.perturbations
        found = _core.order_search(
            problem.score.native,
            problem.knowledge.native,
            first_parents(problem),
            moves=_core.OrderMoves[self.moves],
            chains=self.chains,
            perturbations=perturbations,
            evaluations_per_child=self.evaluations or evaluations_per_variable(n, problem.score.N),
            max_parents=self.max_parents,
            seed=int(problem.rng().integers(2**63)),
            threads=control.threads,
            seconds=control.seconds_left(),
            progress=control.native_progress_of(problem.dag),
            cancel=control.cancel,
        )
        graph, stopped = problem.dag(found.parents), stopped_by(found.stopped)
        return Found(
            graph=graph,
            score=problem.score.total(graph),
            evaluations=found.evaluations,
            stopped=stopped,
            warnings=() if found.complete or stopped else (LISTS_CUT_OFF,),
            notes={
                "rounds": found.rounds,
                "parent lists complete": found.complete,
                "bytes of the parent lists": found.list_bytes,
                **running_scores(problem, found.running),
            },
        )


def evaluations_per_variable(n: int, N: float) -> int:
    """Enough for the sets of all best networks that are known, and a matter of seconds up to n = 100.

    Fewer beyond 200 variables: on random networks of 300, 4,000 instead of 24,000 lost 0.002 of the F1 of the
    skeleton and took a quarter of the time.
    """
    if n <= MANY_VARIABLES:
        families, least = max(24_000, 2_000_000 // n), 5 * n
    else:
        families, least = max(24_000 * MANY_VARIABLES**2 // n**2, 4_000), 2 * n
    return max(int(families / max(1.0, N / 50_000)), least)


def rounds_per_chain(n: int) -> int:
    """A round costs about n^2."""
    return 1_000 + 2 * n if n <= MANY_VARIABLES else max(1_400 * MANY_VARIABLES // n, 100)
