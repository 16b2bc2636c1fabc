"""The commands. Each reads its arguments, makes one call and prints the answer."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright import registry
from dagwright.cli import inputs, options, output
from dagwright.data import describe as describe_data
from dagwright.evidence import independence_test
from dagwright.evidence import score as score_graph
from dagwright.graph import Comparison, Dag, Pag
from dagwright.graph import compare as compare_graphs
from dagwright.knowledge.checking import edges_of
from dagwright.learned import Learned
from dagwright.learning import learn as learn_network

Reading = dict[str, Any]
COMPARED = (
    *("shd", "dag_shd", "equivalent", "missing", "extra", "reversed"),
    *("skeleton_precision", "skeleton_recall", "skeleton_f1"),
    *("arrowhead_precision", "arrowhead_recall", "arrowhead_f1"),
)
COMPARED_MARKS = (
    *("shd", "equivalent", "missing", "extra", "changed"),
    *("skeleton_precision", "skeleton_recall", "skeleton_f1"),
    *("arrowhead_precision", "arrowhead_recall", "arrowhead_f1"),
    *("tail_precision", "tail_recall", "tail_f1"),
)


@inputs.reads_data
def describe(
    how: Reading,
    data: options.Data,
    json: options.Json = False,
) -> None:
    """Say what is in the data and what will be done with each column."""
    report = describe_data(inputs.data_source(data), **how)
    if json:
        output.write_json(report.to_dict())
        return
    output.write(report.summary)
    output.write_grid(
        [
            ("column", "left"),
            ("kind", "left"),
            ("states", "right"),
            ("missing", "right"),
            ("remarks", "left"),
            ("what will be done", "left"),
        ],
        [
            (c.name, c.kind, f"{c.distinct:,}", f"{c.missing:,}", ", ".join(c.flags), c.action)
            for c in report.columns
        ],
    )
    for remark in report.notes:
        output.write(f"note: {remark}")


@inputs.reads_data
def learn(
    how: Reading,
    data: options.Data,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the model as JSON; - is stdout.")
    ] = None,
    score: options.Score = None,
    search: options.Search = None,
    knowledge: options.Knowledge = None,
    start: Annotated[str | None, typer.Option(help="A graph to begin from.")] = None,
    missing: options.Missing = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn a network from data, print it, and save it with -o. Ctrl-C keeps the best graph so far."""
    chosen_score = inputs.read_score(score, "score", "test")
    chosen_search = inputs.read_search(search)
    known = inputs.read_knowledge(knowledge)
    with output.progress_line(not quiet) as progress:
        table = inputs.read_table(data, how)
        found = learn_network(
            table,
            score=chosen_score,
            search=chosen_search,
            knowledge=known,
            start=None if start is None else inputs.dag_over(inputs.read_graph(start), table.names),
            missing=missing,
            time_limit=time_limit,
            random_state=seed,
            threads=threads,
            progress=progress,
        )
    to_stdout = json or str(out) == inputs.STDIN
    if to_stdout:
        output.write(found.to_json())
    if out is not None and str(out) != inputs.STDIN:
        found.save(out)
    if not (quiet or to_stdout):
        _report(found, out)
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _report(found: Learned, saved: Path | None) -> None:
    graph = found.graph
    if isinstance(graph, Dag):
        output.write(graph.as_text() + "\n")
        lines = [f"{start} -> {end}" for start, end in graph.edges]
    elif isinstance(graph, Pag):
        lines = [" ".join(edge) for edge in graph.edges]
    else:
        arcs, links = edges_of(graph)
        lines = [f"{start} -> {end}" for start, end in arcs] + [f"{a} -- {b}" for a, b in links]
    output.write("\n".join(lines))
    output.write(f"\n{found}")
    if saved is not None:
        output.write(f"saved as {saved}")


@inputs.reads_data
def score(
    how: Reading,
    data: options.Data,
    graph: options.Graph,
    score: Annotated[str, typer.Option(help="The score, for instance 'BDeu(ess=10)'.")] = "BIC",
    missing: options.Missing = None,
    json: options.Json = False,
) -> None:
    """Score a given graph on data; columns that it does not mention have no arcs."""
    method = registry.parse(score, "score")
    table = inputs.read_table(data, how)
    dag = inputs.dag_over(inputs.read_graph(graph), table.names)
    found = score_graph(dag, table, method, missing=missing)
    if json:
        output.write_json({**asdict(found), "graph": str(dag)})
        return
    output.write_grid(
        [("node", "left"), ("score", "right"), ("parents", "left")],
        [(node, f"{value:.6f}", ", ".join(dag.parents(node))) for node, value in found.by_node.items()],
    )
    output.write(f"\n{found.total:.6f}  {found.definition}")


@inputs.reads_data
def test(
    how: Reading,
    data: options.Data,
    x: Annotated[str, typer.Argument(help="A column.")],
    y: Annotated[str, typer.Argument(help="Another column.")],
    given: Annotated[
        list[str] | None, typer.Option("--given", "-g", help="Given this column; may be repeated.")
    ] = None,
    test: Annotated[
        str, typer.Option(help="The test or score, for instance 'GSquare(alpha=0.01)'.")
    ] = "GSquare",
    missing: options.Missing = None,
    json: options.Json = False,
) -> None:
    """Test whether two columns are independent, given others."""
    method = registry.parse(test, "test", "score")
    table = inputs.read_table(data, how)
    verdict = independence_test(table, x, y, given or (), method, missing=missing)
    if json:
        output.write_json({"x": x, "y": y, "given": given or [], "test": repr(method), **asdict(verdict)})
        return
    condition = f" given {', '.join(given)}" if given else ""
    relation = "independent of" if verdict.independent else "dependent on"
    output.write(f"{x} is {relation} {y}{condition}, by {method!r}")
    facts = {
        "statistic": verdict.statistic,
        "degrees of freedom": verdict.df,
        "p-value": verdict.p_value,
        "mutual information": verdict.effect,
        "worth of an arc": verdict.gain,
    }
    for title, value in facts.items():
        if value is not None:
            unit = {"mutual information": " nats per row", "worth of an arc": " nats"}.get(title, "")
            output.write(f"  {title:<20}{value:.6g}{unit}")
    if verdict.note:
        output.write(f"note: {verdict.note}")


def compare(
    reference: options.Graph,
    estimate: options.Graph,
    json: options.Json = False,
) -> None:
    """Compare an estimated graph with a reference."""
    found = compare_graphs(inputs.read_graph(reference), inputs.read_graph(estimate))
    if json:
        names = COMPARED if isinstance(found, Comparison) else COMPARED_MARKS
        output.write_json({name: getattr(found, name) for name in names})
    else:
        output.write(str(found))


def methods(
    kind: Annotated[
        str | None, typer.Argument(help="score, test, correction, search, discretisation or resampling.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the methods, with the options they take."""
    entries = registry.entries(kind)
    if json:
        output.write_json([{**asdict(entry), "signature": entry.signature} for entry in entries])
        return
    output.write_grid(
        [("kind", "left"), ("method", "left"), ("what it is", "left")],
        [(entry.kind, entry.signature, entry.summary) for entry in entries],
    )
