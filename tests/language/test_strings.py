"""Strings in compiled code against plain Python: operators, methods, numbers, formats."""
import random

import numpy as np
import pytest
from conftest import outcome
from numba import TypingError, njit

TEXTS = ["", "a", "A", "abc", "Hello World", "  blank\t\n", "ß", "ﬁn", "Straße", "ΑΣ", "ΑΣ ΒΣΓ", "İi",
         "ǅungla", "naïve café", "日本語", "😀 smile 😀", "a😀b\U0010ffff", "12", "١٢", "²", "½", "Ⅷ",
         "x_1", "1x", "AbC dEf", "it's \"q\"", "tab\tsep\tx", "line\r\nnext\rlast\x85u\u2028", "\x00\x01",
         "aaaa", "banana", "--x--", "\ud800", "ŉ", "ﬃ", "Ǆ"]


def check(make, source, cases):
    plain = make(source)
    jitted = njit(plain)
    for case in cases:
        got, want = outcome(jitted, *case), outcome(plain, *case)
        if isinstance(want, int) and not -2**63 <= want < 2**64:
            want = (OverflowError, "int too large: it does not fit in 64 bits")
        assert got == want and type(got) is type(want), (source, case, got, want)


QUESTIONS = ["isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower",
             "isnumeric", "isprintable", "isspace", "istitle", "isupper"]
MAPPINGS = ["capitalize", "casefold", "lower", "upper", "swapcase", "title", "strip", "lstrip",
            "rstrip", "expandtabs"]


def test_methods_without_arguments(make):
    calls = ", ".join(f"s.{name}()" for name in QUESTIONS + MAPPINGS)
    check(make, f"def f(s):\n    return {calls}\n", [(text,) for text in TEXTS])


def test_every_character(make):
    every = "".join(map(chr, range(0x3000))) + "".join(map(chr, range(0x1f000, 0x1f200)))
    f = make(f"""def f(s):
    n = 0
    for c in s:
        n = n * 31 + {" + ".join(f"(c.{name}() << {i})" for i, name in enumerate(QUESTIONS))}
        n &= 0xffffffff
    return n, s.upper(), s.lower(), s.title(), s.swapcase(), s.casefold(), s.capitalize()
""")
    assert njit(f)(every) == f(every)


def test_methods_with_arguments(make):
    pairs = [(s, t) for s in TEXTS for t in ("", "a", "an", "😀", " ", "x", "abc", "ß", s[:2])]
    for calls in (["s.find(t)", "s.rfind(t)", "s.count(t)", "s.startswith(t)", "s.endswith(t)",
                   "s.replace(t, '<>')", "s.replace(t, '', 1)", "s.strip(t)", "s.lstrip(t)",
                   "s.rstrip(t)", "s.removeprefix(t)", "s.removesuffix(t)"],
                  ["t in s", "t not in s", "s + t", "s < t", "s <= t", "s == t", "s != t", "s > t",
                   "s >= t", "min(s, t)", "max(s, t)", "hash(s) == hash(s)"][:11],
                  ["s.find(t, 1)", "s.rfind(t, -3)", "s.count(t, 1, -1)", "s.startswith(t, 2, 5)",
                   "s.endswith(t, -4, 100)", "s.find(t, None, 3)", "s.find(t, -100, 100)",
                   "s.count(t, 3, 1)", "s.startswith((t, 'b'))", "s.endswith((t, 'a'), 1)"],
                  ["s.index(t)"], ["s.rindex(t)"], ["s.partition(t)"], ["s.rpartition(t)"]):
        check(make, f"def f(s, t):\n    return ({', '.join(calls)},)\n", pairs)


