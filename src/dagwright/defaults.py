"""Every default in one place, by the kind of the data.

One rule for every verb: a score that is named stands alone; the default pair of score and structure prior
applies only when neither is named; a structure prior that is named alone joins the default score.
`docs/adr/0006` says why this pair is the default of discrete data.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from dagwright.methods.method_like import as_method
from dagwright.methods.traits import TableKind

Kind = TableKind


@dataclass(frozen=True)
class Defaults:
    """The defaults for one kind of data; methods as they are written in calls.

    Parameters
    ----------
    score, structure_prior
        What `learn` and its like maximize, and what was thought of structures before seeing data; None
        means that all are as likely.
    measure
        How a criterion such as `BIC` measures sets of columns where it names no measure; None counts cells.
    reason
        Why this pair of score and structure prior.
    posterior_score
        What `posterior` takes as ln P(data | network).
    search
        How `learn` looks for the graph.
    test, alpha
        The independence test, and the level of every test.
    parameter_prior
        The prior of parameters in `fit`.
    missing, few_gaps
        The policy of `learn` for missing values. Where at most a share ``few_gaps`` of the rows has any,
        these rows are left out; else tests use the rows that are complete for each question.

    >>> print(DEFAULTS["discrete"])
    score            AdaptiveBDeu()
    structure_prior  FanIn(monotone=True)
    measure          None
    posterior_score  BDeu()
    search           Auto()
    test             GSquare()
    alpha            0.01
    parameter_prior  BDeu(ess=1)
    missing          em; drop where at most 5 % of the rows have gaps
    """

    score: str
    structure_prior: str | None
    measure: str | None
    posterior_score: str
    search: str
    test: str
    alpha: float
    parameter_prior: str
    missing: str
    few_gaps: float = 0.05
    reason: str = ""

    @property
    def why(self) -> str:
        """The pair, and why it is the default."""
        pair = " + ".join(filter(None, (self.score, self.structure_prior)))
        return f"{pair}, the default{self.reason and ': '}{self.reason}"

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Each default with its name, as text; whoever prints the defaults prints these.

        >>> DEFAULTS["continuous"].facts()[0]
        ('score', 'BIC()')
        """
        facts = asdict(self)
        del facts["reason"], facts["few_gaps"]
        rule = f"drop where at most {100 * self.few_gaps:g} % of the rows have gaps"
        facts["missing"] = f"{self.missing}; {rule}"
        return tuple((name, str(value)) for name, value in facts.items())

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts())
        return "\n".join(f"{name:<{width}}  {value}" for name, value in self.facts())


DEFAULTS: dict[Kind, Defaults] = {
    "discrete": Defaults(
        score="AdaptiveBDeu()",
        structure_prior="FanIn(monotone=True)",
        measure=None,
        posterior_score="BDeu()",
        search="Auto()",
        test="GSquare()",
        alpha=0.01,
        parameter_prior="BDeu(ess=1)",
        missing="em",
        reason="it came closest to the true networks in a simulation study",
    ),
    "continuous": Defaults(
        score="BIC()",
        structure_prior="FanIn(monotone=True)",
        measure="Gaussian()",
        posterior_score="BGe()",
        search="Auto()",
        test="StudentT()",
        alpha=0.01,
        parameter_prior="BDeu(ess=1)",
        missing="em",
    ),
    "mixed": Defaults(
        score="BIC()",
        structure_prior="FanIn(monotone=True)",
        measure="Embedded()",
        posterior_score="BIC()",
        search="Auto()",
        test="StudentT()",
        alpha=0.01,
        parameter_prior="BDeu(ess=1)",
        missing="em",
    ),
}


class Pair(NamedTuple):
    """A score and a structure prior, or None for no prior."""

    score: Any
    structure_prior: Any


def usual_pair(score: Any, structure_prior: Any, own: Any = None, *, kind: Kind = "discrete") -> Pair:
    """Score and structure prior where each may be None, by the rule of this module.

    Parameters
    ----------
    own
        The score that a search is known by, as K2 is; it counts as named.

    >>> usual_pair(None, None).score
    AdaptiveBDeu()
    >>> usual_pair("BIC", None)
    Pair(score=BIC(), structure_prior=None)
    """
    score = as_method(own if score is None else score, "score", "score", "test", "measure")
    prior = as_method(structure_prior, "structure_prior", "prior")
    if score is not None:
        return Pair(score, prior)
    usual = DEFAULTS[kind]
    added = usual.structure_prior if prior is None else prior
    chosen = as_method(usual.score, "score", "score")
    return Pair(chosen, as_method(added, "structure_prior", "prior"))


def usual_posterior_score(*, kind: Kind = "discrete") -> Any:
    """The score of posteriors over structures, where none is named."""
    return as_method(DEFAULTS[kind].posterior_score, "score", "score", "measure")


def usual_measure(*, kind: Kind = "discrete") -> Any:
    """The measure of a criterion that names none; None counts cells."""
    return as_method(DEFAULTS[kind].measure, "measure", "measure")


def usual_search(*, kind: Kind = "discrete") -> Any:
    """The search where none is named."""
    return as_method(DEFAULTS[kind].search, "search", "search")


def usual_test(*, kind: Kind = "discrete") -> Any:
    """The independence test where none is named."""
    return as_method(DEFAULTS[kind].test, "test", "test")


def usual_parameter_prior(*, kind: Kind = "discrete") -> Any:
    """The prior of parameters where none is named."""
    return as_method(DEFAULTS[kind].parameter_prior, "parameter_prior", "score")
