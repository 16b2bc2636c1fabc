"""Conformance checks for your own searches: what dagwright promises of its own, tested of yours."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dagwright.defaults import usual_pair
from dagwright.errors import KnowledgeError, OptionError
from dagwright.graph.dag import Dag
from dagwright.graph.oracle import Oracle
from dagwright.graph.query import Query
from dagwright.graph.random_graph import random_dag
from dagwright.knowledge import Knowledge
from dagwright.search.traits import asks_tests, search_traits

if TYPE_CHECKING:
    from dagwright.data import Table
    from dagwright.search.problem import Search


class RandomAnswers(Oracle):
    """An oracle that contradicts itself: it answers at random, always the same to the same question.

    Parameters
    ----------
    share
        How often the answer is "independent".
    """

    def __init__(self, nodes: Sequence[str], share: float, random_state: int = 0) -> None:
        super().__init__(nodes)
        self.share = share
        self._rng = random.Random(random_state)
        self._given: dict[tuple[frozenset[str], frozenset[str]], bool] = {}

    def _answer(self, queries: Sequence[Query]) -> list[bool]:
        answers = []
        for query in queries:
            key = query.x | query.y, query.given
            if key not in self._given:
                self._given[key] = self._rng.random() < self.share
            answers.append(self._given[key])
        return answers


def hidden_problem(seen: int, random_state: int = 0) -> tuple[Dag, list[str], list[str]]:
    """A random DAG with up to three nodes too many: those that are hidden, and those selected upon.

    >>> dag, hidden, selection = hidden_problem(5, random_state=1)
    >>> len(dag.latent_projection(hidden, selection))
    5
    """
    rng = random.Random(random_state)
    n = seen + rng.randrange(4)
    dag = random_dag(n, degree=min(n - 1, rng.choice([1.5, 2.5, 3.0])), random_state=random_state)
    nodes = list(dag.nodes)
    rng.shuffle(nodes)
    gone = nodes[seen:]
    cut = rng.randrange(len(gone) + 1)
    return dag, gone[:cut], gone[cut:]


def random_knowledge(names: Sequence[str], rng: np.random.Generator) -> Knowledge:
    """Consistent knowledge of mixed kinds, built around a hidden random DAG that obeys it.

    >>> random_knowledge(["A", "B", "C"], np.random.default_rng(1)).conflicts(["A", "B", "C"])
    []
    """
    order = [names[at] for at in rng.permutation(len(names))]
    n = len(order)
    pairs = [(order[i], order[j]) for i in range(n) for j in range(i + 1, n)]
    hidden = {pair for pair in pairs if rng.random() < 0.4}
    parents = {name: sum(head == name for _, head in hidden) for name in names}

    def some(items: Sequence[Any], chance: float) -> list[Any]:
        return [item for item in items if rng.random() < chance]

    arcs = some(sorted(hidden), 0.25)
    links = [(tail, "--", head) for tail, head in some(sorted(hidden - set(arcs)), 0.2)]
    absent = [(a, b) for a in sorted(names) for b in sorted(names) if a != b and (a, b) not in hidden]
    known = Knowledge(required=[*arcs, *links], forbidden=some(absent, 0.2))
    kinds = rng.integers(0, 2, size=6).astype(bool)
    if kinds[0]:
        cut = int(rng.integers(0, n + 1))
        known += Knowledge(tiers=[order[:cut], order[cut:]])
    if kinds[1]:
        known += Knowledge(
            max_parents={name: parents[name] + int(rng.integers(0, 2)) for name in some(order, 0.5)}
        )
    if kinds[2]:
        known += Knowledge(order=some(order, 0.4))
    if kinds[3]:
        known += Knowledge(roots=[name for name in some(order, 0.3) if parents[name] == 0])
    if kinds[4]:
        childless = [name for name in order if all(tail != name for tail, _ in hidden)]
        known += Knowledge(leaves=some(childless, 0.5))
    if kinds[5]:
        known += Knowledge(allowed=[*sorted(hidden), *some(absent, 0.5)])
    return known


def knowledge_cases(
    count: int = 200, *, variables: int = 6, rows: int = 80, seed: int = 0
) -> Iterator[tuple[dict[str, list[int]], Knowledge]]:
    """Small random tables with dependences in them, each with knowledge that need not agree with the data."""
    names = [f"x{at}" for at in range(variables)]
    for case in range(count):
        rng = np.random.default_rng([seed, case])
        columns: dict[str, list[int]] = {}
        for at, name in enumerate(names):
            copied = names[int(rng.integers(0, at))] if at else name
            noise = rng.integers(0, 2 + at % 2, size=rows)
            source = np.asarray(columns.get(copied, noise))
            column = np.where(rng.random(rows) < 0.7, source, noise)
            column[:2] = [0, 1]  # never constant
            columns[name] = [int(value) for value in column]
        yield columns, random_knowledge(names, rng)


def check_search_obeys_knowledge(
    search: Search, *, score: Any = None, cases: int = 200, variables: int = 6, seconds: float = 20.0
) -> None:
    """Assert that a search breaks no knowledge and comes to an end, on the same random problems for everyone.

    Knowledge that contradicts a parent bound of the search must be refused.

    Parameters
    ----------
    search
        The search, ready to be given to `learn`.
    score
        What it maximizes; the default of `learn` otherwise.
    cases, variables
        How many problems, and how many variables each has.
    seconds
        The most one problem may take. A search that heeds the time limit of `learn` is stopped there.
    """
    from dagwright.learning.learn import learn

    for case, (data, known) in enumerate(knowledge_cases(cases, variables=variables)):
        began = time.monotonic()
        try:
            known.resolve(data).bounded(search_traits(search).max_parents)
            contradicted = False
        except OptionError:
            contradicted = True
        try:
            learned = learn(
                data,
                search=search,
                score=score,
                knowledge=known,
                time_limit=seconds,
                random_state=case,
                threads=1,
            )
        except KnowledgeError as error:
            raise AssertionError(f"case {case}: {search!r} under {known!r}: {error}") from error
        except OptionError:
            if contradicted:
                continue
            raise
        assert not contradicted, f"case {case}: {search!r} exceeds its parent bound under {known!r}"
        taken = time.monotonic() - began
        broken = known.check(learned.graph)
        assert not broken, f"case {case}: {search!r} under {known!r}: {'; '.join(map(str, broken))}"
        assert learned.stopped is None, (
            f"case {case}: {search!r} did not end within {seconds} s under {known!r}"
        )
        assert taken <= seconds, f"case {case}: {search!r} took {taken:.1f} s under {known!r}"


def check_search_reports_its_score(search: Search, data: Any, *, score: Any = None) -> None:
    """Assert that the score on the result is that of its DAG, and not below that of the graph begun from.

    A search that decides by a test has no score, so there is nothing to check.
    """
    from dagwright.evidence import score as score_graph
    from dagwright.evidence.counting import as_table
    from dagwright.learning.learn import learn

    if asks_tests(search):
        return
    table = as_table(data)
    spec = usual_pair(score, None).score
    rng = np.random.default_rng(0)
    arcs = [(table.names[i], table.names[i + 1]) for i in range(len(table.names) - 1) if rng.random() < 0.7]
    for start in (None, Dag(table.names, arcs)):
        learned = learn(table, search=search, score=spec, start=start, threads=1)
        if learned.score is None or learned.dag is None:
            continue
        N = max(table.N, 2.0)
        tolerance = 1e-10 * N * np.log(N)
        recomputed = score_graph(learned.dag, table, spec).total
        assert abs(recomputed - learned.score) <= tolerance, (
            f"{search!r} says {learned.score}, its DAG has {recomputed}"
        )
        least = score_graph(start or Dag(table.names), table, spec).total
        assert learned.score >= least - tolerance, f"{search!r} ends at {learned.score}, began at {least}"


def check_search_gives_the_same_answer(
    search: Search, data: Any, *, score: Any = None, rounds: int = 20, random_state: int = 0
) -> None:
    """Assert that orders of rows and columns, names and threads do not change the equivalence class found.

    Parameters
    ----------
    search
        The search, ready to be given to `learn`.
    data
        A Table or anything that `read` takes, without columns that the data cannot tell apart.
    rounds
        How many random orders and namings to try.
    """
    from dagwright.evidence.counting import as_table
    from dagwright.graph.pag import Pag
    from dagwright.graph.undirected import UndirectedGraph
    from dagwright.knowledge.checking import edges_of
    from dagwright.learning.learn import learn

    table = as_table(data)

    def answer(shown: Table, old: Mapping[str, str], threads: int) -> tuple[set[Any], set[Any]]:
        found = learn(shown, search=search, score=score, random_state=random_state, threads=threads)
        if isinstance(found.graph, Pag):
            pag = found.graph
            marks = {(old[a], pag.mark(b, a), old[b], pag.mark(a, b)) for a, _, b in pag.edges}
            return {min(one, (*one[2:], *one[:2])) for one in marks}, set()
        graph = found.graph if found.dag is None else found.dag
        arcs, links = edges_of(graph if isinstance(graph, UndirectedGraph) else graph.cpdag())
        return (
            {(old[start], old[end]) for start, end in arcs},
            {frozenset((old[one], old[other])) for one, other in links},
        )

    expected = answer(table, {name: name for name in table.names}, 1)
    for case in range(rounds):
        rng = np.random.default_rng([random_state, case])
        columns = [table.names[at] for at in rng.permutation(len(table.names))]
        new = {name: f"v{at}" for name, at in zip(columns, rng.permutation(len(columns)), strict=True)}
        shown = table.select(columns).take(rng.permutation(table.n_rows)).rename(new)
        found = answer(shown, {now: before for before, now in new.items()}, 1 + case % 2)
        assert found == expected, f"case {case}: {search!r} gives another class"


def check_search_stops_when_asked(search: Search, data: Any, *, score: Any = None) -> None:
    """Assert that a time limit of nothing gives a result that says so, and that any time limit is kept."""
    from dagwright.learning.learn import learn

    stopped = learn(data, search=search, score=score, time_limit=0.0)
    assert stopped.stopped == "deadline", f"{search!r} did not say that it was stopped"
    assert any("time limit" in warning for warning in stopped.warnings)
    began = time.monotonic()
    learn(data, search=search, score=score, time_limit=0.05)
    taken = time.monotonic() - began
    assert taken < 5.0, f"{search!r} took {taken:.1f} s with a time limit of 0.05 s"
