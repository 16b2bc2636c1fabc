"""Networks with numbers: tables, parameters, inference, sampling, distances."""

from dagwright.model.answers import MostProbable
from dagwright.model.blanket_distance import NetworkDistance, distance
from dagwright.model.capacity import TableSizes, require_capacity, table_sizes
from dagwright.model.em import EM, EMResult
from dagwright.model.evaluation import (
    BeliefComparison,
    BlanketAgreement,
    Calibration,
    blanket_agreement,
    calibration,
    compare_beliefs,
    log_loss,
)
from dagwright.model.expected import ObservedScore, observed_score
from dagwright.model.gaussian.answer import NumericJoint, NumericPosterior
from dagwright.model.gaussian.distribution import LinearGaussian
from dagwright.model.generation import random_network
from dagwright.model.inference import InferenceEngine
from dagwright.model.joint_divergence import Divergence, divergence
from dagwright.model.markov_network import MarkovNetwork
from dagwright.model.metadata import Metadata
from dagwright.model.methods import AutoInference, ExactInference, LikelihoodWeighting, LoopyPropagation
from dagwright.model.network import BayesianNetwork
from dagwright.model.parameters import fit
from dagwright.model.posterior import Posterior
from dagwright.model.structural_em import StructuralEM

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
