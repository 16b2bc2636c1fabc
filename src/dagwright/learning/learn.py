"""`learn`: from data to a checked result."""

from __future__ import annotations

import logging
import math
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dagwright.base.checkpoint import checkpoint_path
from dagwright.base.seeds import RandomState
from dagwright.base.wording import count_of
from dagwright.confidence.lazy_confidence import LazyConfidence
from dagwright.data import Table, read
from dagwright.data.identifiers import nearly_unique
from dagwright.data.interventions import conditions
from dagwright.errors import OptionError
from dagwright.evidence.binding import describe_score, describe_test
from dagwright.evidence.bound import Bound
from dagwright.evidence.determined import cautions as cautions_of
from dagwright.evidence.determined import determined_columns
from dagwright.evidence.oracle_evidence import BoundOracle
from dagwright.evidence.structure_priors import StructurePrior, WithPrior
from dagwright.graph.dag import Dag
from dagwright.graph.graph_like import GraphLike
from dagwright.graph.oracle import as_oracle
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import Knowledge
from dagwright.learning.checkpointing import KIND, RememberedRun
from dagwright.learning.learned import Learned
from dagwright.learning.metering import Meter
from dagwright.learning.resampling.bootstrapping import strengths_of
from dagwright.learning.spread_restarts import require_runs_apart, rows_and_client, searched_apart
from dagwright.learning.task import checked_answer, chosen_search, prepared_to_learn, searched
from dagwright.methods.notation import as_code
from dagwright.methods.traits import works_of
from dagwright.search.control import CancelToken, Control, Progress
from dagwright.search.patience import attending
from dagwright.search.pipeline import refuse_for_tests
from dagwright.search.problem import Found, Problem, Search
from dagwright.search.study import Study, requested
from dagwright.search.traits import asks_tests, search_traits
from dagwright.sentences import Argument, Sentence
from dagwright.version import __version__

log = logging.getLogger("dagwright")

FEWEST_ROWS = 10
"""A result from fewer rows says that it supports no conclusion."""
ROWS = "rows are independent draws from one distribution"
STATIONARY = (
    "the same transition holds at every step of time, and a step depends on no earlier steps than the lags"
)
NO_HIDDEN_CAUSE = (
    "arrows are causal only if no common cause of two variables is left out; otherwise they describe "
    "conditional independence"
)
HIDDEN_CAUSES = (
    "common causes may be hidden and rows may be selected; marks are causal if the variables are independent "
    "only where the causal graph says so"
)
SET_ROWS = (
    "interventions cut a variable off from its causes and change no other mechanism; each family is scored "
    "on the rows where its child was not set"
)
NO_DIRECTION = "edges say which variables depend on each other, not which is a cause of which"


