"""Changes of a network by hand as lines of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Change = dict[str, Any]


def edit_lines(change: Change) -> list[str]:
    """The lines that make a change of the variable ``network``.

    >>> edit_lines({"do": "add_edge", "from": "smoke", "to": "tub"})
    ["network = editing.with_arc(network, 'smoke', 'tub')"]
    """
    return LINES[change["do"]](change)


def _editing(function: str, *fields: str) -> Callable[[Change], list[str]]:
    def lines(change: Change) -> list[str]:
        values = ", ".join(repr(change[field]) for field in fields)
        return [f"network = editing.{function}(network, {values})"]

    return lines


def _rename(change: Change) -> list[str]:
    return [f"network = network.renamed({{{change['node']!r}: {change['name']!r}}})"]


def _states(change: Change) -> list[str]:
    return [f"network = network.with_states({change['node']!r}, {change['states']!r})"]


def _table(change: Change) -> list[str]:
    node = repr(change["node"])
    values = f"editing.proportions({change['table']!r})" if change.get("normalize") else repr(change["table"])
    return [f"network = network.with_table({node}, np.reshape({values}, network.table({node}).shape))"]


def _equation(change: Change) -> list[str]:
    def shaped(values: list[float]) -> str:
        return f"np.reshape({values!r}, own.shape)"

    slopes = ", ".join(f"{parent!r}: {shaped(values)}" for parent, values in change["coefficients"].items())
    made = f"{shaped(change['intercept'])}, {{{slopes}}}, {shaped(change['sd'])}, given=own.given"
    node = repr(change["node"])
    return [
        f"own = network.gaussians[{node}]",
        f"network = editing.with_equation(network, {node}, dw.LinearGaussian({made}))",
    ]


LINES: dict[str, Callable[[Change], list[str]]] = {
    "add_node": _editing("with_node", "node", "states"),
    "add_number": _editing("with_number", "node"),
    "remove_node": _editing("without_node", "node"),
    "rename_node": _rename,
    "set_states": _states,
    "add_state": _editing("with_state", "node", "state"),
    "remove_state": _editing("without_state", "node", "state"),
    "add_edge": _editing("with_arc", "from", "to"),
    "remove_edge": _editing("without_arc", "from", "to"),
    "turn_edge": _editing("with_arc_turned", "from", "to"),
    "set_table": _table,
    "set_equation": _equation,
}
