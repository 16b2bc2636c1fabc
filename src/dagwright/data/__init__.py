"""Any table in: reading, states, discretisation, missing cells, the data report."""

from dagwright.data.bins import Bins
from dagwright.data.discretise import CutPoints, EqualFrequency, EqualWidth, Hartemink, KMeans1D
from dagwright.data.missing import POLICIES, apply_policy, require_complete
from dagwright.data.read import read
from dagwright.data.states import MISSING_U8, MISSING_U16
from dagwright.data.table import Table

__all__ = [
    "Bins",
    "CutPoints",
    "EqualFrequency",
    "EqualWidth",
    "Hartemink",
    "KMeans1D",
    "MISSING_U16",
    "MISSING_U8",
    "POLICIES",
    "Table",
    "apply_policy",
    "read",
    "require_complete",
]
