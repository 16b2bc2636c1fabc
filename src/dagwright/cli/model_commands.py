"""The commands about networks with numbers: fit, query, predict, sample, convert, networks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from dagwright import registry
from dagwright.cli import inputs, options, output, rows
from dagwright.errors import GraphError, OptionError
from dagwright.graph import Pag
from dagwright.io import load, save, save_graph
from dagwright.io import networks as built_in_networks
from dagwright.io.formats import format_named, format_of
from dagwright.model import EM, BayesianNetwork
from dagwright.model import fit as fit_network
from dagwright.model.causal import intervened

Reading = dict[str, Any]
NATS_PER_BIT = 0.6931471805599453


@inputs.reads_data
def fit(
    how: Reading,
    data: options.Data,
    graph: options.Graph,
    out: Annotated[Path, typer.Option("--output", "-o", help="The network, in the format of its ending.")],
    prior: Annotated[
        str | None,
        typer.Option(help="Pseudo-count of every cell, or a score such as 'BDeu(ess=10)'; default: none."),
    ] = None,
    unseen: Annotated[
        Literal["uniform", "marginal", "error"],
        typer.Option(help="Probabilities for parents' states that never occur together."),
    ] = "uniform",
    missing: Annotated[
        str | None, typer.Option("--missing", help="What to do with missing values: drop, state or em.")
    ] = None,
    lossless: options.Lossless = False,
) -> None:
    """Give a graph the probabilities that the data suggest, and save the network."""
    table = inputs.read_table(data, how)
    dag = inputs.dag_over(inputs.read_graph(graph), table.names)
    network = fit_network(
        dag,
        table,
        prior=None if prior is None else _prior(prior),
        unseen=unseen,
        missing=EM() if missing == "em" else missing,
    )
    _save(network, out, None, lossless)


def _prior(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return registry.parse(text, "score")


def query(
    network: options.Network,
    target: Annotated[list[str] | None, typer.Argument(help="Nodes to ask about; default: all.")] = None,
    evidence: options.Evidence = None,
    do: Annotated[
        list[str] | None, typer.Option("--do", help="Set node=state from outside; may be repeated.")
    ] = None,
    method: Annotated[str, typer.Option(help="exact, likelihood_weighting, loopy or auto.")] = "exact",
    explain: Annotated[
        bool, typer.Option("--explain", help="The most probable states of all targets together instead.")
    ] = False,
    informative: Annotated[
        bool, typer.Option("--informative", help="What would tell most about the one target instead.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Ask a network: probabilities given evidence and interventions."""
    asked = inputs.read_network(network)
    setting = inputs.read_states(asked, do or (), "--do")
    if setting:
        asked = intervened(asked, setting)
    seen = inputs.read_states(asked, evidence or (), "--evidence")
    if explain:
        _explain(asked, target, seen, json=json)
        return
    if informative:
        if not target or len(target) != 1:
            raise OptionError("--informative takes exactly one target")
        ranked = asked.most_informative(target[0], seen)
        if json:
            output.write_json(ranked)
            return
        output.write_grid(
            [("node", "left"), (f"bits about {target[0]}", "right")],
            [(node, f"{nats / NATS_PER_BIT:.4f}") for node, nats in ranked.items()],
        )
        return
    marginals = asked.marginals(seen, method=method)
    for node in target or ():
        asked.states(node)
    wanted = target or [node for node in asked.nodes if node not in seen]
    if json:
        output.write_json(
            {
                node: {
                    "probabilities": {str(state): p for state, p in marginals[node].items()},
                    "method": marginals[node].method,
                    "error": marginals[node].error,
                }
                for node in wanted
            }
        )
        return
    output.write_grid(
        [("node", "left"), ("state", "left"), ("probability", "right"), ("", "left")],
        [
            (node if at == 0 else "", str(state), f"{p:.6f}", output.bar(p))
            for node in wanted
            for at, (state, p) in enumerate(marginals[node].items())
        ],
    )
    how = {marginals[node].method for node in wanted} - {"exact"}
    if how:
        errors = [error for node in wanted if (error := marginals[node].error) is not None]
        size = f"largest standard error {max(errors):.2g}" if errors else "error unknown"
        output.write(f"approximate, by {', '.join(sorted(how))}; {size}")


