"""How many processors this process may use."""

from __future__ import annotations

import os
from pathlib import Path


def available_threads() -> int:
    """The smaller of the processor affinity and the control group's quota, at least 1."""
    affinity = getattr(os, "sched_getaffinity", None)
    allowed = len(affinity(0)) if affinity else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return max(1, min(allowed, int(quota) // int(period)))
    except (OSError, ValueError):  # no control groups here, or no quota ("max")
        return max(1, allowed)
