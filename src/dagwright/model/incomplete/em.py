"""Parameters from incomplete data by expectation maximization (Dempster, Laird & Rubin 1977).

The E-step fills the counts of every family with P(family | observed cells of the row), the M-step divides:
P(k | j) = (E[N_ijk] + a_ijk) / (E[N_ij] + a_ij). The log-likelihood of the observed cells, plus
sum a_ijk log P(k | j) with pseudo-counts, never falls.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dagwright import _core
from dagwright.base.seeds import RandomState, generator
from dagwright.data import Table
from dagwright.data.reach import require_reach
from dagwright.data.states import code_dtype
from dagwright.errors import DataError, OptionError, unknown_name
from dagwright.evidence.counting import Counting, as_rows, countable
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.viewable import Viewable
from dagwright.methods.traits import MethodTraits, Reads
from dagwright.model.gaussian.orientation import member_for_numbers
from dagwright.model.incomplete.squarem import extrapolated
from dagwright.model.inference.batches import IncompleteRows, incomplete_rows
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import Floats, dag_for, on_axes
from dagwright.model.tables.priors import expected_pseudo_counts, pseudo_counts
from dagwright.sentences import Argument

log = logging.getLogger("dagwright")
Tables = dict[str, Floats]
NEXT_TO_NO_ROW = 1e-6
"""Share of the rows below which a parent configuration counts as never seen: EM stops before it is zero."""


@dataclass(frozen=True)
class EM(MethodTraits):
    """Expectation maximization for a given graph.

    Attributes
    ----------
    tolerance
        It stops when an iteration gains less than this many nats per row.
    max_iterations
        E-steps of one run at most; reaching it is not convergence, and the result says so.
    restarts
        Further runs from random tables; the best run counts. Hidden variables need some.
    accelerate
        Squared extrapolation between steps (SQUAREM; Varadhan & Roland 2008), kept only where the
        log-likelihood does not fall.
    random_state
        Seed of the random tables.
    """

    summary: ClassVar[str] = "probabilities from rows with missing cells"
    citation: ClassVar[str] = "Dempster, Laird & Rubin 1977"

    reads: ClassVar[Reads] = "rows in memory"

    tolerance: float = 1e-7
    max_iterations: int = 1000
    restarts: int = 0
    accelerate: bool = True
    random_state: RandomState = None

    def __post_init__(self) -> None:
        if not (self.tolerance >= 0 and math.isfinite(self.tolerance)):
            raise OptionError(f"the tolerance must be a number of at least 0, not {self.tolerance}")
        if self.max_iterations < 1 or self.restarts < 0:
            raise OptionError(
                f"EM needs max_iterations >= 1 and restarts >= 0, got {self.max_iterations} and "
                f"{self.restarts}"
            )

    def fit(
        self,
        graph: GraphLike,
        data: Any,
        *,
        hidden: Mapping[str, int | Sequence[Hashable]] | None = None,
        parameter_prior: Any = None,
        start: BayesianNetwork | None = None,
        threads: int | None = None,
        max_bytes: float | None = None,
        until: Callable[[], bool] | None = None,
    ) -> EMResult:
        """A network with this graph and the parameters that the incomplete data give.

        Parameters
        ----------
        graph
            As in `fit`.
        data
            A Table or anything that `read` takes; weights are frequencies.
        hidden
            Nodes without a column: how many states they have, or the states themselves.
        parameter_prior
            Pseudo-counts as in `fit`; None is maximum likelihood.
        start
            A network whose tables the first run starts from; by default the counts of the complete families.
        until
            Asked after each iteration; True ends it early, as not converged.

        >>> gaps = {"a": ["x", "x", "x", "y", None], "b": ["u", None, "v", "v", "v"]}
        >>> found = EM().fit("a -> b", gaps)
        >>> found.converged, found.network.table("a").round(2).tolist()
        (True, [0.72, 0.28])
        """
        given = as_rows(data)
        require_reach(self, given, 8.0 * len(given.names))
        if numeric := set(given.schema.continuous) & set(as_graph(graph).nodes):
            from dagwright.model.gaussian.em import fit_incomplete

            if hidden:
                raise OptionError(
                    Argument("hidden", list(hidden)),
                    " needs a graph without continuous nodes",
                )
            member = member_for_numbers(graph, numeric, given.canonical()[0].names)
            return fit_incomplete(self, member, given, parameter_prior, start, until)
        table = countable(given)
        graph = dag_for(graph, table)
        table = _with_hidden(graph, table, hidden or {})
        template = _template(graph, table, max_bytes)
        rows = incomplete_rows(template, table, threads=threads)
        if not rows.table.N > 0:
            raise DataError("EM needs at least one row")
        problem = _Problem(template, rows, _pseudo_counts(parameter_prior, template, table))
        random = generator(self.random_state)
        never_seen = {node for node, gaps in rows.table.missing.items() if gaps == rows.table.n_rows}
        best: _Run | None = None
        for attempt in range(self.restarts + 1):
            tables = (
                problem.first_tables(start, never_seen, random) if attempt == 0 else problem.drawn(random)
            )
            run = self._run(problem, tables, until)
            log.info("EM run %d: %.6f after %d iterations", attempt, run.trace[-1], len(run.trace))
            if best is None or run.trace[-1] > best.trace[-1]:
                best = run
        assert best is not None
        return problem.result(best, self.restarts + 1)

    def _run(self, problem: _Problem, tables: Tables, until: Callable[[], bool] | None) -> _Run:
        enough = self.tolerance * problem.rows.table.N
        run = _Run(problem.step(tables), [], converged=False)
        run.trace.append(run.last.objective)
        while len(run.trace) < self.max_iterations and not (until and until()):
            first, second = run.last, problem.step(run.last.improved)
            if self.accelerate and len(run.trace) + 1 < self.max_iterations:
                leap = extrapolated(first.tables, second.tables, second.improved)
                if leap is not None:
                    third = problem.step(leap)
                    if third.objective >= second.objective:
                        run.trace.append(second.objective)
                        second = third
            gain = second.objective - run.last.objective
            run.last = second
            run.trace.append(second.objective)
            if gain <= enough:
                run.converged = True
                break
        return run


@dataclass(frozen=True)
class EMResult(Viewable):
    """The result of EM.

    Attributes
    ----------
    network
        The fitted network; the counts behind its tables are the expected ones.
    log_likelihood
        log P(observed cells) at these tables.
    trace
        The objective at each accepted step of the best run: the log-likelihood, plus sum a_ijk log P(k | j)
        if there are pseudo-counts. It never falls.
    converged
        Whether the last iteration gained less than the tolerance.
    runs
        How many starts there were.
    N
        Number of rows, or the sum of their weights.
    """

    network: BayesianNetwork
    log_likelihood: float
    trace: tuple[float, ...]
    converged: bool
    runs: int
    N: float

    @property
    def bic(self) -> float:
        """log P(observed cells) - size/2 log N in nats (Jensen & Nielsen 2007, Section 7.3.1)."""
        return self.log_likelihood - 0.5 * self.network.dimension * math.log(self.N)


@dataclass
class _Step:
    """One E-step: the tables it was made at, what they score, and the tables of the M-step."""

    tables: Tables
    objective: float
    log_likelihood: float
    counts: Tables
    improved: Tables


@dataclass
class _Run:
    last: _Step
    trace: list[float]
    converged: bool


class _Problem:
    """Rows, graph and pseudo-counts; tables have the layout of the network's."""

    def __init__(self, template: BayesianNetwork, rows: IncompleteRows, alphas: Tables) -> None:
        self.template = template
        self.rows = rows
        self.alphas = alphas
        self.names = template.numbering.names
        self.axes = {
            node: [rows.tables.number[axis] for axis in (*template.parents(node), node)]
            for node in self.names
        }

    def step(self, tables: Tables) -> _Step:
        native = _core.NetworkTables.make(
            self.names,
            [self.template.cardinality(node) for node in self.names],
            [self.axes[node] for node in self.names],
            [np.ascontiguousarray(tables[node]).ravel() for node in self.names],
        )
        expected = self.rows.expected_counts(native)
        log_likelihood = expected.log_likelihood
        if math.isinf(log_likelihood) or math.isnan(log_likelihood):
            raise DataError("the tables that EM starts from give some rows probability zero; start elsewhere")
        counts = {
            node: self._from_native(node, of_node)
            for node, of_node in zip(self.names, expected.counts, strict=True)
        }
        objective = log_likelihood
        for node, alpha in self.alphas.items():
            used = alpha > 0
            with np.errstate(divide="ignore"):  # a start may call impossible what the prior does not
                objective += float(np.sum(alpha[used] * np.log(tables[node][used])))
        improved = {node: self._divided(node, counts[node]) for node in self.names}
        return _Step(tables, objective, log_likelihood, counts, improved)

    def _from_native(self, node: str, flat: Floats) -> Floats:
        """The core keeps the axes of a table in ascending order of the nodes' numbers."""
        axes = self.axes[node]
        ascending = sorted(axes)
        cards = [self.template.cardinality(self.names[axis]) for axis in ascending]
        return flat.reshape(cards).transpose([ascending.index(axis) for axis in axes])

    def _divided(self, node: str, counts: Floats) -> Floats:
        total = counts + self.alphas[node] if node in self.alphas else counts
        sums = total.sum(axis=-1, keepdims=True)
        uniform = np.full(total.shape, 1.0 / total.shape[-1])
        return np.asarray(np.divide(total, sums, out=uniform, where=sums > 0))

    def first_tables(
        self, start: BayesianNetwork | None, hidden: set[str], random: np.random.Generator
    ) -> Tables:
        if start is not None:
            return {node: self._started(start, node) for node in self.names}
        seen = self.rows.grouped.observed_counts()
        tables = {}
        for node, flat in zip(self.names, seen, strict=True):
            counts = self._from_native(node, flat) + 1.0
            if hidden.intersection((node, *self.template.parents(node))):
                # The states of a hidden variable are alike until something tells them apart.
                counts = counts * random.uniform(0.5, 1.5, counts.shape)
            tables[node] = counts / counts.sum(axis=-1, keepdims=True)
        return tables

    def _started(self, start: BayesianNetwork, node: str) -> Floats:
        if set(start.parents(node)) != set(self.template.parents(node)) or start.states(
            node
        ) != self.template.states(node):
            raise DataError(f"the network to start from has other parents or states at node {node!r}")
        table = on_axes(start.table(node), start.parents(node), self.template.parents(node))
        alpha = self.alphas.get(node)
        if alpha is None or np.all(table[alpha > 0] > 0):
            return table
        # The prior leaves possible what the network to start from rules out.
        return self._divided(node, self.rows.table.N * table)

    def drawn(self, random: np.random.Generator) -> Tables:
        """Every configuration uniformly from the simplex."""
        return {
            node: random.dirichlet(
                np.ones(self.template.cardinality(node)),
                size=[self.template.cardinality(parent) for parent in self.template.parents(node)],
            )
            for node in self.names
        }

    def settled(self, last: _Step) -> _Step:
        """The last step with parent configurations that hold next to no row taken as never seen.

        Their expected counts only fade from iteration to iteration, and a quotient of two such numbers says
        nothing: the rows follow from the pseudo-counts, or are uniform without any.
        """
        least = NEXT_TO_NO_ROW * self.rows.table.N
        counts, tables, changed = {}, {}, False
        for node in self.names:
            never = last.counts[node].sum(axis=-1, keepdims=True) <= least
            counts[node] = np.where(never, 0.0, last.counts[node])
            tables[node] = np.where(never, self._divided(node, counts[node]), last.tables[node])
            changed |= not np.array_equal(tables[node], last.tables[node])
        return replace(self.step(tables) if changed else last, counts=counts)

    def result(self, run: _Run, runs: int) -> EMResult:
        last = self.settled(run.last)
        network = BayesianNetwork(
            self.template.graph,
            {node: self.template.states(node) for node in self.names},
            last.tables,
            counts=last.counts,
            pseudo_counts=self.alphas,
            origins=self.template.origins,
        )
        return EMResult(
            network, last.log_likelihood, tuple(run.trace), run.converged, runs, self.rows.table.N
        )


