"""Every network of the repository through every format and back: equal, and the same bytes when rewritten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bench.task import Case, Clock, Finding, Options, Results
from bench.tasks.read_bif import NETWORKS, QUICK, unpacked

BAR = "24 networks times every format: read back equal, byte-stable on the second write, nothing lost"
PEERS = ("dagwright",)


def cases(options: Options) -> Iterable[Case]:
    for name in QUICK if options.quick else NETWORKS:
        yield Case(name, {"path": str(unpacked(name))}, repeats=1)


def run_dagwright(arguments: dict[str, Any], clock: Clock) -> dict[str, str]:
    """What went wrong, by format."""
    import dagwright as dw
    from dagwright.io import FORMATS

    network = dw.load(arguments["path"])
    wrong = {}
    with clock:
        for form in FORMATS:
            if form.holds != "network":
                continue
            losses: list[Any] = []
            content = form.write_bytes(network, losses)
            again = form.read_bytes(content)
            if again != network or again.nodes != network.nodes:
                wrong[form.name] = "other network"
            elif form.write_bytes(again, []) != content:
                wrong[form.name] = "other bytes"
            elif losses:
                wrong[form.name] = "; ".join(map(str, losses))
    return wrong


def findings(results: Results) -> Iterable[Finding]:
    for case in results.cases():
        ours = results.get(case.name, "dagwright")
        if ours is None:
            continue
        note = ", ".join(f"{form}: {what}" for form, what in ours.answer.items())
        yield Finding(case.name, "formats with a difference", len(ours.answer), "", at_most=0, note=note)
        yield Finding(case.name, "seconds for all formats", ours.seconds, "s")
