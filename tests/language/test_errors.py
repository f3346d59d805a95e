"""Errors: class, message, and the place in the user's source."""
import os
import traceback

import numpy as np
import pytest
import numba
from numba import njit
from numba.core import errors


def failure(make, source, *args, error=errors.TypingError, **namespace):
    f = njit(make(source, **namespace))
    with pytest.raises(error) as caught:
        f(*args)
    return str(caught.value)


def test_place_of_a_type_error(make):
    text = failure(make, "def f(x):\n    y = x + 1\n    return y + \"a\"\n", 3)
    assert text.startswith("Failed in nopython mode pipeline (step: nopython frontend)\n")
    assert "line 3:\ndef f(x):\n    <source elided>\n    return y + \"a\"\n           ^~~~~~~" in text


def test_loc_of_an_error(make):
    f = njit(make("def f(x):\n    y = x + 1\n    return y + 'a'\n"))
    with pytest.raises(errors.TypingError) as caught:
        f(3)
    loc = caught.value.loc
    assert (loc.filename, loc.line, loc.col) == (f.py_func.__code__.co_filename, 3, 11)
    assert str(loc) == f"{loc.filename} (3)"


def test_undefined_name(make):
    text = failure(make, "def f(x):\n    return x + foo_undefined\n", 3)
    assert "NameError: name 'foo_undefined' is not defined" in text and "line 2:" in text


def test_unknown_attribute(make):
    text = failure(make, "def f(x):\n    return x.foo\n", np.arange(3))
    assert "Unknown attribute 'foo' of type array(int64, 1d, C)" in text


def test_untyped_global(make):
    text = failure(make, "def f(x):\n    return x + TABLE\n", 3, TABLE={"a": 1})
    assert "TABLE" in text and "dict" in text


def test_unify(make):
    text = failure(make, "def f(x):\n    if x > 0:\n        y = 1\n    else:\n        y = 'a'\n    return y\n", 3)
    assert "Cannot unify" in text


@pytest.mark.parametrize("later", ["typed.List([1])", "typed.Dict.empty(types.int64, types.int64)", "[[]]", "{1}"])
@pytest.mark.parametrize("empty", ["[]", "{}"])
def test_empty_containers_that_become_others(make, empty, later):
    body = f"def f(x):\n    r = {empty}\n    for v in 'ab':\n        r = v\n    while {{1, 2}}:\n        r = {later}\n        break\n"
    text = failure(make, body + "    return r\n", 1, typed=numba.typed, types=numba.types)
    assert "Cannot unify" in text


@pytest.mark.parametrize("body, word", [
    ("    class A: pass\n    return x\n", "class"), ("    import os\n    return x\n", "import"),
    ("    global G\n    G = x\n    return x\n", "global"),
    ("    with x as y:\n        pass\n    return x\n", "with"),
])
def test_unsupported_constructs(make, body, word):
    text = failure(make, "def f(x):\n" + body, 3, error=errors.UnsupportedError)
    assert word in text.lower() and "\nFile " in text, text


def test_error_in_a_called_function(make):
    source = ("@njit\ndef inner(x):\n    return x.nothing\n\n@njit\ndef f(x):\n    return inner(x)\n")
    f = make(source, njit=njit)
    with pytest.raises(errors.TypingError) as caught:
        f(3)
    assert "Unknown attribute 'nothing'" in str(caught.value)


def test_advice(make):
    text = failure(make, "def f(x):\n    return x + foo_undefined\n", 3)
    assert "Define the name before the first call." in text
    text = failure(make, "def f(x):\n    return x.median()\n", np.arange(3))
    assert "as in np.median(a)" in text
    text = failure(make, "def f(p):\n    return p.x\n", object())
    assert text.index("argument 0: Cannot determine") < text.index("numba.experimental.jitclass")


