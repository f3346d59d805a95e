# SPDX-License-Identifier: MIT
"""Signatures as objects: of functions and methods, with changes, by value."""
import inspect
import pickle

import pytest

from numba import types
from numba.core.typing import signature

PLAIN = signature(types.int64, types.float64, types.int32)


def test_a_method_is_of_the_first_argument():
    method = PLAIN.replace(pysig=inspect.signature(lambda a, b: 0)).as_method()
    assert (method.recvr, method.args, str(method.pysig)) == (types.float64, (types.int32,), "(b)")
    assert method.is_method and not PLAIN.is_method
    assert method.as_function() == PLAIN and method.as_method() is method and PLAIN.as_function() is PLAIN
    assert PLAIN.as_method().pysig is None
    assert signature(types.int64, types.int8, recvr=types.float32).recvr == types.float32
    with pytest.raises(ValueError, match="no argument that a method could be of"):
        signature(types.int64).as_method()


def test_copies_differ_in_what_is_told():
    other = PLAIN.replace(return_type=types.complex64)
    assert other.return_type == types.complex64 and other.args == PLAIN.args and other != PLAIN
    assert PLAIN.replace(args=(types.int8,)) == signature(types.int64, types.int8) and PLAIN.replace() == PLAIN
    assert PLAIN.replace(recvr=types.int8) != PLAIN and hash(PLAIN.replace(recvr=types.int8)) == hash(PLAIN)
    for mistaken in (lambda: PLAIN.replace(nothing=1), lambda: PLAIN.replace(types.int8)):
        with pytest.raises(TypeError):
            mistaken()


def test_by_value_and_precision():
    method = PLAIN.as_method()
    copied = pickle.loads(pickle.dumps(method))
    assert copied == method and copied.recvr == types.float64
    assert PLAIN.is_precise() and not signature(types.int64, types.pyobject).is_precise()
    assert not signature(types.pyobject).is_precise()