def learn(
    data: Any = None,
    *,
    oracle: Any = None,
    score: Any = None,
    search: Search | str | None = None,
    knowledge: Knowledge | Mapping[str, Any] | None = None,
    structure_prior: StructurePrior | None = None,
    start: GraphLike | None = None,
    missing: str | None = None,
    columns: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    interventions: Mapping[str, Any] | None = None,
    study: Study | None = None,
    time_limit: float | None = None,
    random_state: RandomState = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    client: Any = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Learned:
    """Learn a Bayesian network's structure from data.

    The answer does not depend on the order of rows or columns or on the number of threads; renaming
    columns renames the nodes.

    Parameters
    ----------
    data
        A Table or anything that `read` takes: a file, a dataframe, a dict of lists.
    oracle
        In place of data, an independence oracle: a `Dag`, a `Mag`, an `UndirectedGraph`, statements
        such as "I(A,B|C)", or a network with parameters, whose distribution then decides. For searches by
        tests, such as `PC`, and for `ThickThin`.
    score
        The score to maximize: a score; its name, such as "bdeu" or "BDeu(ess=10)"; or an object with
        ``evidence`` (a measure) or ``local``. A score that you choose is used without a structure prior. The
        default is the pair that came closest to true networks in a simulation study: `AdaptiveBDeu` with the
        structure prior ``FanIn(monotone=True)``. A search that belongs to another score, as `K2` does, uses
        that score.
    search
        The search algorithm; `Auto` by default. A search or its name, such as ``dw.HillClimb()`` or "hc";
        also `Tabu`, `GES`, `BOSS`, `PC`, `FCI`, `MMHC`, `Exact`, `ChowLiu`, `TAN` and others, which the
        command ``dagwright methods search`` lists.
    knowledge
        Required edges (whitelist), forbidden edges (blacklist), tiers and bounds: a `Knowledge`, a dict of
        its arguments, or the path of a file.
    structure_prior
        The prior probability of structures; its logarithm is added to the score. Named alone,
        it is combined with the default score; if you name only a score, all structures are equally likely.
    start
        A graph to begin from: a graph, a learned result, a network, or text such as "A -> B". It must obey
        the knowledge. Columns that it does not mention begin without arcs.
    missing
        The policy for missing values. "drop" leaves incomplete rows out. "state" makes missing a state of its
        own. "em" uses expected counts: the search becomes `StructuralEM`. "available", for searches by tests
        and for `NodeAverage`, uses for each test or family the rows complete on it. By default, incomplete
        rows are left out where they are at most 5 % of all; else scores take "em" and tests "available". The
        result says what was done.
    columns, exclude
        The columns to learn from, respectively those to leave out. Columns that look like identifiers (text
        that hardly repeats, or consecutive whole numbers) are left out, which the result says, unless
        ``columns``, the knowledge or the starting graph names them.
    interventions
        Which variables an experiment set in which rows: a mask of rows for each variable, or the column that
        names the condition of each row with the variables that each condition sets, as in
        ``{"condition": {"control": [], "drug": ["Akt"]}}``. Each family is then scored on the rows where its
        child was not set (Cooper & Yoo 1999), with the penalty of all rows, and `Learned.essential` is the
        interventional essential graph. For searches by score. A `Table` may hold this itself.
    study
        A `Study` in place of all options above but the data and the oracle: the same request as a value.
    time_limit
        Seconds after which the best graph so far is returned, marked as such. Ctrl-C does the same.
    random_state
        Seed of searches that use chance, by one rule for all functions: None is the seed 0, so results
        repeat; an int is that seed; "fresh" is new chance each time; a NumPy Generator goes on where it is.
    threads
        How many threads to use; None means as many as this process may.
    progress
        Called now and then with an `Event`: the phase, how much is done of how much, and the best score. If
        it has a method ``best_graph(dag, score)``, that is called with the best network so far, at most twice
        a second, by searches that have one on their way.
    cancel
        A `CancelToken`. When any thread calls its ``cancel()``, the best graph so far is returned, as after
        Ctrl-C.
    client
        A ``distributed.Client`` of a Dask cluster. The data may be a Dask dataframe, or files that every
        worker can open, such as "path/*.parquet"; the workers code and count the rows. Of other data, the
        restarts of `HillClimb` from random graphs are tasks that workers do on all rows. Either gives the
        same answer as without a cluster.
    checkpoint
        A file that keeps the evidence computed so far, written every few seconds and at the end. The same
        call on the same data goes on from it, also after a crash, and gives the same answer.

    >>> found = learn({"rain": [0, 0, 1, 1] * 25, "wet": [0, 0, 1, 1] * 25, "coin": [0, 1, 0, 1] * 25})
    >>> [sorted(edge) for edge in found.graph.edges]
    [['rain', 'wet']]
    """
    began = time.perf_counter()
    if interventions is not None and conditions(interventions) is None:
        data = (data if isinstance(data, Table) else read(data)).with_interventions(interventions)
        interventions = None
    request = requested(
        study,
        search=search,
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        start=start,
        missing=missing,
        columns=columns,
        exclude=exclude,
        interventions=interventions,
        random_state=random_state,
    )
    method = chosen_search(request)
    control = Control.of(threads, time_limit, progress, cancel)
    path = checkpoint_path(checkpoint, KIND)
    if oracle is not None:
        if path is not None:
            raise OptionError(Argument("checkpoint"), " keeps evidence from data, and an oracle has none")
        return _learned_from_oracle(oracle, data, request, method, control, began)
    if data is None:
        raise OptionError("learn() needs data, or an oracle for a constraint-based search")
    if client is not None:
        data, client = rows_and_client(data, client, method, request, path, control)
    with attending(data, control):
        prepared = prepared_to_learn(request, data)
    if client is not None:
        require_runs_apart(prepared.search)
    assert prepared.search is not None
    table, method = prepared.table, prepared.search
    log.info("learning %d variables from %d rows by %r", len(table.names), table.n_rows, method)
    with attending(table, control), RememberedRun(prepared, path) as run, Meter(control, table) as meter:
        kept = replace(prepared, table=run.remembering(table))
        ordered = kept.canonical(meter.control)
        meter.watch(ordered.table)
        if client is None:
            found, problem = searched(kept, ordered.table, meter.control)
        else:
            found, problem = searched_apart(kept, ordered.table, meter.control, client)
    if asks_tests(method):
        found = replace(found, notes={"test": describe_test(problem.score), **found.notes})
    elif prepared.by_default:
        found = replace(found, notes={"score and prior": prepared.by_default, **found.notes})
    clock = "a time limit or an interrupt ended the search" if found.stopped is not None else ""
    return _sign(
        found,
        table.names,
        method,
        request.seed,
        time.perf_counter() - began,
        data=lambda: _facts(table),
        score=problem.score,
        ties=ordered.ties,
        rows=ROWS if table.windows is None else STATIONARY,
        assumptions=[*([SET_ROWS] if table.interventions else []), *table.notes],
        cautions=[
            *([_few_rows(table)] if table.N < FEWEST_ROWS else []),
            *ordered.caution,
            *cautions_of(determined_columns(problem.score)),
            *(
                Sentence(
                    f"column {name!r} has {r:,} states in {table.n_rows:,} rows and looks like an "
                    "identifier; "
                    "leave it out with ",
                    Argument("exclude", [name]),
                )
                for name, r in zip(table.names, table.cardinalities, strict=True)
                if nearly_unique(r, table.n_rows)
            ),
        ],
        study=prepared.study.on(data, table, prepared.template, not_repeatable=clock),
        table=table,
        fitted=found.network,
        lazy_confidence=LazyConfidence(
            find=partial(strengths_of, prepared, found.evaluations) if prepared.can_rebind else None
        ),
    )


def _few_rows(table: Table) -> str:
    weighted = table.weights is not None
    rows = f"rows with a total weight of {table.N:g}" if weighted else count_of(table.n_rows, "row")
    return (
        f"learned from {rows}: fewer than {FEWEST_ROWS} support no conclusion about dependences, even where "
        "the graph is proven to have the best score"
    )


def _facts(table: Table) -> dict[str, Any]:
    """What a result says about its data. The fingerprint takes longer than a quick search."""
    return {
        "rows": table.n_rows,
        "N": table.N,
        "fingerprint": table.fingerprint,
        "reading": table.reading,
        **({"targets": [sorted(target) for target in table.targets]} if table.interventions else {}),
    }


def _learned_from_oracle(
    oracle: Any, data: Any, study: Study, method: Search, control: Control, began: float
) -> Learned:
    if data is not None or study.missing is not None:
        raise OptionError("an oracle takes the place of data: give one or the other")
    if not asks_tests(method) and not search_traits(method).takes_oracle:
        raise OptionError(
            f"an oracle answers independence questions, and {as_code(method)} needs data; use PC(), or "
            "ThickThin(order)"
        )
    refuse_for_tests(method, score=study.score, structure_prior=study.structure_prior, start=study.start)
    known = as_oracle(oracle)
    resolved = study.knowledge.resolve(known.nodes)
    found = checked_answer(method, Problem(known.nodes, BoundOracle(known), resolved, study.seed), control)
    seconds = time.perf_counter() - began
    return _sign(
        found,
        known.nodes,
        method,
        study.seed,
        seconds,
        data=lambda: {"rows": 0, "N": 0.0},
        study=replace(study, not_repeatable="an oracle answered in place of data"),
    )


def _graphs(found: Found, names: Sequence[str]) -> tuple[Dag | Pdag | Pag | UndirectedGraph, Dag | None]:
    """The answer and its DAG, with their nodes in the order of the columns."""
    if isinstance(found.graph, Pag):
        return Pag(names, found.graph.edges), None
    graph = found.graph.listed(names)
    if isinstance(graph, Dag):
        return graph, graph
    return graph, None if found.dag is None else found.dag.listed(names)


def _meaning(graph: Dag | Pdag | Pag | UndirectedGraph) -> str:
    """The assumptions under which the graph means what it seems to."""
    if isinstance(graph, UndirectedGraph):
        return NO_DIRECTION
    return HIDDEN_CAUSES if isinstance(graph, Pag) else NO_HIDDEN_CAUSE


def _sign(
    found: Found,
    names: Sequence[str],
    method: Search,
    seed: np.random.SeedSequence,
    seconds: float,
    *,
    data: Callable[[], dict[str, Any]],
    rows: str = ROWS,
    score: Bound | None = None,
    ties: tuple[tuple[str, ...], ...] = (),
    assumptions: Sequence[str] = (),
    cautions: Sequence[str] = (),
    **kept: Any,
) -> Learned:
    """The result; ``kept`` are further fields of it."""
    warnings = [
        *cautions,
        *(
            f"columns {', '.join(map(repr, group))} are exchangeable in the data: their names decided "
            "between graphs of equal score"
            for group in ties
        ),
    ]
    if found.score == -math.inf:
        warnings.append(
            "the score is minus infinity: the structure prior or collinear columns rule out every graph that "
            "the search looked at"
        )
    if found.stopped is not None:
        reason = {"deadline": "the time limit", "cancelled": "an interrupt"}[found.stopped]
        warnings.append(f"stopped by {reason} before the search had ended; this is the best graph so far")
    name, definition = (
        describe_score(score) if score is not None and found.score is not None else (None, None)
    )
    judges = () if score is None else score.spec.parts if isinstance(score.spec, WithPrior) else (score.spec,)
    graph, dag = _graphs(found, names)
    return Learned(
        graph=graph,
        dag=dag,
        score=found.score,
        score_name=name,
        score_definition=definition,
        method=as_code(method),
        trace=found.trace,
        evaluations=found.evaluations,
        seconds=seconds,
        seed=repr(seed.entropy),
        stopped=found.stopped,
        optimal=found.optimal,
        gap=found.gap,
        assumptions=(rows, _meaning(graph), *assumptions),
        warnings=(*warnings, *found.warnings),
        notes=found.notes,
        data={},
        versions={"dagwright": __version__, "numpy": np.__version__, "python": platform.python_version()},
        separations=found.separations,
        works=works_of(method, *found.ran, *judges),
        **kept,
    ).with_later({"data": lambda: {**data(), "columns": len(names)}})
