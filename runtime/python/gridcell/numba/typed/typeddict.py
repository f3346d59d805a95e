# SPDX-License-Identifier: MIT
"""numba.typed.Dict"""
from collections.abc import MutableMapping

from numba import typeof, types
from numba.core import config
from numba.core.decorators import always_jit as njit
from numba.typed.common import Container, delete_item, get_item, set_item


@njit
def _popitem(d):
    return d.popitem()


class Dict(Container, MutableMapping, metaclass=type("_Meta", (type(Container), type(MutableMapping)), {})):
    """A dict whose keys and values have one type each: Dict(), Dict.empty(key_type, value_type)."""
    _default_type = "DictType[Undefined,Undefined]<iv=None>"

    def __new__(cls, dcttype=None, *args, **options):
        if config.DISABLE_JIT:
            return {} if dcttype is None or isinstance(dcttype, types.DictType) else dict(dcttype)
        self = Container.__new__(cls)
        if isinstance(dcttype, types.DictType):
            self._begin(dcttype)
        return self

    def __init__(self, dcttype=None, meminfo=None, n_keys=0):
        if dcttype is not None and not isinstance(dcttype, types.DictType):
            self.update(dcttype)

    @classmethod
    def empty(cls, key_type, value_type, n_keys=0):
        return {} if config.DISABLE_JIT else cls._of(types.DictType(key_type, value_type))

    def _fill(self, items):
        for key, value in items:
            self[key] = value

    def _know(self, key, value):
        if not self._typed:
            self._begin(types.DictType(typeof(key), typeof(value)))

    @property
    def _dict_type(self):
        return self._numba_type_

    def __str__(self):
        return f"{{{', '.join(f'{key}: {value}' for key, value in self._snapshot())}}}"

    def __iter__(self):
        return iter([key for key, _ in self._snapshot()])

    def __getitem__(self, key):
        if not self._typed:
            raise KeyError(key)
        return get_item(self, key)

    def __setitem__(self, key, value):
        self._know(key, value)
        set_item(self, key, value)

    def __delitem__(self, key):
        if not self._typed:
            raise KeyError(key)
        delete_item(self, key)

    def __eq__(self, other):
        if not isinstance(other, (dict, Dict)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    def popitem(self):
        if not self._typed:
            raise KeyError("dictionary is empty")
        return _popitem(self)
