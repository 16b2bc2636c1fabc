"""The commands about networks with numbers: fit, query, predict, sample, convert, networks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright.base.wording import count_of
from dagwright.cli import completion, inputs, options, output, questions, rows
from dagwright.cli.methods_from_text import name_or_method, number_or_method
from dagwright.cli.option_groups import Given, reading, series, takes
from dagwright.data import Table
from dagwright.data.column_folder import is_read_to_disk
from dagwright.data.plan import split_options
from dagwright.data.sources import columns_as_given, joined_columns
from dagwright.dynamic.network import DynamicNetwork
from dagwright.errors import GraphError, OptionError
from dagwright.graph import Dag, Mag, Pag, Pdag
from dagwright.graph.graph_like import AnyGraph, as_dag
from dagwright.io import load, load_graph, save, save_graph
from dagwright.io import networks as built_in_networks
from dagwright.io.formats import format_named, format_of
from dagwright.io.saving import graph_content, network_content
from dagwright.knowledge.checking import edges_of
from dagwright.learning.learned import Learned
from dagwright.model import EM, BayesianNetwork
from dagwright.model import fit as fit_network
from dagwright.model.gaussian.orientation import member_for_numbers
from dagwright.model.inference.batches import Impossible
from dagwright.model.tables.parameters import EmptyConfigurationPolicy


@takes(series, reading)
def fit(
    series: Given,
    reading: Given,
    data: options.Data,
    graph: options.Graph,
    out: Annotated[
        Path,
        typer.Option("--output", "-o", help="The network, in the format of its suffix; - is JSON on stdout."),
    ],
    parameter_prior: Annotated[
        str,
        typer.Option(help="A score such as 'BDeu(ess=10)', or a number per cell; 0: maximum likelihood."),
    ] = "BDeu(ess=1)",
    empty_configurations: Annotated[
        EmptyConfigurationPolicy,
        typer.Option(help="Probabilities for parent configurations that never occur."),
    ] = "uniform",
    missing: Annotated[
        str | None,
        typer.Option("--missing", help="Missing values: drop, state, em or 'EM(restarts=5)'."),
    ] = None,
    max_bytes: Annotated[
        float | None,
        typer.Option(
            help="Refuse networks whose tables need more memory; default: the free memory, or 4 GiB."
        ),
    ] = None,
    lossless: options.Lossless = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Estimate the parameters of a graph from data.

    With --lags, or a result that was learned from windows of time series, the result is a dynamic network,
    saved as JSON."""
    series = series or _windows_of(graph)
    if series:
        with output.working("fitting the network", not quiet):
            dynamic = DynamicNetwork.fit(
                inputs.read_graph(graph),
                inputs.read_windows(data, reading, series),
                parameter_prior=number_or_method(parameter_prior, "score"),
                missing=missing,
            )
        if output.is_stdout(out):
            output.write(dynamic.to_json())
            return
        dynamic.save(out)
        output.saved(out, "", {}, json=json, quiet=quiet)
        return
    with output.working("fitting the network", not quiet):
        table, given = inputs.read_rows_and_graph(data, graph, reading)
        order = table.canonical()[0].names
        member = member_for_numbers(_orientable(graph, given, table), table.schema.continuous, order)
        dag = as_dag(member, names=table.names)
        network = fit_network(
            dag,
            table,
            parameter_prior=number_or_method(parameter_prior, "score"),
            empty_configurations=empty_configurations,
            missing=EM() if missing == "em" else name_or_method(missing, "estimation"),
            max_bytes=max_bytes,
        )
    on_stdout = output.is_stdout(out)
    _save(network, out, "json" if on_stdout else None, lossless=lossless, json=json, quiet=quiet)


def _orientable(text: str, graph: AnyGraph, table: Table) -> AnyGraph:
    """The graph, or the class of a saved result whose DAG has an edge from a number to a discrete node."""
    thing, numbers = inputs.drawable(text), set(table.schema.continuous)
    if not isinstance(thing, Learned) or not isinstance(graph, Dag) or not isinstance(thing.essential, Pdag):
        return graph
    return thing.essential if any(a in numbers and b not in numbers for a, b in graph.edges) else graph


def _windows_of(graph: str) -> dict[str, Any]:
    """The options of the windows that a saved result was learned from; none for other graphs."""
    thing = inputs.drawable(graph)
    return dict(thing.study.windows or {}) if isinstance(thing, Learned) else {}


