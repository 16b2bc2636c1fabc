"""One virtual environment per peer, so that no peer's dependencies touch another's."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ENVIRONMENTS = HERE / ".peers"
NETWORKS_OF_PGMPY = "lib/python*/site-packages/pgmpy/utils/example_models"


class PeerMissingError(Exception):
    """A peer's environment cannot be built here; its tasks are reported as not run."""


@cache
def pins() -> dict[str, list[str]]:
    return tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))


def interpreter(peer: str) -> Path:
    """The Python that runs `peer`: its own environment, or this one for names without a pin.

    The methods of one peer, as in "causal-learn.boss", share its environment.
    """
    peer = peer.split(".")[0]
    if peer not in pins():
        return Path(sys.executable)
    if problem := set_up(peer):
        raise PeerMissingError(problem)
    return python_of(ENVIRONMENTS / peer)


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@cache
def set_up(peer: str) -> str:
    """Build the environment of a peer unless it is there: why it failed, or nothing. Tried once per run."""
    folder = ENVIRONMENTS / peer
    stamp = folder / "installed.txt"
    wanted = "\n".join(pins()[peer])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return ""
    print(f"setting up {peer} ({wanted})", flush=True)
    for step in (
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [str(python_of(folder)), "-m", "pip", "install", "--quiet", "--prefer-binary", *pins()[peer]],
    ):
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip() or done.stdout.strip()).splitlines()
            return f"{wanted} cannot be installed: {reason[-1] if reason else 'no reason given'}"
    stamp.write_text(wanted, encoding="utf-8")
    return ""


def drawn_by(peer: str, task: str, name: str, **arguments: Any) -> Path:
    """The file of a sample that a peer draws with its own generator: ``draw(path, ...)`` of a task, once."""
    path = HERE / ".data" / f"{task}_{name.replace(' ', '_')}.npz"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        program = f"from bench.tasks.{task} import draw; draw({str(path)!r}, **{arguments!r})"
        done = subprocess.run(
            [str(interpreter(peer)), "-W", "ignore", "-c", program],
            cwd=HERE.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise PeerMissingError(f"{peer} cannot draw the sample: {done.stderr.strip().splitlines()[-1]}")
    return path


def network_file(name: str) -> Path:
    """The BIF file of a standard network; pgmpy carries them in its package."""
    interpreter("pgmpy")
    found = sorted((ENVIRONMENTS / "pgmpy").glob(f"{NETWORKS_OF_PGMPY}/{name}.bif.gz"))
    if not found:
        raise PeerMissingError(f"pgmpy's package holds no network named {name}")
    return found[0]