def test_widths(make):
    cases = [(s, n) for s in TEXTS + ["+5", "-12", "-"] for n in (-1, 0, 3, 4, 7, 12)]
    check(make, "def f(s, n):\n    return s.center(n), s.ljust(n), s.rjust(n), s.zfill(n), "
          "s.center(n, '😀'), s.ljust(n, fillchar='*'), s.rjust(width=n), s.expandtabs(n)\n".replace(
              "rjust(width=n)", "rjust(n)").replace("fillchar='*'", "'*'"), cases)
    f = njit(make("def f(s, n):\n    return s.center(n, 'ab')\n"))
    with pytest.raises(TypeError, match="exactly one character"):
        f("x", 9)
    g = njit(make("def g(s):\n    return s.rjust(width=5, fillchar='.') + s.replace('x', new='y')\n", "g"))
    assert g("x") == "....xy"


def test_indices_and_slices(make):
    check(make, "def f(s, i):\n    return s[i]\n", [(s, i) for s in TEXTS for i in range(-5, 6)])
    bounds = [-100, -3, -1, 0, 1, 2, 5, 100, 2**62, -2**63]
    cases = [("a😀bcdefß", i, j, k) for i in bounds for j in bounds for k in (-7, -2, -1, 1, 2, 3, 0)]
    check(make, "def f(s, i, j, k):\n    return s[i:j:k]\n", cases)
    check(make, "def f(s):\n    return s[::-1], s[1:], s[:-1], s[::2], s[-2::-1], s[:1], s[3:1]\n",
          [(s,) for s in TEXTS])


def test_iteration_and_ownership(make):
    check(make, """def f(s):
    out = ''
    last = '?'
    n = 0
    for i, c in enumerate(s):
        if c == 'a' or c > 'é':
            n += i
        out = c.upper() + out
        last = c
    for a, b in zip(s, out):
        if a == b:
            n += 1
    while len(out) < 20:
        out = out + last + 'x'
    return out, last, n, len(s), bool(s), not s, 'y' if s else 'n'
""", [(s,) for s in TEXTS])
    check(make, """def f(n):
    keep = 'none'
    for i in range(n):
        for j, c in enumerate(str(i) * 3):
            if j == 1:
                keep = c
    junk = str(n) + 'x'
    return keep, junk
""", [(0,), (1,), (50,)])
    check(make, """def f(n):
    keep = ''
    for i in range(n):
        t = str(i) + '-'
        for c in t:
            keep = c if c != '-' else keep
        if i % 7 == 3:
            keep = keep + t
    return keep
""", [(0,), (1,), (50,)])


def test_repeat_and_join(make):
    check(make, "def f(s, n):\n    return s * n, n * s, s.join(('a', s, 'c')), s.join(('x',)), ', '.join(())\n"
          .replace(", ', '.join(())", ""), [(s, n) for s in TEXTS for n in (-1, 0, 1, 3)])


def test_characters(make):
    check(make, "def f(n):\n    return chr(n)\n", [(n,) for n in (0, 65, 255, 256, 0xd800, 0x1f600, 0x10ffff, 0x110000, -1)])
    check(make, "def f(s):\n    return ord(s)\n", [(s,) for s in ("a", "ß", "😀", "\x00", "\ud800")])
    with pytest.raises(TypeError, match="ord\\(\\) expected a character"):
        njit(make("def f(s):\n    return ord(s)\n"))("ab")
    check(make, "def f(s):\n    return min(s), max(s)\n", [(s,) for s in TEXTS if s])


def test_str_and_repr(make):
    numbers = [0, 1, -1, 2**63 - 1, -2**63, 2**64 - 1, True, False, None]
    rng = random.Random(5)
    reals = [0.0, -0.0, 1.0, 0.1, 1e15, 1e16, 1e17, 123456789.125, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308,
             2.0**-44, 2.0**-1074, 2.0**60, 9007199254740993.0, 1e22, 1e23, float("inf"), float("-inf"),
             float("nan"), 9.5, 99.99999999999999, 0.30000000000000004]
    reals += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-320, 308) for _ in range(2000)]
    reals += [2.0 ** n for n in range(-1074, 1024, 3)]
    check(make, "def f(x):\n    return str(x), repr(x)\n", [(x,) for x in numbers + reals])
    values = ["a", "it's", 'q"', "it's \"", "\n\t\r\\\x00\x7f\xa0\xad", "ß日😀", "\ud800", "",
              (1, 2.5), (1,), (), ("a", None, (True, "b\n")), 1j, 1 + 2j, complex(-0.0, 1), complex(float("nan"), -1),
              complex(1e20, -0.0)]
    for value in values:
        check(make, "def f(x):\n    return str(x), repr(x)\n", [(value,)])


