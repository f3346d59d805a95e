# SPDX-License-Identifier: MIT
"""Forms of methods and operators, and the values that they are tried with."""
import dataclasses

TEXTS = ["", "a", "ab", "aba", " a b ", "aXbXc", "\u00e9", "a\u00e9\u00df", "\u20ac1", "\U0001f600", "a\U0001f600b", "\0", "a\0b",
         "\ufb01 \u0130\u0131", "\u03a3\u03c2 \u01c4\u01c5", "123", "-1", " 7\n", "\u0663", "\u00bd\u00b2", "a\r\nb\x0bc\x1cd\u2028e\n",
         "\t a\tb", "aBc DEF'g", "1.5e3", "inf", "nan", "0x1f", "1_000", "__", "{}%s", "x" * 40, "\ud800"]
SHORT = ["", "a", "b", "ab", " ", "X", "\u00e9", "\U0001f600", "\0", "\n", "\ud800"]
BYTES = [b"", b"a", b"ab", b"aba", b" a b ", b"aXbXc", b"\xff\x80", b"\0", b"a\0b", b"123", b"-1", b"a\r\nb\x0bc\x1cd\n", b"\t a\tb",
         b"aBc DEF'g", b"1.5e3", b"x" * 40]
SHORT_BYTES = [b"", b"a", b"b", b"ab", b" ", b"X", b"\xff", b"\0", b"\n"]
INDICES = [0, 1, 2, 3, 100, -1, -2, -3, -100, 2**31, 2**63 - 1, -2**63]
COUNTS = [0, 1, 2, 7, -1, -2**63]
STEPS = [1, 2, 3, -1, -2, -3, 100, -100, 0, 2**63 - 1, -2**63]
NUMBERS = [0, 1, -1, 2, 3, 2**63 - 1, -2**63]
FLOATS = [0.0, -0.0, 1.5, -1.5, 2.0, float("inf"), float("nan")]

POOLS = {
    "text": TEXTS, "short": SHORT, "char": [c for c in SHORT if len(c) == 1], "bytes": BYTES, "bshort": SHORT_BYTES,
    "bchar": [c for c in SHORT_BYTES if len(c) == 1], "byte": [0, 97, 255, 256, -1],
    "index": INDICES, "count": COUNTS, "step": STEPS, "none": [None], "bool": [False, True], "int": NUMBERS, "float": FLOATS,
    "code": [0, 97, 233, 0x20ac, 0x1f600, 0x10ffff, 0x110000, -1, 2**63 - 1],
    "ints": [[1], [3, 1, 2], [1, 1, 2, 1], [-2**63, 2**63 - 1, 0], list(range(9))],
    "floats": [[1.5], [0.0, -0.0, 2.0], [float("inf"), -1.5, float("-inf")], [2.0, 1.0, 2.0, 0.5]],
    "strs": [["a"], ["b", "", "a"], ["\u00e9", "\U0001f600", "z", "a"], ["ab", "a", "ab"]],
    "pairs": [[(1, 2)], [(2, 1), (1, 2), (1, 1)], [(0, 0), (0, -1)]],
    "items": [[(1, 2.5)], [(3, 1.0), (1, 2.0), (3, 4.0)], [(k, k / 2) for k in range(20, 0, -1)]],
    "stritems": [[("a", 1)], [("b", 2), ("", 3), ("b", 4), ("\U0001f600", 5)]],
    "set": [{1}, {1, 2, 3}, {-2**63, 0, 2**63 - 1}, set(range(40))], "strset": [{"a"}, {"", "ab", "\u00e9"}],
    "triple": [(1, 2, 3), (3, 1, 1), (0, -1, 2**63 - 1)], "other": [(1, 2, 3), (1, 2, 4), (0, 0, 0)], "mixed": [(1, "a", 2.5), (0, "", -0.0)],
    "strings": [("a", "b"), ("", "\u00e9")],
}
STATEFUL = {"ints", "floats", "strs", "set", "strset"}


@dataclasses.dataclass(frozen=True)
class Form:
    code: str    # lines, and last an expression, with "; " between
    pools: tuple

    @property
    def names(self):
        return "xabcd"[:len(self.pools)]

    @property
    def has_state(self):
        return self.pools[0] in STATEFUL

    def allows(self, result, expected):
        """Python's errors of codings have five arguments; those of compiled code are of the class above them."""
        return result is UnicodeError and expected in (UnicodeEncodeError, UnicodeDecodeError)


