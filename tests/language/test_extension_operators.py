"""Operators that a program gives its types are asked for by all that applies them: containers, tuples, sorted(), min(),
hash() and others; as those that it gives numbers, where they have none."""
import heapq
import operator

import pytest
from extension_values import named_type
from numba import int64, njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.experimental import jitclass, structref
from numba.extending import intrinsic, make_attribute_wrapper, overload, overload_method
from numba.typed import Dict, List

KeyType = named_type("Key", [("x", types.int64)])
make_attribute_wrapper(KeyType, "x", "x")


class Key:
    """Of the type that the program adds."""


@structref.register
class PartType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Part(structref.StructRefProxy):
    def __new__(cls, x):
        return structref.StructRefProxy.__new__(cls, x)


structref.define_proxy(Part, PartType, ["x"])


@jitclass([("x", int64)])
class Item:
    def __init__(self, x):
        self.x = x


@intrinsic
def make_key(typingctx, x):
    def build(context, builder, sig, args):
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.x = args[0]
        return made._getvalue()
    return KeyType()(types.int64), build


@overload(Key)
def key_of(x):
    return lambda x: make_key(x)


def is_ours(*kinds):
    return all(isinstance(kind, (KeyType, PartType)) or kind == Item.class_type.instance_type for kind in kinds)


def gives(function, made):
    @overload(function)
    def choose(a, b):
        if is_ours(a, b):
            return made


gives(operator.eq, lambda a, b: a.x == b.x)
gives(operator.lt, lambda a, b: a.x < b.x)
gives(operator.gt, lambda a, b: a.x > b.x)


@overload(operator.truth)
def is_true(a):
    if is_ours(a):
        return lambda a: a.x > 0


@overload_method(KeyType, "__hash__")
@overload_method(PartType, "__hash__")
def hash_of(a):
    return lambda a: hash(a.x)


@overload(hash)
def hash_of_item(a):
    if a == Item.class_type.instance_type:
        return lambda a: hash(a.x)


def removed(made):
    items = [made(3), made(2)]
    items.remove(made(2))
    return len(items), items[0].x


def in_order(made):
    items = [made(3), made(2)]
    items.sort()
    return items[0].x


def in_typed_order(made):
    items = List([made(3), made(2)])
    items.sort()
    return items[0].x


def from_heap(made):
    items = [made(3)]
    heapq.heappush(items, made(1))
    return heapq.heappop(items).x


def as_key(made):
    values = {made(1): 5}
    values[made(1)] = 6
    typed = Dict()
    typed[made(2)] = 1
    return len(values), values[made(1)], made(2) in typed, made(3) in typed


def as_member(made):
    members = {made(1), made(2)}
    members.add(made(2))
    return len(members), made(1) in members


USES = {
    "in a list": (lambda made: (made(3) in [made(1), made(3)], made(4) in [made(1)]), (True, False)),
    "index, count": (lambda made: ([made(1), made(3)].index(made(3)), [made(1), made(1)].count(made(1))), (1, 2)),
    "remove": (removed, (1, 3)), "sort": (in_order, 2), "a typed list's sort": (in_typed_order, 2), "heapq": (from_heap, 1),
    "lists": (lambda made: ([made(1)] == [made(1)], [made(1)] < [made(2)], [made(1)] == [made(2)]), (True, True, False)),
    "tuples": (lambda made: ((made(1), 2) == (made(1), 2), (made(1), made(2)) == (made(1), made(3))), (True, False)),
    "nested tuples": (lambda made: ((made(1), (made(2), 3)) == (made(1), (made(2), 3)), (1, (made(2),)) != (1, (made(2),))), (True, False)),
    "in a tuple": (lambda made: (made(2) in (made(1), made(2)), made(3) not in (made(1), made(2))), (True, True)),
    "in a typed list": (lambda made: (made(2) in List([made(1), made(2)]), List([made(1), made(2)]).index(made(2))), (True, 1)),
    "sorted": (lambda made: [item.x for item in sorted([made(3), made(2)])], [2, 3]),
    "sorted by a key": (lambda made: sorted([3, 2], key=lambda x: made(-x)), [3, 2]),
    "min, max of a list": (lambda made: (min([made(3), made(2)]).x, max([made(3), made(2)]).x), (2, 3)),
    "min, max of a tuple": (lambda made: (min((made(3), made(2))).x, max((made(3), made(2))).x), (2, 3)),
    "min, max": (lambda made: (min(made(3), made(2)).x, max(made(3), made(2)).x), (2, 3)),
    "not": (lambda made: (not made(0), not made(1), [1 for item in [made(0), made(1)] if not item]), (True, False, [1])),
    "truth": (lambda made: (len(list(filter(None, [made(0), made(1)]))), all([made(1), made(0)]), any([made(0)])), (1, False, False)),
    "hash": (lambda made: (hash(made(3)), hash((made(3), 1)) == hash((made(3), 1)), hash((made(3), 1)) == hash((made(2), 1))),
             (3, True, False)),
    "a dict's keys": (as_key, (1, 6, True, False)), "a set's members": (as_member, (2, True)),
}


@pytest.mark.parametrize("made", [Key, Part, Item])
@pytest.mark.parametrize("use", USES)
def test_operators_of_a_programs_types(use, made):
    function, wanted = USES[use]
    run = njit(function)
    assert njit(lambda: run(made))() == wanted


def test_what_no_operator_is_for():
    for function in (lambda: Key(1) + Key(2), lambda: sum([Key(1)], Key(2)).x, lambda: Key(1) == (Key(1), 2)[0] and Key(1) @ Key(1)):
        with pytest.raises(TypingError, match="No implementation of function"):
            njit(function)()


NUMBERS = """
import operator

from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import overload, overload_method


@overload(operator.lt)
def by_real_parts(a, b):
    if isinstance(a, types.Complex) and isinstance(b, types.Complex):
        return lambda a, b: a.real < b.real


@overload(operator.getitem)
def bit_of(x, i):
    if isinstance(x, types.Integer):
        return lambda x, i: (x >> i) & 1


@overload(operator.contains)
def has_bit(x, i):
    if isinstance(x, types.Integer):
        return lambda x, i: (x >> i) & 1 == 1


@overload(operator.or_)
def larger(a, b):
    if isinstance(a, types.Float) and isinstance(b, types.Float):
        return lambda a, b: max(a, b)


@overload(operator.add)
def not_asked(a, b):
    if isinstance(a, types.Integer) and isinstance(b, types.Integer):
        return lambda a, b: 1000


@overload_method(types.RangeType, "middle")
def middle_of(x):
    return lambda x: (x.start + x.stop) // 2


def refused(function, *args):
    try:
        njit(function)(*args)
    except TypingError as error:
        return str(error)


assert njit(lambda a, b: (a < b, min([a, b])))(2j + 3, 1j) == (False, 1j)
assert njit(lambda x: (x[0], x[1], 2 in x, 1 not in x))(5) == (1, 0, True, True)
assert njit(lambda a, b: a | b)(1.5, 2.5) == 2.5 and njit(lambda a, b: a | b)(1, 2) == 3
assert njit(lambda a, b: a + b)(1, 2) == 3 and njit(lambda: range(2, 8).middle())() == 5
assert refused(lambda x: x[0], 1.5)
assert "Unknown attribute 'end' of type range_state_int64" in refused(lambda: range(3).end)
"""


def test_operators_that_numbers_lack(run_python):
    """Those that they have stay theirs, as with numba. In a process of its own: all code would have these."""
    done = run_python("-m", "gridcell", code=NUMBERS)
    assert done.returncode == 0, done.stderr
