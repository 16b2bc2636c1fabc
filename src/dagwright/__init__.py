"""dagwright learns Bayesian networks from data.

>>> import dagwright as dw
>>> found = dw.learn(dw.sample_path("asia"))
>>> sorted(found.graph.nodes)[:3]
['asia', 'bronc', 'dysp']
"""

from __future__ import annotations

import importlib
from types import FunctionType
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
    from dagwright import confidence, data, dynamic, evidence, graph, io, learning, model, search, show
    from dagwright.confidence import (
        Confidence,
        EdgeCalibration,
        EnumeratedPosterior,
        ExactPosterior,
        OrderMCMC,
        PartitionMCMC,
        StructureMCMC,
        StructurePosterior,
        posterior,
    )
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
        with_contexts,
    )
    from dagwright.data.read import read
    from dagwright.data.samples import sample_path, samples
    from dagwright.dynamic import Beliefs, DynamicNetwork, stationarity
    from dagwright.evidence import (
        AIC,
        BIC,
        FNML,
        MDL,
        QNML,
        AdaptiveBDeu,
        ArcCost,
        BayesFactor,
        BDe,
        BDeu,
        BDs,
        BenjaminiHochberg,
        BenjaminiYekutieli,
        BGe,
        ChiSquare,
        ConditionalGaussian,
        CriterionSign,
        DescriptionLengthPrior,
        DirichletScore,
        EdgeProbability,
        Embedded,
        Euclidean,
        FamilyPrior,
        FanIn,
        FisherZ,
        Gaussian,
        GSquare,
        K2Score,
        KappaPrior,
        LikelihoodRatio,
        LogLik,
        NodeAverage,
        ParentCount,
        Penalized,
        Permuted,
        Ranked,
        StudentT,
        Threshold,
        UniformPrior,
        conditional_mutual_information,
        cross_entropy,
        description_length,
        entropy,
        independence_test,
        kl_divergence,
        missingness,
        mutual_information,
    )
    from dagwright.graph import (
        Dag,
        Mag,
        Pag,
        Pdag,
        UndirectedGraph,
        compare,
        random_dag,
    )
    from dagwright.io import (
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
    from dagwright.knowledge import Knowledge, apply_knowledge
    from dagwright.learning.cross_validation import cross_validate
    from dagwright.learning.edge_evidence import evidence_card, evidence_cards
    from dagwright.learning.effect import Effect, effect
    from dagwright.learning.faithfulness import faithfulness
    from dagwright.learning.forecasting import forecast
    from dagwright.learning.joint_bins import learn_with_bins
    from dagwright.learning.learn import learn
    from dagwright.learning.learned import Learned
    from dagwright.learning.learned_comparison import compare_learned
    from dagwright.learning.neighborhood import blanket, neighbors
    from dagwright.learning.plausibility import Plausibility, plausibility
    from dagwright.learning.resampling import (
        Averaged,
        BayesianWeights,
        BlockBootstrap,
        CaseBootstrap,
        Jackknife,
        PoissonBootstrap,
        Subsample,
        bootstrap,
    )
    from dagwright.learning.robustness import robustness
    from dagwright.learning.scoring import score
    from dagwright.model import (
        EM,
        AutoInference,
        BayesianNetwork,
        ExactInference,
        LikelihoodWeighting,
        LinearGaussian,
        LoopyPropagation,
        MarkovNetwork,
        StructuralEM,
        calibration,
        distance,
        divergence,
        fit,
        log_loss,
        observed_score,
        random_network,
    )
    from dagwright.reporting import Analysis, report
    from dagwright.search.annealing import Annealing
    from dagwright.search.auto import Auto
    from dagwright.search.best_of_sets import solve
    from dagwright.search.boss import BOSS
    from dagwright.search.branch_and_cut import BranchAndCut
    from dagwright.search.candidates import CandidateSets, candidates
    from dagwright.search.chow_liu import ChowLiu
    from dagwright.search.control import CancelToken
    from dagwright.search.decomposable import Decomposable
    from dagwright.search.events import Event
    from dagwright.search.exact import Exact
    from dagwright.search.fan import FAN
    from dagwright.search.fci import FCI
    from dagwright.search.ges import GES
    from dagwright.search.gfci import GFCI
    from dagwright.search.hill_climb import HillClimb
    from dagwright.search.k2 import K2
    from dagwright.search.k3 import K3
    from dagwright.search.local.fast_iamb import FastIAMB
    from dagwright.search.local.fdr_iamb import FdrIAMB
    from dagwright.search.local.grow_shrink import GrowShrink
    from dagwright.search.local.hiton_pc import HitonPC
    from dagwright.search.local.hpc import HPC
    from dagwright.search.local.iamb import IAMB, InterIAMB
    from dagwright.search.local.mmpc import MMPC
    from dagwright.search.mdl_search import MdlSearch
    from dagwright.search.miic import MIIC
    from dagwright.search.order_search import OrderSearch
    from dagwright.search.pairwise_markov import PairwiseMarkov
    from dagwright.search.pc import PC
    from dagwright.search.pcmci import PCMCIPlus
    from dagwright.search.polytree import Polytree
    from dagwright.search.restrict import H2PC, MMHC, Maximize, Restrict
    from dagwright.search.rfci import RFCI
    from dagwright.search.rivals import credible_set, rivals
    from dagwright.search.study import Study
    from dagwright.search.tabu import Tabu
    from dagwright.search.tan import TAN
    from dagwright.search.thick_thin import ThickThin
    from dagwright.show import draw

# Public names by the module they come from; each is imported when it is first used.
_MODULES = {
    "confidence": (
        "Confidence EnumeratedPosterior ExactPosterior EdgeCalibration OrderMCMC PartitionMCMC "
        "StructureMCMC StructurePosterior posterior"
    ),
    "data": (
        "Continuous CutPoints DataReport Discrete EqualFrequency EqualWidth Hartemink KMeans1D MDLP "
        "NetworkMDL Schema Table describe read sample_path samples with_contexts"
    ),
    "dynamic": "Beliefs DynamicNetwork stationarity",
    "evidence": (
        "AIC BIC FNML MDL QNML AdaptiveBDeu BayesFactor BDe BDeu BDs BGe BenjaminiHochberg "
        "BenjaminiYekutieli ChiSquare "
        "ConditionalGaussian Embedded FisherZ Gaussian LikelihoodRatio Ranked StudentT "
        "CriterionSign DirichletScore Euclidean ArcCost DescriptionLengthPrior EdgeProbability "
        "FamilyPrior FanIn GSquare K2Score KappaPrior LogLik NodeAverage ParentCount Penalized Permuted "
        "Threshold UniformPrior conditional_mutual_information cross_entropy description_length entropy "
        "independence_test kl_divergence missingness mutual_information"
    ),
    "graph": "Dag Mag Pag Pdag UndirectedGraph compare random_dag",
    "io": (
        "from_networkx from_pgmpy from_pyagrum load load_graph networks save save_graph to_networkx "
        "to_pgmpy to_pyagrum"
    ),
    "knowledge": "Knowledge apply_knowledge",
    "learning.cross_validation": "cross_validate",
    "learning.effect": "Effect effect",
    "learning.faithfulness": "faithfulness",
    "learning.joint_bins": "learn_with_bins",
    "learning.learn": "learn",
    "learning.learned": "Learned",
    "learning.learned_comparison": "compare_learned",
    "learning.edge_evidence": "evidence_card evidence_cards",
    "learning.neighborhood": "blanket neighbors",
    "learning.plausibility": "Plausibility plausibility",
    "learning.resampling": (
        "Averaged BayesianWeights BlockBootstrap CaseBootstrap Jackknife PoissonBootstrap Subsample bootstrap"
    ),
    "learning.robustness": "robustness",
    "learning.scoring": "score",
    "model": (
        "EM AutoInference BayesianNetwork ExactInference LikelihoodWeighting LinearGaussian "
        "LoopyPropagation MarkovNetwork StructuralEM calibration distance divergence fit log_loss "
        "observed_score random_network"
    ),
    "reporting": "Analysis report",
    "search.annealing": "Annealing",
    "search.auto": "Auto",
    "search.best_of_sets": "solve",
    "search.boss": "BOSS",
    "search.branch_and_cut": "BranchAndCut",
    "search.candidates": "CandidateSets candidates",
    "search.chow_liu": "ChowLiu",
    "search.control": "CancelToken",
    "search.events": "Event",
    "search.decomposable": "Decomposable",
    "search.exact": "Exact",
    "search.fan": "FAN",
    "search.fci": "FCI",
    "learning.forecasting": "forecast",
    "search.ges": "GES",
    "search.gfci": "GFCI",
    "search.hill_climb": "HillClimb",
    "search.k2": "K2",
    "search.k3": "K3",
    "search.local.fast_iamb": "FastIAMB",
    "search.local.fdr_iamb": "FdrIAMB",
    "search.local.grow_shrink": "GrowShrink",
    "search.local.hiton_pc": "HitonPC",
    "search.local.hpc": "HPC",
    "search.local.iamb": "IAMB InterIAMB",
    "search.local.mmpc": "MMPC",
    "search.mdl_search": "MdlSearch",
    "search.miic": "MIIC",
    "search.order_search": "OrderSearch",
    "search.pairwise_markov": "PairwiseMarkov",
    "search.pc": "PC",
    "search.pcmci": "PCMCIPlus",
    "search.polytree": "Polytree",
    "search.restrict": "H2PC MMHC Maximize Restrict",
    "search.rfci": "RFCI",
    "search.rivals": "rivals credible_set",
    "search.study": "Study",
    "search.tabu": "Tabu",
    "search.tan": "TAN",
    "search.thick_thin": "ThickThin",
    "show": "draw",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}
# Packages with names that are seldom needed, as in dagwright.search.Solution.
_SPACES = ("confidence", "data", "dynamic", "evidence", "graph", "io", "learning", "model", "search", "show")

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
    if name in _SPACES:
        return importlib.import_module(f"dagwright.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'dagwright' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"dagwright.{_HOME[name]}"), name)
    if isinstance(value, type):
        from dagwright.methods import registry

        if any(entry.name == name for entry in registry.entries()):
            from dagwright.base.argument_types import check_options

            check_options(value)
    elif isinstance(value, FunctionType):
        from dagwright.base.argument_types import checked_function

        value = checked_function(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*__all__, *_SPACES))
