# SPDX-License-Identifier: MIT
"""Code that one process compiles for all of its kind: kept by the scheduler, by the hash of its content.

A process that needs code which nobody has yet is told to compile it; who asks for the same meanwhile waits for
it. Names hold the processor's features and the build, so that code never comes to another kind of machine.
"""
import asyncio
import os
import threading
from collections import OrderedDict

MOST_BYTES = 256 << 20   # that the scheduler keeps
WAIT_S = 20              # for another process's compilation; then one compiles for itself
CALL_S = 5               # for the scheduler's answer beyond that


def _content_name(name):
    """The part of a file's name that is a hash: the label before it is for people."""
    return name.rsplit("-", 1)[-1]


class Shelf:
    """On the scheduler: the code, and who is compiling what."""

    def __init__(self):
        self.code = OrderedDict()   # name -> bytes; those used last at the end
        self.size_bytes = 0
        self.claims = {}            # name -> (who, event)
        self.counts = {"compiled": 0, "fetched": 0}

    async def fetch(self, name, who):
        """The bytes; None: `who` is to compile it."""
        ends = asyncio.get_running_loop().time() + WAIT_S
        while name not in self.code:
            owner, event = self.claims.get(name, (who, None))
            remaining = ends - asyncio.get_running_loop().time()
            if owner == who or remaining <= 0:
                self.claims[name] = who, event or asyncio.Event()
                return None
            try:
                await asyncio.wait_for(event.wait(), remaining)
            except asyncio.TimeoutError:
                pass
        self.code.move_to_end(name)
        self.counts["fetched"] += 1
        return self.code[name]

    async def offer(self, name, content):
        """Keeps what was compiled."""
        if name not in self.code:
            self.counts["compiled"] += 1
            self.code[name] = content
            self.size_bytes += len(content)
            while self.size_bytes > MOST_BYTES and len(self.code) > 1:
                self.size_bytes -= len(self.code.popitem(last=False)[1])
        self._release(name)

    def _release(self, name):
        _, event = self.claims.pop(name, (None, None))
        if event:
            event.set()

    def forget(self, who):
        """A process is gone: what it was compiling, another one does."""
        for name in [name for name, (owner, _) in self.claims.items() if owner == who]:
            self._release(name)


class Exchange:
    """In a worker or client: the way to the shelf, with a thread and a connection of its own.

    Code is compiled in threads of tasks, and in the thread of the worker's own loop, which could not wait for
    an answer that it has to receive itself.
    """

    _current = None

    def __init__(self, address, connection_args, who):
        self.address, self.connection_args, self.who = address, connection_args, who
        self.fetched = self.offered = 0
        self._pid, self._rpc, self._claimed = os.getpid(), None, set()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="gridcell code", daemon=True).start()

    @classmethod
    def join(cls, address, connection_args, who):
        """Shares this process's code with the cluster from now on; the last cluster that was joined counts."""
        import numba  # the compiler is loaded now, not within the first task
        from gridcell import _gridcell
        if cls._current:
            cls._current.leave()
        cls._current = exchange = cls(address, connection_args, who)
        _gridcell.share_code(exchange.fetch, exchange.offer)
        return exchange

    def leave(self):
        """Shares nothing any more."""
        from gridcell import _gridcell
        if Exchange._current is self:
            Exchange._current = None
            _gridcell.share_code(None, None)
        if self._pid == os.getpid():
            self._loop.call_soon_threadsafe(self._loop.stop)

    async def _ask(self, operation, arguments):
        from distributed.core import rpc
        if self._rpc is None:
            self._rpc = rpc(self.address, connection_args=self.connection_args)
        return await getattr(self._rpc, operation)(**arguments)

    def _call(self, operation, timeout, **arguments):
        if self._pid != os.getpid():
            return None  # a fork, which has no thread of ours
        future = asyncio.run_coroutine_threadsafe(self._ask(operation, arguments), self._loop)
        try:
            return future.result(timeout)
        except Exception:  # the scheduler is gone or busy: what is compiled here runs as well
            future.cancel()
            return None

    def fetch(self, name):
        """The bytes of a file that another process has written, or None."""
        name = _content_name(name)
        if name in self._claimed:
            return None
        content = self._call("gridcell_fetch", WAIT_S + CALL_S, name=name, who=self.who)
        if content is None:
            self._claimed.add(name)
        else:
            self.fetched += 1
        return content

    def offer(self, name, content):
        """Gives a file to the others."""
        name = _content_name(name)
        self._claimed.discard(name)
        self.offered += 1
        self._call("gridcell_offer", CALL_S, name=name, content=content)
