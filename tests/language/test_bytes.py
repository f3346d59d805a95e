"""bytes, and arrays of texts of fixed length, against plain Python."""
import numpy as np
import pytest
from conftest import outcome
from numba import TypingError, njit, typeof


def check(make, source, cases):
    plain = make(source)
    jitted = njit(plain)
    for case in cases:
        got, want = outcome(jitted, *case), outcome(plain, *case)
        assert got == want and type(got) is type(want), (source, case, got, want)


VALUES = [b"", b"a", b"abc", bytes(range(256)), b"it's", b"\x00\xff", b'"\'\\\n']


def test_bytes(make):
    check(make, "def f(b):\n    return len(b), b[1:], b[::-1], b[:-1], b + b'x', b * 3, b == b'abc', b != b'abc', b < b'b', bool(b), "
          "str(b), repr(b), (b, 1), not b\n", [(b,) for b in VALUES])
    check(make, "def f(b):\n    n = 0\n    for x in b:\n        n = n * 7 + x\n        n &= 0xffffff\n    return n\n", [(b,) for b in VALUES])
    texts = ["", "abc", "naïve", "日本語", "😀"]
    check(make, "def f(s):\n    return s.encode(), s.encode('utf-8').decode(), len(s.encode())\n", [(s,) for s in texts])
    g = njit(make("def f(b, i):\n    return b[i], G[i]\n", G=b"global"))
    assert g(b"abc", -1) == (99, 108) and g(b"abc", 0) == (97, 103)
    with pytest.raises(IndexError):
        g(b"abc", 3)
    with pytest.raises(TypingError):
        njit(make("def f(b):\n    return b + 'text'\n"))(b"a")


def test_arrays_of_texts(make):
    check(make, "def f(a, i):\n    return a[i], a[i].upper(), len(a), a.size, a[i] == 'bc'\n",
          [(np.array(["a", "bc", "déf😀"]), i) for i in range(-3, 3)])
    check(make, "def f(a, i):\n    return a[i], a[i][0], len(a[i])\n", [(np.array([b"ab", b"c"]), i) for i in range(2)])
    f = make("def f(a, t):\n    a[0] = t\n    a[1] = a[2]\n    a[-1] = t[:1]\n    for i in range(len(a)):\n        a[i] = a[i] + '!'\n    return a\n")
    for t in ("", "x", "longer text", "😀"):
        a, b = np.array(["abc", "de", "fgh"]), np.array(["abc", "de", "fgh"])
        got, want = njit(f)(a, t), f(b, t)
        assert got.tolist() == want.tolist() and got.dtype == want.dtype
    g = njit(make("def f(a):\n    a[1] = b'zz'\n    return a[::2]\n"))
    assert g(np.array([b"abc", b"d", b"ef"])).tolist() == [b"abc", b"ef"]
    h = njit(make("def f(a):\n    out = ''\n    for i in range(a.shape[0]):\n        for j in range(a.shape[1]):\n            out += a[i, j] + ','\n    return out\n"))
    assert h(np.array([["a", "bb"], ["", "d"]])) == "a,bb,,d,"
    assert str(typeof(np.array(["abc"]))) == "array([unichr x 3], 1d, C)"
    assert str(typeof(np.array([b"abc"]))) == "array([char x 3], 1d, C)"
    for n in (1, 2, 5):  # item sizes are types of their own
        assert njit(make("def f(a):\n    return a[0]\n"))(np.array(["x" * n])) == "x" * n


