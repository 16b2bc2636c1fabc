"""Networks with numbers: tables, parameters, inference, sampling, distances."""

from dagwright.model.distances.blanket_distance import NetworkDistance, distance
from dagwright.model.distances.evaluation import (
    BeliefComparison,
    BlanketAgreement,
    Calibration,
    blanket_agreement,
    calibration,
    compare_beliefs,
    log_loss,
)
from dagwright.model.distances.joint_divergence import Divergence, divergence
from dagwright.model.gaussian.answer import NumericJoint, NumericPosterior
from dagwright.model.gaussian.distribution import LinearGaussian
from dagwright.model.incomplete.em import EM, EMResult
from dagwright.model.incomplete.expected import ObservedScore, observed_score
from dagwright.model.incomplete.structural_em import StructuralEM
from dagwright.model.inference.answers import MostProbable
from dagwright.model.inference.engine import InferenceEngine
from dagwright.model.inference.methods import (
    AutoInference,
    ExactInference,
    LikelihoodWeighting,
    LoopyPropagation,
)
from dagwright.model.inference.posterior import Posterior
from dagwright.model.markov_network import MarkovNetwork
from dagwright.model.network import BayesianNetwork
from dagwright.model.tables.capacity import TableSizes, require_capacity, table_sizes
from dagwright.model.tables.generation import random_network
from dagwright.model.tables.metadata import Metadata
from dagwright.model.tables.parameters import fit

__all__ = [
    "EM",
    "EMResult",
    "AutoInference",
    "BayesianNetwork",
    "BeliefComparison",
    "BlanketAgreement",
    "Calibration",
    "Divergence",
    "ExactInference",
    "InferenceEngine",
    "LikelihoodWeighting",
    "LinearGaussian",
    "LoopyPropagation",
    "MarkovNetwork",
    "Metadata",
    "MostProbable",
    "NetworkDistance",
    "NumericJoint",
    "NumericPosterior",
    "ObservedScore",
    "Posterior",
    "StructuralEM",
    "TableSizes",
    "blanket_agreement",
    "calibration",
    "compare_beliefs",
    "distance",
    "divergence",
    "fit",
    "log_loss",
    "observed_score",
    "random_network",
    "require_capacity",
    "table_sizes",
]
