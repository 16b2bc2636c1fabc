"""Every file format by name: a new one is a module and an entry here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal

from dagwright.errors import unknown_name
from dagwright.io.losses import FormatLoss


@dataclass(frozen=True)
class Format:
    """A file format of networks, or of graphs alone.

    Its module in ``dagwright.io`` has ``read_bytes(content)`` and ``write_bytes(network, report)``, which
    appends to the report what the file does not hold; it is imported when it is first used.

    Attributes
    ----------
    name, suffixes
        What to call it and the ends of file names that mean it; the first is the usual one.
    module
        Where its reader and writer are.
    summary
        What it is.
    loses
        What a file of this format cannot hold; empty if nothing.
    specification
        The work that defines it.
    holds
        Whether its files are networks or graphs without numbers.
    continuous
        Whether its networks may have continuous nodes.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    summary: str
    loses: str = ""
    specification: str = ""
    holds: Literal["network", "graph"] = "network"
    continuous: bool = False

    @property
    def read_bytes(self) -> Callable[[bytes], Any]:
        return importlib.import_module(f"dagwright.io.{self.module}").read_bytes  # type: ignore[no-any-return]

    @property
    def write_bytes(self) -> Callable[[Any, list[FormatLoss]], bytes]:
        return importlib.import_module(f"dagwright.io.{self.module}").write_bytes  # type: ignore[no-any-return]


COUNTS = "counts and pseudo-counts"
GRAPH_ONLY = "everything but nodes and edges"
FORMATS: tuple[Format, ...] = (
    Format("json", (".json",), "native_json", "dagwright's own JSON, everything in it", continuous=True),
    Format(
        "bif",
        (".bif",),
        "bif",
        "the interchange format of the Bayesian network repository, in its dialects",
        COUNTS,
        "Cozman 1998, The Interchange Format for Bayesian Networks, 0.15",
    ),
    Format(
        "xmlbif",
        (".xmlbif", ".bifxml", ".xml"),
        "xmlbif",
        "the interchange format in XML: Weka, JavaBayes, SamIam, pyAgrum, pgmpy",
        COUNTS,
        "Cozman 1998, XMLBIF 0.3",
    ),
    Format(
        "xdsl",
        (".xdsl",),
        "xdsl",
        "GeNIe and SMILE, continuous nodes as linear equations",
        COUNTS,
        "BayesFusion, SMILE Programmer's Manual",
        continuous=True,
    ),
    Format(
        "net",
        (".net", ".hugin"),
        "hugin_net",
        "Hugin",
        COUNTS,
        "Hugin Expert, Hugin API Reference Manual, The NET language",
    ),
    Format(
        "dne",
        (".dne", ".dnet"),
        "netica",
        "Netica, as text",
        COUNTS,
        "Norsys 1998, DNET-1 File Format",
    ),
    Format(
        "dsc",
        (".dsc",),
        "msbn_dsc",
        "Microsoft's belief networks and the Bayesian network repository",
        COUNTS,
        "Microsoft Research 1995, MSBN belief network file format",
    ),
    Format(
        "uai",
        (".uai",),
        "uai",
        "the inference competitions; names travel in a comment",
        COUNTS,
        "UAI 2022 Inference Competition, file format",
    ),
    Format(
        "binary",
        (".dwb",),
        "binary",
        "dagwright's own compact binary form, everything in it",
        continuous=True,
    ),
    Format(
        "dot",
        (".dot", ".gv"),
        "dot",
        "Graphviz",
        GRAPH_ONLY,
        "Gansner, Koutsofios & North 2006, Drawing graphs with dot",
        "graph",
    ),
    Format(
        "graphml",
        (".graphml",),
        "graphml",
        "networkx, igraph, yEd",
        GRAPH_ONLY,
        "Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002, GraphML Progress Report",
        "graph",
    ),
    Format("gexf", (".gexf",), "gexf", "Gephi", GRAPH_ONLY, "GEXF Working Group, GEXF 1.3", "graph"),
    Format(
        "mermaid",
        (".mmd", ".mermaid"),
        "mermaid",
        "flowcharts in Markdown",
        GRAPH_ONLY,
        "Mermaid, Flowcharts - Basic Syntax",
        "graph",
    ),
)


def format_named(name: str) -> Format:
    """The format of a name; upper and lower case do not matter."""
    for each in FORMATS:
        if each.name == name.lower():
            return each
    raise unknown_name("format", name, [each.name for each in FORMATS])


def format_of(path: PurePath) -> Format:
    """The format that the suffix of a file names; a trailing ``.gz`` does not count.

    >>> format_of(PurePath("model.json.gz")).name
    'json'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    for each in FORMATS:
        if suffixes and suffixes[-1] in each.suffixes:
            return each
    known = [suffix for each in FORMATS for suffix in each.suffixes]
    raise unknown_name(f"format of the file {path.name!r}, suffix", suffixes[-1] if suffixes else "", known)