def test_whole_arrays_of_texts(make):
    """Compared, in order, looped over, chosen from."""
    words, letters = np.array(["é", "abcd", "", "q", "abc"]), np.array([b"ab", b"", b"hello", b"x", b"ab"])
    for expression in """a == 'q'|a != a[::-1]|b < b'c'|a >= 'b'|'q' == a|a[:, None] == a|(b == b'ab').sum()|np.where(a == 'q')[0]
            |np.sort(a)|np.argsort(b, kind='mergesort')|np.unique(b)|np.sort(a.reshape(5, 1), axis=0)|np.flip(np.sort(b))
            |[x for x in a]|[len(x) for x in b]|sorted(a)|list(enumerate(a))|[x + y.decode() for x, y in zip(a, b)]|b.tolist()
            |'q' in a|b'z' in b|np.concatenate((a, a))|a[np.array([1, 0])]|a[a != 'q']|np.append(b, b[:1])|np.repeat(a, 2)
            |np.zeros(2, 'U3')|np.zeros((2, 1), 'S4')|np.array_equal(a, a)|np.isin(a, a[:2])|np.searchsorted(np.sort(a), 'b')
            |len(set(b))|{x: i for i, x in enumerate(b)}[b'ab']|hash(b[0]) == hash(b'ab')""".replace("\n", "").split("|"):
        f = make(f"def f(a, b):\n    return {expression.strip()}\n")
        got, want = njit(f)(words, letters), f(words, letters)
        if isinstance(want, np.ndarray):
            assert got.dtype == want.dtype and got.tolist() == want.tolist(), expression
        else:
            assert got == want, expression
    change = make("def f(a):\n    a[1:3] = 'k'\n    a[a == 'q'] = 'mask'\n    a.sort()\n    a[np.array([0])] = a[-1]\n    a[2:] = a[:3]\n    return a\n")
    assert njit(change)(words.copy()).tolist() == change(words.copy()).tolist()
    fill = make("def f(a):\n    a.fill('all')\n    a[:, 0] = 'none'\n    return a\n")
    assert njit(fill)(words[:4].reshape(2, 2).copy()).tolist() == [["none", "all"]] * 2


METHODS = ["lower()", "upper()", "swapcase()", "capitalize()", "title()", "isalnum()", "isalpha()", "isascii()", "isdigit()",
           "islower()", "isupper()", "isspace()", "istitle()", "strip()", "lstrip()", "rstrip()", "strip(b'a \\xe9')",
           "split()", "rsplit(None, 1)", "split(b',')", "rsplit(b',', 1)", "find(b'b')", "rfind(b'b')", "find(b'b', 2, -1)", "index(b'b')",
           "rindex(b'b')", "count(b'a')", "count(b'')", "startswith(b'a')", "startswith((b'b', b' '))", "endswith((b'c', b'Z'))",
           "replace(b'a', b'--')", "replace(b'', b'.', 3)", "center(9)", "ljust(9, b'*')", "rjust(9)", "zfill(9)", "hex()",
           "partition(b',')", "rpartition(b',')", "removeprefix(b'a')", "removesuffix(b'c')", "expandtabs(4)",
           "join([b'x', b'yz', b''])", "join((b'x', b'yz'))"]

TEXTS = [b"", b"a", b"abc", b"aBc, b ,C", b" \t\n\x0b\x0cAb \x1c\x1f", b"\xe9\xc9 \xe0a\x85\xa0b", b"123", b"-12", b"Hello World",
         b"\xdf\xb5\x00", b"\t\n ", b"a\x1cb c"]


def test_methods(make):
    for at in range(0, len(METHODS), 9):
        part = [method for method in METHODS[at:at + 9] if "index" not in method]
        check(make, f"def f(b):\n    return {', '.join('b.' + method for method in part)}\n", [(b,) for b in TEXTS])
    for method in ("index(b'b')", "rindex(b'b')"):
        f = njit(make(f"def f(b):\n    return b.{method}\n"))
        assert f(b"abab") == eval(f"b'abab'.{method}")
        with pytest.raises(ValueError, match="not found"):
            f(b"xyz")


def test_membership(make):
    check(make, "def f(b, n):\n    return n in b, n not in b, b'b' in b, b'' in b, b'bc' not in b\n",
          [(b, n) for b in TEXTS for n in (98, 0, 233)])
    check(make, "def f(n):\n    return n in b'abc'\n", [(-1,), (256,), (99,)])


@pytest.mark.parametrize("name", ["int", "float", "complex", "np.int8", "np.uint64", "np.float32", "np.complex64"])
def test_bytes_are_no_numbers(make, name):
    with pytest.raises(TypingError, match="Bytes are no number: read their text"):
        njit(make(f"def f(b):\n    return {name}(b)\n"))(b"12")