@pytest.mark.parametrize("use, first, instead", [
    ("plain(x)", "Untyped global name 'plain': Cannot determine Numba type of <class 'function'>",
     "put @njit above the definition\nof plain"),
    ("Plain()", "Untyped global name 'Plain': Cannot determine Numba type of <class 'type'>", "jitclass"),
    ("eval('1')", "Untyped global name 'eval': ", "with numba.objmode"),
    ("thing.x", "Untyped global name 'thing': ", "Pass what it needs"),
    ("os.getcwd()", "Unknown attribute 'getcwd' of type Module(<module 'os' ", "with numba.objmode"),
    ("np.fft.fft(x)", "Unknown attribute 'fft' of type Module(<module 'numpy.fft' ", "with numba.objmode"),
    ("np.savetxt(x)", "Use of unsupported NumPy function 'numpy.savetxt' ", "with numba.objmode"),
    ("np.random.default_rng(x)", "Unknown attribute 'default_rng' of type Module(<module 'numpy.random' ",
     "f(np.random.default_rng(1))"),
])
def test_advice_on_what_is_python(make, use, first, instead):
    text = failure(make, f"def f(x):\n    return {use}\n", 3, plain=lambda x: x, os=os, thing=object(),
                   Plain=type("Plain", (), {}))
    assert text.splitlines()[1].startswith(first) and instead in text, text


@pytest.mark.parametrize("result", ["return t", "return t[1]", "return [t[1]]", "return (x, t[1])", "yield t[1]",
                                    "return t[1] if x else None", "return last(*t)"])
def test_objects_that_are_not_known_are_not_returned(make, result):
    text = failure(make, f"def f(x):\n    {result}\n", 3, t=(1, object()), last=njit(lambda x, y: y))
    assert "cannot return a value of type " in text and "an object that compiled code does not know" in text
    assert njit(make("def f(x):\n    return t[0] + len(t)\n", t=(1, object())))(3) == 3


def test_lines_of_types_that_do_not_unify(make):
    text = failure(make, "def f(x):\n    y = x * 2\n    if x > 0:\n        y = str(x)\n    return y\n", 3)
    assert "The values are from the lines 2 and 4." in text or "the lines 4 and 2." in text
    text = failure(make, "def f(x):\n    if x > 0:\n        return x\n    return 'a'\n", 3)
    assert "Line 3 returns int64." in text


@pytest.mark.parametrize("body, name, instead", [
    ("class A: pass", "LOAD_BUILD_CLASS", "jitclass"), ("import os", "IMPORT_NAME", "top of the module"),
    ("from os import path", "IMPORT_NAME", "top of the module"),
])
def test_opcodes_as_numba_names_them(make, body, name, instead):
    text = failure(make, f"def f(x):\n    {body}\n    return x\n", 3, error=errors.UnsupportedError)
    assert text.splitlines()[1] == f"Use of unsupported opcode ({name}) found"
    assert instead in text and "\n    " + body + "\n    ^~~" in text


def test_lambda_that_is_never_reached(make):
    """Python leaves its code out."""
    assert njit(make("def f(x):\n    return x\n    y = lambda q: q\n"))(3) == 3
    assert njit(make("def f(x):\n    x = 1 or (lambda q: q)(3)\n    return x\n"))(3) == 1


def test_raise_with_place(make):
    source = ("def f(x):\n    if x < 0:\n        raise ValueError(\"negative\")\n    return x\n")
    f = njit(make(source))
    assert f(1) == 1
    with pytest.raises(ValueError) as caught:
        f(-1)
    assert caught.value.args == ("negative",)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.lineno == 3 and last.name == "f" and last.filename == f.__code__.co_filename
    assert last.line == 'raise ValueError("negative")'


def test_raise_forms(make):
    class Own(Exception):
        pass

    source = ("def f(k):\n    if k == 0:\n        raise Own(\"mine\")\n    if k == 1:\n        raise Own\n"
              "    if k == 2:\n        raise KeyError(\"k\")\n    assert k != 3, \"not three\"\n    assert k != 4\n"
              "    return k\n")
    f = njit(make(source, Own=Own))
    for k, cls, args in ((0, Own, ("mine",)), (1, Own, ()), (2, KeyError, ("k",)),
                         (3, AssertionError, ("not three",)), (4, AssertionError, ())):
        with pytest.raises(cls) as caught:
            f(k)
        assert caught.value.args == args, k
    assert f(5) == 5


