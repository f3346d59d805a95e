# SPDX-License-Identifier: MIT
"""NumPy's rules for casts: which numbers may become those of another dtype."""
from gridcell.library import ARRAY, BOOL, COMPLEX, FLOAT, INT, LIST, NUMBER, UINT, bits, form, kind, small
from gridcell.library.views import breadth


@small
def holds(dtype, x):
    """Whether a dtype has each number of x's: the rule 'safe'."""
    room = bits(dtype) // 2 if kind(dtype) == COMPLEX else bits(dtype)  # of a real number
    if kind(x) == BOOL:
        return True
    elif kind(x) == COMPLEX or kind(dtype) == BOOL:
        return kind(dtype) == kind(x) and bits(x) <= bits(dtype)
    elif kind(x) == FLOAT:
        return kind(dtype) >= FLOAT and bits(x) <= room
    elif kind(dtype) >= FLOAT:
        return 2 * bits(x) <= room or room == 64
    else:
        return bits(x) <= bits(dtype) if kind(x) == kind(dtype) else kind(x) == UINT and bits(x) < bits(dtype)


@small
def check_casting(casting):
    if (casting != "no" and casting != "equiv" and casting != "safe" and casting != "same_kind"
            and casting != "unsafe"):
        raise ValueError("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '%s')", casting)


@small
def is_castable(dtype, x, casting):
    is_same = kind(dtype) == kind(x) and bits(dtype) == bits(x)
    if casting == "unsafe" or is_same:
        return True
    elif casting == "no" or casting == "equiv":
        return False
    elif casting == "safe":
        return holds(dtype, x)
    else:
        return (holds(dtype, x) or breadth(x) < breadth(dtype)
                or breadth(x) == breadth(dtype) and (kind(x) != INT or kind(dtype) != UINT))


@small
def dtype_name(x):
    if kind(x) == BOOL:
        return "bool"
    elif kind(x) == INT:
        return "int" + str(bits(x))
    elif kind(x) == UINT:
        return "uint" + str(bits(x))
    elif kind(x) == FLOAT:
        return "float" + str(bits(x))
    else:
        return "complex" + str(bits(x))


@small
def check_cast(dtype, x, casting):
    """Whether numbers may become those of a dtype. The rule has a name that there is."""
    if breadth(dtype) >= 0 and breadth(x) >= 0 and not is_castable(dtype, x, casting):
        raise TypeError("Cannot cast array data from dtype('%s') to dtype('%s') according to the rule '%s'",
                        dtype_name(x), dtype_name(dtype), casting)


@small
def each_cast(arrays, dtype, casting):
    """What is joined becomes items of the dtype one by one: what all have in common may hold fewer digits."""
    check_casting(casting)
    if form(arrays) == LIST:
        return [cast(x, dtype, casting) for x in arrays]
    elif form(arrays) == ARRAY:
        return cast(arrays, dtype, casting)
    elif len(arrays) == 0:
        return ()
    else:
        return (cast(arrays[0], dtype, casting),) + each_cast(arrays[1:], dtype, casting)


@small
def cast(a, dtype, casting):
    check_cast(dtype, a, casting)
    if form(a) == NUMBER:
        return dtype(a)
    elif kind(a) == kind(dtype) and bits(a) == bits(dtype):
        return a
    else:
        return a.astype(dtype)


@small
def item_as(a, dtype):
    """The value of an array without dimensions, as one of the dtype."""
    return dtype(a[()])
