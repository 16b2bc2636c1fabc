"""Tests first, a score after: edges that tests find, and the best-scoring DAG within them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from dagwright.base.wording import count_of
from dagwright.defaults import Kind
from dagwright.errors import OptionError
from dagwright.evidence.binding import describe_test
from dagwright.evidence.chi_squared import TestSpec
from dagwright.evidence.criteria import Score
from dagwright.evidence.protocols import IndependenceTest
from dagwright.graph.dag import Dag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import Knowledge
from dagwright.methods.method_like import read_methods
from dagwright.methods.notation import as_code
from dagwright.search.control import Control
from dagwright.search.costs import Cost, Usual, cost_of
from dagwright.search.hill_climb import HillClimb
from dagwright.search.independence.account import few_rows_warning
from dagwright.search.local.hpc import HPC
from dagwright.search.local.method import Symmetry
from dagwright.search.local.mmpc import MMPC
from dagwright.search.problem import Found, Problem, Search, is_search
from dagwright.search.tabu import Tabu
from dagwright.search.traits import SearchTraits, asks_tests, own_score, search_traits


@dataclass(frozen=True, slots=True)
class Maximize(SearchTraits):
    """A search for the best score together with its score, as the second part of a `Restrict`.

    Parameters
    ----------
    score
        What to maximize; None leaves it to `learn`, and a score that `learn` is given counts first.
    by
        The search.

    >>> from dagwright.evidence.criteria import BIC
    >>> Restrict(MMPC()).then(Maximize(BIC(), Tabu())).usual_score()
    BIC()
    """

    summary: ClassVar[str] = "a score-based search with its score, after Restrict"
    citation: ClassVar[str] = "Tsamardinos et al. 2006"

    score: Any = None
    by: Any = field(default_factory=HillClimb)

    def __post_init__(self) -> None:
        read_methods(self, score=("score", "test"), by=("search",))
        require_maximizer(self.by)

    def usual_score(self) -> Any:
        """The score, or what the search is known by; None where it is known by none."""
        return own_score(self.by) if self.score is None else self.score

    @property
    def max_parents(self) -> int | None:
        """The parent bound of the search for the best score."""
        return search_traits(self.by).max_parents

    def cost(self, problem: Problem) -> Cost:
        return cost_of(self.by, problem)

    def run(self, problem: Problem, control: Control) -> Found:
        found: Found = self.by.run(problem, control)
        return found


@dataclass(frozen=True, slots=True)
class Restrict(SearchTraits):
    """Maximize a score over the DAGs whose edges a test-based search has found.

    The edges become a constraint in addition to the knowledge. Arcs of a starting graph outside the edges are
    dropped.

    Parameters
    ----------
    by
        The search that finds the edges: `PC`, or a local method such as `MMPC`. Its orientations are ignored.
        A test or a score alone means `MMPC` with it.
    maximize
        The search for the best score, alone or with its score as `Maximize`.

    >>> Restrict(MMPC()).then(Tabu()).maximize
    Tabu(tenure=None, patience=15, max_parents=None, ties='canonical')
    """

    summary: ClassVar[str] = "the edges of any test-based search, then any score-based one"
    citation: ClassVar[str] = "Tsamardinos et al. 2006"

    by: Any
    maximize: Any = field(default_factory=HillClimb)

    def __post_init__(self) -> None:
        read_methods(self, by=("search", "test", "score"), maximize=("search",))
        if not is_search(self.by) and isinstance(self.by, TestSpec | Score | IndependenceTest):
            object.__setattr__(self, "by", MMPC(test=self.by))
        if not asks_tests(self.by):
            raise OptionError(
                f"{as_code(self.by)} uses no tests; restrict by a test, PC, MMPC, HitonPC, HPC or IAMB"
            )
        require_maximizer(self.maximize)

    def then(self, maximize: Search) -> Restrict:
        """The same edges, with another search for the best score."""
        return replace(self, maximize=maximize)

    def usual_score(self) -> Any:
        """The usual score of the maximizing search."""
        return own_score(self.maximize)

    @property
    def max_parents(self) -> int | None:
        """The parent bound of the search for the best score."""
        return search_traits(self.maximize).max_parents

    def cost(self, problem: Problem) -> Cost:
        """Tests, then a search by score among the edges they leave."""
        tests, walk = cost_of(self.by, problem), cost_of(self.maximize, problem)
        return Cost(
            tests.evaluations + walk.evaluations,
            max(tests.memory, walk.memory),
            tests.seconds + walk.seconds,
            upper=False,
            basis=f"tests: {tests.basis}; then at most: {walk.basis}",
        )

    def further_tests(self, kind: Kind) -> tuple[Any, ...]:
        """The tests that are asked besides the score, for columns of a kind."""
        return (self.by.usual_test(kind),)

    def run(self, problem: Problem, control: Control) -> Found:
        test = problem.bound_test(self.by.usual_test(problem.kind))
        first = self.by.run(Problem(problem.names, test, problem.knowledge, problem.seed), control)
        edges = first.graph if isinstance(first.graph, UndirectedGraph) else first.graph.skeleton()
        within = Knowledge(allowed=[(a, "--", b) for a, b in edges.edges])
        known = (problem.knowledge.knowledge + within).resolve(problem.names)
        start, warnings = problem.start, (*first.warnings, *few_rows_warning(test, first.separations))
        if start is not None:
            kept = [arc for arc in start.edges if known.allows_arc(*arc)]
            if len(kept) < len(start.edges):
                lost = len(start.edges) - len(kept)
                warnings += (
                    f"left out {count_of(lost, 'arc')} of the starting graph that are not among the edges",
                )
            start = Dag(start.nodes, kept)
        found: Found = self.maximize.run(replace(problem, knowledge=known, start=start), control)
        return replace(
            found,
            evaluations=found.evaluations + first.evaluations,
            stopped=first.stopped or found.stopped,
            optimal=False,
            gap=None,
            warnings=(*warnings, *found.warnings),
            notes={
                "edges": f"{len(edges.edges)} found by {as_code(self.by)}, {describe_test(test)}",
                "tests": first.evaluations,
                **first.notes,
                **found.notes,
            },
            separations=first.separations,
        )


@dataclass(frozen=True, slots=True)
class MMHC(SearchTraits):
    """Max-min hill climbing: the edges of `MMPC`, directed by tabu search (Tsamardinos et al. 2006).

    Parameters
    ----------
    test, symmetry, max_size
        As in `MMPC`.
    maximize
        The search for the best score within the edges.

    >>> from dagwright import learn, sample_path
    >>> found = learn(sample_path("asia"), search=MMHC())
    >>> found.graph.skeleton().edges[:2]
    (('bronc', 'dysp'), ('bronc', 'smoke'))
    """

    summary: ClassVar[str] = "the edges of MMPC, directed by a score"
    citation: ClassVar[str] = "Tsamardinos et al. 2006"
    usual: ClassVar[Usual] = Usual(2.2, 10e-6)

    test: Any = None
    symmetry: Symmetry = "and"
    max_size: int | None = None
    maximize: Any = field(default_factory=Tabu)

    def __post_init__(self) -> None:
        read_methods(self, test=("test", "score"), maximize=("search",))
        self.as_restriction()

    def as_restriction(self) -> Restrict:
        """The same in its two parts."""
        return Restrict(MMPC(self.test, self.symmetry, self.max_size), self.maximize)

    def usual_score(self) -> Any:
        """The usual score of the maximizing search."""
        return self.as_restriction().usual_score()

    def further_tests(self, kind: Kind) -> tuple[Any, ...]:
        """The tests that are asked besides the score, for columns of a kind."""
        return self.as_restriction().further_tests(kind)

    @property
    def max_parents(self) -> int | None:
        """The parent bound of the search for the best score."""
        return search_traits(self.maximize).max_parents

    def run(self, problem: Problem, control: Control) -> Found:
        return self.as_restriction().run(problem, control)


@dataclass(frozen=True, slots=True)
class H2PC(MMHC):
    """The edges of `HPC`, directed by a score: more tests than `MMHC`, fewer missed edges.

    Gasse, Aussem & Elghazel (2014).

    Parameters
    ----------
    test, symmetry, max_size
        As in `HPC`.
    maximize
        The search for the best score within the edges.
    """

    summary: ClassVar[str] = "the edges of HPC, directed by a score"
    citation: ClassVar[str] = "Gasse et al. 2014"
    usual: ClassVar[Usual] = Usual(8.5, 9e-6)

    def as_restriction(self) -> Restrict:
        """The same in its two parts."""
        return Restrict(HPC(self.test, self.symmetry, self.max_size), self.maximize)


def require_maximizer(search: Any) -> None:
    """Refuse what does not maximize a score."""
    if asks_tests(search) or not is_search(search):
        raise OptionError(
            f"{as_code(search)} does not maximize a score; choose HillClimb, Tabu, OrderSearch or "
            "Maximize(score, search)"
        )
