"""jitclass: objects that Python and compiled code share."""
import gc

import numpy as np
import pytest
from conftest import resident
from numba import float32, float64, int32, int64, njit, types
from numba.core import errors
from numba.experimental import jitclass

BAG = """
@jitclass([('value', int32), ('array', float32[:])])
class Bag:
    def __init__(self, value):
        self.value = value
        self.array = np.zeros(value, dtype=np.float32)

    @property
    def size(self):
        return self.array.size

    @size.setter
    def size(self, n):
        self.array = np.ones(n, dtype=np.float32)

    def increment(self, val=1):
        for i in range(self.size):
            self.array[i] += val
        return self.array

    @staticmethod
    def add(x, y):
        return x + y
"""


@pytest.fixture
def bag(make):
    return make(BAG, name="Bag", jitclass=jitclass, int32=int32, float32=float32)


def test_in_python(bag):
    b = bag(3)
    assert (b.value, b.size, list(b.increment(2)), bag.add(2, 3), b.add(1, 1)) == (3, 3, [2, 2, 2], 5, 2)
    b.value = 7
    b.size = 2
    b.array[0] = 5
    assert b.value == 7 and list(b.array) == [5, 1] and list(b.increment()) == [6, 2]
    mine = np.arange(4, dtype=np.float32)
    b.array = mine
    assert b.array is mine
    del mine
    gc.collect()
    assert list(b.array) == [0, 1, 2, 3]
    assert repr(b).startswith("<numba.experimental.jitclass.boxing.Bag object at 0x") and isinstance(b, bag)
    with pytest.raises(AttributeError, match="'Bag' object has no attribute 'valuex'"):
        b.valuex
    with pytest.raises(AttributeError, match="'Bag' object has no attribute 'valuex'"):
        b.valuex = 3
    with pytest.raises(TypeError):
        b.array = "no"


def test_in_compiled_code(bag, make):
    f = njit(make("def f(b, n):\n    b.value += n\n    b.size = 4\n    c = Bag(n)\n    c.increment(val=3)\n"
                  "    return b, c, b.size + c.size, Bag.add(b.value, 1), c.add(1, 2)\n", Bag=bag))
    b = bag(3)
    got, made, size, total, three = f(b, 2)
    assert got is b and b.value == 5 and size == 6 and total == 6 and three == 3 and list(made.array) == [3, 3]
    g = njit(make("def f(b):\n    return b.nothing\n"))
    with pytest.raises(errors.TypingError, match="Unknown attribute 'nothing'"):
        g(b)
    h = njit(make("def f(n):\n    l = [Bag(i) for i in range(n)]\n    l.append(l[0])\n    l[0].value = 50\n"
                  "    s = 0\n    for b in l:\n        s += b.value\n    return l, s\n", Bag=bag))
    made, total = h(3)
    assert total == 103 and made[0] is made[3] and made[1].value == 1


VECTOR = """
@jitclass
class Vector:
    x: float
    y: float
    name: str
    tags: List[int]

    def __init__(self, x, y):
        self.x = x
        self.y = y
        self.name = 'v'

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __hash__(self):
        return hash(self.x)

    def __getitem__(self, i):
        return self.y if i else self.x

    def __setitem__(self, i, value):
        if i:
            self.y = value
        else:
            self.x = value

    def __len__(self):
        return 2

    def __contains__(self, value):
        return value == self.x or value == self.y

    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5

    def tag(self, n):
        self.tags.append(n)
        self.name += str(n)
        return self
"""


def test_operators(make):
    from typing import List
    vector = make(VECTOR, name="Vector", jitclass=jitclass, List=List)
    a, b = vector(1, 2), vector(3.0, 4.0)
    c = a + b
    assert (c.x, c.y, (a * 2).y, (-a).x, a == vector(1, 2), a != b, a[1], len(a), 2.0 in a) == (
        4, 6, 4, -1, True, True, 2, 2, True)
    a[0] = 9
    assert a.x == 9 and b.norm() == 5 and a.tag(1).tag(2) is a and a.name == "v12" and list(a.tags) == [1, 2]
    f = njit(make("def f(a, b):\n    c = a + b * 2 + 3 * a\n    c[1] = -c[0]\n    d = {1: c}\n"
                  "    return c, c == a, c != b, -c, len(c), 1.0 in c, c is a, c.tag(5).name, d[1] is c, not c\n"))
    got = f(b, b)
    assert (got[0].x, got[0].y) == (18, -18) and got[3].x == -18
    assert got[1:3] == (False, True) and got[4:] == (2, False, False, "v5", True, False)


