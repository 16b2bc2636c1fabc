"""The commands. Each reads its arguments, makes one call and prints the answer."""

from __future__ import annotations

import itertools
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from dagwright.base.checkpoint import checkpoint_path
from dagwright.cli import completion, inputs, options, output
from dagwright.cli.methods_from_text import method
from dagwright.cli.option_groups import (
    Given,
    experiments,
    known,
    learning,
    reading,
    running,
    series,
    takes,
)
from dagwright.data import describe as describe_data
from dagwright.data import read
from dagwright.data.number_report import HEADS
from dagwright.defaults import usual_test
from dagwright.errors import DagwrightError, FormatError, GraphError
from dagwright.evidence import Missingness, missingness
from dagwright.evidence import independence_test as tested
from dagwright.evidence.counting import asked_rows
from dagwright.evidence.units import Unit
from dagwright.graph import Comparison, Pag, Pdag
from dagwright.graph import compare as compare_graphs
from dagwright.graph.graph_like import as_dag
from dagwright.graph.query import name_set
from dagwright.io import save, save_graph
from dagwright.io.formats import Format, format_of
from dagwright.knowledge.checking import edges_of
from dagwright.learning.checkpointing import KIND as EVIDENCE
from dagwright.learning.learn import learn as learn_network
from dagwright.learning.learned import Learned
from dagwright.learning.scoring import score as score_graph
from dagwright.methods import registry
from dagwright.methods.notation import as_code
from dagwright.sentences import Sentence

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


@takes(reading)
def describe(reading: Given, data: options.Data, json: options.Json = False) -> None:
    """Describe the data.

    Each column with its kind, its states, remarks, and how it will be treated; then the defaults for such
    data: score, structure prior, search, test, and what happens to missing values.
    """
    with output.working("describing the columns"):
        source = inputs.data_source(data)
        report = describe_data(source, **reading)
        gaps = _missingness(source, reading) if any(c.missing for c in report.columns) else None
    if json:
        output.write_json(
            {
                **report.to_dict(),
                "missingness": None if gaps is None else gaps.to_dict(),
                "defaults": {"kind": report.kind, **asdict(report.defaults)},
            }
        )
        return
    output.write_prose(report.summary)
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
            (
                c.name,
                c.kind_in_words,
                f"{c.distinct:,}",
                f"{c.missing:,}",
                ", ".join(c.flags),
                output.spelled(c.action),
            )
            for c in report.columns
        ],
    )
    if report.numbers:
        output.write("")
        output.write_grid(
            [("numbers", "left"), *((head, "left" if head == "histogram" else "right") for head in HEADS)],
            [(name, *summary.cells) for name, summary in report.numbers.items()],
        )
    for remark in report.notes:
        output.write_prose(Sentence("note: ", remark))
    if gaps is not None:
        output.write_prose(Sentence("\nmissing values: ", gaps.in_words()))
    output.write("")
    output.write_grid(
        [("default", "left"), (f"for {report.kind} data", "left")],
        report.defaults.facts(),
    )


def _missingness(source: Any, reading: dict[str, Any]) -> Missingness | None:
    """Which values are missing together and on what that depends; None where columns cannot be read."""
    if hasattr(source, "seek"):
        source.seek(0)
    try:
        return missingness(read(source, **reading))
    except DagwrightError:
        return None