def test_text_to_numbers(make):
    texts = ["0", "12", " -7 ", "+5", "1_000", "_1", "1__0", "1_", "", " ", "-", "0x1f", "1.5", "abc", "９",
             "١٢", "9223372036854775807", "-9223372036854775808", "1e5", "\x001", "007", "z", "1 2"]
    check(make, "def f(s):\n    return int(s)\n", [(s,) for s in texts])
    cases = [(s, b) for s in texts + ["0b101", "0o17", "0B1", "0x_f", "ff", "zz", "00", "0_0", "1f"]
             for b in (0, 2, 8, 10, 16, 36, 1, 37)]
    check(make, "def f(s, b):\n    return int(s, b)\n", cases)
    with pytest.raises(OverflowError):
        njit(make("def f(s):\n    return int(s)\n"))("9" * 30)
    reals = texts + ["1.", ".5", ".", "1e", "1e+5", "1E-5", "inf", "-Infinity", "nan", "infx", "0x1p3", "1_0.0_1",
                     "1_.0", "1e400", "1e-400", "١.٥", "nan(1)", "infinit", "2.2250738585072011e-308"]
    plain = make("def f(s):\n    return float(s)\n")
    for text in reals:
        got, want = outcome(njit(plain), text), outcome(plain, text)
        assert got == want or (got != got and want != want), (text, got, want)


INTEGER_SPECS = ["", "d", "5d", "<5", "^7", ">+6d", "+", " d", "05", "-05d", "#x", "#010x", "b", "o", "X", "#o", ",",
                 "_", "012,", "_x", "_b", "c", "n", "*^9", "😀<6", "=+8", "e", ".2f", "%", "g", "10.3e", "08.2f",
                 ".3d", "q", "5.", ",x", ",_", "xx", "+c", "zd", "s", "0<5", "<05", "99999999999999999999d"]
REAL_SPECS = ["", ".3f", "10.2f", "<10.1f", "+.2e", "e", "E", "g", "G", ".3g", "#g", "#.3f", ".0f", ",.2f", "_.1f",
              "012.3f", "%", ".1%", "n", ".10", ".3", ".17g", "^12", "*>12.2f", "=+9.1f", "z.1f", "F", "q", "d",
              "s", ".", "010", "015,.2f", " ", " .2f", ".50f", ".0e", ".0g", "#.0f", "#.0e", "#"]
TEXT_SPECS = ["", "5", "<8", ">8", "^8", "*^9", ".2", "5.1", "s", "05", "😀>6", "d", "+", "#", "=5", ",", "z", " "]


def test_format_specifications(make):
    check(make, "def f(x, s):\n    return format(x, s)\n", [(x, s) for s in INTEGER_SPECS for x in (
        0, 7, -42, 1234567, -1234567890123, 65)])
    check(make, "def f(x, s):\n    return format(x, s)\n", [(x, s) for s in INTEGER_SPECS for x in (True, False)])
    reals = [0.0, -0.0, 1.0, -1.5, 3.14159, 1e10, 123456.0, 1234567.891, 1e-7, 1e22, 99.995, 0.5, 2.5,
             float("inf"), float("-inf"), float("nan"), 1e300]
    check(make, "def f(x, s):\n    return format(x, s)\n", [(x, s) for s in REAL_SPECS for x in reals])
    check(make, "def f(x, s):\n    return format(x, s)\n", [(x, s) for s in TEXT_SPECS for x in TEXTS[:12]])
    complexes = [1 + 2j, 2j, -1.5j, 0j, complex(-0.0, 1e20), complex(1, float("nan"))]
    check(make, "def f(x, s):\n    return format(x, s)\n", [(x, s) for x in complexes for s in (
        "", ".2f", ">20", "<20", "+", "^25.1e", ".3", "g", "05", "=9", "q", "%", ",.1f", "#")])


