# SPDX-License-Identifier: MIT
"""What the typed containers have in common."""
from types import GenericAlias

from gridcell import _gridcell
from numba.core.decorators import always_jit as njit
from numba.core.pickling import name_landing


@njit
def _length(c):
    return len(c)


@njit
def _contains(c, item):
    return item in c


@njit
def _clear(c):
    c.clear()


@njit
def _copy(c):
    return c.copy()


@njit
def get_item(c, key):
    return c[key]


@njit
def set_item(c, key, value):
    c[key] = value


@njit
def delete_item(c, key):
    del c[key]


class Compiled(type):
    """The class of classes that compiled code knows by a name."""

    @property
    def __gridcell_builtin__(cls):
        return f"typed.{cls.__name__}"


class Container(_gridcell.TypedObject, metaclass=Compiled):
    """A container whose items have one type, known at the start or from the first item."""
    __hash__ = None
    _default_type = ""
    __class_getitem__ = classmethod(GenericAlias)  # annotations: List[int]

    @classmethod
    def _of(cls, container_type):
        self = cls.__new__(cls)
        self._begin(container_type)
        return self

    @property
    def _numba_type_name(self):
        return str(self._numba_type_) if self._typed else self._default_type

    def __repr__(self):
        return f"{self._numba_type_name}({self})"

    def __iter__(self):
        return iter(self._snapshot())

    def __reduce__(self):
        return _restore, (type(self), self._numba_type_ if self._typed else None, self._snapshot())

    def __len__(self):
        return _length(self) if self._typed else 0

    def __contains__(self, item):
        return _contains(self, item) if self._typed else False

    def clear(self):
        if self._typed:
            _clear(self)

    def copy(self):
        return _copy(self) if self._typed else type(self)()

    def __copy__(self):
        return self.copy()


def _restore(cls, container_type, items):
    self = cls() if container_type is None else cls._of(container_type)
    self._fill(items)
    return self


name_landing(_restore)
