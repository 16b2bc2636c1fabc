"""The process that does the work: reads calls from standard input, line by line, and writes what they give.

    {"id": 1, "verb": "ask", "arguments": {...}}          a call
    {"cancel": 1}                                         stop it and keep the best
    {"id": 1, "progress": {...}}                          an event
    {"id": 1, "network": {...}}                           the best network so far
    {"id": 1, "answer": ...}  or  {"id": 1, "problem": {...}}

The process ends with its standard input, so that it never outlives the server.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from dagwright.base.documents import as_json
from dagwright.search.control import CancelToken
from dagwright.studio.problems import of_exception, problem
from dagwright.studio.verbs import VERBS, Work

MEMORY = "DAGWRIGHT_STUDIO_MEMORY"
"""The environment variable with the bytes that a worker may use."""


def main() -> None:
    """Answer calls until there are no more."""
    # Nothing that a library prints may get between the lines of the protocol.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stand_first_in_line()
    _limit_memory()
    tokens: dict[int, CancelToken] = {}
    calls: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_read, args=(sys.stdin, calls, tokens), daemon=True).start()
    lock = threading.Lock()

    def tell(message: dict[str, Any]) -> None:
        with lock:
            out.write(as_json(message, indent=None) + "\n")
            out.flush()

    while True:
        call = calls.get()
        number = call["id"]
        work = Work(tokens[number], partial(_tell_meanwhile, tell, number))
        try:
            tell({"id": number, "answer": VERBS[call["verb"]](work, **call["arguments"])})
        except BrokenPipeError:
            return
        except (Exception, KeyboardInterrupt) as raised:  # the latter where a token was cancelled
            told = of_exception(raised)
            if told is None:
                traceback.print_exc()
                told = problem("fault", f"a fault in dagwright: {type(raised).__name__}: {raised}")
            tell({"id": number, "problem": told})
        finally:
            tokens.pop(number, None)


def _tell_meanwhile(
    tell: Callable[[dict[str, Any]], None], number: int, kind: str, document: dict[str, Any]
) -> None:
    tell({"id": number, kind: document})


def _read(lines: IO[str], calls: queue.Queue[dict[str, Any]], tokens: dict[int, CancelToken]) -> None:
    for line in lines:
        message = json.loads(line)
        if "cancel" in message:
            if token := tokens.get(message["cancel"]):
                token.cancel()
        else:
            tokens[message["id"]] = CancelToken()
            calls.put(message)
    os._exit(0)


def _stand_first_in_line() -> None:
    """Where memory runs out the system should end a worker, not the server, which can tell of it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")


def _limit_memory() -> None:
    if (limit := os.environ.get(MEMORY)) and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))


if __name__ == "__main__":
    main()
