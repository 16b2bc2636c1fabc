"""What each library offers, for the page of comparisons. Checked against the pinned versions of peers.toml
and, for bnlearn, against its published manual.
"""

from __future__ import annotations

LIBRARIES = ("dagwright", "pyAgrum", "PyBNesian", "pgmpy", "causal-learn", "bnlearn (R)")
FEATURES = (
    ("hill climbing, discrete data", "yes", "yes", "yes", "yes", "–", "yes"),
    ("tabu search", "yes", "yes", "by `patience`", "yes", "–", "yes"),
    ("search over equivalence classes (GES)", "yes", "–", "–", "yes", "yes", "–"),
    ("search over orders", "order search, BOSS", "–", "–", "–", "BOSS, GRaSP", "–"),
    ("exact search, discrete data", "yes, with proof or gap", "–", "–", "enumeration", "–", "–"),
    ("PC", "yes", "yes", "yes", "yes", "yes", "yes"),
    ("hidden causes (FCI)", "FCI, RFCI, GFCI", "FCI", "–", "–", "FCI", "–"),
    ("MIIC", "yes", "yes", "–", "–", "–", "–"),
    ("hybrid search (MMHC)", "yes", "–", "yes", "yes", "–", "yes"),
    ("Markov blankets (IAMB and others)", "yes", "–", "–", "–", "–", "yes"),
    ("continuous data, linear Gaussian", "yes", "yes", "yes", "yes", "yes", "yes"),
    ("mixed data, conditional Gaussian", "yes", "–", "yes", "yes", "kernel scores", "yes"),
    ("kernel density nodes", "–", "–", "yes", "–", "–", "–"),
    ("non-Gaussian and additive-noise models", "–", "–", "–", "–", "LiNGAM, ANM, PNL", "LiNGAM"),
    ("structure priors", "on parents and edges", "–", "–", "–", "–", "on edges"),
    ("posterior over structures", "exact and MCMC", "–", "–", "–", "–", "–"),
    ("edge strengths by bootstrap", "yes", "–", "–", "–", "LiNGAM only", "yes"),
    ("interventional data", "yes", "–", "–", "–", "–", "mixture BDe"),
    ("missing values: EM, structural EM", "both", "EM", "–", "EM, hidden columns", "–", "both (hard EM)"),
    ("exact inference", "yes", "yes", "–", "yes", "–", "through gRain"),
    ("most probable explanation", "yes", "–", "–", "yes", "–", "–"),
    ("adjustment sets", "yes", "yes", "–", "yes", "–", "–"),
    ("do-calculus", "interventions", "yes", "–", "interventions", "–", "interventions"),
    ("dynamic networks", "yes", "yes", "learning", "inference", "–", "–"),
    ("continuous-time networks", "–", "yes", "–", "–", "–", "–"),
    ("influence diagrams, credal networks", "–", "yes", "–", "–", "–", "–"),
    ("Markov random fields", "–", "yes", "–", "yes", "–", "–"),
    ("structural equation models", "–", "–", "–", "yes", "–", "–"),
    ("files: BIF, NET", "yes", "yes", "–", "yes", "–", "yes"),
    ("files: XMLBIF, XDSL, UAI", "yes", "yes", "–", "yes", "–", "–"),
    ("files: DSC", "yes", "–", "–", "–", "–", "yes"),
    ("files: DNE (Netica)", "yes", "–", "–", "–", "–", "–"),
    ("files: DSL, O3PRM", "–", "yes", "–", "–", "–", "–"),
    ("data larger than memory", "yes", "–", "–", "–", "–", "–"),
    ("every search: same result for any column order", "yes", "–", "–", "–", "–", "–"),
    ("web application", "yes", "–", "–", "–", "–", "–"),
)


def table() -> list[str]:
    lines = [f"| | {' | '.join(LIBRARIES)} |", f"|---|{'---|' * len(LIBRARIES)}"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in FEATURES)]
