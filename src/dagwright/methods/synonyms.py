"""Names of methods in other libraries, such as bnlearn's ``hc`` and ``pc.stable``."""

from __future__ import annotations

import re
from collections.abc import Iterable

SYNONYMS: dict[str, dict[str, str]] = {
    "search": {
        "hc": "HillClimb",
        "hillclimbing": "HillClimb",
        "hillclimbsearch": "HillClimb",
        "greedyhillclimbing": "HillClimb",
        "tabusearch": "Tabu",
        "simulatedannealing": "Annealing",
        "fges": "GES",
        "pcstable": "PC",
        "gs": "GrowShrink",
        "iambfdr": "FdrIAMB",
        "sihitonpc": "HitonPC",
        "mmhcestimator": "MMHC",
        "chowliutree": "ChowLiu",
        "treesearch": "ChowLiu",
        "treebayes": "TAN",
        "exactsearch": "Exact",
        "exhaustivesearch": "Exact",
        "sem": "StructuralEM",
    },
    "score": {
        "k2": "K2Score",
        "loglikelihood": "LogLik",
        "ll": "LogLik",
        "loglikg": "LogLik",
        "bicd": "BIC",
        "bicg": "BIC",
        "bicscore": "BIC",
        "aicd": "AIC",
        "aicg": "AIC",
        "aicscore": "AIC",
        "bdeuscore": "BDeu",
        "nal": "NodeAverage",
    },
    "test": {
        "mi": "GSquare",
        "g2": "GSquare",
        "gsq": "GSquare",
        "gsquared": "GSquare",
        "gtest": "GSquare",
        "x2": "ChiSquare",
        "chisq": "ChiSquare",
        "chi2": "ChiSquare",
        "chisquared": "ChiSquare",
        "pearson": "ChiSquare",
        "cor": "StudentT",
        "zf": "FisherZ",
    },
}
"""Names of methods in other libraries, in lower case without punctuation, by kind."""


ALONE = {"bde": "BDeu"}
"""Names that mean another method if no options follow: the prior of bnlearn's ``bde`` is uniform."""


def without_punctuation(name: str) -> str:
    """The name in lower case, without dots, hyphens, underscores and spaces.

    >>> without_punctuation("Chow.Liu")
    'chowliu'
    """
    return re.sub(r"[\s._-]", "", name).lower()


def own_name(text: str, kinds: Iterable[str], names: Iterable[str]) -> str:
    """The text of a method with the name used here, if another library's name or spelling is recognized.

    Parameters
    ----------
    text
        A method as text, with or without options: ``"hc"``, ``"chow.liu(root='A')"``.
    kinds
        The kinds of method that are allowed.
    names
        The names of these methods.

    >>> own_name("chow.liu(root='A')", ["search"], ["ChowLiu"]), own_name("x2", ["score", "test"], [])
    ("ChowLiu(root='A')", 'ChiSquare')
    """
    name, bracket, options = text.partition("(")
    plain = without_punctuation(name)
    known = {without_punctuation(one): one for one in names}
    for kind in kinds:
        known |= SYNONYMS.get(kind, {})
    if not bracket and ALONE.get(plain) in known.values():
        return ALONE[plain]
    return f"{known.get(plain, name)}{bracket}{options}"
