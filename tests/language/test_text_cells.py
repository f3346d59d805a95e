# SPDX-License-Identifier: MIT
"""str and bytes put into items and fields of 'U' and 'S', in functions and in kernels, as NumPy does it."""
import numpy as np
import pytest
from conftest import function_of

from numba import cuda, njit
from numba.core.errors import TypingError

TEXTS = ["'ab'", "'abcdef'", "''", "'a\\0b'", "'a\\0'", "'é'", "'abcé'", "'\\U0001f600xy\\u20ac'", "b'ab'", "b'abcdef'", "b''",
         "b'a\\0b'", "b'\\xff'"]
PLACES = {
    "a[0]": ["zzz", "yy"], "a[-1]": ["zzz", "yy"], "a[:]": ["zzz", "yy"], "a[1:]": ["zzz", "yy", "x"], "a[::-2]": ["zzz", "yy", "x"],
    "m[1, 0]": [["zzz", "yy"], ["x", ""]], "m[1]": [["zzz", "yy"], ["x", ""]], "m[:, 1]": [["zzz", "yy"], ["x", ""]],
    "r[0]['s']": None, "r[1].s": None, "r['s'][0]": None, "r['s'][:]": None, "r['s']": None, "r.s[1]": None,
}


def target(place, kind):
    if PLACES[place] is not None:
        return np.array(PLACES[place], kind)
    return np.array([(1, "zzz", 2), (3, "yy", 4)], [("a", "i1"), ("s", kind), ("b", "i4")]).view(np.recarray)


def run(f, array, *args):
    """What is in the array afterwards, or the class of the error."""
    try:
        f(array, *args)
    except (ValueError, TypingError) as error:
        return TypingError if isinstance(error, TypingError) else ValueError
    return array.tolist()


@pytest.mark.parametrize("place, kind", [(place, kind) for kind in ("S3", "U3") for place in PLACES]
                         + [(place, kind) for kind in ("S1", "S8", "U1", "U8") for place in ("a[0]", "r[1].s")])
def test_every_text_and_place(place, kind):
    name = place[0]

    def choice(texts):
        lines = [f"    if k == {k}:\n        {place} = {text}\n" for k, text in enumerate(texts)]
        return function_of(f"def f({name}, k):\n" + "".join(lines), "f")
    constant, given = njit(choice(TEXTS)), function_of(f"def f({name}, text):\n    {place} = text\n", "f")
    compiled = njit(given)
    for k, text in enumerate(TEXTS):
        expected = run(given, target(place, kind), eval(text))
        assert run(constant, target(place, kind), k) == expected
        assert run(compiled, target(place, kind), eval(text)) == expected
    own = [text for text in TEXTS if text.startswith("b") == kind.startswith("S")]
    kernel = cuda.jit(choice(own))
    for k, text in enumerate(own):
        assert run(kernel[1, 1], target(place, kind), k) == run(given, target(place, kind), eval(text)), text


@pytest.mark.parametrize("kind", ["S3", "U3"])
def test_variables(kind):
    letter = "b" if kind == "S3" else ""
    source = (f"def f(a, n):\n    text = {letter}'ab'\n    if n > 1:\n        text = {letter}'wxyz'\n"
              "    for i in range(len(a)):\n        a[i] = text\n        if i == n:\n"
              f"            text = {letter}''\n")
    f = function_of(source, "f")
    for n in range(4):
        results = []
        for form in (f, njit(f), cuda.jit(f)[1, 1]):
            array = np.array(["zzz", "yy", "x", "w"], kind)
            form(array, n)
            results.append(array.tolist())
        assert results[0] == results[1] == results[2]


