"""Missing cells: the policies for them. What is done about them is always stated on the result."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from dagwright.base.wording import count_of
from dagwright.data.states import MAX_STATES, code_dtype, too_many_states
from dagwright.data.table import Table
from dagwright.errors import DataError, MissingValuesError, OptionError
from dagwright.sentences import Argument, Call, Sentence, ways

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
    "em": "a score to learn by, or a graph to fit",
    "available": "an independence test or NodeAverage()",
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
    offered = [Sentence(Argument("missing", name), f" ({POLICIES[name]})") for name in policies]
    methods = "complete the table first, with its method complete('drop') or complete('state')"
    raise MissingValuesError(
        f"missing values in {shown}{more} of {table.n_rows:,} rows; ",
        ways("choose ", *offered, resort="complete the rows first") if offered else methods,
        gaps=gaps,
    )


def require_learnable(table: Table) -> None:
    """Refuse a table in which no column varies, or no row counts."""
    if max(table.cardinalities, default=0) < 2 and not table.schema.continuous:
        raise DataError(
            "learning needs a column with two or more states; of "
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
    if policy is not None and policy not in offers:
        raise OptionError(
            Argument("missing", policy),
            f" needs {NEEDS[policy]}; " if policy in NEEDS else " is not a policy; ",
            ways("choose ", *(Argument("missing", name) for name in offers)),
        )
    if policy is None and not completes:
        require_complete(table, offers)
    if policy in (None, "available", "em"):
        return table
    return complete(table, policy)


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
    return table.take(whole).with_notes(note)


def _own_state(table: Table) -> Table:
    codes, states, changed = [], [], []
    for variable in table.schema:
        name, known = variable.name, variable.states
        column = table.codes(name) if variable.is_discrete else table.reals(name)
        gaps = table.gaps(name)
        if gaps.any():
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
            column = column.astype(code_dtype(len(known)))
            column[gaps] = len(known) - 1
        codes.append(column)
        states.append(known)
    note = "missing values became a state of their own: " + ", ".join(changed)
    return table.with_codes(codes, states, table.weights, table.interventions).with_notes(note)
