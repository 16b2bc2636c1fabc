"""Noisy-MAX nodes (Henrion 1989; Díez 1993): one distribution for each state of each parent, and a leak.

States of the node are ordered from the strongest effect to none. Each parent causes an effect on its own, the
leak causes one without them, and the node takes the strongest. The distribution of a parent's weakest state
is no effect at all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dagwright.errors import FormatError
from dagwright.model.tables.checks import Floats

PROPERTY = "noisy-max"
"""The property of a node that keeps the parameters its table was expanded from."""


@dataclass(frozen=True)
class NoisyMax:
    """The parameters of a node.

    Attributes
    ----------
    orders
        For each parent its states by number, from the strongest to the weakest.
    columns
        For each parent a row for each of its states in that order, then the leak: P(effect).
    """

    orders: tuple[tuple[int, ...], ...]
    columns: Floats

    @staticmethod
    def of(strengths: Sequence[int], parameters: Sequence[float], sizes: Sequence[int]) -> NoisyMax:
        """From the flat lists of a file.

        Parameters
        ----------
        sizes
            The number of states of each parent, then of the node itself.
        """
        *parents, own = sizes
        if len(strengths) != sum(parents):
            raise FormatError(f"{len(strengths)} strengths for {sum(parents)} states of the parents")
        if len(parameters) != (sum(parents) + 1) * own:
            raise FormatError(f"{len(parameters)} parameters in place of {(sum(parents) + 1) * own}")
        orders, first = [], 0
        for size in parents:
            order = tuple(strengths[first : first + size])
            if sorted(order) != list(range(size)):
                raise FormatError(f"the strengths {order} are not an order of {size} states")
            orders.append(order)
            first += size
        columns = np.array(parameters, dtype=np.float64).reshape(-1, own)
        if not (np.all(columns >= 0) and np.allclose(columns.sum(axis=1), 1.0, atol=1e-6)):
            raise FormatError("each of its columns must be a distribution")
        return NoisyMax(tuple(orders), columns)

    def table(self) -> Floats:
        """P(node | parents): an axis for each parent, then the node."""
        weaker = np.flip(np.cumsum(np.flip(self.columns, axis=1), axis=1), axis=1)  # P(effect k or weaker)
        sizes = [len(order) for order in self.orders]
        found = np.broadcast_to(weaker[-1], (*sizes, self.columns.shape[1]))
        first = 0
        for axis, order in enumerate(self.orders):
            by_state = np.empty((len(order), self.columns.shape[1]))
            by_state[list(order)] = weaker[first : first + len(order)]
            shape = [1] * len(sizes) + [self.columns.shape[1]]
            shape[axis] = len(order)
            found = found * by_state.reshape(shape)
            first += len(order)
        exact = found - np.concatenate([found[..., 1:], np.zeros((*sizes, 1))], axis=-1)
        exact = np.maximum(exact, 0.0)
        return np.asarray(exact / exact.sum(axis=-1, keepdims=True))

    def to_text(self, parents: Sequence[str]) -> str:
        """The parameters as a property of a node."""
        return json.dumps(
            {"parents": list(parents), "orders": self.orders, "parameters": self.columns.ravel().tolist()}
        )

    @staticmethod
    def from_text(text: str, parents: Sequence[str], sizes: Sequence[int]) -> NoisyMax | None:
        """Read the text of `to_text`, if it still belongs to a node with these parents; None if not."""
        try:
            document = json.loads(text)
            if document["parents"] != list(parents):
                return None
            flat = [int(state) for order in document["orders"] for state in order]
            return NoisyMax.of(flat, document["parameters"], sizes)
        except (ValueError, KeyError, TypeError, FormatError):
            return None
