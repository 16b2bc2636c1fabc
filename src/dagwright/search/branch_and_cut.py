"""The best network by branch and cut over candidate parent sets (Cussens 2011; Bartlett & Cussens 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.errors import KnowledgeError, OptionError
from dagwright.graph.dag import Dag
from dagwright.search.candidates import NO_GRAPH, CandidateSets, refuse_unbounded
from dagwright.search.control import Control, Improving
from dagwright.search.costs import Cost
from dagwright.search.exact_cost import exact_cost
from dagwright.search.exact_start import scored_sets, strong_network
from dagwright.search.integer_program.cluster_program import ClusterProgram
from dagwright.search.integer_program.cluster_root import tighten
from dagwright.search.integer_program.cluster_tree import Tree
from dagwright.search.integer_program.incumbent import PROOF, Incumbent
from dagwright.search.integer_program.linear_programs import HighsRelaxation, ScipRelaxation
from dagwright.search.order_search import OrderSearch
from dagwright.search.problem import Found, Problem, Stopped
from dagwright.search.solving import Solution, as_found, chosen_as_in
from dagwright.search.traits import SearchTraits
from dagwright.search.walks import require_at_least

Solver = Literal["auto", "highs", "scip"]
MODULES = {"highs": "highspy", "scip": "pyscipopt"}
CLIMBS = 20
ROUNDS_PER_CLIMB = 50


@dataclass(frozen=True, slots=True)
class BranchAndCut(SearchTraits):
    """Find a provably optimal network by integer linear programming, or bound its distance from the optimum.

    Each variable takes one of its candidate parent sets; inequalities over clusters of variables exclude
    cycles, and are added when solutions of the linear relaxation violate them. Sets that cannot occur in a
    better network are removed as the bound tightens. The remaining problem branches on arcs (present or
    absent). Needs a solver of linear programs: ``pip install 'dagwright[ilp]'``.

    "Optimal" means that no network scores more than 1e-6 nats higher. The bound is recomputed from the dual
    multipliers of each relaxation, so it holds whatever the solver's tolerance; with ``solver="scip"`` it is
    SCIP's own, with a dual tolerance of 1e-9.

    Parameters
    ----------
    solver
        ``"highs"`` solves the relaxations by HiGHS, on all threads, and chooses arcs by strong branching;
        ``"scip"`` passes the rest to SCIP, with the inequalities as a constraint handler. ``"auto"`` takes
        HiGHS where it is installed: it is the faster on all problems measured.
    max_parents
        Most parents a variable may have; None means no bound.
    gap
        Stop when the network is proven to be at most this far from the best, in nats.
    nodes
        Most nodes of the branch-and-bound tree; None means no limit.
    memory
        Bytes that candidate parent sets may take; more is refused.

    >>> from dagwright import learn
    >>> xor = [[a, b, a ^ b] for a in (0, 1) for b in (0, 1)] * 25
    >>> found = learn(dict(zip("abc", zip(*xor))), search=BranchAndCut())
    >>> found.optimal, found.gap, len(found.graph.edges)
    (True, 0.0, 2)
    """

    summary: ClassVar[str] = "integer programming with cuts against cycles; needs dagwright[ilp]"
    citation: ClassVar[str] = "Cussens 2011; Bartlett & Cussens 2017"
    is_exact: ClassVar[bool] = True

    solver: Solver = "auto"
    max_parents: int | None = None
    gap: float = 0.0
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        if self.solver not in get_args(Solver):
            raise OptionError(f"the solvers are {', '.join(get_args(Solver))}, not {self.solver!r}")
        if not self.gap >= 0:
            raise OptionError(f"gap must be a distance in nats of at least 0, not {self.gap!r}")
        require_at_least("max_parents", self.max_parents, 0)
        require_at_least("nodes", self.nodes, 1)
        require_at_least("memory", self.memory, 1)

    def cost(self, problem: Problem) -> Cost:
        return exact_cost(problem, "ilp", self.max_parents, self.memory)

    def run(self, problem: Problem, control: Control) -> Found:
        self.installed()
        refuse_unbounded(problem, self.max_parents, self.memory)
        control = control.keeping_best()
        first = strong_network(problem, control, OrderSearch(max_parents=self.max_parents))
        if not isinstance(first.graph, Dag):
            return first
        sets = scored_sets(problem, control, first, self.max_parents, self.memory)
        if isinstance(sets, Found):
            return sets
        solved = self.among(sets, control, chosen_as_in(sets, first.graph), problem.rng)
        return as_found(problem, sets, solved, first.evaluations + sets.evaluations)

    def installed(self) -> str:
        """The solver to use; refused if it is missing."""
        wanted = list(MODULES) if self.solver == "auto" else [self.solver]
        for solver in wanted:
            if find_spec(MODULES[solver]) is not None:
                return solver
        names = " or ".join(MODULES[solver] for solver in wanted)
        raise OptionError(f"branch and cut needs {names}; install it with pip install 'dagwright[ilp]'")

    def among(
        self,
        sets: CandidateSets,
        control: Control,
        known: Sequence[int],
        random: Callable[[int], np.random.Generator],
    ) -> Solution:
        """The best network among complete candidate sets, beginning with one that is known."""
        solver = self.installed()
        program = ClusterProgram(sets)
        shown = Improving(control.best_graph, above=math.fsum(sets.scores[list(known)]) + PROOF)
        best = Incumbent(
            program,
            tolerance=max(PROOF, self.gap),
            show=lambda score, chosen: shown.offer(score, lambda: sets.dag(list(map(int, chosen)))),
        )
        order = Numbering(sets.nodes).number_all(sets.dag(known).topological_order())
        notes: dict[str, Any] = {}
        stopped: Stopped | None = None
        try:
            climb(program, best, order, random, control)
            stopped = prove(solver, program, best, control, self.nodes, notes)
        except KeyboardInterrupt:
            stopped = control.interrupted()
        if best.chosen is None and stopped is None:
            raise KnowledgeError(NO_GRAPH)
        chosen = tuple(map(int, known if best.chosen is None else best.chosen))
        score = math.fsum(sets.scores[list(chosen)])
        return Solution(
            sets.dag(chosen),
            score,
            chosen,
            sets.bound() if best.chosen is None else score + best.gap,
            best.optimal,
            (len(sets.nodes),),
            f"branch and cut ({solver})",
            notes,
            stopped,
        )


def prove(
    solver: str,
    program: ClusterProgram,
    best: Incumbent,
    control: Control,
    nodes: int | None = None,
    notes: dict[str, Any] | None = None,
) -> Stopped | None:
    """Raise the bound until the incumbent is proven best or a limit is reached; notes say what was done."""
    told = {} if notes is None else notes
    root = tighten(program, HighsRelaxation if solver == "highs" else ScipRelaxation, best, control)
    told["parent sets left after cutting"] = int(np.count_nonzero(root.opened))
    told["cutting planes"] = root.cuts
    told["nats left to branching"] = 0.0 if best.proven() else best.gap
    if best.proven():
        return None
    if (reason := control.stopped()) is not None:
        return reason
    if solver == "highs":
        # How many nodes that takes depends on which thread is first, so the notes do not tell.
        Tree(program, root, best, control, nodes).search()
    else:
        from dagwright.search.integer_program.scip_tree import ScipModel

        ScipModel(program, root, best, control).solve(nodes)
    return None if best.proven() else control.stopped()


def climb(
    program: ClusterProgram,
    best: Incumbent,
    order: list[int],
    random: Callable[[int], np.random.Generator],
    control: Control,
) -> None:
    """Local search over orders, from a known one and from random ones, for a network that is hard to beat."""
    for trial in range(CLIMBS):
        if control.stopped() is not None:
            return
        rng = random(trial)
        begin = order if trial == 0 else [int(v) for v in rng.permutation(program.n)]
        chosen = _core.climb_orders(
            program.families,
            begin,
            rounds=ROUNDS_PER_CLIMB,
            seed=int(rng.integers(2**63)),
            seconds=control.seconds_left(),
            cancel=control.cancel,
        ).families
        if len(chosen) and program.possible[chosen].all():
            best.offer(chosen)
        best.report(control, "climbing orders", trial + 1, "orders", total=CLIMBS)
