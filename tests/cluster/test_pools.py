"""Compiled functions in the pools of other libraries: no preparation of their processes beyond gridcell's folder."""
import concurrent.futures
import importlib.util
import multiprocessing
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from numba import njit

POOLS = {}


def pool(function):
    POOLS[function.__name__] = function
    return function


def processes_of(method):
    """multiprocessing.Pool and concurrent.futures, with processes that are started by a method."""
    context = multiprocessing.get_context(method)

    def map_in_pool(function, values):
        with context.Pool(1) as processes:
            return processes.map(function, values)

    def map_in_executor(function, values):
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as processes:
            return list(processes.map(function, values))

    return map_in_executor if method == "spawn" else map_in_pool


for start_method in multiprocessing.get_all_start_methods():
    POOLS[start_method] = processes_of(start_method)
POOLS["spawn_pool"] = lambda function, values: multiprocessing.get_context("spawn").Pool(1).map(function, values)


@pool
def threads(function, values):
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        return list(workers.map(function, values))


@pool
def loky(function, values):
    joblib = pytest.importorskip("joblib")
    return joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(function)(value) for value in values)


def make_square(power):
    @njit
    def raised(x):
        return x ** power
    return raised


@pytest.mark.parametrize("name", sorted(POOLS))
def test_function(name):
    raised = make_square(3)
    assert POOLS[name](raised, [2, 3, 4]) == [8, 27, 64]


# Open MPI refuses root, and more ranks than cores, but by its variables; the options are not those of MPICH
OF_OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def test_mpi(tmp_path):
    """Each rank sums its part; the function is defined by rank 0 and broadcast."""
    folders = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # a wheel's, or the system's
    mpiexec = shutil.which("mpiexec", path=folders)
    if mpiexec is None or importlib.util.find_spec("mpi4py") is None:
        pytest.skip("no MPI here")
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent("""
        import gridcell; gridcell.activate()
        from mpi4py import MPI
        from numba import njit
        import numpy as np
        world = MPI.COMM_WORLD
        total = njit(lambda a: a.sum())
        total = world.bcast(total if world.rank == 0 else None)
        part = np.arange(10.0)[world.rank::world.size]
        print(world.allreduce(total(part)), end=" ", flush=True)
    """))
    done = subprocess.run([mpiexec, "-n", "2", sys.executable, str(program)], env={**os.environ, **OF_OPEN_MPI},
                          capture_output=True, text=True, timeout=120)
    assert sorted(done.stdout.split()) == ["45.0", "45.0"], done.stderr


def test_ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False)
    try:
        raised = make_square(2)
        assert ray.get([ray.remote(lambda x: raised(x)).remote(x) for x in (2, 3)]) == [4, 9]
    finally:
        ray.shutdown()
