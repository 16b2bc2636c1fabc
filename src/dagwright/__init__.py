"""dagwright learns Bayesian networks from data."""

__version__ = "0.1.0"
