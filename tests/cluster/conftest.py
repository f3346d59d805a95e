"""One cluster for all tests: two workers that are processes, and the client."""
import os
import sys

import numpy as np
import pytest

import gridcell.dask  # from the build, which PYTHONPATH names
from distributed import Client, LocalCluster

FAST = {"distributed.worker.memory.pause": False, "distributed.comm.timeouts.connect": "60s",
        "distributed.nanny.environ.GRIDCELL_DEVICE": "emulator", "distributed.admin.tick.limit": "60s",
        "distributed.scheduler.allowed-failures": 10}


@pytest.fixture(scope="session")
def client():
    import dask
    with dask.config.set(FAST), \
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit="1GiB") as cluster, \
            Client(cluster) as client:
        yield client


@pytest.fixture
def rng():
    return np.random.default_rng(5)
