"""Rows of experiments: what was set in which row, and the rows in which a variable was left alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from dagwright.data.evidence_memory import EvidenceMemory
from dagwright.data.interventions import checked_masks, conditions, masks_of_conditions
from dagwright.data.stored_rows import StoredRows


class ExperimentRows(StoredRows):
    """Stored rows in which experiments may have set variables."""

    __slots__ = ("_unset",)

    if TYPE_CHECKING:

        def _with(self, **changes: Any) -> Self: ...
        def select(self, names: Iterable[str]) -> Self: ...
        def take(self, rows: npt.ArrayLike) -> Self: ...
        def remembering(self, memory: EvidenceMemory | None) -> Self: ...
        @property
        def memory(self) -> EvidenceMemory | None: ...

    def _forget(self) -> None:
        super()._forget()
        self._unset: dict[bytes, Self] = {}

    def with_interventions(self, interventions: Mapping[str, Any]) -> Self:
        """The same rows with the knowledge of which variables an experiment set in them.

        A search by score then scores each family on the rows where its child was not set (Cooper & Yoo 1999).

        Parameters
        ----------
        interventions
            A mask of rows for each variable that was set; or the name of the column that names the condition
            of each row, with the variables that each condition sets. That column is then left out.

        >>> from dagwright import Table
        >>> rows = Table(["a", "b", "dose"], [[0, 1], [1, 0], [0, 1]], [[0, 1], [0, 1], ["none", "high"]])
        >>> rows.with_interventions({"dose": {"none": [], "high": ["a"]}}).interventions
        {'a': array([False,  True])}
        >>> rows.with_interventions({"a": [False, True]}).targets
        (frozenset(), frozenset({'a'}))
        """
        named = conditions(interventions)
        if named is None:
            return self._with(interventions=checked_masks(interventions, self.names, self.n_rows))
        ((column, targets),) = named.items()
        masks = masks_of_conditions(self, column, targets)
        rest = self.select(name for name in self.names if name != column)
        return rest._with(interventions=checked_masks(masks, rest.names, self.n_rows))

    def unset(self, name: str) -> Self:
        """The rows in which the variable was not set: all of them, if no experiment set it."""
        mask = self._interventions.get(name)
        if mask is None:
            return self
        key = mask.tobytes()
        if key not in self._unset:
            memory = None if self.memory is None else self.memory.of_rows(mask)
            self._unset[key] = self.take(~mask).remembering(memory)
        return self._unset[key]

    @property
    def _rows_set(self) -> dict[str, float]:
        """In how many rows each variable was set."""
        if not self._interventions:
            return {}
        weights = np.ones(self.n_rows) if self._weights is None else self._weights
        return {name: math.fsum(weights[mask].tolist()) for name, mask in self._interventions.items()}
