# SPDX-License-Identifier: MIT
"""Functions of the module operator, for values of every type that has the operator."""
from gridcell.library import LIST, STRING, TUPLE, compiled, form


@compiled
def add(a, b):
    return a + b


@compiled
def concat(a, b):
    if form(a) == TUPLE or form(a) == STRING or form(a) == LIST:
        return a + b
    raise TypeError("tuples, strings and lists can be concatenated; arrays by np.concatenate()")


@compiled
def sub(a, b):
    return a - b


@compiled
def mul(a, b):
    return a * b


@compiled
def truediv(a, b):
    return a / b


@compiled
def floordiv(a, b):
    return a // b


@compiled
def mod(a, b):
    return a % b


@compiled
def pow(a, b):
    return a ** b


@compiled
def lshift(a, b):
    return a << b


@compiled
def rshift(a, b):
    return a >> b


@compiled
def and_(a, b):
    return a & b


@compiled
def or_(a, b):
    return a | b


@compiled
def xor(a, b):
    return a ^ b


@compiled
def matmul(a, b):
    return a @ b


@compiled
def eq(a, b):
    return a == b


@compiled
def ne(a, b):
    return a != b


@compiled
def lt(a, b):
    return a < b


@compiled
def le(a, b):
    return a <= b


@compiled
def gt(a, b):
    return a > b


@compiled
def ge(a, b):
    return a >= b


@compiled
def is_(a, b):
    return a is b


@compiled
def is_not(a, b):
    return a is not b


@compiled
def contains(a, b):
    return b in a


@compiled
def neg(a):
    return -a


@compiled
def pos(a):
    return +a


@compiled
def invert(a):
    return ~a


@compiled
def not_(a):
    return not a


@compiled
def truth(a):
    return True if a else False


@compiled
def absolute(a):
    return abs(a)


@compiled
def getitem(a, b):
    return a[b]


@compiled
def setitem(a, b, c):
    a[b] = c


@compiled
def delitem(a, b):
    del a[b]


@compiled
def iadd(a, b):
    a += b
    return a


@compiled
def isub(a, b):
    a -= b
    return a


@compiled
def imul(a, b):
    a *= b
    return a


@compiled
def itruediv(a, b):
    a /= b
    return a


@compiled
def ifloordiv(a, b):
    a //= b
    return a


@compiled
def imod(a, b):
    a %= b
    return a


@compiled
def ipow(a, b):
    a **= b
    return a


@compiled
def ilshift(a, b):
    a <<= b
    return a


@compiled
def irshift(a, b):
    a >>= b
    return a


@compiled
def iand(a, b):
    a &= b
    return a


@compiled
def ior(a, b):
    a |= b
    return a


@compiled
def ixor(a, b):
    a ^= b
    return a


@compiled
def divmod_of_times(a, b):
    return a // b, a % b


@compiled
def tuple_index(items, value):
    place = first_place(items, value, 0)
    if place < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return place


@compiled
def first_place(items, value, place):
    if len(items) == 0:
        return -1
    else:
        return place if items[0] == value else first_place(items[1:], value, place + 1)


@compiled
def tuple_count(items, value):
    if len(items) == 0:
        return 0
    else:
        return int(items[0] == value) + tuple_count(items[1:], value)


# --- Tuples with items that are compared by code of their own: lists, dicts, arrays, objects

@compiled
def tuple_eq(a, b):
    if len(a) == 0:
        return True
    elif a[0] == b[0]:
        return tuple_eq(a[1:], b[1:])
    else:
        return False


@compiled
def tuple_is(a, b):
    if len(a) == 0:
        return True
    elif a[0] is b[0]:
        return tuple_is(a[1:], b[1:])
    else:
        return False


@compiled
def in_order(a, b, compare):
    """Decided by the first items that differ, or by the lengths."""
    if len(a) == 0 or len(b) == 0:
        return compare(len(a), len(b))
    elif a[0] == b[0]:
        return in_order(a[1:], b[1:], compare)
    else:
        return True if compare(a[0], b[0]) else False


def ordered_by(compare):
    @compiled
    def ordered(a, b):
        return in_order(a, b, compare)

    return ordered


tuple_lt, tuple_le, tuple_gt, tuple_ge = ordered_by(lt), ordered_by(le), ordered_by(gt), ordered_by(ge)


@compiled
def item_hashes(items):
    if len(items) == 0:
        return ()
    else:
        return (hash(items[0]), *item_hashes(items[1:]))


@compiled
def tuple_hash(items):
    """Of a tuple with items that a program says the hashes of."""
    return hash(item_hashes(items))


@compiled
def tuple_contains(items, x):
    if len(items) == 0:
        return False
    elif items[0] == x:
        return True
    else:
        return tuple_contains(items[1:], x)
