"""More threads than the system gives: the core works with those there are, the library says so in words."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

import dagwright as dw

NO_HELPERS = """
import threading
import dagwright as dw
try:
    threading.Thread(target=print).start()
    print("there are threads")
except RuntimeError:
    table = dw.load("alarm").sample(3000, random_state=1, threads=1)
    alone = dw.learn(table, threads=1, search=dw.HillClimb())
    print(dw.learn(table, threads=8, search=dw.HillClimb()).graph == alone.graph)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the stack of a thread is as large as the limit on Linux")
def test_the_core_works_with_the_threads_there_are() -> None:
    import resource

    def no_room_for_stacks() -> None:
        _, most = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (2**47, most))

    if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
        pytest.skip("the limit cannot be raised here")
    done = subprocess.run(
        [sys.executable, "-c", NO_HELPERS],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=no_room_for_stacks,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    if done.stdout == "there are threads\n":
        pytest.skip("this system gives threads with any stack")
    assert done.stdout == "True\n", done.stderr


def test_a_bootstrap_without_threads_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    table = dw.load("asia").sample(200, random_state=1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", none_left)
        with pytest.raises(dw.CapacityError, match=r"no more threads.*threads=7.*threads=1"):
            dw.bootstrap(table, replicates=4, threads=7)
