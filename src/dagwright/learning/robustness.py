"""How much of a learned graph depends on choices: the score, the intervals of numbers, missing values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dagwright.base.seeds import RandomState
from dagwright.base.wording import aligned
from dagwright.data import EqualFrequency, Table, read_to_learn
from dagwright.errors import OptionError, require_a
from dagwright.evidence.bayesian import BDeu
from dagwright.evidence.counting import countable
from dagwright.evidence.criteria import AIC, BIC
from dagwright.graph.comparison import compare
from dagwright.graph.dag import Dag
from dagwright.graph.pdag import Pdag
from dagwright.graph.viewable import Viewable
from dagwright.knowledge import Knowledge, as_knowledge
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.methods.method_like import as_method
from dagwright.search.control import CancelToken, Progress, Stopped
from dagwright.search.problem import Search
from dagwright.sentences import Argument

USUAL_SCORES = (None, BIC(), AIC(), BDeu(ess=1.0), BDeu(ess=10.0))
USUAL_BINS = (2, 3, 5)
USUAL_POLICIES = ("drop", "state", "em")
Edge = tuple[str, str]


@dataclass(frozen=True)
class Robustness(Viewable):
    """The essential graphs under several settings, the first being the one the others vary.

    Attributes
    ----------
    graphs
        The essential graph under each setting, by its name.
    edges
        Each pair of nodes that some graph joins, with its mark under each setting: "->" or "<-" where the
        class of equivalent graphs fixes the direction, "--" where it does not, "" without an edge.
    stopped
        ``"cancelled"`` after an interrupt: settings that were not finished are left out.
    """

    graphs: Mapping[str, Pdag]
    edges: Mapping[Edge, tuple[str, ...]]
    stopped: Stopped | None = None

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the settings."""
        return tuple(self.graphs)

    @property
    def always(self) -> tuple[Edge, ...]:
        """The pairs that are joined under every setting."""
        return tuple(pair for pair, marks in self.edges.items() if all(marks))

    @property
    def distances(self) -> dict[str, int]:
        """The structural Hamming distance of each graph to the first."""
        first = next(iter(self.graphs.values()))
        return {name: compare(first, graph).shd for name, graph in self.graphs.items()}

    def rows(self) -> list[tuple[str, ...]]:
        """The table: heads, a row for each pair, and the distances."""
        heads = ("edge", *self.settings, "settings with it")
        rows = [
            (f"{a}, {b}", *(mark or "." for mark in marks), f"{sum(map(bool, marks))} of {len(marks)}")
            for (a, b), marks in self.edges.items()
        ]
        return [heads, *rows, ("distance to the first", *map(str, self.distances.values()), "")]

    def __str__(self) -> str:
        early = ", interrupted: other settings are missing" if self.stopped else ""
        head = f"{len(self.always)} of {len(self.edges)} edges under all {len(self.graphs)} settings{early}"
        return "\n".join([head, *(f"  {line}" for line in aligned(self.rows()))])


