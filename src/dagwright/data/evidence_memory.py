"""The evidence that the counting engines of a run remember, so that another run can begin with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from dagwright import _core
from dagwright.base.checkpoint import DAMAGES
from dagwright.base.numbering import Numbering

Arrays = Mapping[str, npt.NDArray[Any]]


class Engine(Protocol):
    """A class of the core with a memo of mu(S)."""

    def remembered(self) -> dict[str, npt.NDArray[Any]]: ...
    def remember(self, *none: Any, **arrays: Any) -> None: ...


AnyEngine = TypeVar("AnyEngine", bound=Engine)


class EvidenceMemory:
    """The memos of all engines of a run, by what they measure, on which columns and on which rows.

    Parameters
    ----------
    saved
        The memos of an earlier run on the same data. Each goes to the engine that first asks for it.
    refusal
        Makes the error for a memo that cannot belong to its engine.
    """

    def __init__(self, saved: Mapping[str, Arrays], refusal: Callable[[Exception], Exception]) -> None:
        self._waiting = dict(saved)
        self._refusal = refusal
        self._engines: dict[str, Engine] = {}
        self._rows = ""

    def of_rows(self, mask: npt.NDArray[Any]) -> EvidenceMemory:
        """The memory for some of the rows; it belongs to the same run."""
        part = EvidenceMemory({}, self._refusal)
        part._waiting, part._engines = self._waiting, self._engines
        part._rows = f"{self._rows} {hashlib.blake2b(mask.tobytes(), digest_size=16).hexdigest()}"
        return part

    def adopt(self, what: str, names: Sequence[str], engine: AnyEngine) -> AnyEngine:
        """The engine, with all that was remembered of its columns; one that does the same is used again."""
        key = json.dumps([what, self._rows, *names])
        if key in self._engines:
            return cast("AnyEngine", self._engines[key])
        if (arrays := self._waiting.pop(key, None)) is not None:
            try:
                _require_like(arrays, engine.remembered())
                engine.remember(**arrays)
            except DAMAGES as problem:
                raise self._refusal(problem) from None
        self._engines[key] = engine
        return engine

    def content(self) -> dict[str, Arrays]:
        """All memos as they are now, also those that no engine has asked for yet."""
        return {**self._waiting, **{key: one.remembered() for key, one in list(self._engines.items())}}


def _require_like(arrays: Arrays, own: Arrays) -> None:
    """Refuse arrays of other names or types than those of an engine; it checks what is in them."""
    if arrays.keys() != own.keys():
        raise ValueError(f"evidence has the parts {', '.join(sorted(own))}, not {', '.join(sorted(arrays))}")
    for name, array in arrays.items():
        if array.dtype != own[name].dtype or array.ndim != 1:
            raise ValueError(
                f"{name} must be {own[name].dtype} in one dimension, got {array.dtype} of shape {array.shape}"
            )


def take_over(engine: _core.CellSums, numbering: Numbering, other: _core.CellSums, its: Numbering) -> None:
    """Give an engine that remembers nothing what another one of the same rows counted, in its own numbers."""
    if len(engine.remembered()["values"]):
        return
    arrays = other.remembered()
    places = its.places_in(numbering)
    rows = arrays["rows"]
    # 2 + v says that column v is known; see rows_number in the core.
    of_column = (rows >= 2) & (rows < 2 + len(places))
    rows[of_column] = 2 + places[rows[of_column] - 2]
    for sizes, members in (("sizes", "members"), ("selection_sizes", "selection_members")):
        sets = np.repeat(np.arange(len(arrays[sizes])), arrays[sizes])
        renumbered = places[arrays[members]].astype(arrays[members].dtype)
        arrays[members] = renumbered[np.lexsort((renumbered, sets))]
    engine.remember(**arrays)
