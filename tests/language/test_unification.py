"""Values of two types that meet: what they have in common, and the lines that are named, those of the assignments."""
import re
import time

import numpy as np
import pytest
from numba import float64, int64, njit, typed
from numba.core import errors

# by name: a function whose assignments that do not go together are marked A and B
CASES = {
    "if_else": '''def f(x):
    # one

    if x > 0:
        y = 1  # A
    else:
        y = "s"  # B
    return y
''',
    "assigned_before": '''def f(x):
    z = x + 1.5
    s = "a"

    if x > 0:
        y = z  # A
    else:
        y = s  # B
    return y
''',
    "loops_edge": '''def f(x):
    y = 0  # A
    for i in range(x):
        print(y)
        y = "a"  # B
    return y
''',
    "while": '''def f(x):
    y = (1, 2)  # A
    while x > 0:
        x -= 1
        y = y + (1,)  # B
    return y
''',
    "try": '''def f(x):
    try:
        y = 1  # A
        if x > 2:
            raise ValueError
    except Exception:
        y = "a"  # B
    return y
''',
    "constants": '''def f(x):
    k = "none"
    j = 1
    if x:
        y = j  # A
    else:
        y = k  # B
    return y
''',
    "constants_of_one_line": '''def f(x):
    k = "none"; j = 1
    if x:
        y = j  # A
    else:
        y = k  # B
    return y
''',
    "defaults": '''def f(x, a="s", b=1):
    if x:
        y = a  # A
    else:
        y = b  # B
    return y
''',
    "parameter": '''def f(x, a):  # A
    if x:
        a = "s"  # B
    return a
''',
    "three_values": '''def f(x):
    if x == 1:
        y = 1
    elif x == 2:
        y = 2.5  # A
    else:
        y = "s"  # B
    return y
''',
    "nested": '''def f(x):
    if x > 1:
        if x > 2:
            y = 1  # A
        else:
            y = 2
    else:
        y = "s"  # B
    return y
''',
    "nested2": '''def f(x):
    if x > 1:
        y = "s"  # A
    else:
        if x > 2:
            y = 1  # B
        else:
            y = 2
    return y
''',
    "inner": '''def f(x):
    def g(y):
        if y:
            z = 1  # A
        else:
            z = "s"  # B
        return z
    return g(x)
''',
    "conditional": '''def f(x):
    y = 1 if x else "s"  # A
    return y
''',
    "long_conditional": '''def f(x):
    y = (1  # A
         if x else
         "s")  # B
    return y
''',
    "optional": '''def f(x):
    y = 1  # A
    for i in range(3):
        for j in range(3):
            if i == j:
                y = None
            else:
                y = "s"  # B
    return y
''',
    "arrays_from_before": '''def f(x):
    a = np.zeros(3)
    b = np.zeros((3, 3))
    if x:
        c = a  # A
    else:
        c = b  # B
    return c
''',
    "arrays": '''def f(x):
    if x:
        c = np.zeros(3)  # A
    else:
        c = np.zeros((3, 3))  # B
    return c.sum()
''',
    "loops_variable": '''def f(x):
    for i in range(3):  # A
        pass
    if x:
        i = "s"  # B
    return i
''',
    "unpack": '''def f(x):
    if x:
        a, b = 1, "s"  # A
    else:
        b, a = 1, "s"  # B
    return a
''',
    "match": '''def f(x):
    match x:
        case 1:
            y = 1  # A
        case _:
            y = "s"  # B
    return y
''',
    "walrus": '''def f(x):
    if x:
        z = (y := 1)  # A
    else:
        z = (y := "s")  # B
    return y
''',
    "second_of_two": '''def f(x):
    if x:
        a = 1
        y = 1  # A
    else:
        a = 2
        y = "s"  # B
    return a, y
''',
    "copies": '''def f(x):
    if x:
        a = 1     
        y = a  # A
    else:
        a = "s"
        y = a  # B
    return y
''',
    "unassigned": '''def f(x):
    if x:
        y = 1  # A
    if x > 2:
        y = "s"  # B
    return y
''',
    "loops_else": '''def f(x):
    y = 1  # A
    while x > 1:
        x -= 1
        if x == 2:
            continue
        y = "s"  # B
    else:
        return y
    return y
''',
}

# what stands above a function in a cell or a file
ABOVE = {"alone": "", "comments": "# one\n\n# two\n", "decorated": "import numba\n\n\n@numba.njit\n# between\n"}


def marked(source):
    """The line of A, and that of B or, where it is missing, of A."""
    lines = {mark: number for number, line in enumerate(source.splitlines(), 1)
             for mark in re.findall("# ([AB])", line)}
    return lines["A"], lines.get("B", lines["A"])


