"""HTML of answers and judgments in a notebook."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from dagwright.confidence import ConfidenceDifference, EdgeCalibration, StructurePosterior
from dagwright.evidence import Missingness
from dagwright.graph.comparison import Comparison
from dagwright.graph.mark_comparison import MarkComparison
from dagwright.learning.cross_validation import CrossValidation
from dagwright.learning.edge_evidence import EvidenceCard
from dagwright.learning.effect import Effect
from dagwright.learning.faithfulness import Faithfulness
from dagwright.learning.learned_comparison import LearnedComparison
from dagwright.learning.neighborhood import Neighborhood
from dagwright.learning.plausibility import Plausibility
from dagwright.model import Calibration, EMResult, MostProbable, Posterior
from dagwright.model.tables.labeled import ProbabilityTable
from dagwright.search.candidates import CandidateSets
from dagwright.search.enumeration import Enumeration
from dagwright.search.rivals import Rivals
from dagwright.search.solving import Solution
from dagwright.show.calibration_chart import calibration_chart
from dagwright.show.difference import draw_difference
from dagwright.show.drawing import draw
from dagwright.show.frontier_chart import Frontier
from dagwright.show.node_shapes import percent
from dagwright.show.notebook_html import facts_view, html_table, list_view, more, paragraph
from dagwright.show.row_bars import RowBar, row_bars
from dagwright.show.svg_writer import escaped

MOST_ROWS, MOST_CASES, MOST_CELLS = 20, 8, 60


@singledispatch
def result_view(thing: Any) -> str:
    """Whatever has no view of its own is shown as the text it prints."""
    text = str(thing)
    return f"<pre>{escaped(text)}</pre>" if "\n" in text else paragraph(text)


@result_view.register
def _(card: EvidenceCard) -> str:
    arrow = f"{card.start} → {card.end}" + ("" if card.present else ", not in the network")
    return facts_view(arrow, card.facts())


@result_view.register
def _(found: CrossValidation) -> str:
    close = set(found.indistinguishable)
    rows = [
        (
            one.name + (" *" if one.name in close else ""),
            f"{one.loss:.5f} ± {one.error:.5f}",
            "best" if one.behind == 0 else f"{one.behind:.5f} ± {one.behind_error:.5f}",
            *(() if one.rmse is None else (f"{one.rmse:.5g}", f"{one.r_squared:.4f}")),
        )
        for one in found.ranking
    ]
    heads = ("candidate", "nats per row", "behind the best", "RMSE", "R²")[: len(rows[0])]
    what = "whole rows" if found.target is None else f"{found.target} from the others"
    folds = len(next(iter(found.folds.values())))
    return (
        f"<p><b>Log-loss of {escaped(what)}, {folds} folds</b></p>"
        + html_table(heads, rows, numbers=tuple(range(1, len(heads))))
        + paragraph("* not significantly worse than the best: within two standard errors of the difference")
    )


@result_view.register
def _(found: ConfidenceDifference) -> str:
    head, *_ = str(found).splitlines()
    rows = [
        (
            f"{one.start} → {one.end}",
            f"{one.first:.3f}",
            f"{one.second:.3f}",
            f"{one.second - one.first:+.3f}",
        )
        for one in found.above()
    ]
    shown = html_table(("arc", "first", "second", "difference"), rows[:MOST_ROWS], numbers=(1, 2, 3))
    return paragraph(head) + (shown + more(MOST_ROWS, len(rows), "arcs") if rows else "")


@result_view.register
def _(found: StructurePosterior) -> str:
    facts = [] if found.log_evidence is None else [(found.evidence_name, f"{found.log_evidence:.4f}")]
    facts += [(name, f"{value:.4g}") for name, value in found.diagnostics.items()]
    facts += [("warning", warning) for warning in found.warnings]
    return str(found.confidence._repr_html_()) + (html_table(("", ""), facts) if facts else "")


@result_view.register(Comparison)
@result_view.register(MarkComparison)
def _(found: Any) -> str:
    picture = draw_difference(found.a, found.b, names=("the first", "the second"))
    return picture.html + paragraph(str(found).splitlines()[0])


@result_view.register
def _(found: LearnedComparison) -> str:
    lines = str(found).splitlines()[:3]
    parts = [*map(paragraph, lines), result_view(found.graphs)]
    return "".join(parts) + ("" if found.confidence is None else result_view(found.confidence))


@result_view.register
def _(found: Posterior) -> str:
    bars = [RowBar(str(state), share, percent(share)) for state, share in found.items()]
    error = f" ± {found.error:.3g}" if found.error else ""
    heading = f"P({found.question})" if found.question else "Probabilities"
    warnings = "".join(paragraph(f"warning: {each}") for each in found.unsupported)
    return row_bars([("", bars)], title=f"{heading} ({found.method}{error})").html + warnings


@result_view.register
def _(table: ProbabilityTable) -> str:
    if not table.names:
        return f"<pre>{escaped(str(table))}</pre>"
    heads, rows = table.rows()
    numbers = tuple(range(len(table.names) - 1, len(heads)))
    shown = html_table(heads, rows[:MOST_CELLS], numbers=numbers)
    return paragraph(table.title) + shown + more(MOST_CELLS, len(rows), "rows")


@result_view.register
def _(found: MostProbable) -> str:
    rows = [(node, str(state)) for node, state in found.items()]
    return html_table(("node", "state"), rows) + paragraph(f"probability {found.probability:.4g}")


@result_view.register
def _(found: EMResult) -> str:
    ended = "converged" if found.converged else "not converged"
    words = (
        f"log-likelihood {found.log_likelihood:.4f}, {len(found.trace)} steps, {ended}, {found.runs} starts"
    )
    return str(found.network._repr_html_()) + paragraph(words)


@result_view.register
def _(found: Neighborhood) -> str:
    head, *facts = str(found).splitlines()
    return list_view(head, facts)


@result_view.register(Missingness | Effect | Plausibility)
def _(found: Missingness | Effect | Plausibility) -> str:
    head, *facts = str(found).splitlines()
    return list_view(head, facts) if facts else paragraph(head)


@result_view.register
def _(found: Faithfulness) -> str:
    facts = {
        "separations that the test rejects": [str(query) for query, _ in found.rejected],
        "dependences of the graph that the test does not find": [str(query) for query, _ in found.accepted],
        "pairs dependent only given a third variable": [", ".join(triple) for triple in found.hidden],
    }
    rows = [
        (name, f"{len(cases):,}", "; ".join(cases[:MOST_CASES]) + ("; …" if len(cases) > MOST_CASES else ""))
        for name, cases in facts.items()
    ]
    return paragraph(f"{found.asked:,} questions asked") + html_table(("", "", ""), rows, numbers=(1,))


@result_view.register
def _(found: Rivals) -> str:
    classes = found.classes()
    rows = []
    for one in classes[:MOST_ROWS]:
        apart = Comparison(classes[0].graph, one.graph).in_words or one.graph.to_string()
        rows.append((f"{found.best - one.score:.3f}", f"{len(one.members):,}", apart))
    head = paragraph(
        f"{len(found):,} networks in {len(classes):,} classes; the best scores {found.best:.4f} nats"
    )
    table = html_table(("nats below best", "networks", "differences from the best"), rows, numbers=(0, 1))
    return head + table + more(len(rows), len(classes), "classes")


@result_view.register
def _(found: Solution) -> str:
    proof = "proven best" if found.optimal else f"no network scores above {found.bound:.4f}"
    return draw(found.graph).html + paragraph(f"score {found.score:.4f}, {proof}; {found.method}")


@result_view.register
def _(found: Enumeration) -> str:
    rows = [
        (f"{arcs}", f"{one.score:.4f}", f"{one.ties:,}", str(one.dag)) for arcs, one in found.by_arcs.items()
    ]
    head = paragraph(f"{found.count:,} networks; the best scores {found.score:.4f}")
    table = html_table(("arcs", "score", "ties", "network"), rows, numbers=(0, 1, 2))
    return draw(found.best).html + head + table


@result_view.register
def _(found: CandidateSets) -> str:
    rows = [
        (node, f"{len(sets):,}", ", ".join(sets[0].parents) or "none", f"{sets[0].score:.4f}")
        for node in found.nodes[:MOST_ROWS]
        if (sets := found.of(node))
    ]
    table = html_table(("node", "sets", "best parents", "score"), rows, numbers=(1, 3))
    return table + more(len(rows), len(found.nodes), "nodes")


@result_view.register
def _(found: Frontier) -> str:
    return found.draw().html


@result_view.register(EdgeCalibration)
@result_view.register(Calibration)
def _(judged: Any) -> str:
    return calibration_chart(judged).html
