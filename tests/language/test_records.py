"""Structured arrays and single records: fields, whole items, nested records and arrays."""
import numpy as np
import pytest
from numba import TypingError, cuda, from_dtype, literal_unroll, njit, typeof, types
from numba.core import cgutils
from numba.extending import intrinsic, overload, overload_method

PLAIN = np.dtype([("a", "i4"), ("x", "f8"), ("b", "u1"), ("z", "c8")])
ALIGNED = np.dtype([("a", "i2"), ("x", "f4"), ("n", "i8")], align=True)
INNER = np.dtype([("u", "f8"), ("v", "i4")])
NESTED = np.dtype([("id", "i8"), ("place", INNER), ("m", "f4", (2, 3)), ("w", "i2", 4)])


def filled(dtype, n=5, seed=1):
    rng = np.random.default_rng(seed)
    a = np.zeros(n, dtype)
    a.view(np.uint8)[:] = rng.integers(0, 60, a.nbytes, dtype=np.uint8)
    return a


def same(a, b):
    """Whether all fields are equal, whatever is between them."""
    if a.dtype.names is None:
        return np.array_equal(a, b, equal_nan=True)
    return all(same(a[name], b[name]) for name in a.dtype.names)


def check(make, source, dtype, *args):
    plain = make(source)
    a, b = filled(dtype), filled(dtype)
    got, want = njit(plain)(a, *args), plain(b, *args)
    assert same(a, b), source
    if isinstance(want, np.void):
        assert got.tobytes() == want.tobytes() and got.dtype == want.dtype and isinstance(got, np.void), (got, want)
    elif isinstance(want, np.ndarray):
        np.testing.assert_array_equal(got, want)
    else:
        assert got == want, (source, got, want)


@pytest.mark.parametrize("dtype", [PLAIN, ALIGNED], ids=["packed", "aligned"])
def test_items(make, dtype):
    check(make, "def f(a):\n    a[0] = a[3]\n    a[1:3] = a[4]\n    a[-1] = a[0]\n    return a[2]['x'] + a[2].a\n".replace(
        "a[2].a", "a[2]['a']"), dtype)
    check(make, "def f(a):\n    a[1:4] = a[0:3]\n    a[::2] = a[1]\n", dtype)
    check(make, "def f(a):\n    b = a.copy()\n    a[0] = b[4]\n    b[1]['a'] = 5\n    a[2] = b[1]\n", dtype)
    check(make, "def f(a):\n    r = a[2]\n    r['x'] = 7\n    a[1]['a'] = r['a']\n    return r\n", dtype)
    check(make, "def f(a):\n    a['x'] = 2.5\n    a['a'][1:3] = 9\n    return a['x'].sum()\n", dtype)


def test_items_from_tuples(make):
    check(make, "def f(a):\n    a[0] = (1, 2.5, 3, 1j)\n    a[1:3] = (4, 5, 6, 7)\n    a[3] = (a[0]['a'], a[1]['x'], 0, a[0]['z'])\n", PLAIN)
    check(make, "def f(a):\n    a[0] = (7, (1.5, 2), a[1]['m'], 5)\n    a[2]['place'] = (9.5, 3)\n", NESTED)


def test_nested(make):
    check(make, "def f(a):\n    return a[1]['place']['u'] + a[2]['m'][1, 2] + a[3]['w'][-1]\n", NESTED)
    check(make, "def f(a):\n    a[1]['place'] = a[2]['place']\n    a[3]['place']['v'] = 4\n    a[0]['m'][:] = 1.5\n    a[0]['w'] = 3\n"
          "    a[1]['m'][0] = a[2]['m'][1]\n    a[4]['m'] = a[3]['m']\n    a['w'][:, 1] = 8\n    a['place']['u'][2] = 1\n", NESTED)
    check(make, "def f(a):\n    return a['m'].sum(), a['m'].shape, a['w'].size, a[0]['m'].shape\n".replace("a['m'].sum(), ", ""), NESTED)
    check(make, "def f(a):\n    return a[3]['place']\n", NESTED)
    check(make, "def f(a):\n    return a[3]\n", NESTED)


def test_single_records(make):
    a = filled(PLAIN)
    r = a[1]
    f = njit(make("def f(r, v):\n    r['x'] = v\n    return r['a'] + 1, r\n"))
    number, same = f(r, 4.25)
    assert a[1]["x"] == 4.25 and number == a[1]["a"] + 1
    assert type(same) is np.record and np.shares_memory(same, a)
    g = njit(make("def g(r, s):\n    return r['x'] if r['a'] > s['a'] else s['x']\n", "g"))
    assert g(a[0], a[1]) == g.py_func(a[0], a[1])
    h = njit(make("def h(a, r):\n    a[0] = r\n    a[2:4] = r\n", "h"))
    h(a, filled(PLAIN, seed=5)[3])
    assert a[0].tobytes() == a[3].tobytes() == filled(PLAIN, seed=5)[3].tobytes()
    record = from_dtype(PLAIN)
    assert typeof(a[0]) is record
    k = njit(f"float64(rec, int64)".replace("rec", "r"), **{}) if False else njit([(record, typeof(1))])(make("def f(r, n):\n    return r['x'] * n\n"))
    assert k(a[0], 3) == a[0]["x"] * 3


