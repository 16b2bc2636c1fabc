"""The methods of a network; each calls the module that does the work."""

from __future__ import annotations

import importlib
import os
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dagwright.base.seeds import RandomState
from dagwright.graph.viewable import Drawable
from dagwright.model.tables.checks import Floats

if TYPE_CHECKING:
    from dagwright.data import Table
    from dagwright.model.network import BayesianNetwork
    from dagwright.model.network_oracle import NetworkOracle
    from dagwright.model.tables.essential import InessentialEdge


class NetworkMethods(Drawable):
    """The verbs of `BayesianNetwork`."""

    __slots__ = ()

    def sample(
        self,
        n: int,
        *,
        random_state: RandomState = None,
        evidence: Mapping[str, Hashable] | None = None,
        max_draws: int | None = None,
        threads: int | None = None,
    ) -> Table:
        """Draw rows from the network; the same random state gives the same rows on any number of threads.

        Parameters
        ----------
        n
            How many rows.
        random_state
            As in `learn`: None is the seed 0 and gives the same rows each time, "fresh" gives others.
        evidence
            Only rows with these states are kept, so the rarer the evidence, the longer it takes.
        max_draws
            How many rows may be drawn in all for the sake of the evidence; by default 10 million and 1000
            per row asked for.

        >>> from dagwright import load
        >>> load("asia").sample(1000, random_state=1, evidence={"smoke": "yes"}).n_rows
        1000
        """
        from dagwright.model.inference.sampling import sample

        return sample(
            _itself(self),
            n,
            random_state=random_state,
            evidence=evidence,
            max_draws=max_draws,
            threads=threads,
        )

    def log_likelihood(self, data: Any) -> float:
        """log P(data) of independent rows, with weights as frequencies; -inf for impossible rows.

        Missing cells are summed over: a row counts with the probability of what is known in it.

        >>> from dagwright import load
        >>> asia = load("asia")
        >>> round(asia.log_likelihood(asia.sample(1000, random_state=1)))
        -2198
        """
        from dagwright.model.inference.likelihood import log_likelihood

        return log_likelihood(_itself(self), data)

    def node_log_likelihoods(self, data: Any) -> dict[str, float]:
        """The part of each node in `log_likelihood`; complete rows only."""
        from dagwright.model.inference.likelihood import node_log_likelihoods

        return node_log_likelihoods(_itself(self), data)

    def row_log_likelihoods(self, data: Any) -> Floats:
        """log P of the observed cells of each row, ignoring weights; a log-density if the row has numbers."""
        from dagwright.model.inference.likelihood import row_log_likelihoods

        return row_log_likelihoods(_itself(self), data)

    def log_density(self, data: Any) -> Floats:
        """The log-density of each row: of its numbers, times the probability of its states.

        The same as `row_log_likelihoods`; cells and whole columns may be missing.

        >>> import dagwright as dw
        >>> ruler = dw.BayesianNetwork(dw.Dag(["size"]), {}, {"size": dw.LinearGaussian(10, sd=2)})
        >>> ruler.log_density({"size": [10.0, 12.0]}).round(4).tolist()
        [-1.6121, -2.1121]
        """
        return self.row_log_likelihoods(data)

    def update(self, data: Any) -> BayesianNetwork:
        """The network after more rows, whose counts are added to those behind the tables.

        The same as fitting all rows at once under the same pseudo-counts. Configurations still without
        counts keep their probabilities.
        """
        from dagwright.model.tables.parameters import update

        return update(_itself(self), data)

    def empty_configurations(self, node: str) -> list[dict[str, Hashable]]:
        """The configurations of a node's parents that never occurred in the data it was fitted to."""
        from dagwright.model.tables.parameters import empty_configurations

        return empty_configurations(_itself(self), node)

    @property
    def estimation(self) -> str:
        """How the tables were estimated, in words; empty where no counts are behind them.

        >>> from dagwright import Dag, fit
        >>> fit(Dag.parse("a"), {"a": ["x", "y"]}).estimation
        'posterior mean, equivalent sample size 1'
        """
        from dagwright.model.tables.parameters import estimation

        return estimation(_itself(self))

    def credible_intervals(self, node: str, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper ends, in the shape of the table, between which each entry lies at this level.

        They come from the Dirichlet posterior of the counts and pseudo-counts; where there are no
        pseudo-counts, a uniform prior (1 per state) stands in. Half of what is left out lies on each side.
        """
        from dagwright.model.tables.credible import credible_intervals

        return credible_intervals(_itself(self), node, level)

    def inessential_edges(self, tolerance: float = 0.0) -> tuple[InessentialEdge, ...]:
        """Arcs without effect: the child's probabilities do not vary with the parent (Prop. 7.2 of
        Jensen & Nielsen 2007), whatever the states of the other parents."""
        from dagwright.model.tables.essential import inessential_edges

        return inessential_edges(_itself(self), tolerance)

    def marginal(self, nodes: Sequence[str]) -> Floats:
        """The joint distribution of some nodes, one axis each, in the order given: `joint` without evidence.

        This makes a network the prior distribution of a score, as in ``BDe(network, ess=10)``.
        """
        targets = (nodes,) if isinstance(nodes, str) else tuple(nodes)
        for node in targets:
            _itself(self).states(node)  # a continuous node is refused
        return np.asarray(_itself(self).joint(targets))

    def oracle(self) -> NetworkOracle:
        """The independences of the network's distribution, for constraint-based searches.

        >>> from dagwright import PC, learn, load
        >>> truth = load("cancer")
        >>> learn(oracle=truth.oracle(), search=PC()).graph == truth.graph.cpdag()
        True
        """
        from dagwright.model.network_oracle import NetworkOracle

        return NetworkOracle(_itself(self))

    def distribution(self, sample_size: float = 1.0) -> Table:
        """The joint distribution of all nodes as a Table of weighted cells: an infinite sample.

        Parameters
        ----------
        sample_size
            The number of rows that penalties and statistics assume.

        >>> from dagwright import load
        >>> round(load("cancer").distribution(sample_size=1000).N, 6)
        1000.0
        """
        from dagwright.data import Table

        network = _itself(self)
        states = [network.states(node) for node in network.nodes]
        return Table.from_distribution(network.joint(network.nodes), network.nodes, states, sample_size)

    def explore(self, evidence: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """A widget for notebooks in which clicks and sliders set evidence; see `dagwright.show.explore`."""
        return importlib.import_module("dagwright.show").explore(self, evidence, **options)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002
        lossless: bool = False,
    ) -> tuple[Any, ...]:
        """Write the network to a file and return what the file cannot hold; see `dagwright.save`."""
        # `io` is above this package in the layers, so it is imported when it is needed.
        saved = importlib.import_module("dagwright.io").save(self, path, format=format, lossless=lossless)
        return tuple(saved)


def _itself(verbs: NetworkMethods) -> BayesianNetwork:
    return cast("BayesianNetwork", verbs)
