"""The checkpoint of a run of `learn`: the evidence that it has computed, and its study.

Searches are deterministic, so a run that begins with this evidence takes the same steps again, without
counting, and goes on where the other run ended.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dagwright.base.checkpoint import DAMAGES, SAVING, Checkpoint
from dagwright.data import Table
from dagwright.data.evidence_memory import Arrays, EvidenceMemory
from dagwright.errors import FormatError, OptionError
from dagwright.search.pipeline import Prepared

log = logging.getLogger("dagwright")

KIND = "evidence"
SHARE = 20
"""Writing may take one part in so many of the time."""


class RememberedRun:
    """A run whose evidence is written to a file now and then, and when it ends, however it ends.

    Without a path, nothing is kept.
    """

    def __init__(self, prepared: Prepared, path: Path | None) -> None:
        self.path = path
        self._over = threading.Event()
        self._writer: threading.Thread | None = None
        self._written: list[int] = []
        self._refused = False
        if path is None:
            return
        if problem := prepared.study.unwritten():
            raise OptionError(f"a checkpoint cannot store this request: {problem}; learn without one")
        self.identity, self.study = prepared.identity(), prepared.study.to_dict()
        saved: dict[str, Arrays] = {}
        if path.exists():
            found = Checkpoint.load(path, KIND, self.identity)
            try:
                saved = _memos(found)
            except DAMAGES as damage:
                raise found.misfit(path, damage) from None
            known = sum(len(arrays["values"]) for arrays in saved.values())
            log.info("going on from %s: %s sums are known", path, f"{known:,}")
        self.memory = EvidenceMemory(saved, self._refusal)

    def remembering(self, table: Table) -> Table:
        """The table, with engines that begin with what is known and keep what they count."""
        return table if self.path is None else table.remembering(self.memory)

    def save(self, *, anew: bool = True) -> None:
        """Write the file; without ``anew`` only if there is more than was written last."""
        if self.path is None or self._refused:
            return
        memos = self.memory.content()
        sizes = [len(arrays["values"]) for arrays in memos.values()]
        if not anew and sizes == self._written:
            return
        arrays = {
            f"{at}.{name}": array for at, own in enumerate(memos.values()) for name, array in own.items()
        }
        state = {"engines": list(memos), "study": self.study}
        Checkpoint(KIND, self.identity, state, arrays).save(self.path)
        self._written = sizes

    def __enter__(self) -> Self:
        if self.path is not None:
            self._writer = threading.Thread(target=self._write_now_and_then, name="checkpoint", daemon=True)
            self._writer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is None:
            return
        self._over.set()
        self._writer.join()
        try:
            self.save()
        except OSError as failure:
            if problem is None:
                raise
            log.warning("the checkpoint could not be written: %s", failure)

    def _write_now_and_then(self) -> None:
        pause = SAVING
        while not self._over.wait(pause):
            began = time.monotonic()
            try:
                self.save(anew=False)
            except OSError as failure:
                log.warning("the checkpoint could not be written: %s", failure)
            pause = max(SAVING, SHARE * (time.monotonic() - began))

    def _refusal(self, problem: Exception) -> FormatError:
        """The error for a file that is damaged; it is left as it is."""
        assert self.path is not None
        self._refused = True
        return Checkpoint(KIND, {}, {}).misfit(self.path, problem)


def _memos(saved: Checkpoint) -> dict[str, Arrays]:
    """The memos of a file by their engines; any of `DAMAGES` where it cannot hold them."""
    memos: dict[str, dict[str, Any]] = {key: {} for key in saved.state["engines"]}
    own = list(memos.values())
    for name, array in saved.arrays.items():
        at, _, part = name.partition(".")
        if not at.isdecimal():
            raise ValueError(f"the array {name!r:.40} belongs to no engine")
        own[int(at)][part] = array
    for key, arrays in memos.items():
        if not isinstance(key, str) or "values" not in arrays or arrays["values"].ndim != 1:
            raise ValueError(f"the engine {key!r:.40} has no values")
    return dict(memos)
