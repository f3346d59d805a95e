# SPDX-License-Identifier: MIT
"""What lists, sets and dicts take in: each way to put something in, for each pair of the types that are held and given.

The outcome is CPython's, a typing error, or, of a key that only its value shows to be none of the type, an
OverflowError. As in numba, items of lists and values of dicts are cast to narrower numbers of their kind.
"""
import re
import warnings

import numpy as np
import pytest
from conftest import WHOLE
from numba import njit
from numba.core import errors
from numba.typed import Dict, List

HELD = True, np.int8(7), 5, 2.5, (1, 2), (1.5, (True, 2))
GIVEN = ((True,), (1, 300, -3, 2**53 + 1), (np.uint64(3), np.uint64(2**63 + 5)), (2.0, 2.5), (2.5j,),
         ((1, 2), (5, 2**53 + 1)), ((1.0, 2.0), (2.5, 3.5)), ((2**53 + 1, (1, 2.5)),))

# c: what is held, or the container of it; o: what is given
ITEMS = {
    "append": "c.append(o)", "insert": "c.insert(0, o)", "extend": "c.extend([o])", "extend by a tuple": "c.extend((o,))",
    "+=": "c += [o]", "item": "c[0] = o", "slice": "c[0:1] = [o]", "slice of a tuple": "c[:] = (o, o)",
}
KEYS = {
    "add": "c.add(o)", "|": "c = c | {o}", "right |": "c = {o} | c", "^": "c = c ^ {o}", "|=": "c |= {o}", "^=": "c ^= {o}",
    "&": "c = c & {o}", "-": "c = c - {o}", "&=": "c &= {o}", "-=": "c -= {o}",
    "update": "c.update([o])", "update by a set": "c.update({o})", "update by a tuple": "c.update((o,))",
    "union": "c = c.union([o])", "symmetric_difference": "c = c.symmetric_difference({o})",
    "symmetric_difference_update": "c.symmetric_difference_update([o])", "intersection": "c = c.intersection([o])",
    "difference": "c = c.difference((o,))", "discard": "c.discard(o)",
}
DICT_KEYS = {
    "item": "c[o] = 2", "setdefault": "c.setdefault(o, 2)", "update": "c.update({o: 2})",
    "update by pairs": "c.update([(o, 2)])", "|": "c = c | {o: 2}", "|=": "c |= {o: 2}", "in": "c[next(iter(c))] = o in c",
    "get": "c[next(iter(c))] = c.get(o, 7)", "pop": "c.pop(o, 7)",
}
DICT_VALUES = {
    "item": "c[8] = o", "setdefault": "c.setdefault(8, o)", "update": "c.update({8: o})",
    "update by pairs": "c.update([(8, o)])", "|": "c = c | {8: o}", "|=": "c |= {8: o}",
}


def typed_list(x):
    made = List()
    made.append(x)
    return made


def typed_dict(key, value):
    made = Dict()
    made[key] = value
    return made


MADE_HERE = "[c for _ in range(1)]", "{c for _ in range(1)}", "{c: 1 for _ in range(1)}", "{1: c for _ in range(1)}"
# how the container is made: in the function of c, or before its call; its ways; whether they store keys
FORMS = {
    "list": (MADE_HERE[0], None, ITEMS, False), "set": (MADE_HERE[1], None, KEYS, True),
    "dict": (MADE_HERE[2], None, DICT_KEYS, True), "dict of values": (MADE_HERE[3], None, DICT_VALUES, False),
    "nested list": ("[[c]][0]", None, ITEMS, False),
    "given list": ("c", lambda x: [x], ITEMS, False), "given set": ("c", lambda x: {x}, KEYS, True),
    "typed list": ("c", typed_list, ITEMS, False), "typed dict": ("c", lambda x: typed_dict(x, 1), DICT_KEYS, True),
    "typed dict of values": ("c", lambda x: typed_dict(1, x), DICT_VALUES, False),
}
PLAIN = {"typed list": lambda x: [x], "typed dict": lambda x: {x: 1}, "typed dict of values": lambda x: {1: x}}


def plainly(c):
    if isinstance(c, (list, List)):
        return list(c)
    return dict(c) if isinstance(c, (dict, Dict)) else c


def numbers(x):
    return [n for part in x for n in numbers(part)] if isinstance(x, tuple) else [x]


RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def is_cast(got, held, given):
    """Whether an item is what numba makes of a given one: a narrower number of its kind, or of a wider kind."""
    def may_be(x, held, given):
        given = np.asarray(given)
        types = np.asarray(held).dtype, np.dtype(float), np.dtype(complex)
        return any(x == given.astype(t) for t in types if RANK[t.kind] >= RANK[given.dtype.kind])
    return all(map(may_be, numbers(got), numbers(held), numbers(given)))


def outcome(function, *args):
    try:
        return plainly(function(*args)), None
    except Exception as error:
        return None, error


def items(c):
    return c if isinstance(c, list) else list(c.values())


def check(plain, compiled, form, held, given, are_keys):
    make = FORMS[form][1] or (lambda x: x)
    want, meaningless = outcome(plain, PLAIN.get(form, make)(held), given)
    got, error = outcome(compiled, make(held), given)
    if isinstance(error, errors.TypingError):
        assert not re.search("internal|list_|set_part", str(error)), error
        return "refused"
    if meaningless or (are_keys and isinstance(error, OverflowError)):
        return "refused"
    assert error is None, (held, given, error)
    if got == want:
        return "same"
    assert not are_keys, (held, given, got, want)
    assert len(got) == len(want) and all(
        x == y or is_cast(x, held, y) for x, y in zip(items(got), items(want))), (held, given, got, want)
    return "cast"


def pairs(form):
    """Values of one shape: all of them, or for some forms of containers every third."""
    step = 1 if WHOLE and form in ("given list", "given set", "typed dict", "typed dict of values") else 3
    for i, held in enumerate(HELD):
        for values in GIVEN[i % step::step]:
            if isinstance(held, tuple) == isinstance(values[0], tuple):
                yield from ((held, given) for given in values)


CASES = [(form, way) for form, (_, _, ways, _) in FORMS.items() for way in ways]


@pytest.mark.sampled
@pytest.mark.parametrize("form, way", CASES, ids=[f"{form}: {way}" for form, way in CASES])
def test_what_is_taken_in(make, form, way):
    container, _, ways, are_keys = FORMS[form]
    plain = make(f"def f(c, o):\n    c = {container}\n    {ways[way]}\n    return c\n")
    compiled = njit(plain)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seen = {check(plain, compiled, form, held, given, are_keys) for held, given in pairs(form)}
    assert "refused" in seen or "same" in seen


@njit
def maybe(i):
    if i > 1:
        return None
    return i * 1.0


def in_lists():
    made = []
    for i in range(3):
        made.append(maybe(i))
    begun = [1.0]
    begun.append(maybe(9))
    begun.insert(0, maybe(0))
    begun.extend([maybe(9), maybe(1)])
    begun[0] = maybe(9)
    asked = made.count(maybe(5)), made.index(maybe(1)), maybe(5) in made, maybe(0) in begun
    begun.remove(maybe(5))
    return made, begun, [maybe(i) for i in range(3)], asked


def in_dicts():
    d = {}
    d[1] = maybe(0)
    d[2] = maybe(5)
    known = {"a": "x"}
    return (d[1], d[2], d.setdefault(3, maybe(5)), d.get(9, maybe(5)), d.pop(1, maybe(5)),
            [known.get(k) for k in ("a", "b")])


@pytest.mark.parametrize("function", [in_lists, in_dicts])
def test_what_may_be_none(function):
    assert njit(function)() == function()
