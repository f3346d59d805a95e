# SPDX-License-Identifier: MIT
"""What the scheduler and the workers of a cluster are given: plugins of Dask's, which it hands to late workers, too."""
import os
import signal
import socket
import sys
import threading

import distributed

from gridcell.dask import output, versions
from gridcell.dask.exchange import Exchange, Shelf

_served = set()  # addresses of schedulers that this process works for


def is_worker_of(address):
    """Whether this is a process of a worker of the scheduler, and not the client's own."""
    return address in _served


class _Plugin:
    """What both plugins have: the client's version of gridcell; Dask takes each only once."""

    idempotent = True

    def __init__(self, version):
        self.version = version
        self.client = socket.gethostname(), os.getpid()


class CodeOnScheduler(_Plugin, distributed.SchedulerPlugin):
    """Keeps the code of workers, and says which device is whose."""

    name = "gridcell-code"

    async def start(self, scheduler):
        """Called by Dask."""
        versions.compare_gridcell("the scheduler", self.version)
        from numba.core import pickling
        self.shelf, self.devices = Shelf(), {}
        if not _is_in_client(scheduler):
            pickling.compile_when_used()  # functions pass through here, and are not called
        scheduler.handlers.update(gridcell_fetch=self.shelf.fetch, gridcell_offer=self.shelf.offer,
                                  gridcell_device=self.device)

    async def device(self, who, host, count):
        """The number of a device of the host that fewest of its workers have."""
        taken = [number for other, (where, number) in self.devices.items() if where == host and other != who]
        number = min(range(count), key=taken.count)
        self.devices[who] = host, number
        return number

    def remove_worker(self, scheduler, worker, **why):
        """Called by Dask."""
        self.devices.pop(worker, None)
        self.shelf.forget(worker)

    def remove_client(self, scheduler, client):
        """Called by Dask."""
        self.shelf.forget(client)

    async def close(self):
        """Called by Dask."""


def _is_in_client(server):
    """Whether a worker or scheduler lives in a process that has clients of the same cluster."""
    address = getattr(server, "scheduler", server).address
    return any(client.scheduler is not None and client.scheduler.address == address
               for client in list(distributed.Client._instances) if client.status in ("running", "connecting"))


class GridcellOnWorker(_Plugin, distributed.WorkerPlugin):
    """Makes a worker ready: `numba` is gridcell, code is shared, a device and threads are its own."""

    name = "gridcell"

    async def setup(self, worker):
        """Called by Dask, before the worker gets tasks."""
        try:
            versions.compare_gridcell(f"the worker {worker.name}", self.version)
        except versions.ClusterError as error:
            _refuse(worker, error)
            raise
        self.worker = worker
        if _is_in_client(worker):
            return  # the client's process has its devices, threads and output already
        _served.add(worker.scheduler.address)
        await _pin_device(worker)
        _limit(worker)
        is_child = self.client == (socket.gethostname(), os.getppid())
        if is_child and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the notebook reaches its children, too
        output.forward(is_seen_anyway=is_child)
        self.exchange = Exchange.join(worker.scheduler.address, worker.connection_args, worker.address)
        threading.Thread(target=_warm_up, name="gridcell warm-up", daemon=True).start()

    def transition(self, key, start, finish, **more):
        """Called by Dask: an exception is given the worker's name before it leaves."""
        if finish == "error":
            output.name_worker(self.worker, self.worker.state.tasks.get(key))

    def teardown(self, worker):
        """Called by Dask."""
        exchange = self.__dict__.pop("exchange", None)
        if exchange:
            exchange.leave()
            output.stop_forwarding()

    def __getstate__(self):
        return {"version": self.version, "client": self.client}


def _refuse(worker, error):
    """A worker that joins late tells the clients why it goes again; Dask would have it run."""
    worker.log_event("print", {"args": (str(error),), "sep": " ", "end": "\n", "flush": False, "file": 2})
    worker.loop.call_later(1, worker.close, reason="gridcell-version")


def _gpus():
    """The GPUs that this process may see, as CUDA_VISIBLE_DEVICES names them, without a start of the driver."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return [name for name in visible.split(",") if name.strip()]
    if os.environ.get("GRIDCELL_DEVICE") == "emulator" or not os.path.isdir("/dev"):
        return []
    return sorted((name[6:] for name in os.listdir("/dev") if name.startswith("nvidia") and name[6:].isdigit()),
                  key=int)


async def _pin_device(worker):
    """One GPU of the host for each worker; where there is none, the emulated device is the worker's own."""
    gpus = _gpus()
    if len(gpus) > 1 and "gridcell.cuda" not in sys.modules:
        host = worker.address.rsplit(":", 1)[0]
        number = await worker.scheduler.gridcell_device(who=worker.address, host=host, count=len(gpus))
        os.environ["CUDA_VISIBLE_DEVICES"] = gpus[number]
    elif not gpus:
        limit = worker.memory_manager.memory_limit
        if limit:  # read when the emulated device is made
            os.environ.setdefault("GRIDCELL_EMULATOR_MEMORY", str(limit // 2))


def _limit(worker):
    """Parallel loops use the threads that Dask gave the worker, and not those of its neighbours."""
    from gridcell import _gridcell
    if "NUMBA_NUM_THREADS" not in os.environ:
        _, most = _gridcell.thread_count()
        _gridcell.set_thread_count(max(1, min(worker.state.nthreads, most)))


def _warm_up():
    """The first compilation of a process loads LLVM and the compiler's tables, the first function that comes what takes
    it apart, and NumPy its random numbers when they are named: not within a task's time."""
    import numpy.random
    import gridcell.landing
    import numba.core.pickling
    from numba import njit
    try:
        njit(lambda x: numpy.sqrt(x))(1.0)
    except Exception:
        pass  # a task will say it