def test_f_strings(make):
    check(make, """def f(n, x, s):
    w = 8
    return (f'', f'plain', f'{n}', f'{x}', f'{s}', f'{n:>5d}|{x:.3f}|{s!r}|{s:^{w}}|{{}}', f'{n=} {x = :.1f} {s=}',
            f'{x!s:>12}', f'{s!a}' if s.isascii() else '', f'{(n, s)}', f'{n > 2}', f'{x:{w}.{2}f}', f'a{"b"}c', f'{None}')
""", [(1, 2.5, "abc"), (-7, 1e22, ""), (123, float("nan"), "it's")])


def test_percent_and_str_format(make):
    check(make, r"""def f(n, x, s):
    return ('%d' % n, '%5d|%-5d|%05d|%+d|% d' % (n, n, n, n, n), '%x %X %#x %o %c' % (n, n, n, n, n),
            '%f %.2f %10.3e %-12g| %+.1f' % (x, x, x, x, x), '%s %r %10s|%-10s|%.2s' % (s, s, s, s, s), '100%%' % (),
            '%i%%' % n, '%s' % n, '%s %s' % (n, x), '%d' % x, '%f' % n, '%5.1f%%' % x)
""", [(65, 2.5, "abc"), (7, -1e10, "日本"), (300, 0.1, "")])
    check(make, """def f(n, x, s):
    return ('{}'.format(n), '{} {}'.format(x, s), '{1} {0}'.format(n, s), '{:>5}|{:.2f}|{!r}'.format(n, x, s),
            '{a}-{b:^5}'.format(a=n, b=s), '{{{}}}'.format(n), 'none'.format(), '{0:d}{0:x}'.format(n))
""", [(65, 2.5, "abc"), (7, -1e10, "日本")])


def test_print_keywords(make, capsys):
    f = make("def f(a, s):\n    print(a, s, sep='-', end='.')\n    print(a, s, sep=s)\n    print(end=s)\n"
             "    print(sep='x')\n    print(a, sep=None, end=None, flush=True)\n    print('😀', s, (s, 1))\n")
    njit(f)(1.5, "é\n")
    f(1.5, "é\n")
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:], out


def test_constant_comparisons_prune(make):
    f = njit(make("def f(x):\n    if MODE == 'text':\n        return x.undefined\n    return x + len('日本')\n", MODE="number"))
    assert f(1) == 3


def test_arguments_and_results(make):
    optional = njit(make("def f(s):\n    if len(s) > 2:\n        return s\n    return None\n"))
    assert optional("abc") == "abc" and optional("a") is None
    check(make, "def f(t):\n    return t[0] + t[1][1], (t[1][0], t[0])\n", [(("a", ("c", "b")),)])
    inner = make("@njit\ndef g(s, n):\n    if n == 0:\n        return s\n    return g(s + 'x', n - 1)\n",
                 "g", njit=njit)
    outer = njit(make("def f(s):\n    return g(s, 5) + g(s, 0)\n", g=inner))
    assert outer("é") == "éxxxxxé"