def test_recarrays(make):
    a = filled(PLAIN).view(np.recarray)
    f = njit(make("def f(a):\n    s = 0.0\n    for i in range(len(a)):\n        a[i].x = i * 1.5\n        s += a[i].a + a.x[i]\n    return s, a[2], a\n"))
    s, item, same = f(a)
    assert s == sum(a.a.astype(float)) + sum(a.x) and same is a
    assert item.x == a[2].x and item.a == a[2].a


def test_loops_and_creation(make):
    check(make, "def f(a):\n    s = 0.0\n    for r in a:\n        s += r['x']\n        r['a'] = 3\n    return s\n", PLAIN)
    f = njit(make("def f(n):\n    a = np.zeros(n, dtype)\n    for i in range(n):\n        a[i] = (i, i / 2, 1, 0)\n    return a, a[1]\n", dtype=PLAIN))
    a, r = f(4)
    assert a.dtype == PLAIN and a["x"].tolist() == [0, 0.5, 1, 1.5] and r["x"] == 0.5


def test_errors(make):
    for source in ("def f(a):\n    a[0] = (1, 2)\n", "def f(a):\n    a[0] = 5\n", "def f(a):\n    return a[0]['nope']\n",
                   "def f(a):\n    a[0]['a'] = 'text'\n"):
        with pytest.raises(TypingError):
            njit(make(source))(filled(PLAIN))


def test_kernels(make):
    source = ("def f(out, a, r):\n    i = cuda.grid(1)\n    if i < a.size:\n        a[i]['place']['u'] = i + r['x']\n"
              "        a[i]['m'][1, 1] = i\n        if i == 0:\n            a[1] = a[2]\n        out[i] = a[i]['w'][2]\n")
    a = filled(NESTED)
    b = a.copy()
    out = np.zeros(5, np.int64)
    r = filled(PLAIN)[0]
    cuda.jit(make(source, cuda=cuda))[1, 5](out, a, r)
    assert out[[0, 2, 3, 4]].tolist() == b["w"][[0, 2, 3, 4], 2].tolist()
    assert a[3]["place"]["u"] == 3 + r["x"] and a[4]["m"][1, 1] == 4 and a[1]["id"] == b[2]["id"]


TEXTS = np.dtype([("n", "i4"), ("name", "S5"), ("word", "U4"), ("place", INNER), ("x", "f8")], align=True)


def people():
    a = np.zeros(5, TEXTS)
    a["n"], a["x"] = [3, 1, 2, 1, 2], [1, 2, 3, 0, 3]
    a["name"], a["word"] = [b"ab", b"", b"hello", b"x", b"ab"], ["é", "abcd", "", "q", "é"]
    a["place"]["u"] = [1, 5, 2, 2, 1]
    return a


def check_texts(make, expressions, **names):
    """Expressions of `a`, and of `p` and `q`, which are records of it."""
    for expression in expressions.strip().splitlines():
        f = make(f"def f(a, p, q):\n    return {expression.strip()}\n", **names)
        a, b = people(), people()
        got, want = njit(f)(a, a[0], a[4]), f(b, b[0], b[4])
        if isinstance(want, np.ndarray):
            assert got.dtype == want.dtype and got.tolist() == want.tolist(), (expression, got, want)
        else:
            assert got == want, (expression, got, want)


def test_fields_of_text(make):
    check_texts(make, """p['name']
        p['word'] + 'z'
        a[2]['name'] == b'hello'
        a['word'][1] == 'abcd'
        len(p['name']), len(a[1]['word'])
        p['name'] == q['name'], p['word'] != a[1]['word'], p['word'] < 'z'
        {p['name']: 2}[q['name']]
        {p['word']: 2}[q['word']]
        [r['word'] for r in a]
        (p['name'], 1)
        a['name'] == b'ab'
        a['word'] != a['word'][::-1]
        [w.upper() for w in a['word']]
        p['word'].startswith('é')
        p['name'].decode()
        hash(p['word']) == hash('é')""")
    source = """
def f(a):
    a[0]['name'] = b'toolongname'
    a[1]['word'] = a[0]['word'] + '!'
    a['word'][2] = 'w'
    a[3]['word'] = a[1]['word']
    a[4] = (7, b'q', 'four', (1.5, 2), 2.5)
    a[2]['name'] = a[4]['name']
    a['x'] = 1
    count = dict()
    for r in a:
        count[r['name']] = count.get(r['name'], 0) + 1
    return len(count), count[b'q']
"""
    a, b = people(), people()
    assert njit(make(source))(a) == make(source)(b) and a.tobytes() == b.tobytes()
    fill = make("def f(a):\n    a['name'] = b'same'\n    a['word'][1:3] = 'xyz'\n    a['word'].fill('all') if a[0]['n'] == 0 else None\n")
    njit(fill)(a), fill(b)
    assert a.tolist() == b.tolist()


