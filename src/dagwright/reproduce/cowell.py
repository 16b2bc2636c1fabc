"""Cowell (2001): when tests of conditional independence and scores select the same network."""

from __future__ import annotations

import math
from itertools import permutations

from dagwright.data import Table, read, sample_path
from dagwright.evidence import (
    AIC,
    BIC,
    BayesFactor,
    BDeu,
    Family,
    GSquare,
    K2Score,
    LogLik,
    Score,
    Threshold,
    conditional_mutual_information,
    cross_entropy,
    entropy,
    independence_test,
)
from dagwright.graph.dag import Dag
from dagwright.graph.query import Verdict
from dagwright.model import fit
from dagwright.reproduce.report import Progress, Section, Sheet
from dagwright.reproduce.sources import arcs, learn_dag, table_7_4
from dagwright.search.thick_thin import ThickThin

# Families of the sample asia to which one parent is added: child, added, parents so far.
STEPS = (
    ("lung", "smoke", ()),
    ("either", "tub", ("lung",)),
    ("dysp", "either", ("bronc",)),
    ("xray", "either", ()),
    ("xray", "bronc", ("either",)),
    ("tub", "asia", ()),
)
TIGHT = 1e-9


def parts(quick: bool, progress: Progress) -> list[Section]:  # noqa: ARG001 - nothing here is slow
    """Every part of the paper, in its order."""
    sections = []
    for title, fill in (
        ("Tests are differences of scores (sections 4.2 to 5.3)", identities),
        ("Turning an arc is two tests", reversals),
        ("Cross-entropy of a network (Eq. 6)", divergences),
        ("Thickening and thinning in a given order (section 4.1)", orders),
        ("Misprints", misprints),
    ):
        progress(title)
        sheet = Sheet(title)
        fill(sheet)
        sections.append(sheet.done())
    return sections


def gain(data: Table, spec: Score, child: str, added: str, given: tuple[str, ...]) -> float:
    """The gain of a score when a parent is added."""
    column = data.column_index
    before = Family(column(child), frozenset(map(column, given)))
    after = Family(before.child, before.parents | {column(added)})
    new, old = spec.on(data).local([after, before])
    return float(new - old)


def identities(sheet: Sheet) -> None:
    data = read(sample_path("asia"))
    N = data.N
    for child, added, given in STEPS:
        where = f"{added} as a parent of {child}" + (f" given {', '.join(given)}" if given else "")
        cmi = conditional_mutual_information(data, child, added, given)
        likelihood = gain(data, LogLik(), child, added, given)
        sheet.claim(
            f"{where}: gain in log-likelihood = N times conditional cross-entropy (Eq. 8, 10)",
            "equal",
            f"{likelihood:.6f} = {N:g} x {cmi:.8f}",
            holds=abs(likelihood - N * cmi) < TIGHT * N,
        )
        verdict = independence_test(data, child, added, given, GSquare(alpha=0.05))
        k = verdict.df or 0.0
        bic, aic = (gain(data, spec, child, added, given) for spec in (BIC(), AIC()))
        sheet.claim(
            f"{where}: BIC and AIC gain = deviance/2 less their penalty",
            "equal",
            f"G2 = {verdict.statistic:.4f}, k = {k:g}: BIC {bic:+.4f}, AIC {aic:+.4f}",
            holds=abs((verdict.statistic or 0.0) / 2 - k * math.log(N) / 2 - bic) < TIGHT * N
            and abs((verdict.statistic or 0.0) / 2 - k - aic) < TIGHT * N,
            reason=f"so BIC adds the arc where the test does at level {BIC().level(k, N):.2g}",
        )
        ratio = gain(data, BDeu(1), child, added, given)
        bayes = independence_test(data, child, added, given, BayesFactor(BDeu(1)))
        sheet.claim(
            f"{where}: log Bayes ratio = difference of marginal likelihoods (Eq. 11, 12)",
            "equal",
            f"{ratio:+.4f}, {'dependent' if ratio > 0 else 'independent'}",
            holds=abs((bayes.gain or 0.0) - ratio) < TIGHT * N and bayes.independent == (ratio <= 0),
        )
        sheet.answer(
            f"{where}: posterior probabilities of the two hypotheses",
            f"dependent {probability(ratio)}, independent {probability(-ratio)}",
            "BDeu with one case, both hypotheses equally likely before",
        )


def probability(log_odds: float) -> str:
    """The probability with these log odds, as a power of ten where it is too small for a float."""
    if log_odds < -700:
        return f"about 1e{log_odds / math.log(10):.0f}"
    return f"{1.0 / (1.0 + math.exp(-log_odds)):.4g}"


# Arcs of the sample asia to turn: start, end, and the other parents of both before.
REVERSALS = (
    ("lung", "smoke", (), ()),
    ("bronc", "dysp", ("smoke",), ("either",)),
    ("lung", "tub", (), ("either",)),
)