@takes(learning, known, experiments, running, series, reading)
def learn(
    learning: Given,
    known: Given,
    experiments: Given,
    running: Given,
    series: Given,
    reading: Given,
    data: Annotated[str | None, options.DATA] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Save the result as .json, the fitted network as .bif, .net, ..., or the graph as .dot; "
            "- is JSON on stdout.",
        ),
    ] = None,
    oracle: Annotated[
        str | None, typer.Option(help="In place of DATA: a graph, or statements such as 'I(A,B|C); I(A,D)'.")
    ] = None,
    start: options.Start = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file for computed values; the same call resumes from it.")
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn a network from data, print it and save it.

    Ctrl-C keeps the best graph so far."""
    output.require_writable(out)
    output.require_writable(checkpoint)
    checkpoint_path(checkpoint, EVIDENCE)  # refuses another file before the data are read
    saved_as = _format_to_save(out, oracle)
    with output.progress_line(not quiet) as progress:
        table = None
        if data is not None and series:
            table = inputs.read_windows(data, reading, series)
        elif data is not None:
            table = inputs.read_learnable(data, reading, known["knowledge"], tell=False)
        if table is None and oracle is None:
            raise typer.BadParameter("a file, - for standard input, or an --oracle", param_hint="data")
        found = learn_network(
            table,
            oracle=None if oracle is None else inputs.read_oracle(oracle),
            start=None if start is None else inputs.read_graph(start),
            checkpoint=checkpoint,
            progress=progress,
            **learning,
            **known,
            **experiments,
            **running,
        )
    if data is not None and data != "-":
        found = replace(found, study=replace(found.study, source=data))
    to_stdout = json or output.is_stdout(out)
    if to_stdout:
        output.write(found.to_json())
    if out is not None and not output.is_stdout(out):
        _save(found, out, saved_as)
    if not (quiet or to_stdout):
        report_result(found, out)
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _format_to_save(out: Path | None, oracle: str | None) -> Format | None:
    """The format of a network or graph that the ending names; None for the result itself, as JSON."""
    if out is None or output.is_stdout(out) or out.suffix.lower() in ("", ".json"):
        return None
    chosen = format_of(out)
    if chosen.holds == "network" and oracle is not None:
        raise FormatError(
            f"{out}: a graph learned from an --oracle has no probabilities; save it as .json or .dot"
        )
    return chosen


def _save(found: Learned, out: Path, chosen: Format | None) -> None:
    """The result as JSON, or by its ending the graph alone or the network with its probabilities."""
    if chosen is None:
        found.save(out)
    elif chosen.holds == "network":
        save(found.network(), out)
    elif isinstance(found.graph, Pag):
        raise GraphError(f"{out}: a Pag is saved as .json; Pag.to_dot() draws it")
    else:
        save_graph(found.graph, out)


def report_result(found: Learned, saved: Path | None) -> None:
    """Print a result of learning and where it was saved."""
    graph = found.essential
    if isinstance(graph, Pag):
        lines = [" ".join(edge) for edge in graph.edges]
    else:
        if isinstance(graph, Pdag):
            output.write(graph.as_text() + "\n")
        arcs, edges = edges_of(graph)
        lines = [f"{start} -> {end}" for start, end in arcs] + [f"{a} -- {b}" for a, b in edges]
    output.write("\n".join(lines))
    output.write_prose(Sentence("\n", found.in_words()))
    if saved is not None:
        output.write(f"saved as {saved}")


@takes(reading)
def score(
    reading: Given,
    data: options.Data,
    graph: options.Graph,
    score: options.Score = None,
    structure_prior: options.StructurePrior = None,
    unit: Annotated[Unit, typer.Option(help="nats or bits.")] = "nats",
    missing: options.Missing = None,
    json: options.Json = False,
) -> None:
    """Score a given graph on data.

    Columns that are not in the graph have no arcs. A saved result is scored as it was learned: with its
    score, its prior and its policy for missing values.
    """
    chosen, prior = method(score, "score", "measure"), method(structure_prior, "prior")
    with output.working("scoring the graph"):
        table, given = inputs.read_rows_and_result(data, graph, reading)
        found = score_graph(given, table, chosen, structure_prior=prior, unit=unit, missing=missing)
    dag = as_dag(given, names=table.names)
    if json:
        output.write_json({**asdict(found), "graph": str(dag)})
        return
    if not found.by_node:
        output.write_prose(f"{found.total:.6f}  {found.definition}")
        return
    output.write_grid(
        [("node", "left"), ("score", "right"), ("parents", "left")],
        [(node, f"{value:.6f}", ", ".join(dag.parents(node))) for node, value in found.by_node.items()],
    )
    output.write_prose(f"\n{found.total:.6f}  {found.definition}")


@takes(reading)
def independence_test(
    reading: Given,
    data: options.Data,
    x: Annotated[str, typer.Argument(help="A column, or several as a,b.", autocompletion=completion.columns)],
    y: Annotated[str, typer.Argument(help="Another column, or several.", autocompletion=completion.columns)],
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--given",
            "-g",
            help="A conditioning column. May be given several times.",
            autocompletion=completion.columns,
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            help="The test or score, for instance 'GSquare(alpha=0.01)'; default: GSquare for states, "
            "StudentT for numbers.",
            autocompletion=completion.methods("test", "score"),
        ),
    ] = None,
    missing: options.Missing = None,
    json: options.Json = False,
) -> None:
    """Test whether two columns are independent, given others."""
    chosen = method(test, "test", "score")
    with output.working("testing"):
        table = inputs.read_table(data, reading)
        one, other = (inputs.columns_of(text, table.names) for text in (x, y))
        if chosen is None:
            involved = name_set(one) | name_set(other) | name_set(given or ())
            chosen = usual_test(kind=asked_rows(table, involved).schema.kind)
        verdict = tested(table, one, other, given or (), chosen, missing=missing)
    if json:
        output.write_json({"x": x, "y": y, "given": given or [], "test": repr(chosen), **asdict(verdict)})
        return
    condition = f" given {', '.join(given)}" if given else ""
    relation = "independent of" if verdict.independent else "dependent on"
    output.write_prose(f"{x} is {relation} {y}{condition}, by {as_code(chosen)}")
    facts = {
        "statistic": verdict.statistic,
        "degrees of freedom": verdict.df,
        "p-value": verdict.p_value,
        "mutual information": verdict.effect,
        "gain of an arc": verdict.gain,
    }
    for title, value in facts.items():
        if value is not None:
            unit = {"mutual information": " nats per row", "gain of an arc": " nats"}.get(title, "")
            output.write(f"  {title:<20}{value:.6g}{unit}")
    if verdict.note:
        output.write_prose(f"note: {verdict.note}")


def compare(
    reference: options.Graph,
    estimate: options.Graph,
    targets: Annotated[
        list[str] | None,
        typer.Option("--set-together", help="Nodes that an experiment set: A,B. May be given several times."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare an estimated graph with a reference graph."""
    found = compare_graphs(
        inputs.read_graph(reference),
        inputs.read_graph(estimate),
        targets=[[name.strip() for name in one.split(",")] for one in targets] if targets else None,
    )
    if not isinstance(found, Comparison):
        facts: dict[str, object] = {name: getattr(found, name) for name in COMPARED_MARKS}
        sid = None
    else:
        sid = found.known_sid_bounds
        facts = {**{name: getattr(found, name) for name in COMPARED}, "sid_bounds": sid}
    if json:
        output.write_json(facts)
        return
    output.write_prose(str(found))
    if sid is not None:
        shown = f"{sid[0]:,}" if sid[0] == sid[1] else f"{sid[0]:,} to {sid[1]:,}"
        output.write_prose(f"structural intervention distance {shown}")


def methods(
    kind: Annotated[
        str | None, typer.Argument(help=f"{', '.join(get_args(registry.Kind))}; default: all.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the methods, with the options they take."""
    entries = registry.entries(kind)
    if json:
        output.write_json([entry.facts() for entry in entries])
        return
    for kind_of, methods_of in itertools.groupby(entries, key=lambda entry: entry.kind):
        output.write(kind_of)
        for entry in methods_of:
            work = f" ({entry.citation})" if entry.citation else ""
            output.write_prose(f"  {entry.signature}")
            needed = "" if entry.reads == "counts" else f"; needs {entry.reads}"
            output.write_prose(f"      {entry.summary}{work}{needed}")
