"""A Dask cluster on this machine whose workers start quickly, also again after they were killed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def local_cluster(workers: int, **settings: Any) -> Iterator[Any]:
    """A client of so many workers with one thread each; ``settings`` are those of Dask, with dashes."""
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    # Workers are forked from a process that has imported all they need. One that is killed may take long to
    # come back on a busy machine.
    multiprocessing.set_forkserver_preload(["distributed", "distributed.nanny", "dagwright.scale.on_worker"])
    quick = {
        "distributed.worker.multiprocessing-method": "forkserver",
        "distributed.deploy.lost-worker-timeout": "120s",
    }
    with (
        dask.config.set({**quick, **settings}),
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
