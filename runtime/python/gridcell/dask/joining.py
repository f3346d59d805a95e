# SPDX-License-Identifier: MIT
"""A client's cluster is made ready: versions compared, plugins registered, code shared with the client, too."""
import functools
import weakref

from gridcell.dask import versions
from gridcell.dask.exchange import Exchange
from gridcell.dask.notebook import show
from gridcell.dask.plugins import CodeOnScheduler, GridcellOnWorker, is_worker_of

_joined = weakref.WeakKeyDictionary()  # client -> Exchange or None


async def _join(client):
    address = client.scheduler.address
    if client in _joined or is_worker_of(address):  # a client inside a task: its worker is ready
        return
    versions.compare(await client._get_versions(packages=["numpy"]))
    version = versions.own_gridcell()
    try:
        # what the scheduler takes apart and what it hands out refer to our modules: it comes first
        await client._register_scheduler_plugin(CodeOnScheduler(version), CodeOnScheduler.name, True)
        await client._register_worker_plugin(GridcellOnWorker(version), GridcellOnWorker.name, True)
    except ModuleNotFoundError as error:
        raise versions.as_missing(error) from error
    client.subscribe_topic("print", show)
    is_here = address.startswith("inproc://") or _has_scheduler_here(address)
    _joined[client] = None if is_here else Exchange.join(address, client.connection_args, client.id)


def _has_scheduler_here(address):
    from distributed import Scheduler
    return any(scheduler.address == address for scheduler in Scheduler._instances)


def join_all(client_class):
    """Has every client of the process join, those that are there and those to come."""
    original = client_class._start
    if getattr(original, "_joins", False):
        return

    @functools.wraps(original)
    async def start(self, *args, **options):
        result = await original(self, *args, **options)
        try:
            await _join(self)
        except versions.ClusterError:
            await self._close(fast=True)
            raise
        return result

    start._joins = True
    client_class._start = start
    for client in list(client_class._instances):
        if client.status == "running" and not client.asynchronous:
            client.sync(_join, client)


def active():
    """A dict for each client: its scheduler, and how many pieces of code came from there and went there."""
    return [{"scheduler": client.scheduler.address,
             "fetched": exchange.fetched if exchange else 0, "offered": exchange.offered if exchange else 0}
            for client, exchange in _joined.items() if client.status == "running"]
