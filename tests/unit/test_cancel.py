"""Every long call ends soon after Ctrl-C, and after any thread's request."""

from __future__ import annotations

import inspect
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.methods import registry
from dagwright.search.control import Control

SOON = 2.0
"""Seconds within which there must be an answer."""

rng = np.random.default_rng(5)
COINS = dw.read({f"v{i:02}": rng.integers(0, 3, 3000).tolist() for i in range(30)})
WIDE = dw.load("alarm").sample(2000, random_state=1)
SETS = dw.candidates(COINS.select(COINS.names[:25]), score=dw.LogLik(), max_parents=1)
FOUND = dw.learn(dw.load("asia").sample(300, random_state=1), search=dw.HillClimb(), score=dw.BIC())
LONG: dict[str, Callable[[dw.CancelToken], Any]] = {
    "exact": lambda token: dw.learn(COINS, search=dw.Exact(), score=dw.AIC(), cancel=token),
    "branch and cut": lambda token: dw.learn(COINS, search=dw.BranchAndCut(), score=dw.AIC(), cancel=token),
    "order search": lambda token: dw.learn(WIDE, search=dw.OrderSearch(perturbations=10**7), cancel=token),
    "hill climbing": lambda token: dw.learn(WIDE, search=dw.HillClimb(restarts=10**7), cancel=token),
    "annealing": lambda token: dw.learn(WIDE, search=dw.Annealing(steps=4 * 10**6), cancel=token),
    "permuted PC": lambda token: dw.learn(
        WIDE, search=dw.PC(test=dw.Permuted(dw.GSquare(), rounds=20_000)), cancel=token
    ),
    "bootstrap of exact": lambda token: dw.bootstrap(
        COINS, search=dw.Exact(), score=dw.AIC(), threads=2, cancel=token
    ),
    "bootstrap of branch and cut": lambda token: dw.bootstrap(
        COINS, search=dw.BranchAndCut(), score=dw.AIC(), threads=2, cancel=token
    ),
    "bootstrap of order search": lambda token: dw.bootstrap(
        WIDE, search=dw.OrderSearch(perturbations=10**7), threads=2, cancel=token
    ),
    "bootstrap of permuted PC": lambda token: dw.bootstrap(
        WIDE, search=dw.PC(test=dw.Permuted(dw.GSquare(), rounds=20_000)), threads=2, cancel=token
    ),
    "bootstrap": lambda token: dw.bootstrap(WIDE, replicates=10**6, threads=2, cancel=token),
    "posterior by partitions": lambda token: dw.posterior(
        WIDE, method=dw.PartitionMCMC(samples=20_000), cancel=token
    ),
    "posterior by orders": lambda token: dw.posterior(WIDE, method=dw.OrderMCMC(samples=10**5), cancel=token),
    "exact posterior": lambda token: dw.posterior(
        COINS.select(COINS.names[:20]), method=dw.ExactPosterior("orders"), cancel=token
    ),
    "rivals": lambda token: dw.rivals(COINS.select(COINS.names[:20]), 10**5, cancel=token),
    "candidates": lambda token: dw.candidates(COINS, score=dw.AIC(), cancel=token),
    "cross-validation": lambda token: dw.cross_validate(
        WIDE, {"a": {"search": dw.OrderSearch(perturbations=10**7)}}, folds=3, cancel=token
    ),
    "robustness": lambda token: dw.robustness(WIDE, search=dw.OrderSearch(perturbations=10**7), cancel=token),
    "effect": lambda token: dw.effect(FOUND, "smoke", "lung", replicates=10**6, cancel=token),
    "credible set": lambda token: dw.credible_set(
        COINS.select(COINS.names[:20]), bayes_factor=1e6, cancel=token
    ),
    "solving": lambda token: dw.solve(SETS, method="dp", cancel=token),
    "report": lambda token: dw.report(
        WIDE, search=dw.OrderSearch(perturbations=10**7), replicates=0, rival_seconds=0, cancel=token
    ),
    "confidence of a result": lambda token: dw.learn(
        WIDE, search=dw.HillClimb(restarts=200), time_limit=0.01, cancel=token
    ).confidence(cancel=token),
    "neighbors": lambda token: dw.neighbors(
        WIDE,
        WIDE.names[0],
        method=dw.HitonPC(test=dw.Permuted(dw.GSquare(), rounds=50_000)),
        cancel=token,
    ),
    "blanket": lambda token: dw.blanket(
        WIDE,
        WIDE.names[0],
        method=dw.GrowShrink(test=dw.Permuted(dw.GSquare(), rounds=50_000)),
        cancel=token,
    ),
}


def moment() -> float:
    """Seconds after which to interrupt: in every phase of the work, from reading on."""
    return 0.05 + 0.7 * random.random()


