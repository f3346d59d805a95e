"""An argument of every type that a compiled function takes, by name: ours and numba's alike."""
import array as pyarray
import collections
import ctypes
import enum

import numpy as np
from numba import from_dtype, int64, njit, typed, types
from numba.experimental import jitclass

Point = collections.namedtuple("Point", "x y")
Pair = collections.namedtuple("Pair", "first second")
record = np.dtype([("x", np.float64), ("y", np.int64)])
nested = np.dtype([("x", np.float64), ("inner", record)], align=True)


class Color(enum.Enum):
    RED = 1


class Number(enum.IntEnum):
    ONE = 1


@jitclass([("x", int64)])
class Holder:
    def __init__(self):
        self.x = 1


@njit
def plain(a):
    return 0


def typed_dict():
    made = typed.Dict.empty(types.int64, types.float64)
    made[1] = 1.5
    return made


def arguments():
    """(name, value) in an order that does not matter."""
    a = np.arange(6.0)
    read_only = np.arange(6.0)
    read_only.flags.writeable = False
    yield from {
        "nothing": None, "int": 5, "large int": 2**63, "float": 1.5, "bool": True, "complex": 2j, "str": "text",
        "bytes": b"text", "slice": slice(1, 5), "bytearray": bytearray(b"text"), "memoryview": memoryview(b"text"),
        "array of Python": pyarray.array("d", [1.5, 2.5]),
        "array": a, "matrix": a.reshape(2, 3), "Fortran's": np.asfortranarray(a.reshape(2, 3)), "strided": a[::2],
        "read-only": read_only, "0-d": np.array(1.5), "int8 array": np.zeros(3, np.int8), "bool array": np.zeros(3, bool),
        "complex array": np.zeros(3, complex), "datetimes": np.zeros(3, "M8[s]"), "texts": np.array(["ab", "c"]),
        "records": np.zeros(3, record), "nested records": np.zeros(3, nested), "record": np.zeros(3, record)[0],
        "np.int32": np.int32(3), "np.int64": np.int64(3), "np.uint8": np.uint8(3), "np.float32": np.float32(3),
        "np.float64": np.float64(3), "np.bool": np.bool_(True), "np.complex64": np.complex64(3),
        "datetime64": np.datetime64("2020-01-01", "s"), "timedelta64": np.timedelta64(3, "D"),
        "empty tuple": (), "tuple": (1, 2), "mixed tuple": (1, 2.5, True), "tuple of arrays": (a, a),
        "tuple of tuples": ((1, 2), (3.5, 4)), "named tuple": Point(1, 2.5), "named tuple of arrays": Pair(a, a),
        "list": [1, 2, 3], "list of floats": [1.5, 2.5], "list of tuples": [(1, 2), (3, 4)], "long list": list(range(100)),
        "set": {1, 2, 3}, "set of texts": {"a", "b"}, "long set": set(range(100)), "dict": {1: 2.5, 3: 4.5}, "typed list": typed.List([1, 2, 3]),
        "typed dict": typed_dict(), "object": Holder(), "enum": Color.RED, "int enum": Number.ONE, "function": plain,
        "dtype": np.dtype(np.float64), "generator of numbers": np.random.default_rng(1),
    }.items()


def several():
    """(name, values) of calls with more than one argument."""
    a, records = np.arange(6.0), np.zeros(3, record)
    return {"two ints": (1, 2), "five numbers": (1, 2.5, True, 2j, 3), "two arrays": (a, a), "two records": (records, records),
            "array and int": (a, 3), "eight arrays": (a,) * 8}
