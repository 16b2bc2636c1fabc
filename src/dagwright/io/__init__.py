"""Networks and graphs from files and into files, one module per format, and the networks that come along."""

from dagwright.io.builtin import networks
from dagwright.io.formats import FORMATS, Format, format_named, format_of
from dagwright.io.libraries import (
    from_networkx,
    from_pgmpy,
    from_pyagrum,
    to_networkx,
    to_pgmpy,
    to_pyagrum,
)
from dagwright.io.loading import load, load_graph
from dagwright.io.losses import FormatLoss
from dagwright.io.saving import save, save_graph

__all__ = [
    "FORMATS",
    "Format",
    "FormatLoss",
    "format_named",
    "format_of",
    "from_networkx",
    "from_pgmpy",
    "from_pyagrum",
    "load",
    "load_graph",
    "networks",
    "save",
    "save_graph",
    "to_networkx",
    "to_pgmpy",
    "to_pyagrum",
]
