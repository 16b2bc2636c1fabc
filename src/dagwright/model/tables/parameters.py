"""Tables from data: P(k | j) = (N_ijk + a_ijk) / (N_ij + a_ij), with pseudo-counts a.

Without pseudo-counts this is maximum likelihood, with those of a Dirichlet prior its posterior mean.
Parent configurations with neither are undefined there, so a rule fills them in.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from dagwright.data.missing import OF_ROWS, apply_policy
from dagwright.errors import DataError, OptionError, unknown_name
from dagwright.evidence.counting import Counting, as_rows, countable
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.model.gaussian.orientation import member_for_numbers
from dagwright.model.incomplete.em import EM
from dagwright.model.inference.likelihood import complete_rows
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.capacity import require_capacity
from dagwright.model.tables.checks import Floats, configuration, dag_for
from dagwright.model.tables.priors import SMOOTHING, checked_pseudo_counts, pseudo_counts
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.data import Table

log = logging.getLogger("dagwright")

EmptyConfigurationPolicy = Literal["uniform", "marginal", "error"]


def fit(
    graph: GraphLike,
    data: Any,
    *,
    parameter_prior: Any = SMOOTHING,
    empty_configurations: EmptyConfigurationPolicy = "uniform",
    missing: str | EM | None = None,
    max_bytes: float | None = None,
) -> BayesianNetwork:
    """A network with this graph and the parameters that the data give.

    Parameters
    ----------
    graph
        A DAG, a learned result, a network, or text such as "A -> B; C". Of a class of DAGs a member is taken.
        Columns that are not nodes are ignored.
    data
        A Table or anything that `read` takes; weights are frequencies. A column of numbers gives a continuous
        node, whose regression on its parents is found by least squares, with standard errors; cut it into
        intervals with ``read(data, discretize=...)`` to have states instead. Where experiments set variables
        (`Table.with_interventions`), the parameters of a node come from the rows that did not set it.
    parameter_prior
        A score of marginal likelihood, such as ``BDeu(ess=10)`` or ``BDe(network, ess=5)``, gives the
        posterior mean under its prior. The default, ``BDeu(ess=1)``, leaves no state impossible. None is
        maximum likelihood. A number is a pseudo-count for every cell; a mapping gives arrays of them by node,
        axes as in the tables (parents by name, then the node). A continuous node with discrete parents adds
        as many rows of all cells together to each cell as the prior is worth.
    empty_configurations
        The probabilities for configurations of the parents without counts and pseudo-counts: "uniform", the
        "marginal" distribution of the node, or "error". `BayesianNetwork.empty_configurations` lists them.
    missing
        What to do with missing values: None refuses, "drop" leaves rows out, "state" makes a state of them,
        "em" or ``EM()`` takes them as unknown and finds the tables that make the rest most likely.
    max_bytes
        Larger tables are refused before they are made; None: what the machine leaves, at most 4 GiB.

    >>> rain = {"rain": ["no", "no", "no", "yes"], "lawn": ["dry", "dry", "wet", "wet"]}
    >>> fit("rain -> lawn", rain).table("lawn").round(2).tolist()
    [[0.64, 0.36], [0.17, 0.83]]
    >>> fit("rain -> lawn", rain, parameter_prior=None).table("lawn").round(2).tolist()
    [[0.67, 0.33], [0.0, 1.0]]
    >>> sizes = {"height": [160.5, 171.0, 182.5, 168.0], "weight": [55.0, 68.5, 84.0, 67.5]}
    >>> from dagwright.data import read
    >>> table = read(sizes, kinds={"height": "continuous", "weight": "continuous"})
    >>> fit("height -> weight", table).cpd("weight")
    weight = -151.437 + 1.29142 * height + N(0, 1.1701)
    """
    if empty_configurations not in get_args(EmptyConfigurationPolicy):
        raise OptionError(
            Argument("empty_configurations", empty_configurations),
            f"; choose one of {', '.join(map(repr, get_args(EmptyConfigurationPolicy)))}",
        )
    rows = as_rows(data)
    given = as_graph(graph)
    if numeric := set(rows.schema.continuous) & set(given.nodes):
        from dagwright.model.gaussian.estimation import fit_mixed

        settled = isinstance(given, Dag) and not any(
            a in numeric and b not in numeric for a, b in given.edges
        )
        order = None if settled else rows.canonical()[0].names
        return fit_mixed(
            member_for_numbers(graph, numeric, order),
            rows,
            parameter_prior=parameter_prior,
            empty_configurations=empty_configurations,
            missing=missing,
            max_bytes=max_bytes,
        )
    table = countable(rows)
    graph = dag_for(graph, table)
    if missing == "em":
        missing = EM()
    if isinstance(missing, EM):
        if table.interventions:
            raise OptionError(
                "EM does not support interventions; fit the complete rows with ", Argument("missing", "drop")
            )
        if empty_configurations != "uniform":
            raise OptionError(
                Argument("empty_configurations", empty_configurations),
                " does not go with EM, which leaves such tables uniform",
            )
        return missing.fit(graph, table, parameter_prior=parameter_prior, max_bytes=max_bytes).network
    for node in graph.nodes:
        if node not in table.names:
            raise unknown_name("column for the node", node, table.names)
    if len(graph) < len(table.names):
        table = table.select(graph.nodes)
    table = apply_policy(table, missing, offers=(*OF_ROWS, "em"))
    counting = Counting(table)
    parents = {node: graph.parents(node) for node in graph.nodes}
    cardinalities = {node: len(table.states_of(node)) for node in graph.nodes}
    require_capacity(cardinalities, parents, max_bytes, copies=2)  # tables and the counts behind them
    counts = {node: family_counts(counting, node, parents[node]) for node in graph.nodes}
    rule = pseudo_counts(parameter_prior, graph, counting)
    alphas: dict[str, Floats] = {}
    tables: dict[str, Floats] = {}
    for node, of_node in counts.items():
        alpha = checked_pseudo_counts(node, rule(node, parents[node], of_node), of_node.shape)
        if alpha is not None:
            alphas[node] = alpha
        tables[node], empty = estimate(of_node, alpha)
        if np.any(empty):
            _fill(tables[node], empty, empty_configurations, node, of_node, parents[node], table)
    return BayesianNetwork(
        graph,
        {node: table.states_of(node) for node in graph.nodes},
        tables,
        counts=counts,
        pseudo_counts=alphas,
        origins={node: origin for node, origin in table.origins.items() if node in graph and origin.matters},
    )


def family_counts(counting: Counting, node: str, parents: tuple[str, ...]) -> Floats:
    """N_ijk: one axis per parent in the order given, the node's own last.

    Rows in which an experiment set the node do not count.
    """
    if node in counting.table.interventions:
        counting = Counting(counting.table.unset(node), threads=counting.threads)
    return counting.contingency_table([counting.table.column_index(name) for name in (*parents, node)])


def estimate(counts: Floats, alpha: Floats | None) -> tuple[Floats, Any]:
    """(N_ijk + a_ijk) / (N_ij + a_ij), and which configurations have nothing to divide by."""
    posterior = counts.copy() if alpha is None else counts + alpha
    sums = posterior.sum(axis=-1, keepdims=True)
    np.divide(posterior, sums, out=posterior, where=sums > 0)
    return posterior, sums[..., 0] <= 0


def _fill(
    table: Floats,
    empty: Any,
    empty_configurations: EmptyConfigurationPolicy,
    node: str,
    counts: Floats,
    parents: tuple[str, ...],
    data: Table,
) -> None:
    """Apply the rule for configurations without counts, in place."""
    log.info(
        "%d of %d parent configurations of %r never occur: %s",
        empty.sum(),
        empty.size,
        node,
        empty_configurations,
    )
    if empty_configurations == "error":
        place = tuple(int(i) for i in np.argwhere(empty)[0])
        states = {name: data.states_of(name) for name in parents}
        shown = configuration(parents, states, place) or ", the data have no rows"
        raise DataError(
            f"node {node!r}{shown}: no rows, so no probabilities ({int(empty.sum()):,} of {empty.size:,} "
            "configurations); give pseudo-counts with ",
            Argument("parameter_prior"),
            ", or ",
            Argument("empty_configurations", "uniform"),
            " or 'marginal'",
        )
    total = counts.reshape(-1, counts.shape[-1]).sum(axis=0)
    if empty_configurations == "marginal" and total.sum() > 0:
        table[empty] = total / total.sum()
    else:
        table[empty] = 1.0 / table.shape[-1]


def update(network: BayesianNetwork, data: Any) -> BayesianNetwork:
    """The network after more rows; see `BayesianNetwork.update`."""
    counting = Counting(complete_rows(network, data))
    tables, counts = {}, {}
    for node in network.nodes:
        before = counts_behind(network, node)
        counts[node] = before + family_counts(counting, node, network.parents(node))
        tables[node], empty = estimate(counts[node], network.pseudo_counts(node))
        tables[node][empty] = network.table(node)[empty]
        for array in (counts[node], tables[node]):
            array.flags.writeable = False
    return network._with(tables=tables, counts=counts)


def empty_configurations(network: BayesianNetwork, node: str) -> list[dict[str, Hashable]]:
    """Parent configurations without a row; see `BayesianNetwork.empty_configurations`."""
    parents = network.parents(node)
    places = np.argwhere(counts_behind(network, node).sum(axis=-1) <= 0) if parents else ()
    return [
        {parent: network.states(parent)[code] for parent, code in zip(parents, place, strict=True)}
        for place in places
    ]


def estimation(network: BayesianNetwork) -> str:
    """How the tables follow from their counts; see `BayesianNetwork.estimation`."""
    if not all(network.counts(node) is not None for node in network.nodes):
        return ""
    added = [network.pseudo_counts(node) for node in network.nodes]
    sizes = {0.0 if own is None else round(float(own.sum()), 9) for own in added}
    if sizes == {0.0}:
        return "maximum likelihood"
    size = f"equivalent sample size {min(sizes):g}" if len(sizes) == 1 else "pseudo-counts"
    return f"posterior mean, {size}"


def counts_behind(network: BayesianNetwork, node: str) -> Floats:
    """The counts of a node, or the error that there are none."""
    counts = network.counts(node)
    if counts is None:
        raise DataError(f"node {node!r} has no counts behind its table; networks from fit() have them")
    return counts
