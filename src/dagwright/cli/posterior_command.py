"""The command for posterior probabilities of edges and networks."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from dagwright.base.checkpoint import checkpoint_path
from dagwright.cli import inputs, options, output
from dagwright.cli.confidence_commands import report_edges, write_document
from dagwright.cli.methods_from_text import method, name_or_method
from dagwright.cli.option_groups import Given, known, reading, running, takes
from dagwright.confidence import StructurePosterior
from dagwright.confidence import posterior as structure_posterior
from dagwright.confidence.methods import EnumeratedPosterior, ExactPosterior
from dagwright.confidence.structure_posterior import OWN_PROBABILITY
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import as_dag


@takes(known, running, reading)
def posterior(
    known: Given,
    running: Given,
    reading: Given,
    data: options.Data,
    score: Annotated[
        str | None,
        options.method_option(
            "--score", "ln P(data | network), for instance 'BDeu(ess=10)'; default: BDeu(1).", "score"
        ),
    ] = None,
    way: Annotated[
        str,
        options.method_option(
            "--method",
            "auto, enumerate, exact, order, partition, structure, or 'OrderMCMC(chains=8)'.",
            "posterior",
        ),
    ] = "auto",
    structure_prior: options.StructurePrior = None,
    start: options.Start = None,
    missing: options.Missing = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file for the state of samplers; the same call resumes from it.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="List edges of at least this probability.")
    ] = 0.5,
    most: Annotated[
        int,
        typer.Option(
            "--most",
            "-k",
            min=0,
            help="How many networks to list, if all are enumerated (up to 5 variables).",
        ),
    ] = 5,
    about: Annotated[
        str | None,
        typer.Option(
            help="A graph to tell the probability of, the Bayes factor against it, and the smallest prior "
            "with which it would win."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save what --json writes; - is stdout.")
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Posterior probability of each edge, exact or by sampling networks.

    Ctrl-C keeps the samples drawn so far; exact methods give no result.
    """
    output.require_writable(out)
    output.require_writable(checkpoint)
    checkpoint_path(checkpoint)  # refuses another file before the data are read
    with output.progress_line(not quiet) as progress:
        table = inputs.read_learnable(data, reading, known["knowledge"])
        graph = (
            None
            if about is None
            else as_dag(inputs.read_graph(about), names=table.names, differ=OWN_PROBABILITY)
        )
        found = structure_posterior(
            table,
            score=method(score, "score", "measure"),
            method=name_or_method(way, "posterior"),
            **known,
            structure_prior=method(structure_prior, "prior"),
            start=None if start is None else inputs.read_graph(start),
            missing=missing,
            checkpoint=checkpoint,
            progress=progress,
            **running,
        )
    facts = _facts(found, most, graph)
    if not write_document(found.confidence.to_dict() | facts, out, json=json) and not quiet:
        report_edges(found.confidence, threshold, known["knowledge"])
        _report(facts)
        for warning in found.warnings:
            output.note(warning)
    if found.stopped == "cancelled":
        raise typer.Exit(output.INTERRUPTED)


def _facts(found: StructurePosterior, most: int, graph: Dag | None) -> dict[str, Any]:
    best = found.dags[0] if found.dags else None
    return {
        "log_evidence": found.log_evidence,
        "evidence_name": found.evidence_name,
        "diagnostics": dict(found.diagnostics),
        "stopped": found.stopped,
        "warnings": list(found.warnings),
        "networks": [
            {
                "graph": str(one.dag),
                "prior": one.prior,
                "log_likelihood": one.log_likelihood,
                "probability": one.probability,
                "log_bayes_factor": None if best is None else found.log_bayes_factor(best.dag, one.dag),
            }
            for one in found.dags[:most]
        ],
        "about": None if graph is None else _about(found, graph),
    }


def _about(found: StructurePosterior, graph: Dag) -> dict[str, Any]:
    """The facts about one network; exact sums do not know the most probable one."""
    sums = isinstance(found.method, ExactPosterior)
    listed = isinstance(found.method, EnumeratedPosterior)
    return {
        "graph": str(graph),
        "probability": found.probability(graph),
        "log_bayes_factor": None if sums else found.log_bayes_factor(found.best, graph),
        "smallest_prior": found.smallest_prior(graph) if listed else None,
    }


def _report(facts: dict[str, Any]) -> None:
    if facts["log_evidence"] is not None:
        output.write_prose(f"{facts['evidence_name']} {facts['log_evidence']:.6f}")
    if facts["diagnostics"]:
        seen = facts["diagnostics"]
        output.write_prose(
            f"R-hat {seen['rhat_arcs']:.4g} for arcs, {seen['rhat_log_weight']:.4g} for weights; effective "
            f"sample size {seen['effective_samples']:,.0f}; {seen['acceptance']:.1%} of the moves "
            "were accepted"
        )
    if facts["networks"]:
        output.write("")
        output.write_grid(
            [("probability", "right"), ("Bayes factor of the first", "right"), ("network", "left")],
            [(f"{one['probability']:.4g}", _factor(one), one["graph"]) for one in facts["networks"]],
        )
    if facts["about"] is not None:
        about = facts["about"]
        lines = [f"{about['graph']}: probability {about['probability']:.4g}"]
        if about["log_bayes_factor"] is not None:
            lines.append(f"the most probable network makes the data {_factor(about)} times as likely")
        if about["smallest_prior"] is not None:
            lines.append(f"it would win with a prior of {about['smallest_prior']:.6g}")
        output.write_prose("\n" + "; ".join(lines))


def _factor(one: dict[str, Any]) -> str:
    """exp(1234) as a power of ten, where the number itself is too large."""
    log_factor = one["log_bayes_factor"]
    return f"{math.exp(log_factor):.4g}" if log_factor < 700 else f"10^{log_factor / math.log(10):,.0f}"
