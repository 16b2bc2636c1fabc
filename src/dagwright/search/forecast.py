"""What a search will cost, before it starts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dagwright import _core
from dagwright.base.memory import budget
from dagwright.defaults import usual_search
from dagwright.evidence.bound import Bound, BoundCriterion
from dagwright.evidence.protocols import Family
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.counting import count_dags
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge
from dagwright.methods.method_like import as_method
from dagwright.methods.notation import as_code
from dagwright.search.auto import Auto, written_in_python
from dagwright.search.candidates import BYTES_PER_SET
from dagwright.search.control import Control
from dagwright.search.enumeration import LARGEST_ENUMERATED
from dagwright.search.exact import Exact
from dagwright.search.order_search import OrderSearch, evaluations_per_variable
from dagwright.search.pipeline import problem_of
from dagwright.search.problem import Problem, Search, require_search
from dagwright.search.set_counts import all_sets, count_in_words
from dagwright.search.solving import BYTES_PER_SUBSET, QUICK_SUBSETS
from dagwright.search.study import Study, requested
from dagwright.search.usual_costs import USUAL

SUBSET_SECONDS = 1e-9
"""Dynamic programming, for one variable and one subset on one thread."""

COUNTED_SET_SECONDS = 5e-10
"""A table of all sets of variables, for one set and one row on one thread."""

ENTRY_BYTES = 64
"""A parent set in the lists of order search."""

NETWORK_SECONDS = 1e-7
"""One network of an enumeration."""

USUAL_ROUNDS = 5
"""Of structural EM, before the network stays the same."""

LARGEST_COUNT = 10**300
"""Counts stop here, so that they fit into a float."""

LONGEST_LIST = 50_000
"""Entries that order search keeps for a variable."""


class Cost(NamedTuple):
    """Families scored (or questions asked), bytes, and seconds beside the scoring."""

    evaluations: float
    memory: float = 0.0
    seconds: float = 0.0
    upper: bool = True  # whether these are bounds; otherwise the usual course
    basis: str = ""
    one_by_one: float | None = None  # families that are scored one by one; None: all


@runtime_checkable
class Forecasting(Protocol):
    """A search that knows what it costs; for your own searches."""

    def cost(self, problem: Problem) -> Cost: ...


@dataclass(frozen=True)
class Forecast(Viewable):
    """The cost of a search on given data.

    Attributes
    ----------
    search
        The search with its options.
    evaluations
        Families to be scored, or questions to be asked.
    memory
        Bytes beside the data and the memo of counts.
    seconds
        For the scoring, by what a few families took just now, and for the search itself. A time limit caps
        it.
    upper
        Whether the search cannot take more; otherwise the numbers are those of its usual course.
    basis
        How the numbers come about.
    """

    search: str
    evaluations: int
    memory: int
    seconds: float
    upper: bool
    basis: str

    def __str__(self) -> str:
        most = "at most " if self.upper else "about "
        return (
            f"{self.search}: {most}{count_in_words(self.evaluations)} families, "
            f"{self.memory / 2**20:,.1f} MiB, {self.seconds:.3g} s ({self.basis})"
        )


def forecast(
    data: Any,
    *,
    search: Search | Forecasting | None = None,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    study: Study | None = None,
    threads: int | None = None,
) -> Forecast:
    """What a search will cost on these data: families to score, memory, time.

    Parameters are those of `learn`. A few families are scored to see how long one takes.

    >>> print(forecast({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1] * 50}))
    Exact(): at most 57 families, 0.0 MiB, ... s (hill climbing; all 12 parent sets; 8 * 2^3 bytes ...)
    """
    asked = requested(
        study,
        search=as_method(search, "search", "search", "posterior"),
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        columns=columns,
        exclude=exclude,
    )
    if asked.missing in ("em", "available"):  # every row is counted, gaps or not
        asked = replace(asked, missing="state")
    control = Control.of(threads, None, None)
    problem, _ = problem_of(asked, data, control)
    method: Any = usual_search() if asked.search is None else asked.search
    if not isinstance(method, Forecasting):
        require_search(method)
    if isinstance(method, Auto):
        method, _ = method.choose(problem)
    cost = _cost(method, problem)
    each = _seconds_per_family(problem.score)
    return Forecast(
        as_code(method),
        math.ceil(cost.evaluations),
        math.ceil(cost.memory),
        (cost.evaluations if cost.one_by_one is None else cost.one_by_one) * each
        + cost.seconds / control.threads,
        cost.upper,
        cost.basis,
    )


def _cost(search: Any, problem: Problem) -> Cost:
    if isinstance(search, Auto):
        search, _ = search.choose(problem)
    if isinstance(search, Forecasting):
        return search.cost(problem)
    name = type(search).__name__
    n = len(problem.names)
    if (rule := _RULES.get(name)) is not None:
        return rule(search, problem)
    if (usual := USUAL.get(name)) is not None:
        return Cost(
            usual.questions(problem),
            8 * n * n,
            usual.total_seconds(problem),
            usual.upper,
            usual.words(),
        )
    return Cost(
        n * n,
        upper=False,
        basis="every pair of variables once: nothing is known of this search; give it a method cost(problem)",
    )


def _both(search: Any, problem: Problem) -> Cost:
    """Tests, then a search by score among the links they leave."""
    tests, walk = _cost(search.by, problem), _cost(search.maximize, problem)
    return Cost(
        tests.evaluations + walk.evaluations,
        max(tests.memory, walk.memory),
        tests.seconds + walk.seconds,
        upper=False,
        basis=f"tests: {tests.basis}; then at most: {walk.basis}",
    )


def _inner(search: Any, problem: Problem) -> Cost:
    return _cost(search.by, problem)


def _rounds(search: Any, problem: Problem) -> Cost:
    """Structural EM: the search again in each of a handful of rounds, up to `rounds`."""
    inner = _cost(search.search or usual_search(), problem)
    times = (1 + search.restarts) * min(search.rounds, USUAL_ROUNDS)
    return inner._replace(
        evaluations=times * inner.evaluations,
        seconds=times * inner.seconds,
        one_by_one=None if inner.one_by_one is None else times * inner.one_by_one,
        upper=False,
        basis=f"{times} times: {inner.basis}; expected counts of rows with gaps come on top",
    )


def _cut(search: Any, problem: Problem) -> Cost:
    return _exact(Exact(method="ilp", max_parents=search.max_parents, memory=search.memory), problem)


def _every_network(search: Exact, problem: Problem) -> Cost:
    n = len(problem.names)
    families = sum(all_sets(problem, search.max_parents))
    if n > LARGEST_ENUMERATED:
        basis = f"refused: an enumeration takes up to {LARGEST_ENUMERATED} variables"
        return Cost(families, families * BYTES_PER_SET, math.inf, basis=basis)
    networks = count_dags(n)
    return Cost(
        families,
        families * BYTES_PER_SET,
        NETWORK_SECONDS * networks,
        basis=f"all {families:,} parent sets, up to {networks:,} networks",
    )


def _exact(search: Exact, problem: Problem) -> Cost:
    if search.method == "exhaustive":
        return _every_network(search, problem)
    n = len(problem.names)
    total = min(sum(all_sets(problem, search.max_parents)), LARGEST_COUNT)
    needed = min(sum(_needed_sets(problem, search.max_parents)), LARGEST_COUNT)
    basis = (
        f"all {count_in_words(total)} parent sets"
        if needed == total
        else f"{count_in_words(needed)} of {count_in_words(total)} parent sets, by the penalty"
    )
    memory = budget(search.memory)
    sets: float = min(needed * BYTES_PER_SET, memory)
    table = _core.table_bytes(problem.score.native, problem.knowledge.native)
    one_by_one, seconds = float(needed), 0.0
    first = 5.0 * n * n  # hill climbing, for a network to begin with
    if table <= memory and needed > max(2**n, 4096):
        # Some are scored one by one before the table turns out to be worth while; it has them all again.
        one_by_one, sets = float(_core.walked_before_table(n)), table
        needed = 2 * total
        seconds = 2**n * (COUNTED_SET_SECONDS * problem.score.N + SUBSET_SECONDS * n)
        basis += f"; 6 * 2^{n} bytes for a table of all sets"
    if search.method == "dp" or (search.method == "auto" and n <= QUICK_SUBSETS):
        subsets = min(2**n, LARGEST_COUNT)
        if BYTES_PER_SUBSET * subsets > memory:
            basis += f"; refused if all {n} variables can be in cycles together"
        return Cost(
            needed + first,
            max(sets, BYTES_PER_SUBSET * subsets),
            seconds + SUBSET_SECONDS * n * subsets,
            basis=f"hill climbing; {basis}; 8 * 2^{n} bytes for dynamic programming",
            one_by_one=one_by_one + first,
        )
    return Cost(
        needed,
        memory,
        seconds,
        upper=False,
        basis=f"{basis}; {memory / 2**30:.3g} GiB may be used; no bound on the time is known",
        one_by_one=one_by_one,
    )


def _needed_sets(problem: Problem, max_parents: int | None) -> list[int]:
    """For every variable the parent sets whose penalty alone does not put them below the empty set."""
    every = list(all_sets(problem, max_parents))
    score = problem.score
    penalty = score.penalty if isinstance(score, BoundCriterion) else 0.0
    if penalty <= 0:
        return every
    n = len(problem.names)
    empty = score.local([Family(child, frozenset()) for child in range(n)])
    needed = []
    for child, most in enumerate(every):
        others = sorted(max(r, 1) for v, r in enumerate(score.cardinalities) if v != child)
        price, count, size = penalty * (score.cardinalities[child] - 1), 0, 0
        while size <= len(others) and price < -empty[child]:
            count += math.comb(n - 1, size)
            price *= others[size] if size < len(others) else 2
            size += 1
        needed.append(min(most, max(count, 1)))
    return needed


def _orders(search: OrderSearch, problem: Problem) -> Cost:
    n = len(problem.names)
    families = (search.evaluations or evaluations_per_variable(n, problem.score.N)) * n
    least = min(families, sum(all_sets(problem, search.max_parents)))
    rounds = search.chains * (1_000 + 2 * n if search.perturbations is None else search.perturbations)
    return Cost(
        2 * least,
        min(LONGEST_LIST * n, families) * ENTRY_BYTES,
        rounds * n * n * 2e-8,
        upper=False,
        basis=f"{least:,} parent sets and {rounds:,} rounds, more while the best improves",
    )


def _climbing(search: Any, problem: Problem) -> Cost:
    """All single arcs once, then after each of some 2n steps what concerns one or two variables."""
    n = len(problem.names)
    climbs = 1 + getattr(search, "restarts", 0) + getattr(search, "patience", 0) / max(2 * n, 1)
    return Cost(
        (n * (n - 1) + 4 * n * n) * climbs,
        5 * 8 * n * n,
        upper=False,
        basis="every arc once, and some 2 n steps",
    )


def _orders_given(search: Any, problem: Problem) -> Cost:  # noqa: ARG001
    n = len(problem.names)
    return Cost(n * n * (n - 1) / 2, 8 * n * n, basis="n parents for n variables at most, each among n")


def _annealed(search: Any, problem: Problem) -> Cost:
    n = len(problem.names)
    families = max(2 * search.step_count(n), n * n) + n * (n - 1) + 4 * n * n
    return Cost(families, 5 * 8 * n * n, upper=False, basis="two families a step, then hill climbing")


def _placed(search: Any, problem: Problem) -> Cost:
    n = len(problem.names)
    return Cost(
        (n**3) * (1 + getattr(search, "restarts", 0)),
        upper=False,
        basis="every variable tried at every position, each trial n families",
    )


_RULES: dict[str, Callable[[Any, Problem], Cost]] = {
    "Exact": _exact,
    "OrderSearch": _orders,
    "HillClimb": _climbing,
    "Tabu": _climbing,
    "Annealing": _annealed,
    "BOSS": _placed,
    "K2": _orders_given,
    "K3": _orders_given,
    "ThickThin": _orders_given,
    "BranchAndCut": _cut,
    "Restrict": _both,
    "Maximize": _inner,
    "StructuralEM": _rounds,
}


def _seconds_per_family(score: Bound) -> float:
    """What a family with three parents takes, from some that were scored just now.

    Others come before, because the first ones also make the tables of logarithms.
    """
    n = len(score.names)
    size = min(3, n - 1)
    count = 8 if written_in_python(score) else 200
    families = []
    for at in range(2 * count):
        child = at % n
        # Parents that differ from family to family, so that few sums are remembered.
        parents = {(child + 1 + (at // n * 7 + k * (at % 5 + 1)) % (n - 1)) % n for k in range(size)}
        families.append(Family(child, frozenset(parents - {child})))
    score.local(families[:count])
    began = time.perf_counter()
    score.local(families[count:])
    return (time.perf_counter() - began) / count
