"""What is fuzzed: every reader, as a function of the bytes of a file. It may refuse in words only."""

from __future__ import annotations

import io
import json
import tempfile
import zlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import polars  # noqa: F401  an import that is interrupted half-way is broken for good

import dagwright as dw
from dagwright.base.checkpoint import Checkpoint
from dagwright.cli import configuration
from dagwright.confidence import Confidence
from dagwright.io import binary
from dagwright.io.formats import FORMATS
from dagwright.learning.learned import Learned
from dagwright.methods import registry
from dagwright.search.candidates import CandidateSets

Target = Callable[[bytes], None]
ROWS = {"a": ["x", "y", "x", "y"] * 5, "b": [0, 1, 1, 1] * 5, "c": ["u", "u", "v", "v"] * 5}


def _network_file(name: str, content: bytes) -> None:
    read = next(one for one in FORMATS if one.name == name).read_bytes
    str(read(content))


def _binary_head(content: bytes) -> None:
    """The bytes are the document within a sound binary file, whose frame is checked by zlib."""
    packed, numbers = zlib.compress(content), binary.write_bytes(dw.load("cancer"))
    start = len(binary.MAGIC) + 4
    end = start + int.from_bytes(numbers[start - 4 : start], "little")
    binary.read_bytes(binary.MAGIC + len(packed).to_bytes(4, "little") + packed + numbers[end:])


def _in_file(read: Callable[[Path], object], ending: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"input{ending}"
        path.write_bytes(content)
        str(read(path))


def _learned(path: Path) -> None:
    found = Learned.load(path)
    str(found)
    found.to_json()
    found._repr_html_()


def _confidence(content: bytes) -> None:
    found = Confidence.from_json(content.decode(errors="replace"))
    str(found)
    repr(found)
    found.to_json()
    found.consensus()


def _knowledge(path: Path) -> None:
    known = dw.Knowledge.load(path)
    repr(known)
    str(known.conflicts(("a", "b", "c")))


def _configuration(path: Path) -> None:
    configuration._read(path, ["learn", "draw"])


def _method(content: bytes) -> None:
    repr(registry.parse(content.decode(errors="replace"), "score", "test", "search", "prior"))


def _graph(content: bytes) -> None:
    text = content.decode(errors="replace")
    str(dw.Pdag.parse(text) if "--" in text else dw.Dag.parse(text))


def _table(form: str, content: bytes) -> None:
    str(dw.read(io.BytesIO(content), format=form))


def _plain_csv(content: bytes) -> None:
    str(dw.read(io.BytesIO(content), engine="python"))


@cache
def _bootstrap_identity() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        _bootstrap(path)
        facts = Checkpoint.load(path, "replicates", {})
    return json.dumps(dict(facts.identity))


def _bootstrap(path: Path) -> None:
    str(dw.bootstrap(ROWS, search=dw.HillClimb(), replicates=2, checkpoint=path, random_state=1, threads=1))


def _bootstrap_state(content: bytes) -> None:
    """The bytes are the state of a checkpoint whose frame is sound: damage to the frame is another target."""
    try:
        state = json.loads(content)
    except (ValueError, RecursionError):
        return
    if not isinstance(state, dict):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        Checkpoint("replicates", json.loads(_bootstrap_identity()), state).save(path)
        _bootstrap(path)


def _checkpoint(path: Path) -> None:
    Checkpoint.load(path, "replicates", {})


TARGETS: dict[str, Target] = {
    **{f"network-{one.name}": partial(_network_file, one.name) for one in FORMATS},
    "network-binary-head": _binary_head,
    "learned": partial(_in_file, _learned, ".json"),
    "confidence": _confidence,
    "knowledge-json": partial(_in_file, _knowledge, ".json"),
    "knowledge-toml": partial(_in_file, _knowledge, ".toml"),
    "knowledge-csv": partial(_in_file, _knowledge, ".csv"),
    "knowledge-tetrad": partial(_in_file, _knowledge, ".txt"),
    "configuration": partial(_in_file, _configuration, ".toml"),
    "method": _method,
    "graph-text": _graph,
    "scores": partial(_in_file, CandidateSets.load, ".jkl"),
    "checkpoint": partial(_in_file, _checkpoint, ".npz"),
    "bootstrap-state": _bootstrap_state,
    "csv": partial(_table, "csv"),
    "csv-plain": _plain_csv,
    "jsonl": partial(_table, "jsonl"),
    **{f"table-{form}": partial(_table, form) for form in ("parquet", "arrow", "excel")},
}
"""Each reading of a binary table starts a child process, so that these targets try few inputs per second."""
