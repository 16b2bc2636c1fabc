"""What searches usually ask, for forecasts.

Counted on data of 8 to 56 variables and 500 to 5,000 rows (asia, insurance, wdbc, alarm, hailfinder): the
questions per pair of variables differ by a factor of two or three from one data set to the next, and searches
by tests ask several times as many where variables have many neighbors.
"""

from __future__ import annotations

from typing import NamedTuple

from dagwright.search.problem import Problem


class Usual(NamedTuple):
    """Questions per ordered pair of variables, or per triple, and seconds for each beside the counting."""

    per_pair: float = 0.0
    seconds: float = 0.0
    per_triple: float = 0.0
    seconds_per_row: float = 0.0  # for questions that look at every row anew
    upper: bool = False

    def questions(self, problem: Problem) -> float:
        n = len(problem.names)
        return self.per_pair * n * n + self.per_triple * n**3

    def total_seconds(self, problem: Problem) -> float:
        return self.questions(problem) * (self.seconds + self.seconds_per_row * problem.score.N)

    def words(self) -> str:
        if self.upper:
            return f"{self.per_pair:g} n^2 questions at most"
        asked = f"{self.per_pair:g} n^2" if self.per_pair else f"{self.per_triple:g} n^3"
        return f"some {asked} questions on sparse networks, more on dense ones"


USUAL = {
    "PC": Usual(2.5, 3e-6),
    "FCI": Usual(2.7, 6e-6),
    "RFCI": Usual(2.7, 5e-6),
    "GrowShrink": Usual(2.2, 13e-6),
    "IAMB": Usual(3.3, 7e-6),
    "InterIAMB": Usual(3.3, 7e-6),
    "FastIAMB": Usual(2.7, 8e-6),
    "FdrIAMB": Usual(3.3, 8e-6),
    "MMPC": Usual(1.8, 9e-6),
    "HitonPC": Usual(2.2, 9e-6),
    "HPC": Usual(8.0, 9e-6),
    "MMHC": Usual(2.2, 10e-6),
    "H2PC": Usual(8.5, 9e-6),
    "PairwiseMarkov": Usual(0.5, 2e-5, seconds_per_row=4.5e-8, upper=True),
    "Decomposable": Usual(0.6, 3e-5),
    "GES": Usual(12.0),
    "ChowLiu": Usual(1.0, 1e-6, upper=True),
    "TAN": Usual(1.0, 1e-6, upper=True),
    "FAN": Usual(1.0, 1e-6, upper=True),
    "Polytree": Usual(0.55, 8e-6),
    "MdlSearch": Usual(per_triple=0.8, seconds=85e-6),
}