def reversals(sheet: Sheet) -> None:
    """Turning an arc removes a parent of one variable and adds one to another: two tests."""
    data = read(sample_path("asia"))
    for start, end, of_start, of_end in REVERSALS:
        before = Dag(data.names, [(start, end), *((p, start) for p in of_start), *((p, end) for p in of_end)])
        after = before.with_edges(remove=[(start, end)], add=[(end, start)])
        removed = independence_test(data, end, start, of_end, BayesFactor(BDeu(1)))
        added = independence_test(data, start, end, of_start, BayesFactor(BDeu(1)))
        bound = BDeu(1).on(data)
        change = bound.total(after) - bound.total(before)
        sheet.claim(
            f"turning {start} -> {end}"
            + "".join(
                f", other parents of {node}: {', '.join(others)}"
                for node, others in ((start, of_start), (end, of_end))
                if others
            ),
            "one removal and one addition",
            f"remove: {said(removed)}; add: {said(added)}; together {change:+.4f}",
            holds=abs((added.gain or 0.0) - (removed.gain or 0.0) - change) < TIGHT * data.N,
            reason="the two verdicts are about the same pair given different variables and need not agree; "
            "the difference of the two gains is what the score changes by",
        )


def said(verdict: Verdict) -> str:
    return f"{'independent' if verdict.independent else 'dependent'} ({verdict.gain or 0.0:+.4f})"


def divergences(sheet: Sheet) -> None:
    data = read(sample_path("asia"))
    graph = learn_dag(data)
    whole = cross_entropy(graph, data)
    direct = -fit(graph, data, parameter_prior=None).log_likelihood(data) / data.N - entropy(data, data.names)
    sheet.claim(
        "divergence of the fitted network from the data: by entropies and by the likelihood",
        "equal",
        f"{whole:.8f} and {direct:.8f} nats",
        holds=abs(whole - direct) < TIGHT,
    )
    lost = next(edge for edge in graph.edges if set(edge) == {"bronc", "dysp"})
    smaller = graph.with_edges(remove=[lost])
    others = [parent for parent in graph.parents(lost[1]) if parent != lost[0]]
    cmi = conditional_mutual_information(data, lost[1], lost[0], others)
    difference = cross_entropy(smaller, data) - whole
    sheet.claim(
        f"what leaving out {lost[0]} -> {lost[1]} adds to it = conditional cross-entropy (Eq. 8)",
        "equal",
        f"{difference:.8f} and {cmi:.8f} nats",
        holds=abs(difference - cmi) < TIGHT,
    )


def orders(sheet: Sheet) -> None:
    data = table_7_4()
    deciders = {
        "threshold 0.02": Threshold(0.02),
        "G2 at 0.05": GSquare(alpha=0.05),
        "Bayes factor, K2": K2Score(),
        "BIC": BIC(),
    }
    for order in permutations("ABC"):
        found = {name: arcs(learn_dag(data, search=ThickThin(order, by=by))) for name, by in deciders.items()}
        same = len(set(found.values())) == 1
        sheet.answer(
            f"Table 7.4 of Jensen & Nielsen in the order {', '.join(order)}",
            found["BIC"] if same else "; ".join(f"{name}: {text}" for name, text in found.items()),
            "all four agree" if same else "BIC asks for more evidence than the other three",
        )


def misprints(sheet: Sheet) -> None:
    sheet.wrong(
        "equality of conditional cross-entropy and likelihood ratio",
        "(8) and (9)",
        "(8) and (10)/N",
        "the likelihood is that of N cases",
    )
    sheet.wrong(
        "the hypothesis that is tested",
        "H0 is the larger model",
        "H0 is the smaller one, by custom",
        "the sign of the statistic turns with it",
    )
    data = table_7_4()
    bits = conditional_mutual_information(data, "B", "C", unit="bits")
    nats = conditional_mutual_information(data, "B", "C")
    statistic = independence_test(data, "B", "C").statistic or 0.0
    sheet.wrong(
        "deviance = 2N times the cross-entropy",
        "no base of the logarithm",
        f"2N x {nats:.6f} nats = {statistic:.4f}",
        f"natural logarithms are needed; with {bits:.6f} bits it would be {2 * data.N * bits:.4f}",
        shown_to_be=abs(2 * data.N * nats - statistic) < TIGHT * data.N,
    )
    xor = {"a": [0, 0, 1, 1] * 25, "b": [0, 1, 0, 1] * 25, "c": [0, 1, 1, 0] * 25}
    single = learn_dag(xor, search=ThickThin(list("abc"), by=GSquare()))
    pairs = learn_dag(xor, search=ThickThin(list("abc"), by=GSquare(), subset_size=2))
    sheet.wrong(
        "thickening adds single variables while the child depends on the rest together",
        "the strongest single one",
        f"with pairs: {arcs(pairs)}",
        "with exclusive or every single value is zero and the choice arbitrary; larger sets have to be tried",
        shown_to_be=not single.edges and len(pairs.edges) == 2,
    )