def test_whole_records(make):
    check_texts(make, """p == q, p == p, p != a[1], a[1] == a[2]
        a == a[::-1]
        a != p
        tuple(p)[:3]
        len(p), p[0], p[1], p[-1], a[1][3]['u']
        np.sort(a)
        np.sort(a, order='x')
        np.argsort(a, order='n')
        a[np.argsort(a['place']['u'], kind='mergesort')]
        np.argsort(a)
        np.concatenate((a, a[:2]))
        np.stack((a, a))[1]
        np.append(a, a)
        np.array([p, q])
        np.unique(a['name'])
        np.zeros(2, D)
        np.empty(2, D).shape
        a[['n', 'x']]
        a[['x', 'word']][1:3]['word']
        p[['x', 'n']]['x']
        a[a['n'] > 1]
        np.repeat(a, 2)
        np.lexsort((a['n'], a['x']))""", D=TEXTS)
    source = """
def f(a):
    a[a['n'] > 2] = a[1]
    a[np.array([3, 4])] = a[2]
    a[0][0] = 9
    a.sort(order='x')
    b = np.zeros_like(a)
    b[:] = a[::-1]
    b.sort()
    return b
"""
    a, b = people(), people()
    assert njit(make(source))(a).tolist() == make(source)(b).tolist() and a.tolist() == b.tolist()
    source = """
def f(a):
    b = a.copy()
    a[['x', 'word']] = b[['x', 'word']][::-1]
    a[0][['n', 'name']] = b[3][['n', 'name']]
    a[1:3][['n', 'x']] = (4, 2.5)
    return a[['n', 'place']]
"""
    a, b = people(), people()
    got, want = njit(make(source))(a), make(source.replace("a[0][['n', 'name']] =", "a[:1][['n', 'name']] ="))(b)
    assert got.tolist() == want.tolist() and a.tolist() == b.tolist()
    for source in ("def f(a):\n    return a[0] < a[1]\n", "def f(a):\n    return a[['n', 'nope']]\n", "def f(a):\n    return a[0][7]\n"):
        with pytest.raises(TypingError):
            njit(make(source))(people())


def test_unrolled_fields(make):
    source = """
def f(a):
    total = 0.0
    for name in literal_unroll(('n', 'x')):
        total += a[1][name] + a[name].sum()
        a[0][name] = 5
    for name in literal_unroll(NAMES):
        total += a[2][name]
    return total
"""
    a, b = people(), people()
    names = {"literal_unroll": literal_unroll, "NAMES": ("x", "n", "x")}
    assert njit(make(source, **names))(a) == make(source, **names)(b) and a.tobytes() == b.tobytes()


def test_records_are_given_as_np_record():
    """With fields as attributes, whatever the array's own class; over the same memory where it was an argument."""
    plain = np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
    pick = njit(lambda a: (a[0], a[1]))
    for array in (plain, plain.view(np.recarray), plain[::-1]):
        first, second = pick(array)
        assert type(first) is type(second) is np.record
        assert first.a == array[0]["a"] and second.b == array[1]["b"] and first.dtype == plain.dtype
        assert first["a"] == first[0] == first.a
    made = njit(lambda n: np.zeros(n, plain.dtype)[0])(2)
    assert type(made) is np.record and made.b == 0.0
    same = njit(lambda r: r)
    record = plain.view(np.recarray)[0]
    assert same(record) is record
    again, own = same(plain[0]), same(np.void((1, 2.5), plain.dtype))
    again.a = 77
    assert plain[0]["a"] == 77 and type(own) is np.record and own.b == 2.5
    assert all(type(item) is np.record for item in njit(lambda r: (r, r))(plain[1]))


NAMES_OF_ARRAYS = [name for name in dir(np.ndarray) if not name.startswith("_")]
USES = """def f(records):
    total = 0.0
    for record in records:
        total += record.NAME[ITEM]
    last = records[2]
    last.NAME[ITEM] = 7
    last.NAME[ITEM] += 1
    return records[1].NAME[ITEM], total, records[2]["NAME"][ITEM]
"""


