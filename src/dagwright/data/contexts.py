"""Experiments as columns of the data: joint causal inference (Mooij, Magliacane & Claassen 2020)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from dagwright.data.interventions import regimes
from dagwright.data.read import read
from dagwright.data.schema import Discrete, Schema
from dagwright.data.states import code_dtype
from dagwright.data.table import Table
from dagwright.errors import OptionError
from dagwright.knowledge import Knowledge
from dagwright.sentences import Argument

UNSET = "nothing set"


class Contexts(NamedTuple):
    """Rows of several experiments as one table, and the knowledge about the columns that name them."""

    table: Table
    knowledge: Knowledge
    columns: tuple[str, ...]


def with_contexts(data: Any, columns: Iterable[str] | None = None, *, name: str = "experiment") -> Contexts:
    """Make experiments variables of the graph, so that independence tests may pool the rows.

    The knowledge states that nothing causes a context and that contexts are not adjacent, because the
    experimenter chose them; give it to `learn` together with the table. An arc from a context to a variable
    means that the experiment acts on it: targets need not be known, and may be changed in any way.

    Parameters
    ----------
    data
        A Table or anything that `read` takes.
    columns
        The columns that name the experiments. By default one is made from `Table.interventions`, with a state
        for each set of variables that were set together; the table given back has no interventions then.
    name
        The name of that column.

    >>> rows = read({"a": [0, 1, 1, 0], "b": [0, 1, 0, 1]})
    >>> found = with_contexts(rows.with_interventions({"b": [False, False, True, True]}))
    >>> found.columns, found.table.states_of("experiment")
    (('experiment',), ('nothing set', 'b set'))
    >>> found.knowledge.resolve(found.table.names).allows_arc("a", "experiment")
    False
    """
    table = data if isinstance(data, Table) else read(data)
    contexts: tuple[str, ...]
    if columns is None:
        if not table.interventions:
            raise OptionError(
                "the data name no experiments; give their columns, as in ",
                Argument("columns", ["condition"], of="with_contexts"),
                ", or a table with_interventions()",
            )
        table, contexts = _named_experiments(table, name), (name,)
    else:
        contexts = tuple(columns)
        for column in contexts:
            table.column_index(column)
    system = [column for column in table.names if column not in contexts]
    known = Knowledge(tiers=[contexts, system], forbidden=list(permutations(contexts, 2)))
    return Contexts(table, known, contexts)


def _named_experiments(table: Table, name: str) -> Table:
    """The table with a column that names what was set in each row, in place of the masks."""
    if name in table.names:
        raise OptionError(
            f"the data have a column {name!r} already; call the column of experiments otherwise with ",
            Argument("name", of="with_contexts"),
        )
    of_rows = regimes(table)
    states = [f"{', '.join(sorted(target))} set" if target else UNSET for target, _ in of_rows]
    codes = np.empty(table.n_rows, dtype=code_dtype(len(states)))
    for code, (_, rows) in enumerate(of_rows):
        codes[rows] = code
    return Table.from_schema(
        Schema([*table.schema, Discrete(name, states)]),
        [*(table.codes(v.name) if v.is_discrete else table.reals(v.name) for v in table.schema), codes],
        weights=table.weights,
        notes=table.notes,
        reading=table.reading,
    )
