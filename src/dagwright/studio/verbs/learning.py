"""The long verbs: learn, bootstrap, posterior, rivals, report, predict; and the forecast before them."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from dagwright.base.whole_file import whole_file, write_whole
from dagwright.confidence import Confidence, posterior
from dagwright.data.export import frame_of
from dagwright.data.sources import Opening, open_source
from dagwright.errors import DagwrightError, OptionError
from dagwright.evidence.structure_priors import UniformPrior
from dagwright.graph import compare
from dagwright.learning.edge_evidence import EvidenceCard, evidence_cards
from dagwright.learning.forecasting import forecast
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.learning.resampling import bootstrap
from dagwright.methods.traits import evidence_traits, name_of
from dagwright.reporting import report
from dagwright.search.rivals import credible_set
from dagwright.search.traits import asks_tests
from dagwright.show.placing import place
from dagwright.studio.method_words import in_words, values_in_words
from dagwright.studio.spelling import on_page
from dagwright.studio.verbs.graphs import graph_document
from dagwright.studio.verbs.methods import is_method, method_of
from dagwright.studio.verbs.models import learned_of, network_of, network_text
from dagwright.studio.verbs.rows import knowledge_of, opening, source_of, table_of
from dagwright.studio.verbs.work import Work

MOST_LISTED = 200
REPORTS = {"html": "text/html", "md": "text/markdown", "json": "application/json"}
PREVIEW = 50
Settings = dict[str, Any]


def _how(settings: Settings, options: dict[str, Any], *names: str) -> dict[str, Any]:
    """The arguments that learning, resampling and posteriors share, from the settings and a job's options."""
    given = {**settings["learn"], **{name: value for name, value in options.items() if value is not None}}
    every = {
        "search": method_of(given.get("search"), "search"),
        "score": method_of(given.get("score"), "score", "test"),
        "structure_prior": method_of(given.get("structure_prior"), "prior"),
        "time_limit": given.get("time_limit"),
        "random_state": given.get("seed", 0),
        "threads": given.get("threads"),
        "knowledge": knowledge_of(settings),
        "missing": settings["missing"],
    }
    return {name: every[name] for name in (*names, "knowledge", "missing", "time_limit", "threads")}


def learn_job(
    work: Work,
    *,
    source: list[str] | None,
    settings: Settings,
    options: dict[str, Any],
    start: str | None,
    positions: dict[str, tuple[float, float]],
) -> dict[str, Any]:
    """Learn, fit, and gather what the page shows of the result."""
    rows = table_of(source_of(source), settings)
    begin = None if start is None else Learned.from_json(Path(start).read_text(encoding="utf-8"))
    kept = {node: (x, y) for node, (x, y) in positions.items()}
    found = learn(
        rows,
        start=begin,
        progress=work.progress_with_networks(kept),
        cancel=work.cancel,
        **_how(settings, options, "search", "score", "structure_prior", "random_state"),
    )
    network, why_not = None, None
    try:
        network = found.network()
    except DagwrightError as problem:
        why_not = on_page(problem.sentence)
    return {
        "original": found.to_json(indent=None),
        "network": None if network is None else network_text(network),
        "document": {**_learned_document(found), "fitted": network is not None, "why_not_fitted": why_not},
        "positions": place(found, kept=kept).positions,
    }


def _learned_document(found: Learned) -> dict[str, Any]:
    cards: tuple[EvidenceCard, ...] = ()
    with contextlib.suppress(DagwrightError):  # no DAG, or nothing to count
        cards = evidence_cards(found)
    known: dict[str, Any] = {
        "knowledge": found.knowledge,
        "cards": cards,
        "confidence": found.known_confidence,
    }
    written = json.loads(found.to_json())
    fields = (
        *("method", "score_name", "score_definition", "optimal", "stopped", "evaluations"),
        *("seconds", "trace"),
    )
    return {
        "graph": graph_document(found.essential, **known),
        "dag": None if found.dag is None else graph_document(found.dag, **known),
        **{field: written[field] for field in fields},
        "score": found.score,  # as numbers: an infinite one has no value on the page
        "gap": found.gap,
        "notes": values_in_words(written["notes"], is_method),
        "assumptions": [in_words(on_page(assumption), is_method) for assumption in found.assumptions],
        "warnings": [in_words(on_page(warning), is_method) for warning in found.warnings],
        "text": str(found),
    }


