# SPDX-License-Identifier: MIT
"""Stands between a program and the launches of its kernels, while a magic looks at them."""
from gridcell import _gridcell

from .dispatcher import CUDADispatcher


class _Launch:
    """A launch configuration while somebody looks."""

    def __init__(self, kernel, items, launched):
        self._launch, self._launched = _gridcell.Kernel.__getitem__(kernel, items), launched
        self._kernel, self._items = kernel, items

    def __call__(self, *args, **kwargs):
        self._launched(self._kernel, self._items, args, kwargs)

    def __getattr__(self, name):
        return getattr(self._launch, name)


class Launches:
    """While it is open, each launch of a user's kernel is a call launched(kernel, items, args, kwargs) instead;
    items: grid, block, stream and shared memory, as far as the program gives them."""

    def __init__(self, launched):
        self._launched = launched

    def __enter__(self):
        def configure(kernel, items):
            return kernel_launch(kernel, items) if kernel._is_quiet else _Launch(kernel, items, self._launched)

        kernel_launch = CUDADispatcher.__getitem__
        CUDADispatcher.__getitem__ = configure
        return self

    def __exit__(self, *failure):
        del CUDADispatcher.__getitem__  # the base's is there again


def launch(kernel, items, args, kwargs):
    """The launch as it is without."""
    _gridcell.Kernel.__getitem__(kernel, items)(*args, **kwargs)
