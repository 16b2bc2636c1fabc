"""Every method by name, one line each: its kind, its name, the module it lives in.

All other facts stand on the class of the method (`dagwright.methods.traits`). The command line, the
documentation and the conformance tests read this list. A new method is a file, a line here, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, get_args

from dagwright.errors import OptionError, unknown_name
from dagwright.methods.entry import Entry as Entry
from dagwright.methods.entry import Kind as Kind
from dagwright.methods.notation import parse_method
from dagwright.methods.synonyms import own_name


def _entry(kind: Kind, package: str, name: str, module: str) -> Entry:
    return Entry(kind, name, f"{package}.{module}")


_score = partial(_entry, "score", "evidence")
_test = partial(_entry, "test", "evidence")
_measure = partial(_entry, "measure", "evidence")
_correction = partial(_entry, "correction", "evidence")
_prior = partial(_entry, "prior", "evidence")
_search = partial(_entry, "search", "search")
_posterior = partial(_entry, "posterior", "confidence")
_inference = partial(_entry, "inference", "model.inference")
_cut = partial(_entry, "discretization", "data")
_draw = partial(_entry, "resampling", "learning.resampling")

ENTRIES: tuple[Entry, ...] = (
    _measure("Gaussian", "numbers"),
    _measure("Embedded", "numbers"),
    _measure("ConditionalGaussian", "numbers"),
    _measure("BGe", "numbers"),
    _score("BIC", "criteria"),
    _score("AIC", "criteria"),
    _score("LogLik", "criteria"),
    _score("Penalized", "criteria"),
    _score("MDL", "criteria"),
    _score("BDeu", "bayesian"),
    _score("AdaptiveBDeu", "bayesian"),
    _score("BDe", "bayesian"),
    _score("BDs", "bayesian"),
    _score("K2Score", "bayesian"),
    _score("DirichletScore", "bayesian"),
    _score("QNML", "nml"),
    _score("FNML", "nml"),
    _score("Euclidean", "euclidean"),
    _score("NodeAverage", "incomplete"),
    _test("GSquare", "chi_squared"),
    _test("ChiSquare", "chi_squared"),
    _test("Threshold", "decisions"),
    _test("BayesFactor", "decisions"),
    _test("StudentT", "partial_correlation"),
    _test("FisherZ", "partial_correlation"),
    _test("LikelihoodRatio", "partial_correlation"),
    _test("Ranked", "ranked"),
    _test("CriterionSign", "decisions"),
    _test("Permuted", "permuted"),
    _correction("BenjaminiHochberg", "false_discoveries"),
    _correction("BenjaminiYekutieli", "false_discoveries"),
    _prior("UniformPrior", "structure_priors"),
    _prior("ArcCost", "structure_priors"),
    _prior("EdgeProbability", "edge_priors"),
    _prior("FanIn", "parent_counts"),
    _prior("ParentCount", "parent_counts"),
    _prior("KappaPrior", "structure_priors"),
    _prior("DescriptionLengthPrior", "edge_priors"),
    _search("Auto", "auto"),
    _search("HillClimb", "hill_climb"),
    _search("Tabu", "tabu"),
    _search("Annealing", "annealing"),
    _search("GES", "ges"),
    _search("OrderSearch", "order_search"),
    _search("Exact", "exact"),
    _search("BOSS", "boss"),
    _search("BranchAndCut", "branch_and_cut"),
    _search("K2", "k2"),
    _search("K3", "k3"),
    _search("ThickThin", "thick_thin"),
    _search("PC", "pc"),
    _search("MIIC", "miic"),
    _search("PCMCIPlus", "pcmci"),
    _search("FCI", "fci"),
    _search("RFCI", "rfci"),
    _search("GFCI", "gfci"),
    _search("GrowShrink", "local.grow_shrink"),
    _search("IAMB", "local.iamb"),
    _search("InterIAMB", "local.iamb"),
    _search("FastIAMB", "local.fast_iamb"),
    _search("FdrIAMB", "local.fdr_iamb"),
    _search("MMPC", "local.mmpc"),
    _search("HitonPC", "local.hiton_pc"),
    _search("HPC", "local.hpc"),
    _search("MMHC", "restrict"),
    _search("H2PC", "restrict"),
    _search("Restrict", "restrict"),
    _search("Maximize", "restrict"),
    _search("PairwiseMarkov", "pairwise_markov"),
    _search("Decomposable", "decomposable"),
    _search("ChowLiu", "chow_liu"),
    _search("TAN", "tan"),
    _search("FAN", "fan"),
    _search("Polytree", "polytree"),
    _search("MdlSearch", "mdl_search"),
    Entry("search", "StructuralEM", "model.incomplete.structural_em"),
    Entry("search", "Averaged", "learning.resampling.averaged"),
    _posterior("EnumeratedPosterior", "methods"),
    _posterior("ExactPosterior", "methods"),
    _posterior("OrderMCMC", "methods"),
    _posterior("PartitionMCMC", "methods"),
    _posterior("StructureMCMC", "methods"),
    _inference("ExactInference", "methods"),
    _inference("LikelihoodWeighting", "methods"),
    _inference("LoopyPropagation", "methods"),
    _inference("AutoInference", "methods"),
    Entry("estimation", "EM", "model.incomplete.em"),
    _cut("EqualFrequency", "discretize"),
    _cut("EqualWidth", "discretize"),
    _cut("KMeans1D", "discretize"),
    _cut("CutPoints", "discretize"),
    _cut("Hartemink", "discretize"),
    _cut("MDLP", "discretize"),
    _cut("NetworkMDL", "discretize"),
    _draw("CaseBootstrap", "draws"),
    _draw("PoissonBootstrap", "draws"),
    _draw("BlockBootstrap", "draws"),
    _draw("BayesianWeights", "draws"),
    _draw("Subsample", "draws"),
    _draw("Jackknife", "draws"),
)


def entries(kind: str | None = None) -> Iterator[Entry]:
    """All methods, or those of one kind, in the order of the table."""
    if kind is not None and kind not in get_args(Kind):
        raise unknown_name("kind of method", kind, get_args(Kind))
    return (entry for entry in ENTRIES if kind is None or entry.kind == kind)


def entry(name: str, kind: Kind | None = None) -> Entry:
    """The method called ``name``; upper and lower case do not matter.

    >>> entry("bdeu").citation
    'Buntine 1991; Heckerman et al. 1995'
    """
    for candidate in entries(kind):
        if candidate.name.lower() == name.lower():
            return candidate
    raise unknown_name(kind or "method", name, [candidate.name for candidate in entries(kind)])


def parse(text: str, *kinds: Kind, values: Mapping[str, Callable[..., object]] | None = None) -> Any:
    """Build the method that a text such as ``BDeu(ess=10)`` names; the text is parsed, never evaluated.

    Names that other libraries use, such as bnlearn's ``hc`` or ``chow.liu``, are understood too.

    Parameters
    ----------
    kinds
        What the method may be.
    values
        Further names that may stand where a method takes a graph, a network or the like.

    >>> parse("BDeu(ess=10)", "score")
    BDeu(ess=10)
    >>> parse("mi(alpha=0.05)", "test")
    GSquare(alpha=0.05, adjusted=False, min_rows_per_cell=None)
    """
    allowed = [candidate for kind in kinds for candidate in entries(kind)]
    text = own_name(text, kinds, [candidate.name for candidate in allowed])
    outer = text.partition("(")[0].strip()
    further = {name.lower(): make for name, make in (values or {}).items()}
    by_name = {candidate.name.lower(): candidate for candidate in (*allowed, *entries())}

    def named(name: str) -> Callable[..., object]:
        if name.lower() in further:
            return further[name.lower()]
        if name.lower() not in by_name:
            near = allowed if name == outer else by_name.values()
            raise unknown_name("method", name, [candidate.name for candidate in near])
        found: Callable[..., object] = by_name[name.lower()].method
        return found

    method = parse_method(text, named)
    # The method of that name first: a look at all of them would load every module.
    own = by_name.get(text.partition("(")[0].strip().lower())
    likely = sorted(allowed, key=lambda candidate: candidate is not own)
    if not any(isinstance(method, candidate.method) for candidate in likely):
        names = ", ".join(candidate.name for candidate in allowed)
        raise OptionError(f"{text} is not a {' or '.join(kinds)}; choose from {names}")
    return method