@pytest.mark.parametrize("name", NAMES_OF_ARRAYS)
def test_fields_hide_what_arrays_have(name):
    for shape, item in ((), ""), ((3,), "[1]"):
        scope = {}
        exec(USES.replace("NAME", name).replace("[ITEM]", item), scope)
        records = np.zeros(3, [("first", np.float64), (name, np.float32, shape)])
        records[name] = 5
        assert njit(scope["f"])(records) == (5, 15, 8)


def test_stored_into_what_came_back():
    """A record that compiled code gave is a copy, which can be changed."""
    data = np.zeros(2, np.dtype([("a", "f8"), ("b", "i2")]))
    record = njit(lambda a, i: a[i])(data.copy(), 1)
    record["a"] = 2.5
    record.b = 3
    assert record.item() == (2.5, 3) and data[1].item() == (0.0, 0)


@pytest.mark.parametrize("field", ["z['a']", "z['b']['y']", "z['b']['t']", "z.a", "z.b.y", "z[0]"])
@pytest.mark.parametrize("index", ["()", "..."])
def test_fields_of_one_record_have_the_index_of_no_dimensions(field, index):
    """In NumPy the field of an array of no dimensions is one, too: z['a'][()] reads and sets its item."""
    scope, dtype = {}, np.dtype([("a", "i4"), ("b", [("y", "f8"), ("t", "U3")])])
    value = "'xyz'" if "'t'" in field else "7"
    exec(f"def f(z):\n    first = {field}[{index}]\n    {field}[{index}] = {value}\n    return first, {field}", scope)
    z = np.array((1, (2.5, "ab")), dtype)
    expected = {"a": 1, "y": 2.5, "t": "ab"}[field.replace("[0]", "['a']").strip("']")[-1]]
    assert njit(scope["f"])(z) == (expected, eval(value))
    a, b = z.item()
    assert {a, b[0], b[1]} == {1, 2.5, "ab"} - {expected} | {eval(value)}


@pytest.mark.parametrize("source", ["z['a'][()] += 2", "z['a'][...] *= 3", "z['b']['y'][()] -= 1", "z['a'][()] = z['a'][...] + 1"])
def test_fields_of_one_record_are_changed_in_place(source):
    scope, dtype = {}, np.dtype([("a", "i4"), ("b", [("y", "f8")])])
    exec(f"def f(z):\n    {source}", scope)
    got, expected = np.array((1, (2.5,)), dtype), np.array((1, (2.5,)), dtype)
    njit(scope["f"])(got)
    scope["f"](expected)
    assert got == expected


def test_an_array_of_one_record_comes_back_as_it_is():
    """A record and an array of no dimensions over one are alike to compiled code: what came decides, where it is the same."""
    dtype = np.dtype([("a", "i4"), ("b", "f8")])
    array, record = np.array((1, 2.5), dtype), np.rec.array([(1, 2.5)], dtype)[0]
    same = njit(lambda r: r)
    assert same(array) is array and isinstance(same(record), np.record)
    pair = njit(lambda r: (r, r["a"], r.copy()))(array)
    assert pair[0] is array and pair[1] == 1 and pair[2].item() == (1, 2.5)
    outer = np.zeros(2, dtype)
    assert isinstance(njit(lambda r: r[1])(outer), np.record)


def kind_of(x):
    raise NotImplementedError


@overload(kind_of)
def ol_kind_of(x):
    name = "record" if isinstance(x, types.Record) else "array" if isinstance(x, types.Array) else "other"
    return lambda x: name


@overload_method(types.Record, "weight")
def ol_weight(record, times=1):
    return lambda record, times=1: record.x * record.n * times


@intrinsic(prefer_literal=True)
def field_of(typingctx, record, name):
    kind = record.typeof(name.literal_value)

    def write(context, builder, sig, args):
        assert isinstance(sig.args[0], types.Record)
        place = cgutils.get_record_member(builder, args[0], sig.args[0].offset(name.literal_value), context.get_data_type(kind))
        return context.unpack_value(builder, kind, place, align=1)
    return kind(record, name), write


@pytest.mark.parametrize("aligned", [False, True])
def test_programs_are_told_of_records(aligned):
    """Overloads, methods and intrinsics see a Record, whose value is its address, as with numba."""
    array = np.zeros(3, np.dtype([("n", "i1"), ("x", "f8"), ("ok", "?")], align=aligned))
    array["n"], array["x"], array["ok"] = [1, 2, 3], [1.5, 2.5, 3.5], [True, False, True]
    f = njit(lambda a, i: (kind_of(a[i]), kind_of(a), kind_of(a[i].x), a[i].weight(2), field_of(a[i], "x"), field_of(a[i], "ok")))
    assert f(array, 1) == ("record", "array", "other", 10.0, 2.5, False)
    assert njit(lambda r: (kind_of(r), r.weight(), field_of(r, "n")))(array[2]) == ("record", 10.5, 3)
