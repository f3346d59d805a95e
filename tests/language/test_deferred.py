# SPDX-License-Identifier: MIT
"""Types that are defined after the class that has fields of them: of every kind, and within others."""
import numpy as np
import pytest

import numba
from numba import deferred_type, njit, optional, types
from numba.experimental import jitclass

KINDS = [
    (types.int64, 3, 4), (types.int8, 3, -4), (types.uint16, 3, 65535), (types.float64, 2.5, 3.5),
    (types.float32, 2.5, 3.5), (types.complex128, 1j, 2j), (types.complex64, 1j, 2j), (types.boolean, True, False),
    (types.unicode_type, "a", "bcd\0é"), (types.float64[:], np.ones(2), np.zeros(3)), (types.none, None, None),
    (types.UniTuple(types.int64, 2), (1, 2), (3, 4)), (types.Tuple((types.int8, types.unicode_type)), (1, "a"), (3, "b")),
    (types.ListType(types.int64), numba.typed.List([1, 2]), numba.typed.List([3])),
    (types.NPDatetime("D"), np.datetime64("2020-01-01"), np.datetime64("2021-01-01")),
    (types.DictType(types.int64, types.float64), numba.typed.Dict.empty(types.int64, types.float64),
     numba.typed.Dict.empty(types.int64, types.float64)),
]


def same(a, b):
    if isinstance(a, np.ndarray):
        return a.tolist() == b.tolist()
    return all(map(same, a, b)) and len(a) == len(b) if isinstance(a, tuple) else a == b


def holder(field):
    @jitclass([("before", types.int8), ("x", field), ("after", types.int64)])
    class Holder:
        def __init__(self, x):
            self.before, self.x, self.after = 7, x, 9

        def get(self):
            return self.x

        def put(self, value):
            self.x = value
    return Holder


def check(class_, value, other):
    held = class_(value)
    assert same(held.x, value) and same(held.get(), value)
    held.x = other
    assert same(held.get(), other)
    held.put(value)
    assert same(held.x, value)

    @njit
    def swap(held, other):
        new = class_(other)
        old = held.x
        held.x = new.x
        return old, held.get(), held.before + new.before, held.after + new.after
    old, now, *around = swap(held, other)
    assert same(old, value) and same(now, other) and same(held.x, other) and around == [14, 18]


@pytest.mark.parametrize("kind, value, other", KINDS, ids=lambda x: str(x) if isinstance(x, types.Type) else "")
@pytest.mark.parametrize("is_defined_before", [False, True])
def test_every_kind(kind, value, other, is_defined_before):
    for meaning, field, a, b in [
            (kind, lambda d: d, value, other), (kind, optional, value, other), (optional(kind), lambda d: d, value, None),
            (kind, lambda d: types.Tuple((types.int8, d)), (1, value), (2, other)),
            (kind, lambda d: optional(types.Tuple((d, types.int64))), (value, 1), None)]:
        deferred = deferred_type()
        if is_defined_before:
            deferred.define(meaning)
        class_ = holder(field(deferred))
        if not is_defined_before:
            deferred.define(meaning)
        check(class_, a, b)


def test_a_deferred_type_that_means_another():
    first, second = deferred_type(), deferred_type()
    class_ = holder(types.Tuple((first, second)))
    first.define(optional(second))
    with pytest.raises(RuntimeError, match="deferred type not defined"):
        class_((1.5, 2.5))
    second.define(types.float32)
    check(class_, (1.5, 2.5), (None, 3.5))


def test_what_is_not_defined():
    deferred = deferred_type()
    class_ = holder(optional(deferred))
    with pytest.raises(RuntimeError, match="deferred type not defined"):
        class_(None)
    with pytest.raises(numba.TypingError, match="deferred type that .* is not defined: call its method define"):
        njit(lambda: class_(None).after)()
    for meaning in (deferred, optional(deferred), types.Tuple((types.int64, deferred)), 3, None):
        with pytest.raises(TypeError, match="cannot be defined as"):
            deferred.define(meaning)
    deferred.define(types.int64)
    check(class_, 3, None)
    with pytest.raises(TypeError, match="cannot be defined as"):
        deferred.define(types.float64)
