"""A table in words: its columns, and the rows of a small one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dagwright.base.wording import aligned, count_of
from dagwright.data.bins import number_text
from dagwright.data.schema import Discrete, Variable
from dagwright.data.states import shown_states

if TYPE_CHECKING:
    from dagwright.data.table import Table

FEW_ROWS = 12
SHOWN_COLUMNS = 20
LINE = 110


def shown_table(table: Table) -> str:
    """Size, one line for each column, and the rows if they are few."""
    gaps = sum(table.missing.values())
    head = f"Table: {count_of(table.n_rows, 'row')}, {count_of(len(table.names), 'column')}"
    head += f", weights sum to {table.N:g}" if table.weights is not None else ""
    head += f", {gaps:,} missing cells" if gaps else ""
    head += (
        f", {count_of(len(table.interventions), 'variable')} set in some rows" if table.interventions else ""
    )
    shown = table.schema.variables[:SHOWN_COLUMNS]
    width = max((len(variable.name) for variable in shown), default=0)
    lines = [f"  {variable.name:<{width}}  {_content(table, variable)}" for variable in shown]
    left = len(table.names) - len(shown)
    more = [f"  and {left} more columns"] if left else []
    rows = shown_rows(table.to_dict()) if table.has_rows and 0 < table.n_rows <= FEW_ROWS else []
    return "\n".join([head, *lines, *more, *rows])


def _content(table: Table, variable: Variable) -> str:
    if isinstance(variable, Discrete):
        return f"{count_of(len(variable.states), 'state')}: {shown_states(variable.states)}"
    word = {"number": "numbers", "date": "dates", "datetime": "times"}[variable.scale]
    ends = table.ends(variable.name)
    if ends is None or ends[0] > ends[1]:
        return word
    number = variable.scale == "number"
    low, high = (f"{end:.6g}" if number else number_text(end, variable.scale) for end in ends)
    return f"{word} from {low} to {high}"


def shown_rows(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """A line of names and one for each row, with as many columns as go on a line."""
    texts = [
        [name, *("" if cell is None else str(cell) for cell in cells)] for name, cells in columns.items()
    ]
    fit, used = 0, 0
    for column in texts:
        used += max(map(len, column)) + 2
        if used > LINE and fit:
            break
        fit += 1
    lines = aligned(list(zip(*texts[:fit], strict=True)))
    left = len(texts) - fit
    return [f"  {line}" for line in lines] + ([f"  and {count_of(left, 'more column')}"] if left else [])
