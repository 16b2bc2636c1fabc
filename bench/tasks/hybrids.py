"""Hybrid and averaging searches beside their relatives: distance to the true class per true edge.

Samples of networks that come with the package, two for each number of rows. With hidden causes, the two
nodes with the most children are left out of the rows, and classes of ancestral graphs are compared; else
essential graphs are.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results

BAR = "GFCI nearer than FCI where causes are hidden, MIIC nearer than PC where none are"
PEERS = ("dagwright",)
HIDDEN = ("child", "insurance", "alarm")
SEEN = ("asia", "sachs", *HIDDEN)
ROWS = (500, 5_000)
SAMPLES = 2
WITH_HIDDEN_CAUSES = ("FCI", "GFCI")
ALL_SEEN = ("PC", "MIIC", "GES", "Averaged(GES())", "OrderSearch")
NEARER = (("GFCI", "FCI"), ("MIIC", "PC"))
Arguments = dict[str, Any]


def cases(options: Options) -> Iterable[Case]:
    for hidden, networks in ((2, HIDDEN), (0, SEEN)):
        for network in networks[:1] if options.quick else networks:
            for rows in ROWS[:1] if options.quick else ROWS:
                arguments = {"network": network, "rows": rows, "hidden": hidden}
                yield Case(f"{network} {rows}, {hidden} hidden", arguments, repeats=1)


def run_dagwright(arguments: Arguments, clock: Clock) -> dict[str, list[float]]:
    """The distances of each search, a number per sample."""
    import dagwright as dw

    network = dw.load(arguments["network"])
    graph = network.graph
    by_children = sorted(graph.nodes, key=lambda x: (-len(graph.children(x)), x))
    hidden = by_children[: arguments["hidden"]]
    truth: Any = graph.latent_projection(hidden=hidden).pag() if hidden else graph.cpdag()
    edges = len(truth.skeleton().edges)
    found = defaultdict(list)
    for sample in range(SAMPLES):
        table = network.sample(arguments["rows"], random_state=1 + sample)
        for search in WITH_HIDDEN_CAUSES if hidden else ALL_SEEN:
            with clock:
                learned = dw.learn(table, search=search, exclude=hidden)
            answer = learned.graph
            if isinstance(answer, dw.Dag) or (isinstance(answer, dw.Pdag) and answer.has_extension()):
                answer = answer.cpdag()
            found[search].append(dw.compare(truth, answer).shd / edges)
    return found


def findings(results: Results) -> Iterable[Finding]:
    distances: dict[tuple[str, int], list[float]] = defaultdict(list)
    for case in results.cases():
        result = results.get(case.name, "dagwright")
        if result is not None:
            for search, values in result.answer.items():
                distances[search, case.arguments["rows"]] += values
    means = {key: statistics.fmean(values) for key, values in distances.items()}
    relatives = dict(NEARER)
    for (search, rows), mean in means.items():
        bar = means.get((relatives.get(search, ""), rows))
        note = f"{len(distances[search, rows])} samples"
        yield Finding(f"{rows} rows", f"SHD per true edge, {search}", mean, "", at_most=bar, note=note)