def ended(verb: str, token: dw.CancelToken) -> str:
    """Run the verb; how it ended."""
    try:
        found = LONG[verb](token)
    except KeyboardInterrupt:
        return "interrupted before there was anything"
    except dw.NotFinishedError:
        return "nothing was finished"
    return str(getattr(found, "stopped", None) or getattr(found, "source", "done"))


@pytest.mark.parametrize("verb", LONG)
def test_any_thread_can_cancel(verb: str) -> None:
    token = dw.CancelToken()
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.monotonic())
        token.cancel()

    delay = moment()
    timer = threading.Timer(delay, press)
    timer.start()
    how = ended(verb, token)
    late = time.monotonic() - pressed[0] if pressed else 0.0
    timer.cancel()
    assert pressed, f"{verb} ended by itself: {how}"
    assert late < SOON, f"{verb} answered {late:.2f} s after a request at {delay:.2f} s: {how}"


PRESSED = """
import os, signal, sys, threading, time
import polars  # whose threads made the main thread deaf to Ctrl-C while it waited
import test_cancel
from test_cancel import dw, ended
for verb, delay in zip(sys.argv[1::2], map(float, sys.argv[2::2])):
    pressed = []
    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(delay, press)
    timer.start()
    how = ended(verb, dw.CancelToken())
    late = time.monotonic() - pressed[0] if pressed else "by itself"
    timer.cancel()
    print(verb, delay, late, how.replace(chr(10), " "), sep=chr(9), flush=True)
"""
PROCESSES = 4
"""Several verbs share a process, which would take longer to start than to answer."""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
@pytest.mark.parametrize("part", range(PROCESSES))
def test_ctrl_c(part: int) -> None:
    verbs = sorted(LONG)[part::PROCESSES]
    line = [word for verb in verbs for word in (verb, str(moment()))]
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, *line],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )
    assert done.returncode == 0, done.stderr
    told = [answer.split("\t") for answer in done.stdout.splitlines()]
    assert [verb for verb, *_ in told] == verbs
    for verb, delay, late, how in told:
        assert late != "by itself", f"{verb} ended by itself: {how}"
        assert float(late) < SOON, f"{verb} answered {late} s after Ctrl-C at {delay} s: {how}"


def test_every_verb_that_can_be_cancelled_is_tried() -> None:
    takes = {
        name
        for name in dw.__all__
        if inspect.isfunction(verb := getattr(dw, name)) and "cancel" in inspect.signature(verb).parameters
    }
    source = "".join(map(inspect.getsource, LONG.values()))
    assert {name for name in takes if f"dw.{name}(" not in source} == set()


def searches() -> list[str]:
    return [entry.name for entry in registry.entries("search")]


@pytest.mark.parametrize("name", searches())
def test_a_request_before_the_search_ends_it_at_once(name: str) -> None:
    token = dw.CancelToken()
    token.cancel()
    table = dw.load("asia").sample(300, random_state=1)
    arguments: dict[str, Any] = {other: {"order": list(table.names)} for other in ("K2", "K3", "ThickThin")}
    arguments |= {other: {"target": "lung"} for other in ("TAN", "FAN")} | {"Restrict": {"by": dw.MMPC()}}
    began = time.monotonic()
    found = dw.learn(table, search=getattr(dw, name)(**arguments.get(name, {})), cancel=token)
    assert time.monotonic() - began < SOON
    assert found.stopped == "cancelled"
    assert found.graph.nodes == table.names


def test_a_report_hears_the_request() -> None:
    token = dw.CancelToken()
    token.cancel()
    page = dw.report(dw.load("asia").sample(300, random_state=1), cancel=token)
    assert page.interrupted
    assert page.found.known_confidence is None


def test_a_token_is_shared_and_stays() -> None:
    token = dw.CancelToken()
    control = Control.of(2, None, None, token)
    assert control.stopped() is None
    part = control.on_one_thread()
    assert repr(token) == "CancelToken()"
    token.cancel()
    token.cancel()
    assert part.stopped() == control.stopped() == "cancelled"
    assert part.cancel.cancelled
    assert repr(token) == "CancelToken(cancelled)"


def test_ctrl_c_cancels_the_token_of_the_call() -> None:
    token = dw.CancelToken()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    found = dw.learn(WIDE, search=dw.HillClimb(restarts=10**7), cancel=token)
    assert found.stopped == "cancelled"
    assert token.cancelled


def test_ctrl_c_within_the_lock_of_an_event_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(_condition: Any, _state: Any) -> None:
        raise KeyboardInterrupt  # the event then releases a lock that it does not hold: a RuntimeError

    monkeypatch.setattr(threading.Condition, "_acquire_restore", pressed)
    with pytest.raises(dw.NotFinishedError, match="interrupted before a replicate"):
        dw.bootstrap(WIDE, search=dw.HillClimb(restarts=10**7), replicates=4, threads=2)
