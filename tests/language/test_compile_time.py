"""Time to compile grows with the length of a function, not with its square; nests that cannot are refused."""
import time

import numpy as np
import pytest
from numba import cuda, njit
from numba.core import errors

ITEMS = 10_000


def seconds_to_compile(f, *args):
    njit(lambda: 0)()
    begin = time.process_time()
    f(*args)
    return time.process_time() - begin


# by name: source, globals. Each took from seconds to hours when its time grew with the square.
LONG = {
    "captured integers": ("def f(x):\n    return T[x]\n", {"T": tuple(range(ITEMS))}),
    "captured floats": ("def f(x):\n    return T[x]\n", {"T": tuple(i / 2 for i in range(ITEMS))}),
    "captured bools": ("def f(x):\n    return T[x]\n", {"T": (True, False) * (ITEMS // 2)}),
    "closure": (f"def make():\n    T = tuple(range({ITEMS}))\n    def f(x):\n        return T[x]\n    return f\n"
                "f = make()\n", {}),
    "array": ("def f(x):\n    return T[x]\n", {"T": np.arange(ITEMS)}),
    "literal tuple": (f"def f(x):\n    t = ({', '.join(map(str, range(2000)))})\n    return t[x]\n", {}),
    "if and elif": ("def f(x):\n    if x == -1:\n        return 0\n" + "".join(
        f"    elif x == {i}:\n        return {i * 7}\n" for i in range(500)) + "    return 5\n", {}),
    "statements": ("def f(x):\n    y = x\n" + "".join(f"    y = y * 3 + {i}\n" for i in range(2000)) + "    return y\n", {}),
    "variables": ("def f(x):\n    v0 = x\n" + "".join(
        f"    v{i} = v{i - 1} + {i}\n" for i in range(1, 2000)) + "    return v1999\n", {}),
    "calls": ("def f(x):\n" + "".join("    x = abs(x - 2)\n" for i in range(1000)) + "    return x\n", {}),
    "conditions": ("def f(x):\n    return " + " or ".join(f"x == {i + 7}" for i in range(500)) + "\n", {}),
    "trys": ("def f(x):\n    y = 0\n" + "".join(
        f"    try:\n        y += 10 // (x - {i})\n    except Exception:\n        y += {i}\n" for i in range(150))
             + "    return y\n", {}),
    "literal list": (f"def f(x):\n    return [{', '.join(map(str, range(1000)))}][x]\n", {}),
    "literal list of texts": (f"def f(x):\n    return [{', '.join(f'{i!r}' for i in map(str, range(400)))}][x]\n", {}),
    "literal dict": (f"def f(x):\n    return {{{', '.join(f'{i}: {i + 1}' for i in range(400))}}}[abs(x)]\n", {}),
    "literal set": (f"def f(x):\n    return x in {{{', '.join(map(str, range(400)))}}}\n", {}),
    "appends": ("def f(x):\n    l = [x]\n" + "".join(f"    l.append({i})\n" for i in range(500)) + "    return len(l)\n", {}),
    "items of a dict": ("def f(x):\n    d = {1: x}\n" + "".join(f"    d[{i}] = x\n" for i in range(400)) + "    return len(d)\n",
                        {}),
}


@pytest.mark.parametrize("name", LONG)
def test_long_functions_compile_in_no_time(make, name):
    source, space = LONG[name]
    plain = make(source, **space)
    compiled = njit(plain)
    assert seconds_to_compile(compiled, 3) < 2
    for x in (0, 1, 4, -1 if "T[" in source or "t[" in source else 5):
        got, want = compiled(x), plain(x)
        assert got == want or name == "statements", x
        assert isinstance(got, bool) == isinstance(want, (bool, np.bool_))


# By name: a line of which each makes a value that is released, also by all failures after it.
OWNERS = {"strings": "t = t + 'ab'", "words": "t = t + str(x)", "lists": "l{i} = [x]", "arrays": "a{i} = np.ones(x)\n    x = a{i}.size"}


@pytest.mark.parametrize("name", OWNERS)
def test_code_of_owners_grows_with_their_number(make, name):
    """Where failures meet, no list of all failures for each owner."""
    lengths = []
    for count in (100, 200):
        f = njit(make("def f(x):\n    t = 'a'\n" + "".join(f"    {OWNERS[name].format(i=i)}\n" for i in range(count))
                      + "    return t, x\n", np=np))
        f(1)
        lengths.append(len(f.inspect_llvm(f.signatures[0])))
    assert lengths[1] < 2.5 * lengths[0]


@pytest.mark.parametrize("items", [tuple(range(-4, 16)), tuple(i * 1.5 for i in range(20)), (True, False, True) * 7,
                                   tuple(np.float32(i) / 3 for i in range(20)), tuple(np.uint8(i * 9) for i in range(20)),
                                   tuple(str(i) for i in range(20)), tuple(1j * i for i in range(20)),
                                   tuple((i, i * 2.5) for i in range(20)), tuple(range(7)), (2**63 - 1, -2**63) * 6])
def test_items_of_long_tuples_by_any_index(make, items):
    f = njit(make("def f(i):\n    return T[i]\n", T=items))
    for i in range(-len(items), len(items)):
        assert f(i) == items[i]
    for i in (len(items), -len(items) - 1, 10**12):
        with pytest.raises(IndexError, match="tuple index out of range"):
            f(i)


def test_long_tuples_in_kernels(make):
    kernel = cuda.jit(make("def f(out):\n    i = cuda.grid(1)\n    out[i] = T[i]\n", cuda=cuda, T=tuple(range(7, 107))))
    out = np.zeros(100, np.int64)
    kernel[2, 50](out)
    assert out.tolist() == list(range(7, 107))


def nest(depth, level):
    body = "y += 1"
    for i in range(depth):
        body = level.format(i=i, body=body.replace("\n", "\n    "))
    return "def f(x):\n    y = 0\n    " + body.replace("\n", "\n    ") + "\n    return y\n"


# by name: a level of the nest, its depth (CPython has at most 20 blocks around a statement)
NESTS = {
    "try": ("try:\n    {body}\nexcept Exception:\n    y += {i}", 9),
    "try in a handler": ("try:\n    y += 10 // (x - 3)\nexcept Exception:\n    {body}", 9),
    "try in else": ("try:\n    y += 10 // x\nexcept Exception:\n    y += 1\nelse:\n    {body}", 40),
    "finally around": ("try:\n    {body}\nfinally:\n    y += {i}", 18),
    "finally with return": ("try:\n    if y == 77:\n        return 3\n    {body}\nfinally:\n    y += 1", 18),
    "finally in a loop": ("for i{i} in range(1):\n    try:\n        if y == 77:\n            break\n        if y == 78:\n"
                          "            continue\n    finally:\n        y += 1\n    {body}", 9),
    "finally in finally": ("try:\n    y += 10 // x\nfinally:\n    {body}", 8),
    "all in finally": ("try:\n    y += 10 // (x - 3)\nexcept ZeroDivisionError:\n    y += 2\nelse:\n    y += 3\n"
                       "finally:\n    {body}", 8),
    "if": ("if x > {i} - 100:\n    {body}\nelse:\n    y += {i}", 60),
    "for": ("for i{i} in range(1):\n    {body}", 18),
    "while": ("while y < 1:\n    {body}", 18),
}


@pytest.mark.parametrize("name", NESTS)
def test_deep_nests_compile_in_no_time(make, name):
    level, depth = NESTS[name]
    plain = make(nest(depth, level))
    compiled = njit(plain)
    assert seconds_to_compile(compiled, 3) < 2
    assert compiled(3) == plain(3)


def test_deeper_finally_is_refused(make):
    f = njit(make(nest(9, NESTS["finally in finally"][0])))
    with pytest.raises(errors.UnsupportedError, match="a function of their own"):
        f(3)
