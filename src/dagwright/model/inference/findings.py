"""Evidence as people write it, turned into states and likelihoods of numbered nodes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dagwright.data.bins import number_on, value_of
from dagwright.errors import DataError, OptionError, UnknownNameError
from dagwright.sentences import Argument

if TYPE_CHECKING:
    from dagwright.model.network import BayesianNetwork

Evidence = Mapping[str, Any]
"""Per node a state or a number, or likelihoods: {state: likelihood} or a list with one number per state."""
UnknownStatePolicy = Literal["error", "ignore"]


@dataclass(frozen=True)
class Findings:
    """Evidence in codes: states and numbers of observed nodes, likelihood vectors of the others."""

    hard: dict[str, int]
    soft: dict[str, tuple[float, ...]]
    numbers: dict[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.hard) + len(self.soft) + len(self.numbers)

    def only(self, nodes: frozenset[str] | set[str]) -> Findings:
        """The part about the given nodes."""
        return Findings(
            {node: code for node, code in self.hard.items() if node in nodes},
            {node: values for node, values in self.soft.items() if node in nodes},
            {node: value for node, value in self.numbers.items() if node in nodes},
        )


def read_findings(
    network: BayesianNetwork, evidence: Evidence | None, unknown_states: UnknownStatePolicy = "error"
) -> Findings:
    """The evidence in codes, refused if it names an unknown node or state.

    Parameters
    ----------
    unknown_states
        What a state that the network does not know means: an error, or that nothing was observed.
    """
    if unknown_states not in ("error", "ignore"):
        raise OptionError(
            Argument("unknown_states", unknown_states),
            "; choose 'error' or 'ignore'",
        )
    hard: dict[str, int] = {}
    soft: dict[str, tuple[float, ...]] = {}
    numbers: dict[str, float] = {}
    for node, value in (evidence or {}).items():
        if node in network.gaussians:
            numbers[node] = finite_number(network, node, value)
            continue
        network.states(node)
        if isinstance(value, Mapping | list | np.ndarray):
            soft[node] = _likelihoods(network, node, value)
            continue
        try:
            hard[node] = network.code(node, _hashable(node, value))
        except UnknownNameError:
            if unknown_states == "error":
                raise
    return Findings(hard, soft, numbers)


def shown_findings(network: BayesianNetwork, findings: Findings, *, quoted: bool = True) -> str:
    """The evidence in words: states as Python writes them for messages, plain for tables."""
    shown = repr if quoted else str
    parts = [f"{node}={shown(network.states(node)[code])}" for node, code in findings.hard.items()]
    parts += [f"{node}={network.shown(node, value)}" for node, value in findings.numbers.items()]
    parts += [f"{node} with likelihoods {list(values)}" for node, values in findings.soft.items()]
    return ", ".join(parts)


def finite_number(network: BayesianNetwork, node: str, value: Any) -> float:
    """The number that was given for a continuous node, refused unless it is one.

    A node that holds dates or times takes these too, also as text.
    """
    scale = network.scale(node)
    given = value.item() if isinstance(value, np.datetime64) else value
    if scale != "number":
        spelled = value_of(given, scale) if isinstance(given, str) else given
        on_scale = number_on(spelled, scale)
        if on_scale is not None:
            return on_scale
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        if scale != "number":
            example = "2024-02-29" if scale == "date" else "2024-02-29 13:45"
            raise DataError(
                f"node {node!r} holds {scale}s, so it takes a {scale} like {example}, not {value!r}"
            )
        raise DataError(f"node {node!r} is continuous, so it takes a finite number, not {value!r}")
    return number


def _hashable(node: str, value: Any) -> Hashable:
    value = value.item() if isinstance(value, np.generic) else value
    try:
        hash(value)
    except TypeError:
        raise DataError(
            f"evidence on {node!r} must be a state, {{state: likelihood}} or a list of likelihoods, "
            f"not {value!r}"
        ) from None
    return value  # type: ignore[no-any-return]


def _likelihoods(network: BayesianNetwork, node: str, given: Any) -> tuple[float, ...]:
    states = network.states(node)
    if isinstance(given, Mapping):
        by_code = {network.code(node, state): value for state, value in given.items()}
        lacking = [state for code, state in enumerate(states) if code not in by_code]
        if lacking:
            raise DataError(
                f"the likelihoods of {node!r} lack its state {lacking[0]!r}; give 0 if it is ruled out"
            )
        given = [by_code[code] for code in range(len(states))]
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"the likelihoods of {node!r} must be numbers, not {given!r}") from None
    if values.shape != (len(states),):
        raise DataError(f"node {node!r} has {len(states)} states, but {values.size} likelihoods were given")
    if not np.all(np.isfinite(values) & (values >= 0)) or not np.any(values > 0):
        raise DataError(f"the likelihoods of {node!r} must be finite, not negative and not all zero")
    return tuple(values.tolist())
