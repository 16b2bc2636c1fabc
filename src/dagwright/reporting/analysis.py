"""The content of a report, gathered before it is written in one form or another."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dagwright.base.documents import as_json
from dagwright.base.seeds import RandomState
from dagwright.base.whole_file import write_whole
from dagwright.data import DataReport, Table, describe, read_to_learn
from dagwright.data.read import reading_of_other
from dagwright.errors import DataError, FormatError, GraphError, NotFinishedError, OptionError, unknown_name
from dagwright.evidence.gap_report import Missingness, missingness
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.graph.comparison import edges_in_words
from dagwright.graph.dag import Dag
from dagwright.graph.pag import Pag
from dagwright.graph.pdag import Pdag
from dagwright.graph.undirected import UndirectedGraph
from dagwright.knowledge import Knowledge
from dagwright.learning.edge_evidence import EvidenceCard, evidence_cards
from dagwright.learning.judges import judges_of
from dagwright.learning.learn import learn
from dagwright.learning.learned import Learned
from dagwright.learning.plausibility import Plausibility
from dagwright.learning.resampling import bootstrap
from dagwright.learning.resampling.bootstrapping import LEAST, usual_replicates
from dagwright.model import BayesianNetwork
from dagwright.model.gaussian.orientation import knowledge_for_numbers
from dagwright.reporting.causal_sections import AskedEffect, asked_effects, judged
from dagwright.reporting.code import OF_RESULT, code_for
from dagwright.reporting.rival_networks import RivalNetworks, rival_networks
from dagwright.search.control import CancelToken, Progress
from dagwright.search.pipeline import learnable_rows, with_usual_policy
from dagwright.search.problem import Search
from dagwright.search.study import Study, requested
from dagwright.search.traits import asks_tests
from dagwright.sentences import Argument
from dagwright.version import __version__

FORMAT = "dagwright-report"
FORMAT_VERSION = 1
DOUBTFUL = (0.2, 0.8)
"""Strengths between these two leave open whether there is an edge."""
MOST_DOUBTS = 12
"""Pairs that are named; the others are counted."""


@dataclass(frozen=True)
class Analysis:
    """A learned network with all that a reader needs to judge it; made by `report`.

    Attributes
    ----------
    title
        The heading of the report.
    data
        What is in the data, and what was done with each column; None for a Table, which was read before.
    found
        The result of `learn`, with its confidence.
    network
        The same with probabilities.
    cards
        The evidence for every edge.
    rivals
        The best classes of networks, and what sets them apart from this one.
    target, informative
        A variable of interest, and the mutual information (nats) of the others about it.
    command, code
        How to repeat the analysis, on the command line (where the data came from a file) and in Python.
    interrupted
        Whether Ctrl-C ended it before all was done.
    missingness
        Where values are missing, which go missing together, and on what that depends; None without gaps.
    effects
        The causal effects that were asked for.
    plausibility
        The independences that the graph implies, tested; None where they cannot be, as in pooled experiments.
    """

    title: str
    data: DataReport | None
    found: Learned
    network: BayesianNetwork
    cards: tuple[EvidenceCard, ...]
    rivals: RivalNetworks
    target: str | None
    informative: dict[str, float]
    command: str
    code: str
    interrupted: bool = False
    missingness: Missingness | None = None
    effects: tuple[AskedEffect, ...] = ()
    plausibility: Plausibility | None = None

    @property
    def dag(self) -> Dag:
        """The network's graph."""
        return self.network.graph

    @property
    def graph(self) -> Pdag | Pag | UndirectedGraph:
        """The same with only those directions that the data or the knowledge decide."""
        return self.found.essential

    def undecided(self) -> tuple[str, ...]:
        """The questions that the data leave open, in sentences."""
        return tuple(self._doubts())

    def _doubts(self) -> Iterator[str]:
        low, high = DOUBTFUL
        confidence = self.found.known_confidence
        doubtful = [] if confidence is None else [one for one in confidence.edges(low) if one.strength < high]
        for one in doubtful[:MOST_DOUBTS]:
            here = "is in this network" if self.dag.adjacent(one.start, one.end) else "is not in it"
            yield (
                f"Whether {one.start} and {one.end} are adjacent: they are in {one.strength:.0%} of the "
                f"replicates, and the edge {here}."
            )
        if len(doubtful) > MOST_DOUBTS:
            yield (
                f"Whether {len(doubtful) - MOST_DOUBTS:,} more pairs are adjacent, with strengths from "
                f"{low:g} to {high:g}."
            )
        free = [(card.start, card.end) for card in self.cards if card.decided_by == "nothing"]
        if free:
            more = f" and {len(free) - MOST_DOUBTS:,} more" if len(free) > MOST_DOUBTS else ""
            yield (
                f"The direction of {edges_in_words(free[:MOST_DOUBTS])}{more}: both directions fit the "
                "data equally well, and no knowledge decides."
            )
        for card in self.weakest():
            if card.rival is not None and card.rival.loss < 0:
                yield (
                    f"The edge {card.start} – {card.end}: a network without it scores "
                    f"{-card.rival.loss:.2f} nats higher than the network of this report; a more thorough "
                    "search would find it."
                )
        if not self.found.optimal:
            proof = "the search does not prove that there is none"
            if self.found.gap is not None:
                proof = f"it is proven only that none scores more than {self.found.gap:,.4g} nats higher"
            yield f"Whether a network with a higher score exists: {proof}."
        for warning in self.found.warnings:
            yield f"{warning[0].upper()}{warning[1:]}."

    def weakest(self, most: int = 5) -> tuple[EvidenceCard, ...]:
        """The edges whose removal costs the least score."""
        with_rival = [card for card in self.cards if card.rival is not None]
        return tuple(sorted(with_rival, key=lambda card: card.rival.loss if card.rival else 0.0)[:most])

    def citations(self) -> tuple[str, ...]:
        """The works behind the search, the score or test, and the structure prior."""
        return self.found.works

    def versions(self) -> str:
        """The software that made this."""
        return f"dagwright {__version__}, Python {platform.python_version()}"

    def to_html(self) -> str:
        """One page that needs nothing else: no network, no other file."""
        from dagwright.reporting.html_page import html_page

        return html_page(self)

    def to_markdown(self) -> str:
        """The same as Markdown, without pictures."""
        from dagwright.reporting.markdown_page import markdown_page

        return markdown_page(self)

    def to_json(self) -> str:
        """The same for programs."""
        return as_json(
            {
                "format": FORMAT,
                "format_version": FORMAT_VERSION,
                "title": self.title,
                "data": None if self.data is None else self.data.to_dict(),
                "missingness": None if self.missingness is None else self.missingness.to_dict(),
                "learned": self.found.to_dict(),
                "cards": [card.to_dict() for card in self.cards],
                "rivals": self.rivals.to_dict(),
                "target": self.target,
                "informative": self.informative,
                "effects": [one.to_dict() for one in self.effects],
                "plausibility": None if self.plausibility is None else self.plausibility.to_dict(),
                "undecided": list(self.undecided()),
                "citations": list(self.citations()),
                "command": self.command,
                "code": self.code,
            },
            indent=2,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report as .html, .md or .json."""
        target = Path(path)
        forms = {".html": self.to_html, ".htm": self.to_html, ".md": self.to_markdown, ".json": self.to_json}
        form = forms.get(target.suffix.lower())
        if form is None:
            raise FormatError(f"{target}: a report is written as .html, .md or .json")
        write_whole(target, form())

    def _repr_html_(self) -> str:
        return self.to_html()


def report(
    data: Any,
    *,
    search: Search | None = None,
    score: Any = None,
    knowledge: Knowledge | None = None,
    structure_prior: StructurePrior | None = None,
    missing: str | None = None,
    study: Study | None = None,
    target: str | None = None,
    effects: Iterable[Sequence[str]] = (),
    replicates: int | None = None,
    rival_seconds: float = 20.0,
    title: str | None = None,
    command: str = "",
    time_limit: float | None = None,
    random_state: RandomState = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
    **reading: Any,
) -> Analysis:
    """Learn a network and gather what a reader needs to judge it; `Analysis.save` writes the page.

    Parameters
    ----------
    data, search, score, knowledge, structure_prior, missing, study
        As in `learn`; further options go to `read`. Instead of data you can give a result of `learn`; the
        page is then about that result, with its confidence. If the default policy for missing values is "em"
        or "available", the default is 20 replicates.
    target
        A variable of interest; the page ranks the others by their mutual information with it.
    effects
        Pairs of a cause and an outcome. The page has the total effect of each over the graphs of the
        replicates, with what it assumes. Of a discrete cause the first and last states are compared, of a
        discrete outcome the probability of its last state counts.
    replicates
        How many times to learn from resampled data for the confidence: 200 by default, fewer where a search
        takes long, but at least 20. 0 leaves it out.
    rival_seconds
        How long listing the best rival networks may take; where the forecast is longer the page says so. 0
        leaves it out.
    title
        The title of the page.
    command
        A command line that repeats the analysis, for the page.
    time_limit, cancel
        Seconds for the search and, from what it leaves, for the replicates, and a `CancelToken`. After the
        time, a request to stop or Ctrl-C, the report tells what there is by then.

    >>> from dagwright import HillClimb, sample_path
    >>> page = report(sample_path("asia"), search=HillClimb(), replicates=5, target="lung")
    >>> page.to_html().startswith("<!doctype html>")
    True
    """
    if replicates is not None and replicates < 0:
        raise OptionError(f"replicates must not be negative, got {replicates}")
    if not rival_seconds >= 0:
        raise OptionError(f"rival_seconds must not be negative, got {rival_seconds}")
    given = data if isinstance(data, Learned) else None
    if given is not None:
        _require_no_search(search, score, knowledge, study, reading, replicates)
    request = requested(
        study,
        search=search,
        score=score,
        knowledge=knowledge,
        structure_prior=structure_prior,
        missing=missing,
        random_state=random_state,
    )
    if given is not None:
        about, table = None, _rows_of(given)
    else:
        about, table = _read(data, request, target, reading)
    chosen = False
    if given is None:
        named, tested = request.missing, asks_tests(request.search)
        request, table = with_usual_policy(request, table, request.search, tested=tested, learns=True)
        chosen = request.missing != named and request.missing != "drop"
    if target is not None and target not in table.names:
        raise unknown_name("target", target, table.names)
    by_options = {
        "search": search,
        "score": score,
        "knowledge": knowledge,
        "structure_prior": structure_prior,
        "missing": request.missing,
    }
    said = by_options if study is None else {"study": study}
    token = CancelToken() if cancel is None else cancel
    on_rows = replace(request, columns=table.names, exclude=(), interventions=None, windows=None, reading={})
    options: dict[str, Any] = {"study": on_rows, "threads": threads, "progress": progress, "cancel": token}
    began = time.monotonic()
    found = learn(table, time_limit=time_limit, **options) if given is None else given
    if found.dag is None:
        raise OptionError(
            f"a report needs a network, and {found.method} gives none; choose a score-based search"
        )
    if given is None and not _has_parameters(found):
        usable = knowledge_for_numbers(request.knowledge, found.rows().schema)
        options["study"] = replace(on_rows, knowledge=usable)
        found = learn(table, time_limit=time_limit, **options)
    often = LEAST if chosen else usual_replicates(found.evaluations)
    often = often if replicates is None else replicates
    if often and given is not None and (given.known_confidence or given.lazy_confidence.find):
        found = given.with_confidence(given.confidence())
    elif often and given is None and found.stopped != "cancelled":
        left = None if time_limit is None else max(time_limit - (time.monotonic() - began), 0.0)
        with contextlib.suppress(NotFinishedError):
            found = found.with_confidence(bootstrap(table, replicates=often, time_limit=left, **options))
    confidence = found.known_confidence
    stopped = found.stopped == "cancelled" or (
        confidence is not None and confidence.source.endswith("interrupted")
    )
    interrupted = stopped or token.cancelled
    pairs = tuple(tuple(pair) for pair in effects)
    network = found.network()
    name = "data" if isinstance(data, Table) or not isinstance(data, str | os.PathLike) else Path(data).name
    return Analysis(
        title=title or f"A Bayesian network of {name}",
        data=about,
        found=found,
        network=network,
        cards=evidence_cards(found, rival=not interrupted, threads=threads),
        rivals=rival_networks(
            found,
            network.graph,
            table,
            missing=request.missing,
            seconds=0.0 if interrupted else rival_seconds,
            threads=threads,
            progress=progress,
            cancel=token,
        ),
        target=target,
        informative={} if target is None else _informative(found, network, target),
        command=command,
        code=OF_RESULT
        if given is not None
        else code_for(
            data, {**said, "target": target, "effects": pairs or None, **reading}, often, found.seed
        ),
        interrupted=interrupted,
        missingness=missingness(table) if any(table.missing.values()) else None,
        effects=asked_effects(found, found.rows(), pairs),
        plausibility=None
        if interrupted
        else judged(found, found.rows(), request.missing, request.random_state),
    )


def _has_parameters(found: Learned) -> bool:
    """Whether some equivalent graph has no arc from a number to a category."""
    try:
        found.parameter_graph()
    except GraphError:
        return False
    return True


def _informative(found: Learned, network: BayesianNetwork, target: str) -> dict[str, float]:
    """The information of each variable about the target, in nats, most first.

    Under the network where all are discrete; where there are numbers, from the correlations in the data.
    """
    if not network.gaussians:
        return network.most_informative(target)
    rows, told = found.rows(), {}
    for name in rows.names:
        if name != target:
            pair = rows.select((target, name)).complete("drop")
            told[name] = judges_of(pair, None, found.score_spec).judgment(target, name, ()).nats
    return dict(sorted(told.items(), key=lambda one: (-one[1], one[0])))


def _read(
    data: Any, study: Study, target: str | None, reading: dict[str, Any]
) -> tuple[DataReport | None, Table]:
    """What is in the data, and the columns to learn from."""
    wanted = {"columns": study.columns, "exclude": study.exclude or None}
    own = {name: value for name, value in wanted.items() if value is not None}
    how = reading_of_other(data, study.reading) if isinstance(data, str | os.PathLike) else {}
    if reading and (own or how):
        raise OptionError(
            f"the study already says how to read the data; leave out {next(iter(reading))}, or change "
            "the study"
        )
    about = None if isinstance(data, Table) else describe(data, **how, **own, **reading)
    named = study.named if target is None else study.named | {target}
    if study.windows is not None or study.interventions is not None:
        return about, learnable_rows(study, data, named)
    return about, read_to_learn(data, named, **how, **own, **reading)


def _require_no_search(
    search: Any, score: Any, knowledge: Any, study: Any, reading: dict[str, Any], replicates: int | None
) -> None:
    given = {
        "search": search,
        "score": score,
        "knowledge": knowledge,
        "study": study,
        "replicates": replicates or None,
    }
    for option, value in {**given, **reading}.items():
        if value is not None:
            raise OptionError(
                Argument(option),
                " does not go with a result, which is learned already; give data in its place, or "
                "with_confidence(...) for another confidence",
            )


def _rows_of(found: Learned) -> Table:
    if found.table is None:
        raise DataError(
            "this result holds no data, as it was learned from an oracle or loaded from a file; a report "
            "needs them: report(data, ...)"
        )
    return found.table
