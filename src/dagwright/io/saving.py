"""Networks and graphs into files."""

from __future__ import annotations

import gzip
import logging
import os
from pathlib import Path

from dagwright.base.whole_file import write_whole
from dagwright.errors import FormatError, GraphError
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.mag import Mag
from dagwright.graph.pag import Pag
from dagwright.io.formats import FORMATS, Format, format_named, format_of
from dagwright.io.losses import FormatLoss
from dagwright.learning.learned import Learned
from dagwright.model import BayesianNetwork
from dagwright.model.gaussian.sampling import discrete_part
from dagwright.sentences import Argument, Call

logger = logging.getLogger(__name__)


def save(
    network: BayesianNetwork | Learned | GraphLike,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    lossless: bool = False,
) -> tuple[FormatLoss, ...]:
    """Write a network in the format of the file's suffix or the one named; ``.gz`` at the end compresses.

    The file appears whole or not at all. `load` reads it back.

    Parameters
    ----------
    network
        A network; or a learned result, which JSON holds whole and DOT, GraphML, GEXF and Mermaid as its
        graph; or a graph, as in `save_graph`.
    lossless
        Refuse to write a file that does not hold everything.

    Returns
    -------
    losses
        What the file does not hold, one by one; nothing is lost without being named here.
    """
    target = Path(path)
    chosen = format_of(target) if format is None else format_named(format)
    if isinstance(network, Learned) and chosen.name == "json":
        network.save(target)
        return ()
    if not isinstance(network, BayesianNetwork):
        save_graph(network, target, format=chosen.name)
        return ()
    content, losses = network_content(network, chosen, lossless=lossless)
    write_content(target, content)
    return losses


def network_content(
    network: BayesianNetwork, chosen: Format, *, lossless: bool = False
) -> tuple[bytes, tuple[FormatLoss, ...]]:
    """A network in a format, and what that does not hold."""
    report: list[FormatLoss] = []
    if chosen.holds == "graph":
        report.append(FormatLoss("network", "only its graph is written"))
    if network.gaussians and chosen.holds == "network" and not chosen.continuous:
        network = _discrete_only(network, chosen.name, report)
    content = chosen.write_bytes(network if chosen.holds == "network" else network.graph, report)
    if report and lossless:
        more = f" (and {len(report) - 1} more)" if len(report) > 1 else ""
        raise FormatError(
            f"{chosen.name} cannot hold this network: {report[0]}{more}; choose 'json', or do not ask for ",
            Argument("lossless"),
        )
    for loss in report:
        logger.info("%s: %s", chosen.name, loss)
    return content, tuple(report)


def _discrete_only(network: BayesianNetwork, name: str, report: list[FormatLoss]) -> BayesianNetwork:
    """The discrete nodes, for formats that have no others; the loss of each continuous one is reported."""
    able = ", ".join(each.name for each in FORMATS if each.continuous)
    if len(network.gaussians) == len(network.nodes):
        raise FormatError(
            f"{name} has no continuous nodes, and this network has no others; choose one of {able}"
        )
    report += [FormatLoss("node", "continuous, so not written", node) for node in network.continuous]
    return discrete_part(network)


def save_graph(
    graph: GraphLike,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a graph as DOT, GraphML, GEXF or Mermaid, by the file's suffix or the format named."""
    target = Path(path)
    chosen = format_of(target) if format is None else format_named(format)
    write_content(target, graph_content(graph, chosen))


def graph_content(graph: GraphLike, chosen: Format) -> bytes:
    """A graph in a format for graphs."""
    if chosen.holds != "graph":
        raise FormatError(
            f"{chosen.name} files hold networks with numbers; fit the graph first with ",
            Call("fit"),
        )
    shape = as_graph(graph)
    if isinstance(shape, Mag | Pag):
        raise GraphError(f"{chosen.name} has no marks at the ends of edges, so no {type(shape).__name__}")
    return chosen.write_bytes(shape, [])


def write_content(target: Path, content: bytes) -> None:
    """Write a file, compressed if its name ends in ``.gz``; it appears whole or not at all."""
    if target.suffix.lower() == ".gz":
        content = gzip.compress(content, mtime=0)
    write_whole(target, content)