def _with_hidden(graph: Dag, table: Table, hidden: Mapping[str, int | Sequence[Hashable]]) -> Table:
    """The columns of the nodes, those of hidden nodes without a single value."""
    for node in hidden:
        if node not in graph:
            raise unknown_name("node", node, graph.nodes)
        if node in table.names:
            raise OptionError(f"node {node!r} cannot be hidden: the data have a column for it")
    codes, states, origins = [], [], {}
    for node in graph.nodes:
        if node in hidden:
            given = hidden[node]
            own = tuple(range(given)) if isinstance(given, int) else tuple(given)
            if not own:
                raise OptionError(f"the hidden node {node!r} needs at least one state")
            dtype = code_dtype(len(own))
            codes.append(np.full(table.n_rows, np.iinfo(dtype).max, dtype=dtype))
            states.append(own)
            continue
        if node not in table.names:
            raise unknown_name("column for the node", node, table.names)
        if not table.states_of(node):
            raise DataError(
                f"column {node!r} has no states; leave it out and name it among the hidden variables"
            )
        codes.append(table.codes(node))
        states.append(table.states_of(node))
        origins[node] = table.origins[node]
    return Table(graph.nodes, codes, states, weights=table.weights, origins=origins)


def _template(graph: Dag, table: Table, max_bytes: float | None) -> BayesianNetwork:
    """A network of uniform tables with the graph, states and bins."""
    r = dict(zip(table.names, table.cardinalities, strict=True))
    require_capacity(r, {node: graph.parents(node) for node in graph.nodes}, max_bytes, copies=2)
    return BayesianNetwork(
        graph,
        {node: table.states_of(node) for node in graph.nodes},
        {
            node: np.full([r[axis] for axis in (*graph.parents(node), node)], 1 / r[node])
            for node in graph.nodes
        },
        origins={node: origin for node, origin in table.origins.items() if origin.matters},
    )


def _pseudo_counts(parameter_prior: Any, template: BayesianNetwork, table: Table) -> Tables:
    rule = pseudo_counts(parameter_prior, template.graph, Counting(table, missing="available"))
    alphas = {}
    for node in template.nodes:
        alpha = expected_pseudo_counts(rule, node, template.parents(node), template.table(node).shape)
        if alpha is not None:
            alphas[node] = alpha
    return alphas
