# SPDX-License-Identifier: MIT
"""numba.typed.Set"""
from collections.abc import MutableSet

from gridcell import _gridcell
from numba import typeof, types
from numba.core import config
from numba.core.decorators import always_jit as njit
from numba.typed.common import Container


@njit
def _add(s, item):
    s.add(item)


@njit
def _pop(s):
    return s.pop()


@njit
def _discard(s, item):
    s.discard(item)


class Set(Container, MutableSet, metaclass=type("_Meta", (type(Container), type(MutableSet)), {})):
    """A set whose items have one type: Set(type), Set(iterable)."""
    _default_type = "SetType[Undefined]"

    def __new__(cls, items=None):
        if config.DISABLE_JIT:
            return set() if items is None or isinstance(items, _gridcell.Type) else set(items)
        return super().__new__(cls)

    def __init__(self, items=None):
        if isinstance(items, _gridcell.Type):
            self._begin(types.SetType(items))
        elif items is not None:
            self._fill(items)

    @classmethod
    def empty(cls, item_type, n_keys=0):
        return set() if config.DISABLE_JIT else cls._of(types.SetType(item_type))

    @classmethod
    def _from_iterable(cls, items):
        return cls(items)

    def _fill(self, items):
        for item in items:
            self.add(item)

    def __str__(self):
        return f"{{{', '.join(map(str, self._snapshot()))}}}"

    def add(self, item):
        if not self._typed:
            self._begin(types.SetType(typeof(item)))
        _add(self, item)

    def discard(self, item):
        if self._typed:
            _discard(self, item)

    def pop(self):
        if not self._typed:
            raise KeyError("pop from an empty set")
        return _pop(self)

    def update(self, *others):
        for other in others:
            self._fill(other)
