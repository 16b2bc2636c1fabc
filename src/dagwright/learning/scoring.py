"""The score of any graph, also on rows with missing values by EM."""

from __future__ import annotations

from typing import Any

from dagwright.data import Table
from dagwright.data.missing import OF_QUESTIONS, OF_ROWS, require_complete, require_policy
from dagwright.defaults import usual_pair
from dagwright.errors import OptionError, unknown_name
from dagwright.evidence.counting import as_rows
from dagwright.evidence.numbers import on_kind
from dagwright.evidence.report import GraphScore, in_words
from dagwright.evidence.report import score as score_of_complete_rows
from dagwright.evidence.structure_priors import StructurePrior
from dagwright.evidence.units import Unit, in_unit
from dagwright.graph.graph_like import GraphLike, as_graph
from dagwright.graph.holders import HoldsJudges, HoldsScore, HoldsTable
from dagwright.methods.method_like import as_method
from dagwright.methods.traits import evidence_traits
from dagwright.model.incomplete.expected import observed_score
from dagwright.search.traits import search_traits
from dagwright.sentences import Argument


def score(
    graph: GraphLike,
    data: Any = None,
    score: Any = None,
    *,
    structure_prior: StructurePrior | None = None,
    unit: Unit = "nats",
    missing: str | None = None,
) -> GraphScore:
    """The score of a graph on data.

    A score that you name is used without a structure prior, unless you name one too; a structure prior named
    alone is combined with the default score. If you name neither, a result of `learn` is scored with its own
    score and prior, and any other graph with the default pair.

    Parameters
    ----------
    graph
        A graph, a learned result, a network, or text such as "A -> B; C". Columns that it does not mention
        have no arcs, so scores on the same data compare; a result with its own score is judged on its own
        columns. A class of DAGs, as `GES` finds,
        scores as its members do; a score that differs between these refuses it.
    data
        A Table or anything that `read` takes. A result of `learn` has its own.
    score
        A score or its name, such as "BDeu(ess=10)". By default that of a result, and for other graphs the
        default pair of score and structure prior.
    structure_prior
        Its logarithm is added. Named alone, it is combined with the default score.
    missing
        What to do with missing values, as in `learn`; by default the policy of a result. "em" scores the
        observed cells of the network as a whole, as structural EM does, so there are no scores of nodes;
        `observed_score` tells more about it.

    >>> rain = {"rain": ["no", "no", "yes", "yes"], "lawn": ["dry", "dry", "wet", "wet"]}
    >>> found = score("rain -> lawn", rain, "BIC")
    >>> print(found)
    -4.852030 (BIC, nats, larger is better, penalty log(N)/2 per parameter, N = 4)
      rain  -3.465736
      lawn  -1.386294
    >>> gaps = {"X1": ["y"] * 8 + [None, "n"], "X2": [None, *["p"] * 5, *["n"] * 4]}
    >>> round(float(score("X1 -> X2", gaps, "BIC", missing="em")), 3)
    -11.695
    """
    policy, named = missing, score is not None or structure_prior is not None
    if missing not in (None, "em"):
        own = isinstance(graph, HoldsJudges) and not named
        require_policy(missing, (*_complete(graph.score_spec if own else score), "em"))
    if missing is None and isinstance(graph, HoldsScore) and graph.score is not None:
        known = data is None and not named  # the score of the result itself
        policy = None if known else graph.study.missing
    rows = graph.table if data is None and isinstance(graph, HoldsTable) else data
    if data is not None:
        rows = data = _with_hidden(graph, as_rows(data))
        if not named and isinstance(graph, HoldsScore) and graph.score is not None:
            learned = as_graph(graph).nodes  # others were left out, and priors count variables
            for name in learned:
                if name not in data.names:
                    raise unknown_name("column", name, data.names)
            rows = data = data.select([name for name in data.names if name in learned])
        if policy is None:
            _require_policy(rows, score)
    if policy != "em" or rows is None:
        return score_of_complete_rows(
            graph, data, score, structure_prior=structure_prior, unit=unit, missing=policy
        )
    if score is None and structure_prior is None and isinstance(graph, HoldsJudges):
        score, structure_prior = graph.score_spec, graph.structure_prior
    table = as_rows(rows)
    if table.interventions:
        raise OptionError(
            "EM cannot score rows that experiments have set; choose ", Argument("missing", "drop")
        )
    if not any(table.missing.values()):
        return score_of_complete_rows(graph, table, score, structure_prior=structure_prior, unit=unit)
    kind = table.schema.kind
    spec, prior = usual_pair(score, structure_prior, kind=kind)
    found = observed_score(graph, table, on_kind(spec, kind), structure_prior=prior)
    return GraphScore(in_unit(found.total, unit), {}, unit, in_words(found.definition, unit))


def _with_hidden(graph: GraphLike, rows: Table) -> Table:
    """The rows with columns for the hidden variables of a result of structural EM."""
    if not isinstance(graph, HoldsScore) or set(as_graph(graph).nodes) <= set(rows.names):
        return rows
    return search_traits(graph.study.search).with_hidden(rows)


def _require_policy(rows: Table, score: Any) -> None:
    """Refuse missing values where no policy is named, unless the score counts available cases."""
    if _complete(score) == OF_ROWS:
        require_complete(rows, OF_ROWS if rows.interventions else (*OF_ROWS, "em"))


def _complete(score: Any) -> tuple[str, ...]:
    """The policies under which a score judges rows without EM."""
    spec = as_method(score, "score", "score", "test", "measure")
    return OF_QUESTIONS if evidence_traits(spec).counts_available else OF_ROWS
