"""Missing cells: the policies for them. What is done about them is always stated on the result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagwright.base.wording import count_of
from dagwright.data.elsewhere import counted_by, places_of
from dagwright.data.schema import Discrete, Schema
from dagwright.data.source import GapSource
from dagwright.data.states import MAX_STATES, code_dtype, too_many_states
from dagwright.data.table import Table
from dagwright.errors import DataError, MissingValuesError, OptionError
from dagwright.sentences import Argument, Call, Part, Sentence, ways

POLICIES = {
    "drop": "leave out rows with a missing cell",
    "state": "missing is a state of its own",
    "em": "take the expectation of missing values",
    "available": "each question uses the rows complete on its columns",
}
OF_ROWS = ("drop", "state")
"""Policies that make the rows complete; whatever takes a policy takes these."""
OF_QUESTIONS = (*OF_ROWS, "available")
"""Policies of tests and of `NodeAverage`, which pick their rows question by question."""
NEEDS = {
    "em": "works only where a score learns a graph, or a graph is fitted or scored",
    "available": "needs an independence test or NodeAverage()",
}
SHOWN = 5


def require_complete(table: Table, policies: Collection[str] = ()) -> None:
    """Refuse a table with missing cells, naming the columns, the counts and the policies of the call."""
    gaps = {name: count for name, count in table.missing.items() if count}
    if not gaps:
        return
    worst = sorted(gaps.items(), key=lambda gap: -gap[1])[:SHOWN]
    shown = ", ".join(f"{name!r} ({count:,})" for name, count in worst)
    more = f" and {len(gaps) - SHOWN} more columns" if len(gaps) > SHOWN else ""
    here = usable(table, policies)
    offered = [Sentence(Argument("missing", name), f" ({POLICIES[name]})") for name in here]
    methods = "complete the table first, with its method complete('drop') or complete('state')"
    raise MissingValuesError(
        f"missing values in {shown}{more} of {table.n_rows:,} rows; ",
        ways("choose ", *offered, resort="complete the rows first") if offered else methods,
        *_elsewhere([name for name in policies if name not in here]),
        gaps=gaps,
    )


def _elsewhere(policies: Sequence[str]) -> tuple[Part, ...]:
    """The end of an error: these policies need rows that are now elsewhere."""
    if not policies:
        return ()
    rows = Argument("engine", "disk", of="read")
    return (
        "; rows on this machine, for instance from ",
        rows,
        ways(", take ", *(Argument("missing", name) for name in policies)),
        " too",
    )


def require_policy(policy: str, offers: Collection[str]) -> None:
    """Refuse a policy that a call does not take, naming those that it takes."""
    if policy not in offers:
        raise OptionError(
            Argument("missing", policy),
            f" {NEEDS[policy]}; " if policy in NEEDS else " is not a policy; ",
            ways("choose ", *(Argument("missing", name) for name in offers)),
        )


def require_learnable(table: Table) -> None:
    """Refuse a table in which no column varies, or no row counts."""
    few = max(table.cardinalities, default=0) < 2
    if few and all(map(table.is_constant, table.schema.continuous)):
        raise DataError(
            "learning needs a column with two or more values; of "
            f"{count_of(len(table.names), 'column')} none has that many: see ",
            Call("describe"),
        )
    if table.N == 0:
        raise DataError("learning needs at least one row with positive weight")


def apply_policy(
    table: Table, policy: str | None, *, offers: Collection[str] = OF_ROWS, completes: bool = False
) -> Table:
    """The table a method may work on under a policy for missing cells.

    Parameters
    ----------
    policy
        None refuses missing cells; ``"drop"`` and ``"state"`` remove them; ``"available"`` and ``"em"`` keep
        them.
    offers
        The policies that the call takes. Only tests and `NodeAverage` take "available": other scores counted
        on available cases prefer parents with many gaps.
    completes
        Whether the method takes missing cells as they are also where no policy is named.
    """
    if policy is not None:
        require_policy(policy, offers)
    if policy is not None and policy not in usable(table, [policy]) and any(table.missing.values()):
        raise OptionError(
            Argument("missing", policy),
            " needs the rows on this machine, and they are elsewhere; ",
            ways(
                "choose ",
                *(Argument("missing", name) for name in usable(table, offers)),
                resort="read the rows into memory or onto this disk",
            ),
        )
    if policy is None and not completes:
        require_complete(table, offers)
    if policy in (None, "available", "em"):
        return table
    return complete(table, policy)


def usable(table: Table, policies: Collection[str]) -> tuple[str, ...]:
    """The policies that work where the rows are: a source counts, and may leave rows out or code gaps."""
    if table.has_rows:
        return tuple(policies)
    here: tuple[str, ...] = (*OF_ROWS, "available") if isinstance(table.source, GapSource) else ("available",)
    if table.schema.continuous:
        gaps = any(table.missing[variable.name] for variable in table.schema if not variable.is_discrete)
        here = tuple(name for name in here if name == "drop" or (name == "state" and not gaps))
    return tuple(name for name in policies if name in here)


def incomplete_rows(table: Table) -> int | None:
    """How many rows have a missing cell; None where a source cannot tell."""
    source: object = table.source
    if table.has_rows:
        return table.n_rows - int(np.count_nonzero(complete_rows(table)))
    return source.incomplete_rows(places_of(table)) if isinstance(source, GapSource) else None


def complete(table: Table, policy: str) -> Table:
    """The table without missing cells."""
    if policy in OF_ROWS and not any(table.missing.values()):
        return table
    if policy == "drop":
        return _drop_rows(table)
    if policy == "state":
        return _own_state(table)
    raise OptionError(f"complete() takes 'drop' or 'state', not {policy!r}")


def complete_rows(table: Table) -> NDArray[np.bool_]:
    """Which rows have no missing cell."""
    whole = np.ones(table.n_rows, dtype=np.bool_)
    for name, count in table.missing.items():
        if count:
            whole &= ~table.gaps(name)
    return whole


def _drop_rows(table: Table) -> Table:
    source = table.source
    if isinstance(source, GapSource):
        dropped = source.incomplete_rows(places_of(table))
    else:
        whole = complete_rows(table)
        dropped = table.n_rows - int(np.count_nonzero(whole))
    if dropped == table.n_rows:
        worst = max(table.missing.items(), key=lambda item: item[1])
        raise MissingValuesError(
            "every row has a missing value, so ",
            Argument("missing", "drop"),
            f" would leave nothing; column {worst[0]!r} has most ({worst[1]:,}): leave it out or choose ",
            Argument("missing", "state"),
        )
    note = f"dropped {dropped:,} of {table.n_rows:,} rows because of missing values"
    if isinstance(source, GapSource):
        kept = source.without_gaps(places_of(table))
        return counted_by(table, kept, range(len(table.names))).with_notes(note)
    return table.take(whole).with_notes(note)


def _own_state(table: Table) -> Table:
    source = table.source
    if source is not None and not isinstance(source, GapSource):
        table.codes(table.names[0])  # refuses
    codes, states, changed = [], [], []
    for variable in table.schema:
        name, known = variable.name, variable.states
        count = table.missing[name]
        if count:
            if not variable.is_discrete:
                raise MissingValuesError(
                    f"column {name!r} holds numbers, so its missing values cannot be a state of their "
                    "own; cut it into intervals first with discretized(), or choose ",
                    Argument("missing", "drop"),
                )
            label = "missing"
            while label in known:
                label += "_"
            changed.append(f"{label!r} in {name!r}")
            known = (*known, label)
            if len(known) > MAX_STATES:
                raise too_many_states(name, len(known))
        states.append(known)
        if source is None:
            codes.append(_filled(table, name, len(known)))
    note = "missing values became a state of their own: " + ", ".join(changed)
    if isinstance(source, GapSource):
        schema = Schema(
            Discrete(known.name, own, known.origin) if known.is_discrete else known
            for known, own in zip(table.schema, states, strict=True)
        )
        filled = source.with_gap_states(places_of(table), schema)
        return counted_by(table, filled, range(len(states)), schema).with_notes(note)
    return table.with_codes(codes, states, table.weights, table.interventions).with_notes(note)


def _filled(table: Table, name: str, states: int) -> NDArray[Any]:
    """The cells of a column, with its last state where they are missing."""
    if not table.missing[name]:
        return table.codes(name) if table.schema[name].is_discrete else table.reals(name)
    gaps, column = table.gaps(name), table.codes(name).astype(code_dtype(states))
    column[gaps] = states - 1
    return column
