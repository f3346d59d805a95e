# SPDX-License-Identifier: MIT
"""numba.typed.List"""
import builtins
from collections.abc import MutableSequence

from numba import typeof, types
from numba.core import config
from numba.core.decorators import always_jit as njit
from numba.typed.common import Container, delete_item, get_item, set_item

_SHOWN = 1000  # items at most, where IPython shows a list


@njit
def _append(l, item):
    l.append(item)


@njit
def _insert(l, i, item):
    l.insert(i, item)


@njit
def _pop(l, i):
    return l.pop(i)


@njit
def _extend(l, iterable):
    l.extend(iterable)


@njit
def _remove(l, item):
    l.remove(item)


@njit
def _reverse(l):
    l.reverse()


@njit
def _count(l, item):
    return l.count(item)


@njit
def _index(l, item, start, stop):
    return l.index(item, start, stop)


@njit
def _equal(a, b):
    return a == b


@njit
def _less(a, b):
    return a < b


@njit
def _sort(l, key, reverse):
    l.sort(key=key, reverse=reverse)


class List(Container):
    """A list whose items have one type: List(), List(iterable), List.empty_list(type)."""
    _default_type = "ListType[Undefined]"

    def __new__(cls, *args, lsttype=None, meminfo=None, allocated=0, **options):
        if config.DISABLE_JIT:
            return list(*args)
        self = super().__new__(cls)
        if lsttype is not None:
            self._begin(lsttype)
        return self

    def __init__(self, *args, lsttype=None, meminfo=None, allocated=0):
        if len(args) > 1:
            raise TypeError(f"List() expected at most 1 argument, got {len(args)}")
        if args:
            self._fill(args[0])

    @classmethod
    def empty_list(cls, item_type, allocated=0):
        return [] if config.DISABLE_JIT else cls._of(types.ListType(item_type))

    def _fill(self, items):
        for item in items:
            self.append(item)

    def _know(self, item):
        if not self._typed:
            self._begin(types.ListType(typeof(item)))

    @property
    def _dtype(self):
        return self._numba_type_.item_type

    @property
    def _list_type(self):
        return self._numba_type_

    def _allocated(self):
        return len(self)

    def __str__(self):
        items = self._snapshot()
        shown = len(items) if not hasattr(builtins, "get_ipython") else _SHOWN
        return f"[{', '.join(map(str, items[:shown]))}{', ...' * (len(items) > shown)}]"

    def __array__(self, dtype=None, copy=None):
        import numpy
        return numpy.array(self._snapshot(), dtype)

    def __getitem__(self, index):
        if not self._typed:
            raise IndexError("list index out of range")
        return get_item(self, index)

    def __setitem__(self, index, item):
        if not self._typed:
            raise IndexError("list assignment index out of range")
        set_item(self, index, item)

    def __delitem__(self, index):
        if not self._typed:
            raise IndexError("list assignment index out of range")
        delete_item(self, index)

    getitem_unchecked = __getitem__

    def append(self, item):
        self._know(item)
        _append(self, item)

    def insert(self, index, item):
        self._know(item)
        _insert(self, index, item)

    def extend(self, iterable):
        items = iterable if isinstance(iterable, List) else list(iterable)
        if len(items):
            self._know(items[0])
            _extend(self, items)

    def __iadd__(self, iterable):
        self.extend(iterable)
        return self

    def pop(self, index=-1):
        if not self._typed:
            raise IndexError("pop from empty list")
        return _pop(self, index)

    def remove(self, item):
        if not self._typed:
            raise ValueError("list.remove(x): x not in list")
        _remove(self, item)

    def reverse(self):
        if self._typed:
            _reverse(self)

    def count(self, item):
        return _count(self, item) if self._typed else 0

    def index(self, item, start=0, stop=9223372036854775807):
        if not self._typed:
            raise ValueError(f"{item!r} is not in list")
        return _index(self, item, start, stop)

    def sort(self, key=None, reverse=False):
        if self._typed:
            if key is not None and not hasattr(key, "py_func"):
                key = njit(key)
            _sort(self, key, reverse)

    def __eq__(self, other):
        if isinstance(other, List) and self._typed and other._typed:
            return _equal(self, other)
        return list(self) == list(other) if isinstance(other, (list, List)) else NotImplemented

    def __lt__(self, other):
        return list(self) < list(other) if isinstance(other, (list, List)) else NotImplemented

    def __gt__(self, other):
        return list(self) > list(other) if isinstance(other, (list, List)) else NotImplemented

    def __le__(self, other):
        return list(self) <= list(other) if isinstance(other, (list, List)) else NotImplemented

    def __ge__(self, other):
        return list(self) >= list(other) if isinstance(other, (list, List)) else NotImplemented


MutableSequence.register(List)