def refusal(make, source):
    f = make(source)
    f = getattr(f, "py_func", f)
    with pytest.raises(errors.TypingError) as caught:
        njit(f)(*range(3, 3 + f.__code__.co_argcount - len(f.__defaults__ or ())))
    return str(caught.value)


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("name", CASES)
def test_lines_of_values_that_do_not_unify(make, name, above):
    source = ABOVE[above] + CASES[name]
    text, (first, second) = refusal(make, source), marked(source)
    named = re.search(r"The values are from the lines (\d+) and (\d+)\.|Both values are from line (\d+)\.", text)
    assert named, text
    lines = {int(line) for line in named.groups() if line}
    assert lines == {first, second}, text


@pytest.mark.parametrize("returns, line", [
    (["1", "2.5", "'a'"], 3), (["'a'", "1", "2"], 3), (["None", "1", "'a'"], 5), (["(1, 2)", "(1,)", "(1, 2)"], 3),
])
def test_lines_of_returns_that_do_not_unify(make, returns, line):
    source = ("def f(x):\n    if x == 1:\n        return {}\n    elif x == 2:\n        return {}\n"
              "    return {}\n").format(*returns)
    assert f" Line {line} returns " in refusal(make, source)


# no type holds itself: each round of inference would make it larger, some of them by doubling it
GROWING = ["r = {{}}\n    r[r] = r", "r = {{}}\n    r[{}] = r", "r = {{}}\n    r[(r, r)] = r", "r = []\n    r.append({})",
           "r = []\n    q = (r, r)\n    r.append(q)", "r = set()\n    r.add({})", "r = {{}}\n    r[1] = [{}]", "r = [[]]\n    r[0] = {}",
           "r = []\n    while len(r) < 3:\n        r = [r, {}]", "r = None\n    for i in range(3):\n        r = (i, {})",
           "r = numba.typed.List()\n    r.append({})", "r = numba.typed.Dict()\n    r[1] = {}"]


@pytest.mark.parametrize("text", GROWING)
def test_types_that_hold_themselves(make, text):
    f = make(f"import numba\ndef f():\n    {text.format('r')}\n")
    begin = time.perf_counter()
    with pytest.raises(errors.TypingError, match="do not settle: that of '[qr]' keeps growing, as it does where a container"):
        njit(f)()
    assert time.perf_counter() - begin < 60  # a second alone; without a limit, it does not end


@pytest.mark.parametrize("body", ["return 1 if n else 's'", "return l or 's'", "return [] if n else []", "n and len((z := 's',))",
                                  "return d if n > 1 else (l if n < 0 else 3)", "del {1}[{}]", "return len([])"])
def test_expressions_have_no_names_of_ours(make, body):
    f = njit(make(f"def f(n, l, d):\n    {body}\n"))
    try:
        f(3, [1], {})
    except Exception as error:
        assert "$" not in str(error) and "internal" not in str(error)


LATE = ["[u]", "[u for _ in range(2)]", "{u for _ in range(2)}", "{1: u}", "([u for _ in range(2)], 1)", "np.array([u, u])",
        "[np.array([u]) for _ in range(2)]", "[[u for _ in range(2)] for _ in range(2)]", "{1: [u for _ in range(2)]}"]


@pytest.mark.parametrize("form", LATE)
def test_types_that_come_late_agree(form):
    """On one path the value is an integer, which has its type before the number of the other one."""
    source = f"""
def after(table, key):
    u = 0.5
    if key > 3:
        return {form}
    v = table.get(key, 1.5)
    u = v if key < 3 else np.int8(5)
    return {form}

def each(table, key):
    u = 0.5
    yield {form}
    v = table.get(key, 1.5)
    u = v if key < 3 else np.int8(5)
    yield {form}
"""
    names, plain = {"np": np}, {"np": np}
    exec(source, names)
    exec(source.replace("np.int8(5)", "5.0"), plain)
    table = typed.Dict.empty(int64, float64)
    table[1] = 2.5
    after, each = njit(names["after"]), njit(names["each"])
    for key in 1, 2, 3, 4:
        assert text(after(table, key)) == text(plain["after"](table, key)), key
        assert list(map(text, each(table, key))) == list(map(text, plain["each"](table, key))), key


def text(value):
    return repr(dict(value) if isinstance(value, typed.Dict) else value)


def test_returns_agree_once_a_loop_is_typed():
    """The first look at the loop takes x for an integer."""
    @njit
    def last(n):
        x = 0
        for i in range(n):
            if i == 2:
                return np.array([x])
            x = x + 0.5
        return np.array([1.5])

    assert [last(n).tolist() for n in (0, 3)] == [[1.5], [1.0]]
