"""The static types of generated programs, and numba's rules for what an operation makes of them.

Numbers are named as in NumPy's array protocol: i1 to i8, u1 to u8, f4, f8, c8, c16, b1. Compound types are
tuples that begin with a word: ("array", "f8", (3, 4)), ("list", "i8"), ("tuple", ("i8", "f8")).
A dimension that is not known is a name: arrays with the same name have the same extent.
"""
SIGNED = ["i8", "i4", "i2", "i1"]
UNSIGNED = ["u8", "u4", "u2", "u1"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["f8", "f4"]
COMPLEX = ["c16", "c8"]
REAL = INTEGERS + FLOATS
NUMBERS = ["i8", "f8", "b1", "i4", "f4", "u8", "u1", "i2", "u4", "i1", "u2", "c16", "c8"]
DTYPES = {"b1": "np.bool_", "i1": "np.int8", "i2": "np.int16", "i4": "np.int32", "i8": "np.int64",
          "u1": "np.uint8", "u2": "np.uint16", "u4": "np.uint32", "u8": "np.uint64",
          "f4": "np.float32", "f8": "np.float64", "c8": "np.complex64", "c16": "np.complex128"}
NARROW = {"b1", "i1", "i2", "u1", "f4"}  # what numba converts to float32 beside one


def bits(kind):
    return int(kind[1:]) * 8


def is_int(kind):
    return kind in INTEGERS


def arithmetic(left, right):
    """The type of a + b for numbers, as numba computes it."""
    if left in COMPLEX or right in COMPLEX:
        return "c8" if {left, right} <= NARROW | {"c8"} else "c16"
    if left in FLOATS or right in FLOATS:
        if left == "f8" or right == "f8":
            return "f8"
        return "f4" if {left, right} <= NARROW else "f8"
    return "u8" if left in UNSIGNED and right in UNSIGNED else "i8"


def unsigned_zeros(text, dtype, add=" +"):
    """Of what sorts: zeros of both signs are equal, and nobody says which comes first."""
    return f"{text}{add} {DTYPES[dtype]}(0)" if dtype in FLOATS else text


def division(left, right):
    kind = arithmetic(left, right)
    return "f8" if is_int(kind) else kind


def shift(left):
    return "u8" if left in UNSIGNED else "i8"


def unified(left, right):
    """The type of a variable that is set to both on two paths; None where there is none."""
    if left == right:
        return left
    if not (isinstance(left, str) and isinstance(right, str)) or "str" in (left, right):
        return None
    if left in COMPLEX or right in COMPLEX:
        return "c8" if {left, right} <= NARROW | {"u2", "c8"} else "c16"
    if left in FLOATS or right in FLOATS:
        return "f4" if {left, right} <= NARROW | {"u2"} else "f8"
    if "b1" in (left, right):
        return right if left == "b1" else left
    if left[0] == right[0]:
        return max(left, right, key=bits)
    signed, unsigned = (left, right) if left[0] == "i" else (right, left)
    needed = bits(unsigned) * 2
    if needed > 64:
        return "f8"
    return "i" + str(max(needed, bits(signed)) // 8)


def array(dtype, *dims):
    return ("array", dtype, dims)


def is_array(kind):
    return isinstance(kind, tuple) and kind[0] == "array"