def test_rows_of_threads():
    kernel = cuda.jit(function_of(
        "def kernel(r):\n    i = cuda.grid(1)\n    if i < len(r):\n        r[i].u = 'é\\u20ac\\U0001f600' if i % 2 else 'a'\n"
        "        r[i].s = b'no' if i % 3 else b'yes!'\n        r[i].n += i\n", "kernel", cuda=cuda))
    r = np.array([("zzz", b"zzz", 7)] * 100, [("u", "U2"), ("s", "S3"), ("n", "i8")])
    kernel[2, 64](r)
    assert r.tolist() == [("é\u20ac" if i % 2 else "a", b"no" if i % 3 else b"yes", 7 + i) for i in range(100)]


@pytest.mark.parametrize("comparison", ["==", "!=", "<", "<=", ">", ">="])
def test_constants_of_kernels_are_compared(comparison):
    texts = ["", "a", "ab", "b", "\\0", "é", "\\U0001f600", "\\uffff"]
    lines = [f"    out[{i}, {j}] = text({i}, n) {comparison} text({j}, n)\n"
             for i in range(len(texts)) for j in range(len(texts))]
    choose = cuda.jit(device=True)(function_of(
        "def text(i, n):\n    result = 'never'\n" + "".join(
            f"    if i == n + {i}:\n        result = '{text}'\n" for i, text in enumerate(texts)) + "    return result\n", "text"))
    kernel = cuda.jit(function_of("def kernel(out, n):\n" + "".join(lines), "kernel", text=choose))
    out = np.zeros((len(texts), len(texts)), bool)
    kernel[1, 1](out, 0)
    real = [eval(f"'{text}'") for text in texts]
    assert out.tolist() == [[eval(f"{a!r} {comparison} {b!r}") for b in real] for a in real]


def test_what_a_kernel_cannot_do():
    for body, words in [("a[0] = a[1]", "makes a string"), ("a[0] = 3", "set to a str"),
                        ("a[0] = b'ab'", "set to a str"), ("a[:] = b'ab'", "slice is set to"), ("a[0] = str(len(a))", "makes a string")]:
        with pytest.raises(TypingError, match=words):
            cuda.jit(function_of(f"def f(a):\n    {body}\n", "f"))[1, 1](np.array(["a", "b"]))


@pytest.mark.parametrize("dtype, value", [("U3", np.array("ab")), ("U3", np.array("wxyz")), ("S4", np.array(b"ab")),
                                          ("S1", np.array(b"ab"))])
def test_arrays_of_no_dimensions(dtype, value):
    def put(a, i, value):
        a[i] = value
        return a
    np.testing.assert_array_equal(njit(put)(np.zeros(3, dtype), 1, value), put(np.zeros(3, dtype), 1, value))


def test_arrays_of_no_dimensions_of_the_other_kind():
    def put(a, value):
        a[0] = value
    with pytest.raises(TypingError, match="set to a str, or bytes"):
        njit(put)(np.zeros(3, "S3"), np.array(1))


@pytest.mark.parametrize("body", ["np.asarray({})", "np.array({})", "np.broadcast_to({}, (2, 3))", "np.broadcast_to({}, ())"])
@pytest.mark.parametrize("text", ["'abc'", "'é\u20ac'", "b'xy'"])
def test_arrays_of_a_literal(body, text):
    body = body.format(text)
    got, want = njit(function_of(f"def f():\n    return {body}"))(), eval(body)
    assert got.dtype == want.dtype and got.shape == want.shape and (got == want).all()


@pytest.mark.parametrize("value", [np.array("abc"), np.array(b"xy"), np.array((3, 2.5), "i4,f8"), np.array("2020-01-01", "M8[D]"),
                                   np.array(2.5)])
@pytest.mark.parametrize("body", ["a.copy()", "np.array(a)", "a.reshape((1,)).copy()", "np.copy(a)"])
def test_copies_without_dimensions(body, value):
    got, want = njit(function_of(f"def f(a):\n    return {body}"))(value), eval(body, {"np": np, "a": value})
    assert got.dtype == want.dtype and got.shape == want.shape and (got == want).all()
