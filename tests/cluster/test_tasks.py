"""What is compiled, as tasks of Dask: each kind gives there what it gives here."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from distributed import as_completed

from gridcell.dask import cells, versions
from gridcell.dask.errors import ClusterError
from numba import cuda, float64, guvectorize, int64, njit, prange, stencil, typed, vectorize
from numba.experimental import jitclass

OFFSET = 10


def make_functions():
    """Functions that cannot be imported, so that they travel whole: name -> (function, arguments)."""
    @njit
    def helper(x):
        return x * x + OFFSET

    @njit
    def total(a):
        result = 0.0
        for x in a:
            result += helper(x)
        return result

    @njit("int64(int64)")
    def eager(x):
        return x + OFFSET

    @njit(parallel=True)
    def shared(a):
        out = np.empty_like(a)
        for i in prange(a.size):
            out[i] = 3 * a[i]
        return out

    @vectorize
    def dynamic(a, b):
        return a + 2 * b

    @vectorize([float64(float64, float64)])
    def fixed(a, b):
        return a * b

    @guvectorize([(float64[:], float64[:])], "(n)->(n)")
    def running(a, out):
        out[:] = np.cumsum(a)

    @stencil
    def mean(a):
        return (a[-1] + a[0] + a[1]) / 3

    @njit
    def counted(words):
        counts = typed.Dict.empty(int64, int64)
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        return counts

    a = np.arange(12.0)
    return {"total": (total, (a,)), "eager": (eager, (4,)), "shared": (shared, (a,)), "dynamic": (dynamic, (a, a)),
            "fixed": (fixed, (a, a)), "running": (running, (a.reshape(3, 4),)), "mean": (mean, (a,)),
            "counted": (counted, (typed.List([1, 2, 1]),))}


def test_functions(client):
    functions = make_functions()
    futures = {name: client.submit(function, *args) for name, (function, args) in functions.items()}
    for name, future in futures.items():
        function, args = functions[name]
        got, want = future.result(), function(*args)
        assert type(got) is type(want), name
        if isinstance(want, np.ndarray):
            np.testing.assert_array_equal(got, want, name)
        else:
            assert got == want, name


def test_kernels(client):
    @cuda.jit
    def twice(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= 2

    def launch(a):
        twice[(a.size + 63) // 64, 64](a)
        return a

    a = np.arange(100.0)
    np.testing.assert_array_equal(client.submit(launch, a).result(), 2 * a)
    kept = client.submit(cuda.to_device, a)  # stays on its worker
    done = client.submit(launch, kept)
    np.testing.assert_array_equal(client.submit(lambda d: d.copy_to_host(), done).result(), 2 * a)
    np.testing.assert_array_equal(done.result().copy_to_host(), 2 * a)


def test_objects(client):
    @jitclass([("n", int64), ("values", float64[:])])
    class Bag:
        def __init__(self, n):
            self.n = n
            self.values = np.zeros(n)

        def add(self, x):
            self.values += x
            return self.values.sum()

    bag = Bag(3)
    bag.add(2.0)
    later = client.submit(lambda bag: (bag.add(1.0), bag)[1], bag)
    assert client.submit(lambda bag: bag.values.sum(), later).result() == 9.0
    back = later.result()
    assert type(back) is Bag and back.add(0.0) == 9.0 and bag.add(0.0) == 6.0


def test_importing_it_takes_no_longer_than_dask():
    """Not what a program need not have: dask.array, which takes as long to import as all the rest, and a device."""
    told = subprocess.run([sys.executable, "-c", "import gridcell.dask, sys; print(*sys.modules)"], capture_output=True,
                          text=True, check=True).stdout.split()
    assert "distributed" in told and not {"dask.array", "gridcell.cuda", "gridcell.library"} & set(told)


def await_warm_up():
    """On a worker: what it compiles before tasks come counts, too."""
    for thread in threading.enumerate():
        if thread.name == "gridcell warm-up":
            thread.join()


def shelf_of(client):
    return client.cluster.scheduler.plugins["gridcell-code"].shelf


def test_code_is_compiled_once(client):
    """Two workers ask for the same at once: one compiles, and this process has it from there as well."""
    @njit
    def unlike_others(x):
        return x * 12345.678 - 17

    client.run(await_warm_up)
    before = dict(shelf_of(client).counts)
    workers = list(client.scheduler_info()["workers"])
    futures = [client.submit(unlike_others, 2.0, workers=[worker], pure=False) for worker in workers]
    assert client.gather(futures) == [unlike_others.py_func(2.0)] * 2
    after = shelf_of(client).counts
    assert after["compiled"] - before["compiled"] == 1
    assert after["fetched"] - before["fetched"] == 1


def test_workers_of_another_kind_compile_for_themselves(client):
    """A worker that comes late, for a processor without AVX: the code of the others would need it."""
    @njit
    def scale(a):
        for i in range(a.size):
            a[i] = a[i] * 0.123 - 17
        return a[0]

    def run_and_look():
        return scale(np.ones(8)), any("ymm" in text for text in scale.inspect_asm().values())

    command = ["-m", "distributed.cli.dask_worker", client.scheduler.address, "--name", "plain", "--nthreads", "1",
               "--no-nanny", "--no-dashboard"]
    plain = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env={**os.environ, "NUMBA_CPU_NAME": "generic", "PYTHONPATH": os.pathsep.join(sys.path)})
    try:
        client.wait_for_workers(3)
        client.run(await_warm_up)
        before = dict(shelf_of(client).counts)
        names = [told["name"] for told in client.scheduler_info()["workers"].values()]
        found = {name: client.submit(run_and_look, workers=[name], pure=False).result() for name in names}
        after = shelf_of(client).counts
    finally:
        plain.terminate()
        plain.wait()
    has_avx = "avx" in open("/proc/cpuinfo", encoding="ascii").read()
    assert found == {name: (0.123 - 17, has_avx and name != "plain") for name in names} and "plain" in names
    assert after["compiled"] - before["compiled"] == 2 and after["fetched"] - before["fetched"] == 1


def test_worker_that_dies(client):
    """Its tasks are done by others and by the one in its place, which compiles nothing anew."""
    @njit
    def sum_below(n):
        result = 0
        for i in range(n):
            result += i
        return result

    def work(n):
        time.sleep(0.0005)
        return sum_below(n)

    futures = client.map(work, range(1000))
    pids = client.run(os.getpid)
    for number, _ in enumerate(as_completed(futures)):
        if number == 100:
            compiled = shelf_of(client).counts["compiled"]
            os.kill(next(iter(pids.values())), signal.SIGKILL)
    assert client.gather(futures) == [n * (n - 1) // 2 for n in range(1000)]
    client.wait_for_workers(2)
    assert shelf_of(client).counts["compiled"] - compiled <= 1
    new = [pid for pid in client.run(os.getpid).values() if pid not in pids.values()]
    assert len(new) == 1