def over(part, codes):
    """The codes, with " // " between, for x of the pool `part` and the further pools that each line names."""
    made = []
    for line in codes.strip().splitlines():
        further, _, code = line.strip().partition(": ")
        made += [Form(one.strip(), (part, *further.split())) for one in code.replace('\\n', '\n').split(' // ')]
    return made


SEARCHES = "x.find(@) // x.rfind(@) // x.index(@) // x.rindex(@) // x.count(@) // x.startswith(@) // x.endswith(@)"
COMPARED = "x == a // x != a // x < a // x <= a // x > a // x >= a"
SLICES = """
index: x[a] // x[a:] // x[:a]
index index: x[a:b]
none none: x[a:b]
none index: x[a:b]
index none: x[a:b]
step: x[::a]
index step: x[a::b] // x[:a:b]
index index step: x[a:b:c]
none none step: x[a:b:c]
"""


def searches(short):
    return "\n".join(f"{' '.join([short, *more])}: {SEARCHES.replace('@', ', '.join('abc'[:len(more) + 1]))}" for more in (
        (), ("index",), ("index", "index"), ("none", "index"), ("index", "none"), ("none", "none")))


CLASSES = " // ".join(f"x.{name}()" for name in (
    "upper", "lower", "title", "capitalize", "swapcase", "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace",
    "istitle", "isupper", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "expandtabs"))


def of_texts(text, short, char):
    return over(text, f"""
    : {CLASSES} // len(x) // bool(x) // not x // list(x) // x + x // hash(x) == hash(x + x[:0]) // sorted(x) // min(x) // max(x)
    : repr(x) // str(x) // [c for c in x] // [c for c in reversed(x)] // list(enumerate(x)) // set(x) == set(list(x)) // (x, x) == (x, x)
    : int(x) // float(x) // x[0] // x[-1] // x[1:] // x[::-1] // x[-2:] // [(c, d) for c, d in zip(x, x[1:])] // x is x // x in x
    {short}: {COMPARED} // a in x // a not in x // x + a // x.strip(a) // x.lstrip(a) // x.rstrip(a) // x.split(a) // x.rsplit(a)
    {short}: x.partition(a) // x.rpartition(a) // x.removeprefix(a) // x.removesuffix(a) // x += a; x // x.join([a, a, x])
    {short}: x.startswith((a, x)) // x.endswith((a, x)) // x.split(sep=a) // x.join((a, x)) // max(x, a) // min(x, a)
    none: x.strip(a) // x.lstrip(a) // x.rstrip(a) // x.split(a) // x.rsplit(a) // x.split(a, 1) // x.rsplit(a, maxsplit=2)
    bool: x.splitlines(a) // x.splitlines(keepends=a)
    {short} count: x.split(a, b) // x.rsplit(a, b) // x.split(a, maxsplit=b)
    {short} {short}: x.replace(a, b)
    {short} {short} count: x.replace(a, b, c)
    count: x * a // a * x // x.expandtabs(a) // x.zfill(a) // x.center(a) // x.ljust(a) // x.rjust(a) // x *= a; x
    count {char}: x.center(a, b) // x.ljust(a, b) // x.rjust(a, b)
    count {short}: x.center(a, b)
    """ + searches(short) + SLICES)


STR = of_texts("text", "short", "char") + over("text", """
: x.casefold() // x.isdecimal() // x.isidentifier() // x.isnumeric() // x.isprintable() // x.encode() // x.encode().decode() // ord(x)
: [ord(c) for c in x] // f'{x}' // f'{x!r}' // f'{x:>5}|{x:.2}|{x:*^7}' // '%s|%r' % (x, x) // '{}{!r:>9}'.format(x, x) // {c: i for i, c in enumerate(x)}
: x.join(['1', '2']) // x.join(x) // ','.join(x) // x.join('abc') // tuple(x[:2]) == (x, x) // x.format(1) // complex(x) // ascii(x)
""") + over("code", ": chr(x) // ord(chr(x)) // str(x) // f'{x:x}'")

BYTE_FORMS = of_texts("bytes", "bshort", "bchar") + over("bytes", """
: x.decode() // x.hex() // [b for b in x] // x.decode().encode() == x // bytes(x) // list(x) // sum(x)
byte: a in x // x.find(a) // x.count(a) // x.index(a)
""")


