"""Runs one task for one peer inside that peer's environment: a request in, one line of JSON out.

`python -m bench.worker '{"task": ..., "peer": ..., "arguments": {...}, "calls": 1}'`
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import json
import sys
from pathlib import Path

from bench.task import Clock


def peak_mib() -> float:
    """Peak resident memory of this process. VmHWM, because Linux lets ru_maxrss inherit the parent's peak."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import resource

    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def version(peer: str) -> str:
    try:
        return importlib.metadata.version(peer.split(".")[0])
    except importlib.metadata.PackageNotFoundError:
        return ""


def main(request: dict) -> dict:
    task = importlib.import_module(f"bench.tasks.{request['task']}")
    run = getattr(task, f"run_{request['peer'].replace('-', '_').replace('.', '_')}")
    seconds, cpu_seconds = [], []
    answer = None
    for _ in range(request["calls"]):
        clock = Clock(request.get("cpu_limit"))
        answer = run(request["arguments"], clock)
        seconds.append(clock.seconds)
        cpu_seconds.append(clock.cpu_seconds)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "answer": answer,
        "peak_mib": round(peak_mib(), 1),
        "version": version(request["peer"]),
    }


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):  # a peer may print; the answer is the only line on stdout
        reply = main(json.loads(sys.argv[1]))
    print(json.dumps(reply))