def bootstrap_job(
    work: Work, *, source: list[str] | None, settings: Settings, options: dict[str, Any]
) -> dict[str, Any]:
    """The confidence of resampled rows."""
    found = bootstrap(
        table_of(source_of(source), settings),
        replicates=options.get("replicates"),
        draw=method_of(options.get("draw"), "resampling"),
        progress=work.progress,
        cancel=work.cancel,
        **_how(settings, options, "search", "score", "structure_prior", "random_state"),
    )
    return {"document": confidence_document(found), "original": found.to_json()}


def posterior_job(
    work: Work,
    *,
    source: list[str] | None,
    settings: Settings,
    options: dict[str, Any],
    learned: str | None,
) -> dict[str, Any]:
    """The confidence of a posterior over networks.

    Where no score is set, it takes that of the result if it is a marginal likelihood.
    """
    how = _how(settings, options, "score", "structure_prior", "random_state")
    of = None if learned is None else Learned.from_json(Path(learned).read_text(encoding="utf-8"))
    if how["score"] is None and of is not None and evidence_traits(of.score_spec).marginal_likelihood:
        how["score"] = of.score_spec
    way = options.get("method") or "auto"
    found = posterior(
        table_of(source_of(source), settings),
        method=way if way == "auto" else method_of(way, "posterior"),
        progress=work.progress,
        cancel=work.cancel,
        **how,
    )
    document, prior = confidence_document(found.confidence), how["structure_prior"] or UniformPrior()
    return {
        "original": found.confidence.to_json(),
        "document": {
            **document,
            "diagnostics": {name: value for name, value in found.diagnostics.items() if _plain(value)},
            "warnings": list(found.warnings),
            "stopped": found.stopped,
            "log_evidence": found.log_evidence,
            "evidence_name": found.evidence_name,
            "basis": None if of is None else _basis(found.score_spec, prior, of),
        },
    }


def _basis(score: Any, prior: Any, of: Learned) -> str | None:
    """How score and prior of a posterior differ from those of the result; None if they do not."""
    own = of.structure_prior or UniformPrior()
    if of.score_spec == score and own == prior:
        return None
    result = (
        "independence tests"
        if of.score_spec is None
        else f"the score {name_of(of.score_spec)} and the prior {own.describe()}"
    )
    return (
        f"This posterior uses the score {name_of(score)} and the prior {prior.describe()}; "
        f"the result was learned with {result}."
    )


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def confidence_document(found: Confidence) -> dict[str, Any]:
    """A confidence as the page gets it."""
    return {
        "source": in_words(found.source, is_method),
        "nodes": list(found.nodes),
        "edges": [one._asdict() for one in found.edges(0.0) if one.strength > 0],
        "diagnostics": {"effective_samples": found.effective_samples},
        "warnings": [],
        "graph": graph_document(found.consensus(0.5), confidence=found),
    }


def rivals_job(
    work: Work, *, source: list[str] | None, settings: Settings, options: dict[str, Any]
) -> dict[str, Any]:
    """The networks within a Bayes factor of the best."""
    found = credible_set(
        table_of(source_of(source), settings),
        bayes_factor=options.get("bayes_factor") or 10.0,
        max_parents=options.get("max_parents"),
        progress=work.progress,
        cancel=work.cancel,
        **_how(settings, options, "score", "structure_prior"),
    )
    number = {graph: at for at, graph in enumerate(one.graph for one in found.classes())}
    best = found.networks[0] if found.networks else None
    listed, known = [], knowledge_of(settings)
    most = min(options.get("most") or MOST_LISTED, MOST_LISTED)
    for dag, score, share in list(zip(found.networks, found.scores, found.posterior(), strict=True))[:most]:
        apart: Any = compare(best, dag)
        listed.append(
            {
                "score": score,
                "probability": share,
                "graph": graph_document(dag, knowledge=known),
                "class": number[dag.cpdag()],
                "missing": [list(edge) for edge in apart.missing],
                "extra": [list(edge) for edge in apart.extra],
                "reversed": [list(edge) for edge in apart.reversed],
            }
        )
    return {
        "document": {
            "best": found.best if math.isfinite(found.best) else None,
            "within": found.within,
            "stopped": found.stopped,
            "count": len(found),
            "networks": listed,
        }
    }


