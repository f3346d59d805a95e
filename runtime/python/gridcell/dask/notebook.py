# SPDX-License-Identifier: MIT
"""What cells have to do with tasks: interrupting one cancels those that it has submitted, which would keep the workers
from what comes next; and what workers print appears in the cell that runs."""
import contextvars
import sys


def _pending(client):
    return {key for key, state in list(client.futures.items()) if state.status == "pending"}


class _Watch:
    """Which tasks there were when the cell began."""

    def __init__(self):
        self.before, self.context = {}, contextvars.copy_context()

    def _clients(self):
        from distributed import Client
        return [client for client in list(Client._instances) if client.status == "running"]

    def begin(self, *info):
        """Called at the start of a cell."""
        self.context = contextvars.copy_context()  # by which kernels know whose output it is
        self.before = {client: _pending(client) for client in self._clients()}

    def end(self, result=None):
        """Called at the end of a cell."""
        before, self.before = self.before, {}
        if isinstance(getattr(result, "error_in_exec", None), KeyboardInterrupt):
            for client in self._clients():
                _cancel(client, _pending(client) - before.get(client, set()))


def _cancel(client, keys):
    from distributed import Future
    if keys:
        client.cancel([Future(key, client) for key in keys], force=True)
        print(f"cancelled {len(keys)} task{'s'[:len(keys) != 1]} of the cluster", file=sys.stderr)


_watch = _Watch()


def show(event):
    """Prints what a worker has printed."""
    _, told = event
    file = sys.stderr if told.get("file") == 2 else sys.stdout
    _watch.context.run(print, *told["args"], sep=told["sep"], end=told["end"], file=file)


def follow_cells():
    """In a notebook, from now on."""
    _watch.begin()
    if "IPython" not in sys.modules and "_gridcell_kernel" not in sys.modules:
        return
    from IPython import get_ipython
    shell = get_ipython()
    if shell is not None:
        shell.events.register("pre_run_cell", _watch.begin)
        shell.events.register("post_run_cell", _watch.end)