CLASSES = """
@jitclass({'n': int64})
class Base:
    def __init__(self, n):
        self.n = n

    def double(self):
        return 2 * self.get()

    def get(self):
        return self.n

@jitclass({'m': int64})
class Derived(Base):
    def __init__(self, n, m):
        Base.__init__(self, n)
        self.m = m

    def get(self):
        return self.n + self.m

@jitclass({'a': Base.class_type.instance_type, 'k': float64})
class Holder:
    def __init__(self, a, wants):
        if wants:
            self.a = a

    def use(self):
        self.a.n += 1
        return self.a.double()

def classes():
    return Base, Derived, Holder
"""


def test_inheritance_and_objects_in_objects(make):
    base, derived, holder = make(CLASSES, name="classes", jitclass=jitclass, int64=int64, float64=float64)()
    d, b = derived(3, 4), base(5)
    assert (d.double(), d.n, b.double(), isinstance(d, base), d.m) == (14, 3, 10, True, 4)
    h = holder(b, True)
    assert h.a is b and h.use() == 12 and b.n == 6 and h.k == 0
    empty = holder(b, False)
    with pytest.raises(AttributeError, match="not set yet"):
        empty.a
    with pytest.raises(RuntimeError, match="not set yet"):
        empty.use()


LINKED = """
node_type = deferred_type()

@jitclass([('data', int64), ('next', optional(node_type))])
class Node:
    def __init__(self, data, next):
        self.data = data
        self.next = next

    def prepend(self, data):
        return Node(data, self)

node_type.define(Node.class_type.instance_type)
"""


def test_linked_list(make):
    node = make(LINKED, name="Node", jitclass=jitclass, int64=int64, deferred_type=types.deferred_type,
                optional=types.optional)
    f = njit(make("def f(n):\n    head = Node(0, None)\n    for i in range(1, n):\n        head = head.prepend(i)\n"
                  "    return head\n", Node=node))
    total = njit(make("def f(node):\n    s = node.data\n    while node.next is not None:\n        node = node.next\n"
                      "        s += node.data\n    return s\n"))
    head = f(5)
    assert head.data == 4 and head.next.next.data == 2 and total(head) == 10
    assert head.next.next.next.next.next is None and node(7, head).next is head


def test_nothing_leaks(bag, make):
    f = njit(make("def f(n):\n    s = 0\n    for i in range(n):\n        b = Bag(20)\n        l = [b, Bag(3)]\n"
                  "        b.size = 30\n        s += l[0].size + b.increment()[0]\n    return s\n", Bag=bag))
    f(100)
    before = resident()
    f(20000)
    for i in range(2000):
        b = bag(100)
        b.array = np.zeros(50, np.float32)
    assert resident() - before < 2000


def test_a_field_in_use_outlives_its_replacement():
    @jitclass([("values", float64[:])])
    class Box:
        def __init__(self, n):
            self.values = np.arange(n) + 0.5

        def replace(self):
            self.values = np.zeros(3)

        def sum_around(self):
            before = self.values
            self.replace()
            return before.sum() + self.values.sum()

        def kept(self):
            return self.values

    @njit
    def by_alias(box, same):
        before = box.values
        same.values = np.full(7, 100.0)
        return before[0] + before.sum() + box.values.sum()

    @njit
    def by_function(box, change):
        before = box.values
        change(box)
        return before.sum()

    @njit
    def change(box):
        box.replace()

    for n in (1, 50, 5000):
        expected = sum(i + 0.5 for i in range(n))
        assert Box(n).sum_around() == expected
        box = Box(n)
        assert by_alias(box, box) == 0.5 + expected + 700
        assert by_function(Box(n), change) == expected
        held = Box(n).kept()
        assert held.sum() == expected


def test_what_python_asks_of_objects_and_classes():
    @jitclass([("x", types.float64)])
    class Told:
        def __init__(self, x):
            self.x = x

        def __str__(self):
            return "told"

        def __index__(self):
            return 3

        def __hash__(self):
            return 5

    @jitclass
    class Shown:
        __secret: types.int64

        def __init__(self):
            self.__secret = 4

        def __repr__(self):
            return "shown"

    @njit
    def told(o):
        return str(o), complex(o), float(o), int(o), hash(o), o.__hash__()

    @njit
    def shown(o):
        return str(o), repr(o)
    assert told(Told(1.5)) == ("told", 3 + 0j, 3.0, 3, 5, 5) and isinstance(told(Told(1.5))[2], float)
    assert shown(Shown()) == ("shown", "shown")
    kind = Told.class_type.instance_type
    assert kind.struct == Told.class_type.struct == {"x": types.float64} and kind.class_type.instance_type == kind
    assert list(Shown.class_type.instance_type.struct) == ["_Shown__secret"]
    from numba.experimental.jitclass.base import JitClassType
    assert isinstance(Told, JitClassType)
