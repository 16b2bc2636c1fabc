"""Every method by name: what it is, what it can do, whom to cite.

The command line, the documentation and the conformance tests read this table. A new method is a file, an
entry here, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

from dagwright.errors import OptionError, unknown_name
from dagwright.methods.entry import Entry as Entry
from dagwright.methods.entry import Kind as Kind
from dagwright.methods.notation import parse_method


def _score(name: str, module: str, summary: str, citation: str, equivalent: bool, *needs: str) -> Entry:
    return Entry("score", name, f"evidence.{module}", summary, citation, equivalent=equivalent, needs=needs)


def _test(name: str, module: str, summary: str, citation: str, *needs: str) -> Entry:
    return Entry("test", name, f"evidence.{module}", summary, citation, needs=needs)


def _measure(name: str, summary: str, citation: str = "") -> Entry:
    return Entry("measure", name, "evidence.numbers", summary, citation, equivalent=True)


def _search(name: str, module: str, summary: str, citation: str, exact: bool, *needs: str) -> Entry:
    return Entry("search", name, f"search.{module}", summary, citation, exact=exact, needs=needs)


def _prior(name: str, module: str, summary: str, citation: str, *needs: str) -> Entry:
    return Entry("prior", name, f"evidence.{module}", summary, citation, needs=needs)


def _inference(name: str, summary: str, citation: str = "", *, exact: bool = False) -> Entry:
    return Entry("inference", name, "model.inference.methods", summary, citation, exact=exact)


def _draw(name: str, summary: str, citation: str) -> Entry:
    return Entry("resampling", name, "learning.resampling.draws", summary, citation)


def _posterior(name: str, summary: str, citation: str, exact: bool) -> Entry:
    return Entry("posterior", name, "confidence.methods", summary, citation, exact=exact)


def _cut(name: str, summary: str, citation: str = "", *needs: str) -> Entry:
    return Entry("discretization", name, "data.discretize", summary, citation, needs=needs)


ENTRIES: tuple[Entry, ...] = (
    _measure("Gaussian", "maximum of the Gaussian log-likelihood, for numbers"),
    _measure("Embedded", "Gaussian over numbers and indicators of states", "Andrews et al. 2019"),
    _measure(
        "ConditionalGaussian",
        "a normal distribution in each cell of the discrete columns",
        "Lauritzen & Wermuth 1989",
    ),
    _measure("BGe", "marginal likelihood of Gaussian data, normal-Wishart prior", "Kuipers et al. 2014"),
    _score("BIC", "criteria", "log-likelihood minus log(N)/2 per parameter", "Schwarz 1978", True),
    _score("AIC", "criteria", "log-likelihood minus 1 per parameter", "Akaike 1974", True),
    _score("LogLik", "criteria", "maximized log-likelihood, no penalty", "Fisher 1922", True),
    _score("Penalized", "criteria", "log-likelihood minus phi(N) per parameter", "", True, "phi"),
    _score("MDL", "criteria", "minus the description length", "Lam & Bacchus 1994", True),
    _score("BDeu", "bayesian", "marginal likelihood, uniform prior worth ess rows", "Buntine 1991", True),
    _score(
        "BDe",
        "bayesian",
        "marginal likelihood, prior from a distribution",
        "Heckerman et al. 1995",
        True,
        "prior",
    ),
    _score("BDs", "bayesian", "BDeu over the parent configurations that occur", "Scutari 2016", False),
    _score(
        "K2Score",
        "bayesian",
        "marginal likelihood, one pseudo-count per cell",
        "Cooper & Herskovits 1992",
        False,
    ),
    _score(
        "DirichletScore",
        "bayesian",
        "marginal likelihood, any pseudo-counts",
        "Heckerman et al. 1995",
        False,
        "alpha",
    ),
    _score("QNML", "nml", "quotient normalized maximum likelihood", "Silander et al. 2018", True),
    _score("FNML", "nml", "factorized normalized maximum likelihood", "Silander et al. 2008", False),
    _score(
        "Euclidean",
        "euclidean",
        "minus the distance of the joint, few columns",
        "Jensen & Nielsen 2007",
        True,
    ),
    _score(
        "NodeAverage",
        "incomplete",
        "mean log-likelihood over the rows known at each family",
        "Balov 2013; Bodewes & Scutari 2021",
        False,
    ),
    _test("GSquare", "chi_squared", "likelihood-ratio test against chi-squared", "Jensen & Nielsen 2007"),
    _test("ChiSquare", "chi_squared", "Pearson's test against chi-squared", "Pearson 1900"),
    _test("Threshold", "decisions", "conditional mutual information below epsilon", "Cowell 2001", "epsilon"),
    _test("BayesFactor", "decisions", "log Bayes factor of a Bayesian score", "Cowell 2001"),
    _test("StudentT", "partial_correlation", "t of the partial correlation, for numbers", "Rao 1951"),
    _test("FisherZ", "partial_correlation", "z of the partial correlation, for numbers", "Fisher 1924"),
    _test("CriterionSign", "decisions", "the sign of any score's gain", "Cowell 2001", "score"),
    _test("Permuted", "permuted", "permutation within strata, for small samples", "Good 2005", "test"),
    Entry(
        "correction",
        "BenjaminiHochberg",
        "evidence.false_discoveries",
        "false discovery rate of p-values that are independent or agree",
        "Benjamini & Hochberg 1995",
    ),
    Entry(
        "correction",
        "BenjaminiYekutieli",
        "evidence.false_discoveries",
        "false discovery rate of any p-values",
        "Benjamini & Yekutieli 2001",
    ),
    _prior("UniformPrior", "structure_priors", "every DAG as likely", ""),
    _prior("ArcCost", "structure_priors", "a price for each arc, in nats", "", "cost"),
    _prior(
        "EdgeProbability",
        "edge_priors",
        "the probability of each arc, before seeing data",
        "Castelo & Siebes 2000",
        "probability",
    ),
    _prior("FanIn", "parent_counts", "every number of parents as likely", "Friedman & Koller 2003"),
    _prior("ParentCount", "parent_counts", "your own weight for each number of parents", "", "values"),
    _prior(
        "KappaPrior",
        "structure_priors",
        "kappa for each parent that differs from an expert's graph",
        "Heckerman et al. 1995",
        "network",
        "kappa",
    ),
    _prior(
        "DescriptionLengthPrior",
        "edge_priors",
        "2 to the power of minus the bits that describe the network",
        "Lam & Bacchus 1994",
    ),
    _search("Auto", "auto", "the strongest search for the size of the problem", "", False),
    _search(
        "HillClimb", "hill_climb", "add, delete, reverse until none gains", "Jensen & Nielsen 2007", False
    ),
    _search("Tabu", "tabu", "hill climbing that goes on past local maxima", "Glover 1989", False),
    _search("Annealing", "annealing", "random moves, cooling down", "Kirkpatrick et al. 1983", False),
    _search("GES", "ges", "greedy search over equivalence classes", "Chickering 2002", False),
    _search(
        "OrderSearch",
        "order_search",
        "iterated local search over orders of the variables",
        "Teyssier & Koller 2005; Lee & van Beek 2017",
        False,
    ),
    _search(
        "Exact",
        "exact",
        "a network that provably scores most, or the proven gap",
        "Silander & Myllymäki 2006; Yuan & Malone 2013",
        True,
    ),
    _search("BOSS", "boss", "every variable to its best position", "Andrews et al. 2023", False),
    _search(
        "BranchAndCut",
        "branch_and_cut",
        "integer programming with cuts against cycles; needs dagwright[ilp]",
        "Cussens 2011; Bartlett & Cussens 2017",
        True,
    ),
    _search("K2", "k2", "greedy parents in a given order", "Cooper & Herskovits 1992", False, "order"),
    _search("K3", "k2", "K2 with minimum description length", "Bouckaert 1993", False, "order"),
    _search(
        "ThickThin",
        "thick_thin",
        "add parents while dependent, then drop, in a given order",
        "Cowell 2001",
        False,
        "order",
    ),
    _search("PC", "pc", "independence tests of growing size", "Spirtes & Glymour 1991", False),
    _search(
        "FCI", "fci", "PC for hidden common causes and selection", "Spirtes et al. 1999; Zhang 2008", False
    ),
    _search("RFCI", "fci", "a quicker FCI", "Colombo et al. 2012", False),
    _search(
        "GrowShrink",
        "local.grow_shrink",
        "undirected: Markov blankets, candidates in a fixed order",
        "Margaritis & Thrun 1999",
        False,
    ),
    _search(
        "IAMB",
        "local.iamb",
        "undirected: Markov blankets, strongest candidate first",
        "Tsamardinos et al. 2003",
        False,
    ),
    _search(
        "InterIAMB",
        "local.iamb",
        "undirected: IAMB that shrinks at every step",
        "Tsamardinos et al. 2003",
        False,
    ),
    _search(
        "FastIAMB",
        "local.fast_iamb",
        "undirected: IAMB, many candidates at once",
        "Yaramakala & Margaritis 2005",
        False,
    ),
    _search(
        "FdrIAMB",
        "local.fdr_iamb",
        "undirected: IAMB under a false discovery rate",
        "Peña 2008",
        False,
    ),
    _search(
        "MMPC",
        "local.mmpc",
        "undirected: parents and children by max-min",
        "Tsamardinos et al. 2006",
        False,
    ),
    _search(
        "HitonPC",
        "local.hiton_pc",
        "undirected: parents and children, semi-interleaved",
        "Aliferis et al. 2010",
        False,
    ),
    _search(
        "HPC",
        "local.hpc",
        "undirected: parents and children from supersets",
        "Gasse et al. 2014",
        False,
    ),
    _search(
        "MMHC",
        "restrict",
        "the links of MMPC, directed by a score",
        "Tsamardinos et al. 2006",
        False,
    ),
    _search("H2PC", "restrict", "the links of HPC, directed by a score", "Gasse et al. 2014", False),
    _search(
        "Restrict",
        "restrict",
        "the links of any test-based search, then any score-based one",
        "Tsamardinos et al. 2006",
        False,
        "by",
    ),
    _search(
        "Maximize",
        "restrict",
        "a score-based search with its score, after Restrict",
        "Tsamardinos et al. 2006",
        False,
    ),
    _search(
        "PairwiseMarkov",
        "pairwise_markov",
        "undirected: a link unless independent given all others",
        "Pearl 1988",
        False,
    ),
    _search(
        "Decomposable",
        "decomposable",
        "undirected: chordal graphs by score, one link at a time",
        "Giudici & Green 1999",
        False,
    ),
    _search("ChowLiu", "chow_liu", "the tree of largest likelihood or score", "Chow & Liu 1968", False),
    _search(
        "TAN",
        "tree_classifiers",
        "a class above all features, and a tree among these",
        "Friedman, Geiger & Goldszmidt 1997",
        False,
        "target",
    ),
    _search(
        "FAN",
        "tree_classifiers",
        "a class above all features, and a forest among these",
        "Lucas 2004",
        False,
        "target",
    ),
    _search("Polytree", "polytree", "a tree directed by independences", "Rebane & Pearl 1987", False),
    _search(
        "MdlSearch",
        "mdl_search",
        "best-first by number of arcs, then the shortest description",
        "Lam & Bacchus 1994",
        False,
    ),
    Entry(
        "search",
        "StructuralEM",
        "model.incomplete.structural_em",
        "any search on rows with missing cells, by expected counts",
        "Friedman 1998",
        exact=False,
    ),
    _posterior(
        "EnumeratedPosterior", "every network scored, up to 5 variables", "Cooper & Herskovits 1992", True
    ),
    _posterior(
        "ExactPosterior", "exact sums over sets of variables", "Koivisto & Sood 2004; Tian & He 2009", True
    ),
    _posterior("OrderMCMC", "samples of orders of the variables", "Friedman & Koller 2003", False),
    _posterior("PartitionMCMC", "samples of partitions into layers", "Kuipers & Moffa 2017", False),
    _posterior(
        "StructureMCMC",
        "samples of networks",
        "Madigan & York 1995; Grzegorczyk & Husmeier 2008; Goudie & Mukherjee 2016",
        False,
    ),
    _inference(
        "ExactInference", "variable elimination or a junction tree", "Jensen & Nielsen 2007", exact=True
    ),
    _inference("LikelihoodWeighting", "weighted samples along the arcs", "Fung & Chang 1990"),
    _inference("LoopyPropagation", "messages until they settle", "Murphy et al. 1999"),
    _inference("AutoInference", "exact where it fits in memory, else sampling, else messages"),
    Entry(
        "estimation",
        "EM",
        "model.incomplete.em",
        "probabilities from rows with missing cells",
        "Dempster, Laird & Rubin 1977",
    ),
    _cut("EqualFrequency", "intervals with about the same number of rows"),
    _cut("EqualWidth", "intervals of the same width"),
    _cut("KMeans1D", "intervals of least squared distance to their means", "Wang & Song 2011"),
    _cut("CutPoints", "given cut points", "", "points"),
    _cut("Hartemink", "intervals that keep mutual information", "Hartemink 2001"),
    _cut("MDLP", "intervals that tell a target apart", "Fayyad & Irani 1993", "target"),
    _cut("NetworkMDL", "intervals chosen with a network", "Friedman & Goldszmidt 1996"),
    _draw("CaseBootstrap", "as many rows, drawn with replacement", "Efron 1979"),
    _draw("BayesianWeights", "all rows with random weights", "Rubin 1981"),
    _draw("Subsample", "a part of the rows, without replacement", "Politis & Romano 1994"),
    _draw("Jackknife", "all rows but a group of them", "Quenouille 1956"),
)


def entries(kind: str | None = None) -> Iterator[Entry]:
    """All methods, or those of one kind, in the order of the table."""
    if kind is not None and kind not in get_args(Kind):
        raise unknown_name("kind of method", kind, get_args(Kind))
    return (entry for entry in ENTRIES if kind is None or entry.kind == kind)


def entry(name: str, kind: Kind | None = None) -> Entry:
    """The method called ``name``; upper and lower case do not matter.

    >>> entry("bdeu").citation
    'Buntine 1991'
    """
    for candidate in entries(kind):
        if candidate.name.lower() == name.lower():
            return candidate
    raise unknown_name(kind or "method", name, [candidate.name for candidate in entries(kind)])


def parse(text: str, *kinds: Kind, values: Mapping[str, Callable[..., object]] | None = None) -> Any:
    """The method that a text such as ``BDeu(ess=10)`` names, without evaluating it.

    Parameters
    ----------
    kinds
        What the method may be.
    values
        Further names that may stand where a method takes a graph, a network or the like.

    >>> parse("BDeu(ess=10)", "score")
    BDeu(ess=10)
    """
    allowed = [candidate for kind in kinds for candidate in entries(kind)]
    further = {name.lower(): make for name, make in (values or {}).items()}
    by_name = {candidate.name.lower(): candidate for candidate in (*allowed, *entries())}

    def named(name: str) -> Callable[..., object]:
        if name.lower() in further:
            return further[name.lower()]
        if name.lower() not in by_name:
            raise unknown_name("method", name, [candidate.name for candidate in by_name.values()])
        found: Callable[..., object] = by_name[name.lower()].method
        return found

    method = parse_method(text, named)
    if not isinstance(method, tuple(candidate.method for candidate in allowed)):
        names = ", ".join(candidate.name for candidate in allowed)
        raise OptionError(f"{text} is not a {' or '.join(kinds)}; choose from {names}")
    return method
