"""Jensen & Nielsen (2007), Bayesian Networks and Decision Graphs, chapter 7."""

from __future__ import annotations

from dagwright.reproduce.jensen_nielsen_graphs import GRAPH_PARTS
from dagwright.reproduce.jensen_nielsen_samples import ockham_curves, pc_errors
from dagwright.reproduce.jensen_nielsen_scores import SCORE_PARTS
from dagwright.reproduce.report import Progress, Section, Sheet


def parts(quick: bool, progress: Progress) -> list[Section]:
    """Every part of the chapter, in its order."""
    sections = []
    for title, fill in (*GRAPH_PARTS, *SCORE_PARTS):
        progress(title)
        sheet = Sheet(title)
        fill(sheet)
        sections.append(sheet.done())
    progress("Figure 7.22")
    sections.append(ockham_curves())
    progress("errors of PC")
    sections.append(pc_errors(quick))
    return sections