def report_job(
    work: Work,
    *,
    source: list[str] | None,
    settings: Settings,
    options: dict[str, Any],
    learned: str | None,
    confidence: str | None,
    out: str,
) -> dict[str, Any]:
    """The report as one page: on a result, with a confidence if there is one, or from the data on."""
    common: dict[str, Any] = {"target": options.get("target"), "title": options.get("title")}
    if learned is None:
        how = _how(settings, options, "search", "score", "structure_prior", "random_state")
        rows: Any = table_of(source_of(source), settings)
        page = report(
            rows,
            replicates=options.get("replicates"),
            progress=work.progress,
            cancel=work.cancel,
            **common,
            **how,
        )
    else:
        found = learned_of(learned, source, settings)
        if confidence is not None:
            sure = Confidence.from_json(Path(confidence).read_text(encoding="utf-8"))
            found = found.with_confidence(sure)
        page = report(
            found, replicates=None if confidence else 0, progress=work.progress, cancel=work.cancel, **common
        )
    form = options.get("format") or "html"
    text = {"html": page.to_html, "md": page.to_markdown, "json": page.to_json}[form]()
    write_whole(out, text)
    return {"document": {"title": page.title}, "file": {"name": f"report.{form}", "type": REPORTS[form]}}


def predict_job(
    work: Work,  # noqa: ARG001  a batch is one call
    *,
    network: str,
    file: list[str],
    reading: dict[str, Any],
    options: dict[str, Any],
    out: str,
) -> dict[str, Any]:
    """One column of each row of a file, predicted from the others; the result is a CSV file."""
    model, target, rows = network_of(network), options["target"], source_of(file)
    columns = open_source(Path(rows.path), Opening(**opening(reading)))
    given = {column.name: column.cells() for column in columns}
    table = model.template.encode(
        Path(rows.path), absent="leave out", unknown_states="ignore", **opening(reading)
    )
    if not set(table.names) - {target}:
        raise OptionError(f"the file has no column of the network; it has {', '.join(map(repr, given))}")
    found: dict[str, Any] = {
        f"predicted {target}": model.predict(table, target, impossible="missing", unknown_states="ignore")
    }
    if options.get("probabilities", True) and target not in model.gaussians:
        shares = model.predict_proba(table, target, impossible="missing", unknown_states="ignore")
        for state, column in zip(model.states(target), shares.T.tolist(), strict=True):
            found[f"P({target}={state})"] = [None if math.isnan(share) else share for share in column]
    frame = frame_of({**given, **found})
    with whole_file(out) as written:
        frame.write_csv(written)
    shown = frame.select([*found, *given]).head(PREVIEW)  # what was asked for stands first
    return {
        "document": {
            "target": target,
            "rows": frame.height,
            "preview": {
                "columns": shown.columns,
                "cells": [[None if cell is None else str(cell) for cell in row] for row in shown.rows()],
            },
        },
        "file": {"name": f"predictions of {Path(rows.name).stem}.csv", "type": "text/csv"},
    }


def forecast_cost(
    work: Work,  # noqa: ARG001
    *,
    source: list[str] | None,
    settings: Settings,
    options: dict[str, Any],
) -> dict[str, Any]:
    """The forecast of the cost of learning."""
    how = _how(settings, options, "search", "score", "structure_prior")
    limit = how.pop("time_limit")
    if asks_tests(how["search"]):
        how["score"] = None
    found = forecast(table_of(source_of(source), settings), **how)
    seconds = found.seconds if limit is None else min(found.seconds, limit)
    found = replace(found, seconds=seconds)
    return {
        "search": found.search,
        "evaluations": found.evaluations,
        "memory": found.memory,
        "seconds": seconds if math.isfinite(seconds) else None,
        "upper": found.upper,
        "basis": found.basis,
        "text": in_words(str(found), is_method),
    }
