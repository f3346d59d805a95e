# SPDX-License-Identifier: MIT
"""Stands between a program and the launches of its kernels, while a magic looks at them."""
from gridcell import _gridcell


class Launches:
    """While it is open, each launch of a user's kernel is a call launched(configuration, args, kwargs) instead, also by
    configurations that were made before, and on any thread."""

    def __init__(self, launched):
        self._launched = launched

    def __enter__(self):
        self._before = _gridcell.launches_watch(self._launched)
        return self

    def __exit__(self, *failure):
        _gridcell.launches_watch(self._before)


def items_of(configuration):
    """What stands between the brackets: grid, block, stream, bytes of shared memory."""
    return configuration.griddim, configuration.blockdim, configuration.stream, configuration.sharedmem


def launch(configuration, args, kwargs):
    """The launch as it is without."""
    configuration._run(*args, **kwargs)