def robustness(
    data: Any,
    *,
    search: Search | None = None,
    scores: Sequence[Any] | None = None,
    bins: Sequence[Any] | None = None,
    missing: Sequence[str] | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    random_state: RandomState = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    **reading: Any,
) -> Robustness:
    """Learn under several settings, changing one choice at a time, and compare the edges.

    Parameters
    ----------
    data
        As in `learn`; further options go to `read`.
    search
        As in `learn`, the same under all settings.
    scores
        The others are compared with the first; None stands for the default pair of score and structure prior.
        By default this pair, BIC, AIC and BDeu with equivalent sample sizes 1 and 10.
    bins
        Numbers of intervals of equal frequency, or rules, for columns of numbers; by default 2, 3 and 5. Not
        for numbers that are cut already.
    missing
        Policies for missing values, the first being the usual one; by default "drop", "state" and "em" where
        there are gaps.
    knowledge, time_limit, random_state, threads, progress, cancel
        As in `learn`, for each setting. After an interrupt the settings that are finished are returned.

    >>> from dagwright import AIC, BIC, sample_path
    >>> found = robustness(sample_path("asia"), scores=[BIC(), AIC()])
    >>> found.settings
    ('BIC', 'AIC')
    >>> ("either", "lung") in found.always
    True
    """
    known = as_knowledge(knowledge)
    for what, given in (("scores", scores), ("bins", bins), ("missing", missing)):
        if given is not None:
            require_a(list | tuple, given, what, "a list, one entry for each setting")
    numbers = read_to_learn(data, known.named, **reading)
    table = countable(numbers)
    gaps = any(table.missing.values())
    tried = USUAL_SCORES if scores is None else [as_method(one, "scores", "score", "test") for one in scores]
    policies = tuple(missing) if missing is not None else (USUAL_POLICIES if gaps else ())
    if not tried:
        raise OptionError("robustness needs at least one score")
    token = CancelToken() if cancel is None else cancel
    options: dict[str, Any] = {
        "search": search,
        "knowledge": known,
        "columns": table.names,
        "time_limit": time_limit,
        "random_state": random_state,
        "threads": threads,
        "progress": progress,
        "cancel": token,
    }
    usual = {"score": tried[0], "missing": policies[0] if policies else None}
    settings: dict[str, tuple[Table, dict[str, Any]]] = {}
    for score in tried:
        settings[_name(score)] = (table, {**usual, "score": score})
    for name, cut in _cuts(numbers, table, bins).items():
        settings[name] = (cut, usual)
    for policy in policies[1:]:
        settings[f"missing: {policy}"] = (table, {**usual, "missing": policy})
    graphs: dict[str, Pdag] = {}
    for name, (rows, chosen) in settings.items():
        found = learn(rows, **options, **chosen)
        if token.cancelled:
            break
        graphs[name] = _essential(found)
    if not graphs:
        raise KeyboardInterrupt
    pairs = sorted({pair for graph in graphs.values() for pair in _pairs(graph)})
    edges = {pair: tuple(_mark(graph, *pair) for graph in graphs.values()) for pair in pairs}
    return Robustness(graphs, edges, "cancelled" if token.cancelled else None)


def _name(score: Any) -> str:
    if score is None:
        return "default"
    return "BIC" if score == BIC() else repr(score).removesuffix("()")


def _cuts(numbers: Table, table: Table, bins: Sequence[Any] | None) -> dict[str, Table]:
    """The data under other intervals, for each number of them."""
    if not numbers.schema.continuous:
        if bins is not None and numbers.bins:
            raise OptionError(
                Argument("bins"), " needs numbers that are not cut yet: leave out ", Argument("discretize")
            )
        return {}
    rules = {
        f"{rule} intervals" if isinstance(rule, int) else repr(rule): EqualFrequency(rule)
        if isinstance(rule, int)
        else rule
        for rule in (USUAL_BINS if bins is None else bins)
    }
    cut = {name: numbers.discretized(rule) for name, rule in rules.items()}
    return {name: one for name, one in cut.items() if one != table}


def _essential(found: Learned) -> Pdag:
    graph = found.dag if found.dag is not None else found.graph
    if isinstance(graph, Dag):
        return graph.cpdag(found.targets)
    if isinstance(graph, Pdag):
        return graph
    raise OptionError(f"robustness compares DAGs, and {found.method} gives none; choose another search")


def _pairs(graph: Pdag) -> set[Edge]:
    return {(min(edge), max(edge)) for edge in (*graph.directed_edges, *graph.undirected_edges)}


def _mark(graph: Pdag, a: str, b: str) -> str:
    if (a, b) in graph.directed_edges:
        return "->"
    if (b, a) in graph.directed_edges:
        return "<-"
    return "--" if (a, b) in graph.undirected_edges or (b, a) in graph.undirected_edges else ""
