# SPDX-License-Identifier: MIT
"""numba.core.serialize: pickling as libraries use it. Functions of gridcell pickle by themselves, by pickle and
cloudpickle."""
import io
import pickle

try:
    from cloudpickle import CloudPickler as _Pickler
except ModuleNotFoundError:  # functions are pickled by their names then
    from pickle import Pickler as _Pickler

_PROTOCOL = 4
loads = pickle.loads


class NumbaPickler(_Pickler):
    """What dumps() pickles with; objects of classes that disable_pickling() named are refused."""

    _refused = set()

    def reducer_override(self, obj):
        """What stands for an object."""
        if type(obj) in self._refused:
            raise pickle.PicklingError(f"Pickling of {type(obj)} is unsupported")
        above = getattr(super(), "reducer_override", None)
        return above(obj) if above else NotImplemented


def dumps(obj):
    """The bytes that loads() makes the object of again."""
    with io.BytesIO() as buffer:
        NumbaPickler(buffer, protocol=_PROTOCOL).dump(obj)
        return buffer.getvalue()


def is_serializable(obj):
    """Whether dumps() takes the object."""
    try:
        dumps(obj)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True


def disable_pickling(typ):
    """Has dumps() refuse objects of a class; a decorator of it."""
    NumbaPickler._refused.add(typ)
    return typ


_unpickled = {}  # what _numba_unpickle gave, by address and hash


def _numba_unpickle(address, bytedata, hashed):
    """The object of the bytes; the same for the same address and hash."""
    key = address, hashed
    if key not in _unpickled:
        _unpickled[key] = pickle.loads(bytedata)
    return _unpickled[key]


def _rebuild(cls, states):
    return cls._rebuild(**states)


def custom_reduce(cls, states):
    """What __reduce__ gives for an object of a class that cls._rebuild(**states) makes again."""
    return _rebuild, (cls, states)


def _rebuild_reduction(cls, *args):
    return cls._rebuild(*args)


class ReduceMixin:
    """Base of classes whose objects are pickled as a dict of states, from which the class makes them again."""

    def _reduce_states(self):
        raise NotImplementedError(f"{type(self).__name__}._reduce_states() says what is pickled")

    @classmethod
    def _rebuild(cls, **states):
        raise NotImplementedError(f"{cls.__name__}._rebuild(**states) makes an object of what was pickled")

    def _reduce_class(self):
        return type(self)

    def __reduce__(self):
        return custom_reduce(self._reduce_class(), self._reduce_states())


class PickleCallableByPath:
    """A function that is pickled by its module and name."""

    def __init__(self, fn):
        self._fn = fn

    def __call__(self, *args, **kwargs):
        return self._fn(*args, **kwargs)

    def __reduce__(self):
        return type(self)._rebuild, (self._fn.__module__, self._fn.__qualname__)

    @classmethod
    def _rebuild(cls, modname, fn_path):
        import importlib
        import operator
        return cls(operator.attrgetter(fn_path)(importlib.import_module(modname)))


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
