"""The parts of a report about numbers: equations, residuals, and what normality means here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from dagwright.data import Table
from dagwright.model import BayesianNetwork
from dagwright.model.gaussian.distribution import Equation
from dagwright.model.tables.checks import Floats
from dagwright.reporting.html_parts import figure, fold, table, text_list
from dagwright.show import draw
from dagwright.show.curves import Curve, curves

if TYPE_CHECKING:
    from dagwright.reporting.analysis import Analysis

MOST_DOTS = 400
MOST_PICTURED = 30
SKEWED, HEAVY = 0.5, 1.0
"""Skewness and excess kurtosis of residuals from which the page warns."""
NORMALITY = (
    "Each continuous variable is a linear function of its continuous parents plus normal noise of constant "
    "variance, with one function for each configuration of its discrete parents. Slopes and the graph need "
    "only relations that are close to linear; intervals, densities and tail probabilities need noise that is "
    "close to normal."
)


@dataclass(frozen=True)
class Residuals:
    """Fitted values and standardized residuals of a regression, on the complete rows of a family."""

    node: str
    fitted: Floats
    standardized: Floats
    r_squared: float

    @property
    def skewness(self) -> float:
        return float(np.mean(self.standardized**3)) if len(self.standardized) else 0.0

    @property
    def kurtosis(self) -> float:
        """In excess of that of a normal distribution."""
        return float(np.mean(self.standardized**4)) - 3.0 if len(self.standardized) else 0.0


def residuals(network: BayesianNetwork, rows: Table, node: str) -> Residuals:
    """The residuals of a node on the rows where it and its parents are known."""
    own = network.gaussians[node]
    known = rows.select((node, *own.parents)).complete("drop")
    place = tuple(known.codes(parent).astype(np.intp) for parent in own.given)
    fitted = np.broadcast_to(own.intercept[place], known.n_rows).astype(np.float64)
    for parent, slopes in own.coefficients.items():
        fitted = fitted + slopes[place] * known.reals(parent)
    left = known.reals(node) - fitted
    sd = np.broadcast_to(own.sd[place], known.n_rows)
    standardized = np.where(sd > 0, left / np.where(sd > 0, sd, 1.0), 0.0)
    whole = float(np.var(known.reals(node))) if known.n_rows else 0.0
    r_squared = 1.0 - float(np.mean(left**2)) / whole if whole > 0 else 0.0
    return Residuals(node, fitted, standardized, r_squared)


def of_network(analysis: Analysis) -> list[Residuals]:
    """The residuals of all nodes of numbers; none without the data."""
    rows = analysis.found.table
    if rows is None:
        return []
    return [residuals(analysis.network, rows, node) for node in analysis.network.continuous]


def numbers(analysis: Analysis) -> str:
    """The network with densities, the equations, and their residuals."""
    network = analysis.network
    if not network.gaussians:
        return ""
    parts = [f"<p>{escape(NORMALITY)}</p>"]
    if len(network.nodes) <= MOST_PICTURED:
        picture = draw(analysis.found, information=True, bars=True)
        parts.append(figure(picture.svg, picture.width))
    left = {one.node: one for one in of_network(analysis)}
    parts.append(text_list(normality_warnings(list(left.values()))))
    for node in network.continuous:
        head = escape(node)
        if node in left:
            head += f" <small>R² {left[node].r_squared:.3f}</small>"
        parts.append(fold(head, _equation(network, node) + _residual_plot(left.get(node))))
    return "".join(parts)


def _equation(network: BayesianNetwork, node: str) -> str:
    equation = network.cpd(node)
    assert isinstance(equation, Equation)
    heads, rows = equation.rows()
    shown = [[escape(cell) for cell in row] for row in rows]
    errors = equation.standard_errors()
    own = network.gaussians[node]
    if errors:
        heads = (*heads, "standard errors", "rows")
        behind = own.fitted
        for row, place in zip(shown, np.ndindex(own.shape), strict=True):
            named = {"intercept": errors[node]} | {p: errors[p] for p in own.coefficients}
            texts = [
                f"{name} {error[place]:.3g}" for name, error in named.items() if math.isfinite(error[place])
            ]
            row += [escape(", ".join(texts)), "" if behind is None else f"{behind.rows[place]:,.6g}"]
    return table([escape(head) for head in heads], shown)


def _residual_plot(found: Residuals | None) -> str:
    if found is None or len(found.fitted) < 3 or np.ptp(found.fitted) == 0:
        return "" if found is None else _histogram(found)
    step = max(1, len(found.fitted) // MOST_DOTS)
    order = np.argsort(found.fitted, kind="stable")[::step]
    dots = tuple(
        (float(x), float(y)) for x, y in zip(found.fitted[order], found.standardized[order], strict=True)
    )
    most = max(3.0, *(abs(y) for _, y in dots))
    level = ((float(found.fitted.min()), 0.0), (float(found.fitted.max()), 0.0))
    shown = f"every {step}th row" if step > 1 else "rows"
    chart = curves(
        [Curve(shown, dots, kind="points"), Curve("no error", level, color="soft", dash=(5, 4))],
        title=f"Residuals of {found.node}",
        across="fitted value",
        up="standardized residual",
        up_range=(-most, most),
    )
    return figure(chart.svg, chart.width) + _histogram(found)


def _histogram(found: Residuals) -> str:
    if len(found.standardized) < 10 or np.ptp(found.standardized) == 0:
        return ""
    counts, edges = np.histogram(found.standardized, bins=24, density=True)
    columns = tuple((float(x), float(y)) for x, y in zip(edges, counts, strict=False))
    at = np.linspace(-3.5, 3.5, 71)
    normal = np.exp(-0.5 * at**2) / math.sqrt(2 * math.pi)
    chart = curves(
        [
            Curve("residuals", columns, kind="columns"),
            Curve("normal", tuple(zip(at.tolist(), normal.tolist(), strict=True)), color="orange"),
        ],
        title=f"Skewness {found.skewness:.2f}, excess kurtosis {found.kurtosis:.2f} of {found.node}",
        across="standardized residual",
        up="density",
    )
    return figure(chart.svg, chart.width)


def normality_warnings(found: list[Residuals]) -> list[str]:
    """Which residuals are far from normal, in sentences."""
    texts = []
    for one in found:
        facts = []
        if abs(one.skewness) > SKEWED:
            facts.append(f"skewed (skewness {one.skewness:.2f})")
        if one.kurtosis > HEAVY:
            facts.append(f"heavy-tailed (excess kurtosis {one.kurtosis:.2f})")
        if facts:
            texts.append(
                f"The residuals of {one.node} are {' and '.join(facts)}: do not trust its intervals and tail "
                "probabilities; a logarithm of the column may help."
            )
    return texts or (["No residuals are far from normal in skewness or kurtosis."] if found else [])
