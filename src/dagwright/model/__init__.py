"""Networks with numbers: tables, parameters, sampling, distances."""

from dagwright.model.metadata import Metadata
from dagwright.model.network import BayesianNetwork

__all__ = ["BayesianNetwork", "Metadata"]
