"""Something network-like, made a network: the one place for every function that takes one."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from dagwright.errors import OptionError, refuse_class, shortened
from dagwright.graph.holders import held_network

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

NetworkLike = Any
"""What `as_network` takes: a network, a learned result, the name of a built-in network or a file."""


def as_network(given: NetworkLike, what: str = "network") -> BayesianNetwork:
    """The network with parameters that something stands for; ``what`` names it in errors.

    >>> len(as_network("asia").nodes)
    8
    """
    from dagwright.model.network import BayesianNetwork

    refuse_class(what, given)
    if isinstance(given, str | os.PathLike):
        # `io` is above this package in the layers, so it is imported when it is needed.
        given = importlib.import_module("dagwright.io").load(given)
    if isinstance(given, BayesianNetwork):
        return given
    found = held_network(given)
    if isinstance(found, BayesianNetwork):
        return found
    raise OptionError(
        f"the {what} must be a network with parameters, not {shortened(given)}; fit(graph, data) gives a "
        "graph its parameters"
    )
