"""How much memory this process may still take, and refusals before the work."""

from __future__ import annotations

import contextlib
import math
import os
from pathlib import Path

from dagwright.errors import CapacityError

GROUPS = Path("/sys/fs/cgroup")
MEMINFO = Path("/proc/meminfo")

USUAL_BYTES = 4 * 2**30
"""The most that one search or posterior takes unless told otherwise."""


def available_bytes() -> float:
    """The least that the machine, the control group and the process limit leave; infinite where none says."""
    return min(_of_the_machine(), _of_the_group(), _of_the_process())


def installed_bytes() -> float:
    """The memory of the machine, or the limit of the control group where that is less, used or not.

    Unlike what is left, this is the same from call to call.
    """
    limits = [_of_the_machine("MemTotal:")]
    with contextlib.suppress(OSError, ValueError):
        limits.append(float(int((GROUPS / "memory.max").read_text(encoding="ascii"))))
    return min(limits)


def _of_the_machine(line_of: str = "MemAvailable:") -> float:
    try:
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith(line_of):
                return 1024.0 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # no such question on this system
        return math.inf


def _of_the_group() -> float:
    try:
        most = (GROUPS / "memory.max").read_text(encoding="ascii").strip()
        used = int((GROUPS / "memory.current").read_text(encoding="ascii"))
        freed = 0  # pages of files are given back when memory is short
        for line in (GROUPS / "memory.stat").read_text(encoding="ascii").splitlines():
            if line.startswith("inactive_file "):
                freed = int(line.split()[1])
        return math.inf if most == "max" else max(0.0, float(int(most) - used + freed))
    except (OSError, ValueError):
        return math.inf


def _of_the_process() -> float:
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most == resource.RLIM_INFINITY:
            return math.inf
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return max(0.0, float(most - pages * resource.getpagesize()))
    except (ImportError, OSError, ValueError):
        return math.inf


def budget(wanted: int | None = None) -> int:
    """Bytes that one piece of work may take: what was asked for, never more than is left.

    By default 4 GiB, or half of what is left where that is less.
    """
    left = available_bytes()
    return int(min(wanted, left) if wanted is not None else min(USUAL_BYTES, left / 2))


def require_memory(needed: float, what: str, remedy: str) -> None:
    """A `CapacityError` with both figures where less memory is left than the work needs."""
    left = available_bytes()
    if needed > left:
        raise CapacityError(
            f"{what} would take {shown_bytes(needed)}, and {shown_bytes(left)} are left; {remedy}"
        )


def shown_bytes(size: float) -> str:
    """A number of bytes for people.

    >>> shown_bytes(64), shown_bytes(3 * 2**20)
    ('64 bytes', '3 MiB')
    """
    if size < 1024:
        return f"{size:.0f} bytes"
    for unit in ("KiB", "MiB", "GiB", "TiB", "PiB", "EiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.3g} {unit}"
    return f"{size:,.0f} {unit}"
