"""Decomposable Markov networks with numbers: a chordal graph and the joint distributions of its cliques."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dagwright.base.wording import count_of
from dagwright.errors import GraphError, OptionError
from dagwright.evidence.bayesian import BDe, BDeu
from dagwright.evidence.counting import as_table
from dagwright.evidence.criteria import Score
from dagwright.graph.chordal import CliqueSequence, clique_sequence
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.graph.viewable import Drawable
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.checks import Floats
from dagwright.model.tables.parameters import fit
from dagwright.model.tables.priors import SMOOTHING
from dagwright.sentences import Argument

SHOWN_CLIQUES = 12


@dataclass(frozen=True, repr=False)
class MarkovNetwork(Drawable):
    """A Markov network whose graph is chordal, so that its parameters have a closed form:

        P(x) = product over cliques of P(x_C) / product over separators of P(x_S)

    (Lauritzen 1996, section 4.4). Made by `MarkovNetwork.fit` or `Learned.markov_network`.

    Attributes
    ----------
    graph
        The edges.
    network
        The same distribution as a Bayesian network along a perfect order: query it, sample from it, save it.

    >>> wet = {"rain": ["no", "no", "no", "yes"], "lawn": ["dry", "dry", "wet", "wet"]}
    >>> model = MarkovNetwork.fit(UndirectedGraph.parse("rain -- lawn"), wet, parameter_prior=None)
    >>> model
    MarkovNetwork: 2 nodes, 1 edge, 1 clique, 3 parameters
      lawn, rain
    >>> model.cliques
    (('lawn', 'rain'),)
    >>> model.table(["rain", "lawn"]).tolist()
    [[0.5, 0.25], [0.0, 0.25]]
    >>> model.probability({"lawn": "wet"})
    0.5
    """

    graph: UndirectedGraph
    network: BayesianNetwork

    def __post_init__(self) -> None:
        if self.network.graph != self.graph.directed():
            raise GraphError("the network must have the edges of graph.directed(); use MarkovNetwork.fit")

    def __repr__(self) -> str:
        counts = (
            (len(self.graph.nodes), "node"),
            (len(self.graph.edges), "edge"),
            (len(self.cliques), "clique"),
            (self.dimension, "parameter"),
        )
        words = ", ".join(count_of(*pair) for pair in counts)
        lines = [f"MarkovNetwork: {words}"]
        for clique, separator in list(zip(self.cliques, self.separators, strict=True))[:SHOWN_CLIQUES]:
            joined = f" (joined by {', '.join(separator)})" if separator else ""
            lines.append(f"  {', '.join(clique)}{joined}")
        if len(self.cliques) > SHOWN_CLIQUES:
            lines.append(f"  and {len(self.cliques) - SHOWN_CLIQUES} more")
        return "\n".join(lines)

    @staticmethod
    def fit(graph: GraphLike, data: Any, *, parameter_prior: Any = SMOOTHING) -> MarkovNetwork:
        """The network with this chordal graph and the parameters that the data give.

        Parameters
        ----------
        data
            A Table or anything that `read` takes.
        parameter_prior
            ``BDeu(ess)`` and ``BDe(prior, ess)`` give posterior means; other priors do not agree on what
            cliques share. None is maximum likelihood: the clique tables are relative frequencies.
        """
        if isinstance(parameter_prior, Score) and not isinstance(parameter_prior, BDeu | BDe):
            parameter_prior = None if parameter_prior.equivalent else parameter_prior
        if parameter_prior is not None and not isinstance(parameter_prior, BDeu | BDe):
            raise OptionError(
                Argument("parameter_prior", parameter_prior),
                " differs between cliques that share variables; use None, BDeu or BDe",
            )
        shape = as_graph(graph)
        if isinstance(shape, Pdag) and not shape.directed_edges:
            shape = shape.skeleton()
        if not isinstance(shape, UndirectedGraph):
            raise OptionError(
                f"a Markov network has an undirected graph, not a {type(shape).__name__}; fit() takes graphs "
                "with directed edges"
            )
        rows = as_table(data)  # cliques count states
        return MarkovNetwork(shape, fit(shape.directed(), rows, parameter_prior=parameter_prior))

    @cached_property
    def _sequence(self) -> CliqueSequence:
        return clique_sequence(self.graph)

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The maximal cliques, in an order with the running intersection property."""
        return self._sequence.cliques

    @property
    def separators(self) -> tuple[tuple[str, ...], ...]:
        """For each clique what it shares with earlier ones; empty where nothing."""
        return self._sequence.separators

    @property
    def dimension(self) -> int:
        """The number of free parameters."""
        return self.network.dimension

    def table(self, names: Sequence[str]) -> Floats:
        """The joint probabilities of these variables, one axis each in that order.

        For cliques and separators these are the parameters; any other set is summed up by inference.
        """
        return self.network.joint(list(names)) if names else np.ones(())

    def probability(self, states: Mapping[str, Hashable]) -> float:
        """The probability of the states of some or all variables."""
        return self.network.evidence_probability(dict(states)) if states else 1.0

    def log_likelihood(self, data: Any) -> float:
        """log P(data), the rows taken as independent; -inf for impossible rows."""
        return self.network.log_likelihood(data)