def test_raise_in_a_called_function(make):
    source = ("@njit\ndef inner(x):\n    if x > 2:\n        raise IndexError(\"deep\")\n    return x\n\n"
              "@njit\ndef f(x):\n    return inner(x) + 1\n")
    f = make(source, njit=njit)
    assert f(1) == 2
    with pytest.raises(IndexError, match="deep") as caught:
        f(3)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 4


def test_zero_division_place(make):
    f = njit(make("def f(a, b):\n    c = a + 1\n    return c / b\n"))
    with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
        f(1, 0)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 3


def test_traceback_of_a_typing_error(make):
    f = njit(make("def f(x):\n    return x.foo\n"))
    with pytest.raises(errors.TypingError) as caught:
        f(1)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.lineno, last.filename) == (2, f.__code__.co_filename)


def test_later_calls_still_work(make):
    f = njit(make("def f(x):\n    return x + 1\n"))
    for _ in range(3):
        with pytest.raises(errors.TypingError):
            f("a")
        assert f(1) == 2


def test_no_source(prints):
    code = ("import numba\nspace = {}\nexec('def f(x): return x', space)\n"
            "space['f'].__code__ = space['f'].__code__.replace(co_firstlineno=9)\n"
            "try:\n    numba.njit(space['f'])(1)\nexcept OSError as e:\n    print('OSError', 'source' in str(e))\n")
    prints("OSError True\n", "-m", "gridcell", code=code)


def test_errors_while_importing_keep_their_place(make):
    source = ("@njit\ndef inner(x):\n    global y; y = x\n\n@njit\ndef f(x):\n"
              "    return inner(x)\n")
    f = make(source, njit=njit)
    for _ in range(20):
        with pytest.raises(errors.UnsupportedError) as caught:
            f(3)
        assert f'File "{f.__code__.co_filename}", line 3:' in str(caught.value)


def test_class_hierarchy():
    for name, base in [("TypingError", "NumbaError"), ("UnsupportedError", "NumbaError"),
                       ("LoweringError", "NumbaError"), ("NumbaTypeError", "TypingError"),
                       ("RequireLiteralValue", "TypingError"), ("RedefinedError", "IRError"),
                       ("ForbiddenConstruct", "LoweringError"),
                       ("NumbaPerformanceWarning", "NumbaWarning")]:
        assert issubclass(getattr(errors, name), getattr(errors, base))
    import numba
    for name in errors.__all__:
        assert getattr(numba, name) is getattr(errors, name)
        assert getattr(errors, name).__module__ == "numba.core.errors"


def test_fields_that_no_spec_names():
    from numba import types
    from numba.experimental import jitclass
    for statement in ("self.y = 1", "self.x = 'a'"):
        space = {}
        exec(f"class A:\n    def __init__(self):\n        {statement}\n", space)
        with pytest.raises(errors.TypingError, match="those of its spec"):
            jitclass([("x", types.int64)])(space["A"])()


def test_mixed_items_that_are_returned(make):
    """The return is marked, and what the items are is said in words."""
    for value, words in {"[n, 'a']": "integers and strings", "[1.5, 2j, 'a']": "floats and complex128",
                         "[(1, 2), (1, 2), (1, 2, 3)]": "UniTuple\\(int64 x 2\\) and UniTuple\\(int64 x 3\\)",
                         "{'a': n, 'b': 'x'}": "integers and strings"}.items():
        f = njit(make(f"def f(n):\n    m = {value}\n    return m\n"))
        place = "line 3:(?s:.*)    return m\n    \\^~~~~~~~"
        with pytest.raises(errors.TypingError, match=f"Here there are {words}.\\n(?s:.*){place}"):
            f(3)


def test_expressions_leave_room_for_the_text_of_functions():
    """What a program evaluates a thousand times does not push out the text of a function that it made."""
    space = {}
    exec("def plus_one(x):\n    return x + 1\n", space)
    for number in range(1000):
        assert eval(f"{number} + 1") == number + 1
    assert numba.njit(space["plus_one"])(3) == 4
