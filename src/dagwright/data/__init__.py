"""Any table in: reading, states, discretization, missing cells, the data report."""

from dagwright.data.bins import Bins
from dagwright.data.contexts import Contexts, with_contexts
from dagwright.data.discretize import (
    MDLP,
    CutPoints,
    EqualFrequency,
    EqualWidth,
    Hartemink,
    KMeans1D,
    NetworkMDL,
)
from dagwright.data.missing import POLICIES, apply_policy, require_complete, require_learnable
from dagwright.data.origin import Origin
from dagwright.data.read import read, read_to_learn
from dagwright.data.report import ColumnReport, DataReport, describe
from dagwright.data.samples import sample_path, samples
from dagwright.data.schema import Continuous, Discrete, Schema, Variable
from dagwright.data.source import Source
from dagwright.data.states import MISSING_U8, MISSING_U16
from dagwright.data.table import Table

__all__ = [
    "Bins",
    "ColumnReport",
    "Contexts",
    "Continuous",
    "CutPoints",
    "DataReport",
    "Discrete",
    "EqualFrequency",
    "EqualWidth",
    "Hartemink",
    "KMeans1D",
    "MDLP",
    "MISSING_U16",
    "MISSING_U8",
    "NetworkMDL",
    "Origin",
    "POLICIES",
    "Schema",
    "Source",
    "Table",
    "Variable",
    "apply_policy",
    "describe",
    "read",
    "read_to_learn",
    "require_complete",
    "require_learnable",
    "sample_path",
    "samples",
    "with_contexts",
]