def test_memory_is_released(make):
    import resource
    f = njit(make("def f(s, n):\n    t = ''\n    for i in range(n):\n        t = s + str(i)\n    return t\n"))
    f("x" * 100000, 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        f("x" * 100000, 100)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50000


def test_errors(make):
    with pytest.raises(TypingError, match="add\\(int64, unicode_type\\)|add"):
        njit(make("def f(a, s):\n    return a + s\n"))(1, "x")
    with pytest.raises(TypingError, match="Unknown attribute 'frob'"):
        njit(make("def f(s):\n    return s.frob()\n"))("x")
    with pytest.raises(TypingError, match="not enough arguments"):
        njit(make("def f(s):\n    return '%s %s' % s\n"))("x")
    with pytest.raises(IndexError, match="string index out of range"):
        njit(make("def f(s):\n    return s[7]\n"))("x")


def test_split_and_join(make):
    cases = [(s, t, n) for s in TEXTS + ["a b  c", " a b c ", ",a,,b,", "aXXbXXc", "a\r\nb\rc\n\nd\u2028e"]
             for t in (" ", ",", "XX", "a", "😀", "") for n in (-1, 0, 1, 2)]
    check(make, "def f(s, t, n):\n    return s.split(), s.rsplit(), s.split(None, n), s.rsplit(None, n), s.splitlines(), "
          "s.splitlines(True)\n", cases[::6])
    check(make, "def f(s, t, n):\n    return s.split(t), s.split(t, n), s.rsplit(t, n), s.split(sep=t, maxsplit=n)\n", cases)
    check(make, "def f(s, t, n):\n    return t.join(s.split()), t.join(s), '-'.join([s, t, str(n)]), ','.join([w.upper() for w in s.split()])\n",
          cases)
    check(make, """def f(s):
    longest = ''
    counts = 0
    for line in s.splitlines():
        for word in line.split():
            if len(word) > len(longest):
                longest = word
            counts += word.count('a')
    words = s.lower().split()
    words.sort()
    words.append('end')
    return longest, counts, words, len(words), 'end' in words, words[0], words[::-1], ' '.join(words[1:])
""", [(s,) for s in TEXTS + ["the quick brown\nfox jumps aa\n\nover the lazy dog"]])
    f = njit(make("def f(l, n):\n    l.append('x' * n)\n    return l[0] + l[-1], [s + '!' for s in l]\n"))
    words = ["a", "é"]
    assert f(words, 3) == ("axxx", ["a!", "é!", "xxx!"]) and words == ["a", "é", "xxx"]


def test_texts_outlive_their_code(make):
    import gc
    words = ["a"]
    f = njit(make("def f(l):\n    l.append('constant')\n    return [s for s in ('x', 'y')]\n"))
    other = f(words)
    del f
    gc.collect()
    assert words == ["a", "constant"] and other == ["x", "y"]


def test_texts_in_errors(make):
    f = make("def f(s, n):\n    if n > 2:\n        raise ValueError(f'{s!r} is not {n:>3d}')\n    try:\n        return int(s)\n"
             "    except Exception:\n        return -1\n")
    for case in (("7", 1), ("x", 1), ("it's", 3)):
        assert outcome(njit(f), *case) == outcome(f, *case)


def test_growing_texts_share_memory(make):
    check(make, """def f(s, n):
    a = s
    out = ''
    for i in range(n):
        a = a + str(i)
        b = a + 'left'
        c = a + 'right'
        d = a[:3] + c
        if i % 50 == 7:
            out = out + b[-6:] + c[-7:] + d[:5] + a[-2:]
    return a, out, a + a
""", [("x" * 100, 300), ("é" * 70, 200), ("", 100)])


def test_integers_in_other_bases(make):
    plain = make("def f(n):\n    return bin(n), hex(n), oct(n)\n")
    f = njit(plain)
    for n in (0, 10, -3, 2**63 - 1, -2**63, True, 200):
        assert f(n) == plain(n)
    assert f(np.uint8(200)) == plain(200) and f(np.uint64(2**64 - 1)) == plain(2**64 - 1)
    for wrong in (1.5, "a"):
        with pytest.raises(TypingError):
            f(wrong)
