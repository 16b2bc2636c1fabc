"""Networks with numbers: tables, parameters, sampling, distances."""

from dagwright.model.blanket_distance import NetworkDistance, distance
from dagwright.model.capacity import TableSizes, require_capacity, table_sizes
from dagwright.model.evaluation import (
    BeliefComparison,
    BlanketAgreement,
    Calibration,
    blanket_agreement,
    calibration,
    compare_beliefs,
    log_loss,
)
from dagwright.model.generation import random_network
from dagwright.model.joint_divergence import Divergence, divergence
from dagwright.model.metadata import Metadata
from dagwright.model.network import BayesianNetwork
from dagwright.model.parameters import fit

__all__ = [
    "BayesianNetwork",
    "BeliefComparison",
    "BlanketAgreement",
    "Calibration",
    "Divergence",
    "Metadata",
    "NetworkDistance",
    "TableSizes",
    "blanket_agreement",
    "calibration",
    "compare_beliefs",
    "distance",
    "divergence",
    "fit",
    "log_loss",
    "random_network",
    "require_capacity",
    "table_sizes",
]
