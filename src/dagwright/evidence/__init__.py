"""Evidence from data: one quantity per set of variables, seen as scores and as independence tests."""

from dagwright.evidence.bayesian import AdaptiveBDeu, BDe, BDeu, BDs, DirichletScore, K2Score
from dagwright.evidence.bound import Bound
from dagwright.evidence.chi_squared import ChiSquare, GSquare, TestSpec
from dagwright.evidence.counting import Counting
from dagwright.evidence.criteria import (
    AIC,
    BIC,
    MDL,
    DescriptionLength,
    LogLik,
    NodeLength,
    Penalized,
    Score,
    description_length,
)
from dagwright.evidence.decisions import BayesFactor, CriterionSign, Threshold
from dagwright.evidence.edge_priors import DescriptionLengthPrior, EdgeProbability
from dagwright.evidence.euclidean import Euclidean
from dagwright.evidence.false_discoveries import BenjaminiHochberg, BenjaminiYekutieli, FalseDiscoveryRate
from dagwright.evidence.gap_report import GapDependence, Missingness, missingness
from dagwright.evidence.huffman import CodeLengths, code_lengths
from dagwright.evidence.incomplete import NodeAverage
from dagwright.evidence.information import (
    conditional_mutual_information,
    cross_entropy,
    entropy,
    family_weight,
    independence_test,
    kl_divergence,
    mutual_information,
    network_weight,
)
from dagwright.evidence.nml import FNML, QNML
from dagwright.evidence.numbers import BGe, ConditionalGaussian, Embedded, Gaussian, MeasureSpec
from dagwright.evidence.parent_counts import FanIn, ParentCount
from dagwright.evidence.partial_correlation import FisherZ, LikelihoodRatio, StudentT
from dagwright.evidence.permuted import Permuted
from dagwright.evidence.protocols import (
    Family,
    IndependenceTest,
    JointDistribution,
    KnownColumns,
    LocalScore,
    Measure,
    SetFit,
    Triple,
)
from dagwright.evidence.ranked import Ranked
from dagwright.evidence.report import GraphScore, equivalence_gap, score
from dagwright.evidence.structure_priors import (
    ArcCost,
    FamilyPrior,
    KappaPrior,
    StructurePrior,
    UniformPrior,
)
from dagwright.evidence.threads import available_threads

__all__ = [
    "DescriptionLengthPrior",
    "EdgeProbability",
    "FanIn",
    "AIC",
    "ArcCost",
    "AdaptiveBDeu",
    "BDe",
    "BDeu",
    "BDs",
    "BGe",
    "ConditionalGaussian",
    "Embedded",
    "FisherZ",
    "Gaussian",
    "LikelihoodRatio",
    "Ranked",
    "StudentT",
    "MeasureSpec",
    "BIC",
    "BayesFactor",
    "BenjaminiHochberg",
    "BenjaminiYekutieli",
    "Bound",
    "ChiSquare",
    "CodeLengths",
    "Counting",
    "CriterionSign",
    "DescriptionLength",
    "DirichletScore",
    "Euclidean",
    "SetFit",
    "FNML",
    "FalseDiscoveryRate",
    "Family",
    "FamilyPrior",
    "GSquare",
    "GapDependence",
    "GraphScore",
    "IndependenceTest",
    "JointDistribution",
    "K2Score",
    "KappaPrior",
    "LocalScore",
    "LogLik",
    "MDL",
    "Measure",
    "NodeLength",
    "Missingness",
    "NodeAverage",
    "ParentCount",
    "Penalized",
    "Permuted",
    "StructurePrior",
    "UniformPrior",
    "QNML",
    "KnownColumns",
    "Score",
    "TestSpec",
    "Threshold",
    "Triple",
    "available_threads",
    "code_lengths",
    "conditional_mutual_information",
    "cross_entropy",
    "description_length",
    "entropy",
    "equivalence_gap",
    "family_weight",
    "independence_test",
    "kl_divergence",
    "missingness",
    "mutual_information",
    "network_weight",
    "score",
]