def query(
    network: options.Network,
    target: Annotated[
        list[str] | None,
        typer.Argument(help="Nodes to query; default: all.", autocompletion=completion.nodes),
    ] = None,
    evidence: options.Evidence = None,
    do: options.Do = None,
    way: Annotated[
        str,
        options.method_option(
            "--method",
            "exact, likelihood_weighting, loopy, auto, or 'LikelihoodWeighting(samples=10000)'.",
            "inference",
        ),
    ] = "exact",
    unknown_states: options.UnknownStates = "error",
    joint: Annotated[
        bool, typer.Option("--joint", help="The joint distribution of the targets instead.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="The most probable joint states of the targets instead.")
    ] = False,
    informative: Annotated[
        bool,
        typer.Option("--informative", help="The most informative observations about the one target instead."),
    ] = False,
    among: Annotated[
        list[str] | None, typer.Option("--among", help="With --informative, a node that can be observed.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Query a network: probabilities given evidence and interventions."""
    model = inputs.intervened_network(network, do)
    for node in target or ():
        model.parents(node)  # an unknown name is refused
    seen = inputs.read_states(model, evidence or (), "--evidence", unknown_states)
    if sum((joint, explain, informative)) > 1:
        raise OptionError("--joint, --explain and --informative are different questions; ask one at a time")
    if joint:
        questions.joint(model, target, seen, json=json)
    elif explain:
        questions.explain(model, target, seen, json=json)
    elif informative:
        questions.informative(model, target, seen, among, json=json)
    else:
        method = name_or_method(way, "inference")
        wanted = target or [node for node in model.nodes if node not in seen]
        if target and model.gaussians:  # other nodes may need more memory than these
            answers = {n: model.query(n, seen, method=method, unknown_states=unknown_states) for n in wanted}
        else:
            answers = model.marginals(seen, method=method, unknown_states=unknown_states)
        questions.marginals({node: answers[node] for node in wanted}, json=json)


@takes(reading)
def predict(
    reading: Given,
    network: options.Network,
    data: options.Data,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            help="The node to predict; default: impute all missing cells.",
            autocompletion=completion.nodes,
        ),
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", "-p", help="One column per state of the target.")
    ] = False,
    impossible: Annotated[
        Impossible, typer.Option(help="What to do with rows of probability zero.")
    ] = "error",
    unknown_states: options.UnknownStates = "error",
    join: Annotated[
        bool, typer.Option("--join", help="Put the columns of DATA before the predictions.")
    ] = False,
    out: options.RowsOut = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Predict one column of each row, or impute missing values."""
    output.require_writable(out)
    if probabilities and target is None:
        raise OptionError("--probabilities needs a --target")
    if join and (target is None or data == inputs.STDIN):
        raise OptionError("--join needs a --target and a file, which is read twice")
    model = inputs.read_network(network)
    with output.working("reading"):
        table = inputs.read_new_rows(model, data, reading, unknown_states)
    absent = [node for node in model.nodes if node not in table.names and node != target]
    if 0 < len(absent) < len(model.nodes) - (target is not None):
        output.note(f"no column for {', '.join(absent)}: taken as not observed")
    how: dict[str, Any] = {"unknown_states": unknown_states, "threads": threads}
    with output.working("predicting"):
        if target is None:
            batches = rows.decoded(model.impute(table, **how))
        else:
            columns: dict[str, list[Any]]
            if probabilities:
                answers = model.predict_proba(table, target, impossible=impossible, **how)
                states = [f"{target}={state}" for state in model.states(target)]
                columns = dict(zip(states, answers.T.tolist(), strict=True))
            else:
                columns = {target: model.predict(table, target, impossible=impossible, **how)}
            batches = _joined(data, reading, columns) if join else iter([columns])
    rows.write(batches, out, json=json)


def _joined(
    data: str, reading: dict[str, Any], columns: dict[str, list[Any]]
) -> Iterator[dict[str, list[Any]]]:
    """The columns of the data as they are given, with predictions after them."""
    if not is_read_to_disk(data, reading):
        yield joined_columns(columns_as_given(data, split_options(reading, "predict")[0]), columns)
        return
    first = 0
    for given in rows.decoded(inputs.read_table(data, reading)):
        end = first + len(next(iter(given.values())))
        yield joined_columns(given, {name: values[first:end] for name, values in columns.items()})
        first = end


def sample(
    network: options.Network,
    n: Annotated[int, typer.Option("--rows", "-n", min=1, help="How many rows.")] = 1000,
    evidence: options.Evidence = None,
    do: options.Do = None,
    max_draws: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many rows that contradict the evidence.")
    ] = None,
    seed: options.Seed = 0,
    out: options.RowsOut = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Draw rows from a network."""
    output.require_writable(out)
    model = inputs.intervened_network(network, do)
    seen = inputs.read_states(model, evidence or (), "--evidence")
    with output.working("drawing rows"):
        drawn = model.sample(
            n, random_state=seed, evidence=seen or None, max_draws=max_draws, threads=threads
        )
    rows.write(rows.decoded(drawn), out, json=json)


def convert(
    source: Annotated[
        str,
        typer.Argument(
            help="A file of a network or a graph, or a built-in network.", autocompletion=completion.networks
        ),
    ],
    out: Annotated[Path, typer.Argument(help="The file to write; its suffix sets the format; - is stdout.")],
    source_format: Annotated[str | None, typer.Option("--from", help="The format of the source.")] = None,
    out_format: Annotated[str | None, typer.Option("--to", help="The format to write.")] = None,
    lossless: options.Lossless = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a network or a graph in another format.

    Losses of the format are reported on stderr.
    """
    if output.is_stdout(out) and out_format is None:
        raise OptionError("standard output has no ending that says the format; give it with --to")
    target = format_of(out) if out_format is None else format_named(out_format)
    if target.holds == "graph":
        graph = load_graph(source, format=source_format)
        if isinstance(graph, Mag | Pag):
            kind = type(graph).__name__
            raise GraphError(
                f"{source} holds a {kind}, and formats for graphs have no marks for it; {kind}.to_dot() "
                "draws it"
            )
        if output.is_stdout(out):
            output.write_bytes(graph_content(graph, target))
        else:
            save_graph(graph, out, format=target.name)
        edges = sum(map(len, edges_of(graph)))
        facts = {"nodes": len(graph.nodes), "edges": edges, "losses": ["all probabilities"]}
        output.saved(out, "the graph alone", facts, json=json, quiet=quiet)
        return
    network = inputs.read_network(source, source_format)
    _save(network, out, target.name, lossless=lossless, json=json, quiet=quiet)


def _save(
    network: BayesianNetwork, out: Path, file_format: str | None, *, lossless: bool, json: bool, quiet: bool
) -> None:
    written = format_of(out) if file_format is None else format_named(file_format)
    if output.is_stdout(out):
        content, losses = network_content(network, written, lossless=lossless)
        output.write_bytes(content)
    else:
        losses = save(network, out, format=written.name, lossless=lossless)
    if losses:
        more = f" (and {len(losses) - 1} more; dagwright --verbose lists them)" if len(losses) > 1 else ""
        output.note(f"{losses[0]}{more}; .json holds everything")
    left_out = {loss.node for loss in losses if loss.what == "node"}
    nodes = len(network.nodes) - len(left_out)
    edges = sum(left_out.isdisjoint(edge) for edge in network.graph.edges)
    facts = {"nodes": nodes, "edges": edges, "losses": [str(loss) for loss in losses]}
    output.saved(out, f"{count_of(nodes, 'node')}, {count_of(edges, 'arc')}", facts, json=json, quiet=quiet)


def networks(json: options.Json = False) -> None:
    """List the networks that come with dagwright.

    Every command that takes a network takes their names.
    """
    listed = [(name, load(name)) for name in built_in_networks()]
    facts = [
        {
            "name": name,
            "nodes": len(network.nodes),
            "arcs": len(network.graph.edges),
            "parameters": network.dimension,
            "citation": network.metadata.citation,
        }
        for name, network in listed
    ]
    if json:
        output.write_json(facts)
        return
    numbers = ("nodes", "arcs", "parameters")
    output.write_grid(
        [("name", "left"), *((title, "right") for title in numbers), ("citation", "left")],
        [
            (
                str(one["name"]),
                *(f"{one[title]:,}" for title in numbers),
                _authors_and_year(str(one["citation"])),
            )
            for one in facts
        ],
    )


def _authors_and_year(citation: str) -> str:
    """The beginning of a citation; --json has the whole."""
    short = re.match(r"[^,]*(?:, [^,]*)*?\b\d{4}\b", citation)
    return citation if short is None else short[0]