def of_lists(pool, item):
    return over(pool, f"""
    : len(x) // bool(x) // x.copy() // x.reverse() // x.clear() // x.pop() // x.sort() // x.sort(reverse=True) // sorted(x) // sorted(x, reverse=True)
    : min(x) // max(x) // list(x) // x + x // x += x; x // x.extend(x) // x.extend(x[1:]) // x[:] // list(reversed(x)) // list(enumerate(x)) // x == x
    : x.clear(); x.pop() // x.clear(); x.sort() // x.clear(); x[0] // x.clear(); max(x) // x.clear(); x.reverse() // x.clear(); x[1:]
    : a, *b = x; (a, b) // a, b = x; (a, b) // a, b, c = x; c // *a, b = x; (a, b) // x[0], x[-1] = x[-1], x[0]; x // del x[:]; x // x[:] = x[1:]; x
    : x[1:1] = x; x // x[::2] = x[::2]; x // x[::2] = x[:1]; x // del x[::2]; x // del x[0]; x // del x[-1]; x // list(zip(x, x[1:]))
    : y = x[0]; x.sort(key=lambda v: v == y); x // [v for v in x if v == x[0]] // x is x.copy() // x == x.copy() // set(x) == set(x) // tuple(x[:1]) == (x[0],)
    : for v in x:\\n    if len(x) < 9:\\n        x.append(v); x // for v in x:\\n    x.pop(); x // for v in x:\\n    x.remove(v); x
    : for i, v in enumerate(x):\\n    if i < 3:\\n        x.insert(0, v); x // for v in reversed(x):\\n    x.pop(); x // for i in range(len(x)):\\n    x.pop(0); x
    {item}: x.append(a) // x.remove(a) // x.index(a) // x.count(a) // a in x // a not in x // x[0] = a; x // x[-1] = a; x // x += [a]; x // [a] + x
    {pool}: {COMPARED} // x + a // x += a; x // x.extend(a) // x[1:2] = a; x // x[:0] = a; x // list(zip(x, a)) // x[::-1] = a; x
    index: x[a] // x.pop(a) // del x[a]; x // x.insert(a, x[0]); x // del x[a:]; x // del x[:a]; x // x[a] = x[0]; x // x[a:] = x[:1]; x
    count: x * a // a * x // x *= a; x
    {item} index: x.index(a, b) // x.insert(b, a); x
    {item} index index: x.index(a, b, c)
    index index: del x[a:b]; x // x[a:b] = x[:2]; x
    step: del x[::a]; x // x[::a] = x[::a]; x
    index index step: del x[a:b:c]; x // x[a:b:c] = x[a:b:c][::-1]; x
    """ + SLICES)


LISTS = of_lists("ints", "int") + of_lists("floats", "float") + of_lists("strs", "short") + over("ints", """
: sum(x) // any(x) // all(x) // x.sort(key=lambda v: -v % 5); x // sorted(x, key=lambda v: v % 2) // max(x, key=lambda v: v % 3) // [v ^ 1 for v in x]
float: x.append(a) // a in x // x.count(a)
""") + over("pairs", """
: sorted(x) // x.sort(); x // max(x) // min(x) // [a + b for a, b in x] // dict(x) // x.index((1, 1)) // (1, 2) in x // x.count((1, 2)) // [p[0] for p in x]
: x.reverse(); x // x.pop(); x // x == sorted(x) // x < sorted(x)
""")