def _explain(network: BayesianNetwork, target: list[str] | None, seen: dict[str, Any], *, json: bool) -> None:
    found = network.map(target, seen) if target else network.mpe(seen)
    if json:
        output.write_json({"states": {n: str(s) for n, s in found.items()}, "probability": found.probability})
        return
    output.write_grid([("node", "left"), ("state", "left")], [(n, str(s)) for n, s in found.items()])
    output.write(f"\ntogether with probability {found.probability:.6g}")


@inputs.reads_data
def predict(
    how: Reading,
    network: options.Network,
    data: options.Data,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="The node to predict; default: fill every gap.")
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", "-p", help="One column per state of the target.")
    ] = False,
    impossible: Annotated[
        Literal["error", "missing"], typer.Option(help="Rows that the network calls impossible.")
    ] = "error",
    out: options.RowsOut = None,
    threads: options.Threads = None,
) -> None:
    """Predict one column of each row from the others, or fill in what is missing."""
    asked = inputs.read_network(network)
    table = inputs.read_table(data, how)
    if target is None:
        if probabilities:
            raise OptionError("--probabilities needs a --target")
        filled = asked.impute(table, threads=threads)
        rows.write({name: filled.decode(name) for name in filled.names}, out)
    elif probabilities:
        answers = asked.predict_proba(table, target, impossible=impossible, threads=threads)
        states = [f"{target}={state}" for state in asked.states(target)]
        rows.write(dict(zip(states, answers.T.tolist(), strict=True)), out)
    else:
        rows.write({target: asked.predict(table, target, impossible=impossible, threads=threads)}, out)


def sample(
    network: options.Network,
    n: Annotated[int, typer.Option("--rows", "-n", min=1, help="How many rows.")] = 1000,
    evidence: options.Evidence = None,
    seed: options.Seed = 0,
    out: options.RowsOut = None,
    threads: options.Threads = None,
) -> None:
    """Draw rows from a network."""
    asked = inputs.read_network(network)
    seen = inputs.read_states(asked, evidence or (), "--evidence")
    drawn = asked.sample(n, random_state=seed, evidence=seen or None, threads=threads)
    rows.write({name: drawn.decode(name) for name in drawn.names}, out)


def convert(
    source: Annotated[str, typer.Argument(help="A file of a network or a graph, or a built-in network.")],
    out: Annotated[Path, typer.Argument(help="The file to write; its ending says the format.")],
    source_format: Annotated[str | None, typer.Option("--from", help="The format of the source.")] = None,
    out_format: Annotated[str | None, typer.Option("--to", help="The format to write.")] = None,
    lossless: options.Lossless = False,
) -> None:
    """Write a network or a graph in another format, and say what that format cannot hold."""
    target = format_of(out) if out_format is None else format_named(out_format)
    if target.holds == "graph":
        graph = inputs.load_graph_file(source, source_format)
        if isinstance(graph, Pag):
            raise GraphError(
                f"{source} holds a Pag, and formats for graphs have no marks for it; Pag.to_dot() draws it"
            )
        save_graph(graph, out, format=target.name)
        output.write(f"saved as {out}: the graph alone")
        return
    _save(inputs.read_network(source, source_format), out, target.name, lossless)


def _save(network: BayesianNetwork, out: Path, file_format: str | None, lossless: bool) -> None:
    losses = save(network, out, format=file_format, lossless=lossless)
    if losses:
        more = f" (and {len(losses) - 1} more; dagwright --verbose lists them)" if len(losses) > 1 else ""
        output.note(f"{losses[0]}{more}; .json holds everything")
    output.write(f"saved as {out}: {len(network.nodes)} nodes, {len(network.graph.edges)} arcs")


def networks(json: options.Json = False) -> None:
    """List the networks that come with dagwright; every command takes their names."""
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
            (str(one["name"]), *(f"{one[title]:,}" for title in numbers), str(one["citation"]))
            for one in facts
        ],
    )
