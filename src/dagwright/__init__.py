"""dagwright learns Bayesian networks from data.

>>> import dagwright as dw
>>> found = dw.learn(dw.sample_path("asia"))
>>> sorted(found.graph.nodes)[:3]
['asia', 'bronc', 'dysp']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from dagwright.errors import (
    CapacityError,
    CycleError,
    DagwrightError,
    DagwrightWarning,
    DataError,
    FormatError,
    GraphError,
    ImpossibleEvidenceError,
    KnowledgeError,
    MissingValuesError,
    NoExtensionError,
    NotFinishedError,
    NotIdentifiableError,
    OptionError,
    UnknownNameError,
)
from dagwright.version import __version__

if TYPE_CHECKING:
    from dagwright.confidence import (
        Confidence,
        ConfidenceDifference,
        EnumeratedPosterior,
        ExactPosterior,
        LinkCalibration,
        LinkConfidence,
        OrderMCMC,
        PartitionMCMC,
        StructureMCMC,
        StructurePosterior,
        posterior,
    )
    from dagwright.cross_validation import CrossValidation, cross_validate
    from dagwright.data import (
        MDLP,
        Continuous,
        CutPoints,
        DataReport,
        Discrete,
        EqualFrequency,
        EqualWidth,
        Hartemink,
        KMeans1D,
        NetworkMDL,
        Schema,
        Table,
        describe,
    )
    from dagwright.data.read import read
    from dagwright.data.samples import sample_path, samples
    from dagwright.evidence import (
        AIC,
        BIC,
        FNML,
        MDL,
        QNML,
        ArcCost,
        BayesFactor,
        BDe,
        BDeu,
        BDs,
        BenjaminiHochberg,
        BenjaminiYekutieli,
        ChiSquare,
        CriterionSign,
        DescriptionLengthPrior,
        DirichletScore,
        EdgeProbability,
        Euclidean,
        Family,
        FamilyPrior,
        FanIn,
        GSquare,
        K2Score,
        KappaPrior,
        LogLik,
        Missingness,
        NodeAverage,
        Penalized,
        Permuted,
        SetFit,
        Threshold,
        UniformPrior,
        code_lengths,
        conditional_mutual_information,
        cross_entropy,
        description_length,
        entropy,
        family_weight,
        independence_test,
        kl_divergence,
        missingness,
        mutual_information,
        network_weight,
        score,
    )
    from dagwright.graph import (
        Comparison,
        Dag,
        Mag,
        Pag,
        Pdag,
        UndirectedGraph,
        compare,
        count_dags,
        random_dag,
    )
    from dagwright.graph.counting import count_equivalence_classes
    from dagwright.graph.oracle import GraphOracle, StatementOracle, as_oracle
    from dagwright.graph.textbook_rules import orient
    from dagwright.independence_check import Faithfulness, faithfulness
    from dagwright.io import (
        FormatLoss,
        from_networkx,
        from_pgmpy,
        from_pyagrum,
        load,
        load_graph,
        networks,
        save,
        save_graph,
        to_networkx,
        to_pgmpy,
        to_pyagrum,
    )
    from dagwright.joint_bins import learn_with_bins
    from dagwright.knowledge import Knowledge, apply_knowledge
    from dagwright.learned import Learned
    from dagwright.learned_comparison import LearnedComparison, compare_learned
    from dagwright.learning import learn
    from dagwright.link_evidence import EvidenceCard, evidence_card, evidence_cards
    from dagwright.model import (
        EM,
        AutoInference,
        BayesianNetwork,
        EMResult,
        ExactInference,
        InferenceEngine,
        LikelihoodWeighting,
        LinearGaussian,
        LoopyPropagation,
        MarkovNetwork,
        Metadata,
        MostProbable,
        NumericJoint,
        NumericPosterior,
        Posterior,
        StructuralEM,
        blanket_agreement,
        calibration,
        compare_beliefs,
        distance,
        divergence,
        fit,
        log_loss,
        observed_score,
        random_network,
    )
    from dagwright.neighborhood import Neighborhood, blanket, neighbors
    from dagwright.reporting import Analysis, report
    from dagwright.resampling import BayesianWeights, CaseBootstrap, Jackknife, Subsample, bootstrap
    from dagwright.robustness_table import Robustness, robustness
    from dagwright.search.annealing import Annealing
    from dagwright.search.auto import Auto
    from dagwright.search.best_of_sets import solve
    from dagwright.search.boss import BOSS
    from dagwright.search.branch_and_cut import BranchAndCut
    from dagwright.search.candidates import Candidate, CandidateSets, candidates
    from dagwright.search.chow_liu import ChowLiu
    from dagwright.search.control import CancelToken
    from dagwright.search.decomposable import Decomposable
    from dagwright.search.enumeration import BestOfSize, Enumeration, enumerate_networks
    from dagwright.search.exact import Exact
    from dagwright.search.fci import FCI, RFCI
    from dagwright.search.forecast import Cost, Forecast, forecast
    from dagwright.search.ges import GES
    from dagwright.search.graph_neighbors import GraphNeighbor, graph_neighbors
    from dagwright.search.hill_climb import HillClimb
    from dagwright.search.k2 import K2, K3
    from dagwright.search.local.fast_iamb import FastIAMB
    from dagwright.search.local.fdr_iamb import FdrIAMB
    from dagwright.search.local.grow_shrink import GrowShrink
    from dagwright.search.local.hiton_pc import HitonPC
    from dagwright.search.local.hpc import HPC
    from dagwright.search.local.iamb import IAMB, InterIAMB
    from dagwright.search.local.mmpc import MMPC
    from dagwright.search.mdl_search import MdlSearch
    from dagwright.search.order_search import OrderSearch
    from dagwright.search.pairwise_markov import PairwiseMarkov
    from dagwright.search.pc import PC
    from dagwright.search.polytree import Polytree
    from dagwright.search.restrict import H2PC, MMHC, Maximize, Restrict
    from dagwright.search.rivals import RivalClass, Rivals, credible_set, rivals
    from dagwright.search.solving import Solution
    from dagwright.search.tabu import Tabu
    from dagwright.search.thick_thin import ThickThin
    from dagwright.search.tie_outcomes import greedy_tie_outcomes
    from dagwright.search.tree_classifiers import FAN, TAN
    from dagwright.show import Frontier, Picture, draw, explore, frontier

# Public names by the room they come from; each is imported when it is first asked for.
_ROOMS = {
    "confidence": (
        "Confidence ConfidenceDifference EnumeratedPosterior ExactPosterior LinkCalibration "
        "LinkConfidence OrderMCMC "
        "PartitionMCMC StructureMCMC StructurePosterior posterior"
    ),
    "data": (
        "Continuous CutPoints DataReport Discrete EqualFrequency EqualWidth Hartemink KMeans1D MDLP "
        "NetworkMDL Schema Table describe read sample_path samples"
    ),
    "evidence": (
        "AIC BIC FNML MDL QNML BayesFactor BDe BDeu BDs BenjaminiHochberg BenjaminiYekutieli "
        "ChiSquare CriterionSign DirichletScore Euclidean "
        "ArcCost DescriptionLengthPrior EdgeProbability SetFit Family FamilyPrior FanIn GSquare K2Score "
        "KappaPrior LogLik Missingness NodeAverage Penalized Permuted Threshold UniformPrior code_lengths "
        "conditional_mutual_information cross_entropy description_length entropy family_weight "
        "independence_test kl_divergence missingness mutual_information network_weight score"
    ),
    "link_evidence": "EvidenceCard evidence_card evidence_cards",
    "independence_check": "Faithfulness faithfulness",
    "graph": "Comparison Dag Mag Pag Pdag UndirectedGraph compare count_dags random_dag",
    "graph.counting": "count_equivalence_classes",
    "graph.oracle": "GraphOracle StatementOracle as_oracle",
    "graph.textbook_rules": "orient",
    "io": (
        "FormatLoss from_networkx from_pgmpy from_pyagrum load load_graph networks save save_graph "
        "to_networkx to_pgmpy to_pyagrum"
    ),
    "knowledge": "Knowledge apply_knowledge",
    "learning": "learn",
    "learned": "Learned",
    "learned_comparison": "LearnedComparison compare_learned",
    "model": (
        "EM EMResult AutoInference BayesianNetwork ExactInference InferenceEngine LikelihoodWeighting "
        "LinearGaussian LoopyPropagation MarkovNetwork Metadata MostProbable NumericJoint NumericPosterior "
        "Posterior StructuralEM blanket_agreement calibration compare_beliefs distance divergence fit "
        "log_loss observed_score random_network"
    ),
    "neighborhood": "Neighborhood blanket neighbors",
    "reporting": "Analysis report",
    "cross_validation": "CrossValidation cross_validate",
    "joint_bins": "learn_with_bins",
    "robustness_table": "Robustness robustness",
    "resampling": "BayesianWeights CaseBootstrap Jackknife Subsample bootstrap",
    "search.annealing": "Annealing",
    "search.auto": "Auto",
    "search.boss": "BOSS",
    "search.best_of_sets": "solve",
    "search.branch_and_cut": "BranchAndCut",
    "search.candidates": "Candidate CandidateSets candidates",
    "search.fci": "FCI RFCI",
    "search.decomposable": "Decomposable",
    "search.chow_liu": "ChowLiu",
    "search.control": "CancelToken",
    "search.enumeration": "BestOfSize Enumeration enumerate_networks",
    "search.exact": "Exact",
    "search.forecast": "Cost Forecast forecast",
    "search.graph_neighbors": "GraphNeighbor graph_neighbors",
    "search.ges": "GES",
    "search.hill_climb": "HillClimb",
    "search.k2": "K2 K3",
    "search.local.fast_iamb": "FastIAMB",
    "search.local.fdr_iamb": "FdrIAMB",
    "search.local.grow_shrink": "GrowShrink",
    "search.local.hiton_pc": "HitonPC",
    "search.local.hpc": "HPC",
    "search.local.iamb": "IAMB InterIAMB",
    "search.local.mmpc": "MMPC",
    "search.mdl_search": "MdlSearch",
    "search.order_search": "OrderSearch",
    "search.pairwise_markov": "PairwiseMarkov",
    "search.pc": "PC",
    "search.restrict": "H2PC MMHC Maximize Restrict",
    "search.polytree": "Polytree",
    "search.rivals": "RivalClass Rivals rivals credible_set",
    "search.solving": "Solution",
    "search.tabu": "Tabu",
    "search.thick_thin": "ThickThin",
    "search.tie_outcomes": "greedy_tie_outcomes",
    "show": "Frontier Picture draw explore frontier",
    "search.tree_classifiers": "FAN TAN",
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "CapacityError",
    "CycleError",
    "DagwrightError",
    "DagwrightWarning",
    "DataError",
    "FormatError",
    "GraphError",
    "ImpossibleEvidenceError",
    "KnowledgeError",
    "MissingValuesError",
    "NoExtensionError",
    "NotFinishedError",
    "NotIdentifiableError",
    "OptionError",
    "UnknownNameError",
    "__version__",
    *_HOME,
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'dagwright' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"dagwright.{_HOME[name]}"), name)
    if isinstance(value, type):
        from dagwright import registry

        if any(entry.name == name for entry in registry.entries()):
            from dagwright.argument_types import check_options

            check_options(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
