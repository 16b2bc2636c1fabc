"""One virtual environment per peer, so that no peer's dependencies touch another's."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENTS = HERE / ".peers"
NETWORKS_OF_PGMPY = "lib/python*/site-packages/pgmpy/utils/example_models"


class PeerMissingError(Exception):
    """A peer's environment cannot be built here; its tasks are reported as not run."""


@cache
def pins() -> dict[str, list[str]]:
    return tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))


@cache
def interpreter(peer: str) -> Path:
    """The Python that runs `peer`: its own environment, or this one for names without a pin."""
    if peer not in pins():
        return Path(sys.executable)
    folder = ENVIRONMENTS / peer
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "installed.txt"
    wanted = "\n".join(pins()[peer])
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print(f"setting up {peer} ({wanted})", flush=True)
        install(folder, python, pins()[peer])
        stamp.write_text(wanted, encoding="utf-8")
    return python


def install(folder: Path, python: Path, requirements: list[str]) -> None:
    steps = [
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--prefer-binary", *requirements],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise PeerMissingError(
                f"{' '.join(requirements)}: {reason[-1] if reason else 'installation failed'}"
            )


def network_file(name: str) -> Path:
    """The BIF file of a standard network; pgmpy carries them in its package."""
    interpreter("pgmpy")
    found = sorted((ENVIRONMENTS / "pgmpy").glob(f"{NETWORKS_OF_PGMPY}/{name}.bif.gz"))
    if not found:
        raise PeerMissingError(f"pgmpy's package holds no network named {name}")
    return found[0]
