"""Rows whose missing cells are spread over their states by a network, so that any set can be counted.

The expected count of a cell is the sum over the rows of P(cell | what is known in the row): the sufficient
statistics of structural EM (Friedman 1998). Scores take such a table like any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dagwright import _core
from dagwright.base.numbering import Numbering
from dagwright.data import Table
from dagwright.data.states import code_dtype
from dagwright.defaults import usual_pair
from dagwright.errors import DataError, OptionError
from dagwright.evidence.binding import describe_score
from dagwright.evidence.bound import Bound
from dagwright.evidence.counting import Counting, as_rows, countable
from dagwright.evidence.incomplete import IncompleteScore
from dagwright.evidence.structure_priors import StructurePrior, as_prior
from dagwright.evidence.threads import available_threads
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike
from dagwright.methods.traits import evidence_traits
from dagwright.model.gaussian.completion import NumbersWithGaps
from dagwright.model.incomplete.em import EM, EMResult
from dagwright.model.inference.engine import MAX_BYTES
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.capacity import CELL_BYTES
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.native_tables import numbered_tables
from dagwright.model.tables.parameters import estimate
from dagwright.model.tables.priors import expected_pseudo_counts, pseudo_counts
from dagwright.sentences import Argument


def with_hidden_columns(table: Table, hidden: dict[str, int]) -> Table:
    """The table with a column of missing cells for each hidden variable."""
    if table.schema.continuous:
        raise OptionError(
            Argument("hidden", dict(hidden)),
            f" needs columns without numbers, and {table.schema.continuous[0]!r} holds numbers; cut them "
            "with table.discretized()",
        )
    codes, states = [table.codes(name) for name in table.names], list(table.states)
    for name, r in hidden.items():
        if name in table.names:
            raise OptionError(f"variable {name!r} cannot be hidden: the data have a column for it")
        dtype = code_dtype(r)
        codes.append(np.full(table.n_rows, np.iinfo(dtype).max, dtype=dtype))
        states.append(tuple(range(r)))
    return Table(
        (*table.names, *hidden),
        codes,
        states,
        weights=table.weights,
        origins=table.origins,
        notes=table.notes,
    )


def merged_rows(table: Table) -> Table:
    """The distinct rows with their weights, in an order that does not depend on that of the rows."""
    codes = np.stack([table.codes(name).astype(np.uint16) for name in table.names], axis=1)
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    order = np.lexsort((weights, *codes.T[::-1]))
    codes, weights = codes[order], weights[order]
    fresh = np.ones(len(codes), dtype=np.bool_)
    fresh[1:] = np.any(codes[1:] != codes[:-1], axis=1)
    starts = np.flatnonzero(fresh)
    return table.take(order[starts]).with_weights(np.add.reduceat(weights, starts))


class RowsWithGaps:
    """Incomplete rows under a score: EM for a graph, and the score that an EM result gives all graphs.

    Inside EM nodes are numbered as their columns are, not by the alphabet: so names change no answer.
    """

    def __init__(self, score: IncompleteScore, threads: int) -> None:
        self.score = score
        self.names = score.names
        self.threads = threads
        self.rows = merged_rows(score.table)
        if not self.rows.N > 0:
            raise DataError("EM needs at least one row with positive weight")
        self.numbering = Numbering(self.names)
        self.native = _core.Table.from_codes(
            [self.rows.codes(name) for name in self.names],
            list(self.rows.cardinalities),
            self.rows.n_rows,
            self.rows.weights,
        )

    def numbered(self, graph: Dag) -> Dag:
        """The graph over the columns, with their numbers."""
        return Dag(self.names, graph.edges).numbered(self.numbering)

    def pseudo_counts(self, graph: Dag) -> dict[str, Floats]:
        """The prior of the score for the parameters of a graph."""
        counting = Counting(self.rows, missing="available")
        rule = pseudo_counts(self.score.plain, graph, counting)
        r = dict(zip(self.names, self.rows.cardinalities, strict=True))
        alphas = {}
        own = self.numbered(graph)
        for node in self.names:
            parents = own.parents(node)
            shape = tuple(r[axis] for axis in (*parents, node))
            alpha = expected_pseudo_counts(rule, node, parents, shape)
            if alpha is not None:
                alphas[node] = alpha
        return alphas

    def fit(self, graph: Dag, em: EM, start: BayesianNetwork | None, until: Any = None) -> EMResult:
        """EM for a graph; the network has the numbers of the columns."""
        return em.fit(
            self.numbered(graph),
            self.rows,
            parameter_prior=self.pseudo_counts(graph),
            start=start,
            threads=self.threads,
            until=until,
        )

    def completed(self, network: BayesianNetwork) -> Table:
        """The rows with their missing cells spread over their states by a network that `fit` made."""
        native = _core.expected_table(
            self.native, numbered_tables(network).native, MAX_BYTES / CELL_BYTES, self.threads
        )
        return self.rows.with_expected_cells(native)

    def improved(self, graph: Dag, completed: Table) -> BayesianNetwork:
        """The M-step for another graph: its tables from the expected counts."""
        counting = Counting(completed)
        alphas = self.pseudo_counts(graph)
        own = self.numbered(graph)
        tables = {}
        for node in self.names:
            axes = (*own.parents(node), node)
            counts = counting.contingency_table([completed.column_index(name) for name in axes])
            tables[node], empty = estimate(counts, alphas.get(node))
            tables[node][empty] = 1.0 / counts.shape[-1]
        states = {name: self.rows.states_of(name) for name in self.names}
        return BayesianNetwork(own, states, tables)

    def random_start(self, graph: Dag, random: np.random.Generator) -> BayesianNetwork:
        """A network with random tables."""
        own = self.numbered(graph)
        r = dict(zip(own.nodes, self.rows.cardinalities, strict=True))
        states = {name: self.rows.states_of(name) for name in self.names}
        tables = {
            node: random.dirichlet(np.ones(r[node]), size=[r[parent] for parent in own.parents(node)])
            for node in self.names
        }
        return BayesianNetwork(own, states, tables)

    def completed_log_likelihood(self, network: BayesianNetwork, completed: Table) -> float:  # noqa: ARG002
        """The expected log-likelihood of the completed rows at a network that `fit` made, from its counts."""
        total = 0.0
        for node in network.nodes:
            counts, table = network.counts(node), network.table(node)
            if counts is None:
                raise DataError(f"the network has no counts behind the table of {node!r}")
            used = counts > 0
            total += math.fsum((counts[used] * np.log(table[used])).tolist())
        return total

    def named(self, network: BayesianNetwork) -> BayesianNetwork:
        """The network with the numbers of the alphabet, as users meet it."""
        return network.renamed({})


def rows_with_gaps(score: IncompleteScore, threads: int) -> RowsWithGaps | NumbersWithGaps:
    """The incomplete rows of a score, by the kind of their columns."""
    kind = NumbersWithGaps if score.table.schema.continuous else RowsWithGaps
    return kind(score, threads)


@dataclass(frozen=True)
class ObservedScore:
    """The score of a graph on rows with missing cells.

    For penalized likelihoods this is log P(observed cells) at the EM estimate minus the penalty (Jensen &
    Nielsen 2007, Section 7.3.1). For marginal likelihoods it is the approximation of Cheeseman & Stutz
    (1996), log P(D') - log P(D' | theta) + log P(D | theta), with D' the expected counts.

    Attributes
    ----------
    total
        The score in nats.
    expected
        The score of the expected counts, what structural EM raises in each round.
    log_likelihood
        log P(observed cells) at the EM estimate.
    network
        The EM estimate itself.
    definition
        The score in words.
    """

    total: float
    expected: float
    log_likelihood: float
    network: BayesianNetwork
    definition: str = ""

    def __float__(self) -> float:
        return self.total


def scored(
    rows: RowsWithGaps | NumbersWithGaps, graph: Dag, found: EMResult, completed: Table, bound: Bound
) -> ObservedScore:
    """The score of an EM result for a graph; ``bound`` is the score on its completed rows."""
    expected = bound.total(graph)
    fitted = rows.completed_log_likelihood(found.network, completed)
    return ObservedScore(
        expected - fitted + found.log_likelihood,
        expected,
        found.log_likelihood,
        rows.named(found.network),
        describe_score(rows.score)[1],
    )


def observed_score(
    graph: GraphLike,
    data: Any,
    score: Any = None,
    *,
    structure_prior: StructurePrior | None = None,
    em: EM | None = None,
    threads: int | None = None,
) -> ObservedScore:
    """The score of a graph on rows with missing cells, by EM, with all that EM found.

    ``score(graph, data, missing="em")`` gives the number alone, with the default structure prior.

    Parameters
    ----------
    graph
        As in `score`: columns that it does not mention have no arcs.
    data
        A Table or anything that `read` takes, with a column for each node.
    score
        One of the scores that are sums over nodes; the default is that of `learn`.
    structure_prior
        Its logarithm is added; None adds nothing.

    >>> gaps = {"X1": ["y"] * 8 + [None, "n"], "X2": [None, *["p"] * 5, *["n"] * 4]}
    >>> round(float(observed_score("X1 -> X2", gaps, "BIC")), 3)
    -11.695
    """
    table = as_rows(data)
    spec = usual_pair(score, None).score
    prior = None if structure_prior is None else as_prior(structure_prior)
    if not evidence_traits(spec).takes_numbers:
        table = countable(table)
    rows = rows_with_gaps(IncompleteScore(spec, table, prior, threads), threads or available_threads())
    dag = rows.score.dag(graph)
    found = rows.fit(dag, em or EM(), None)
    completed = rows.completed(found.network)
    return scored(rows, dag, found, completed, rows.score.completed(completed))