def of_dicts(pool, key, value):
    make = "d = {k: v for k, v in x}; "
    lines = over(pool, f"""
    : len(d) // bool(d) // list(d) // list(d.keys()) // list(d.values()) // list(d.items()) // d.copy() // d.clear(); d // d.popitem() // d == d.copy()
    : d != {{k: v for k, v in x[1:]}} // [k for k in d] // sorted(d) // max(d) // list(reversed(list(d))) // d is d.copy() // dict(x) // dict(d) // d | d
    : e = d.copy(); e.pop(x[0][0]); d.update(e); (d, e) // d |= {{k: v for k, v in x[:1]}}; d // {{**d}} // {{v: k for k, v in d.items()}}
    : for k in d:\\n    d.pop(k); d // for k in d:\\n    d[k] = x[0][1]; d // for k, v in d.items():\\n    d.clear(); d // for k in list(d):\\n    del d[k]; d
    : n = 0; for k in d:\\n    n += 1\\n    d.popitem(); n // while d:\\n    d.popitem(); d // d.keys() == d.keys() // len(d.items())
    {key}: d[a] // a in d // a not in d // d.get(a) is None // d.pop(a) // del d[a]; d // d.get(a, x[0][1]) // d.pop(a, x[0][1])
    {key} {value}: d.get(a, b) // d.pop(a, b) // d.setdefault(a, b), d // d[a] = b; d // d.update({{a: b}}); d // d | {{a: b}}
    {key} {value}: for k in d:\\n    d[a] = b; d // for k in list(d):\\n    d.pop(k)\\n    d[a] = b; list(d.items())
    """)
    return [Form(make + form.code, form.pools) for form in lines]


DICTS = of_dicts("items", "int", "float") + of_dicts("stritems", "short", "int")


def of_sets(pool, item):
    binary = ("union", "intersection", "difference", "symmetric_difference", "isdisjoint", "issubset", "issuperset", "update",
              "intersection_update", "difference_update", "symmetric_difference_update")
    methods = " // ".join(f"x.{name}(a)" for name in binary)
    return over(pool, f"""
    : len(x) // bool(x) // x.copy() // x.clear() // sorted(x) // min(x) // max(x) // x == x.copy() // y = x.copy(); v = y.pop(); (v in x, v in y, len(y)) // list(x).__len__() // set(x)
    : x.clear(); x.pop() // x.clear(); max(x) // x | x // x - x // x ^ x // x & x // x <= x // x < x // x is x.copy() // {{v for v in x}} == x
    : for v in x:\\n    x.discard(v); x // for v in x:\\n    x.clear(); x // for v in list(x):\\n    x.remove(v); x // while x:\\n    x.pop(); x
    {item}: x.add(a) // x.remove(a) // x.discard(a) // a in x // a not in x // for v in list(x):\\n    x.add(a); x
    {pool}: {methods} // {COMPARED} // x | a // x & a // x - a // x ^ a // x |= a; x // x &= a; x // x -= a; x // x ^= a; x
    """)


SETS = of_sets("set", "int") + of_sets("strset", "short") + over("set", """
ints: x.union(a) // x.update(a) // x.intersection(a) // x.difference(a) // x.isdisjoint(a) // x.issubset(a) // x.issuperset(a)
: frozenset(x) == x // sum(x) // any(x) // all(x)
""")

TUPLES = over("triple", f"""
: len(x) // x + x // x[0] // x[-1] // x[1:] // x[::-1] // x[:-1] // x[5:] // x[-9:2] // list(x) // sum(x) // min(x) // max(x) // sorted(x) // tuple(x)
: a, b, c = x; c // a, *b = x; b // *a, b = x; a // list(reversed(x)) // list(enumerate(x)) // hash(x) == hash(x[:]) // x * 2 // x * 0 // 2 * x // x + (1.5,)
: any(x) // all(x) // bool(x) // x == x // x is x // [v for v in x] // list(zip(x, x)) // x[::2] // x[2:0:-1] // (x,) == (x,) // str(x) // repr(x) // f'{{x}}'
int: a in x // a not in x // x.index(a) // x.count(a)
float: a in x // x.count(a)
index: x[a]
int index: x.index(a, b)
other: {COMPARED} // x + a // max(x, a)
triple: {COMPARED}
""") + over("mixed", f"""
: len(x) // x[0] // x[1] // x[-1] // x[1:] // x + x // a, b, c = x; (c, b, a) // x == x // x[::-1] // hash(x) == hash(x) // str(x) // x != x // repr(x)
mixed: {COMPARED}
int: x + (a,) // x.count(a)
short: x[1] + a // a in x
""") + over("strings", f"""
: len(x) // x + x // ','.join(x) // sorted(x) // max(x) // [v for v in x] // x[0] + x[1] // list(x)
short: a in x // x.count(a) // x.index(a)
strings: {COMPARED}
""")

FORMS = [form for family in (STR, BYTE_FORMS, LISTS, DICTS, SETS, TUPLES) for form in family]
assert all(name in POOLS for form in FORMS for name in form.pools)
