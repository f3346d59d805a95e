"""try, except, else, finally, raise, assert: the same as in plain Python, tracebacks included."""
import functools
import linecache
import sys
import traceback

import numpy as np
import pytest
from conftest import check_calls
from numba import njit
from numba.core.errors import TypingError
from numba.extending import overload

PROGRAMS = {
    "bare except": ("def f(a, b):\n    try:\n        return a // b\n    except:\n        return -1\n",
                    [(7, 2), (7, 0)]),
    "named class": ("def f(a, b):\n    try:\n        r = a // b\n    except ZeroDivisionError:\n        r = -1\n"
                    "    return r\n", [(7, 2), (7, 0)]),
    "hierarchy": ("def f(k):\n    try:\n        if k == 0:\n            raise KeyError\n        if k == 1:\n"
                  "            raise IndexError('i')\n        if k == 2:\n            raise ValueError('v')\n"
                  "        if k == 3:\n            raise OverflowError\n    except LookupError:\n        return 10\n"
                  "    except (TypeError, ValueError):\n        return 20\n    except Exception:\n"
                  "        return 30\n    return 40\n", [(i,) for i in range(5)]),
    "else and finally": ("def f(a, b):\n    log = 0\n    try:\n        c = a // b\n    except ZeroDivisionError:\n"
                         "        log = log * 10 + 1\n    else:\n        log = log * 10 + 2 + c\n    finally:\n"
                         "        log = log * 10 + 3\n    return log\n", [(7, 2), (7, 0)]),
    "state at the raise": ("def f(n):\n    x = 0\n    y = 0.5\n    try:\n        x = 1\n        y = y + x\n        x = 10 // n\n"
                           "        x = x + 5\n        y = 1 / (n - 2)\n        x = 99\n    except ZeroDivisionError:\n"
                           "        return x, y\n    return x, -y\n", [(0,), (2,), (5,)]),
    "loop with continue and break": ("def f(n):\n    s = 0\n    for i in range(n):\n        try:\n            if i % 3 == 0:\n"
                                     "                raise ValueError\n            if i == 8:\n                break\n"
                                     "            s += 100 // (i % 4)\n        except ValueError:\n            s += 1\n"
                                     "            continue\n        except ZeroDivisionError:\n            s += 1000\n"
                                     "        finally:\n            s += 7\n    else:\n        s = -s\n    return s\n",
                                     [(5,), (20,), (0,)]),
    "nested": ("def f(k):\n    r = 0\n    try:\n        r += 1\n        try:\n            r += 10\n            if k == 1:\n"
               "                raise ValueError('a')\n            if k == 2:\n                raise KeyError('b')\n"
               "        except ValueError:\n            r += 100\n            if k == 1:\n                raise IndexError\n"
               "        finally:\n            r += 1000\n    except IndexError:\n        r += 10000\n    except KeyError:\n"
               "        r += 20000\n    return r\n", [(0,), (1,), (2,)]),
    "return in try and finally": ("def f(a, b):\n    s = 0\n    for i in range(3):\n        try:\n            s += i\n"
                                  "            if i == 1:\n                return s + a // b\n"
                                  "        except ZeroDivisionError:\n            return -s\n        finally:\n"
                                  "            s += 100\n    return s\n", [(7, 2), (7, 0)]),
    "finally that returns": ("def f(a):\n    try:\n        return 10 // a\n    finally:\n        return 5\n", [(1,), (0,)]),
    "loop in try": ("def f(a, k):\n    s = 0.0\n    try:\n        for i in range(len(a)):\n            s += a[i]\n"
                    "            if i == k:\n                raise StopIteration\n    except StopIteration:\n        s = -s\n"
                    "    return s\n", [(np.arange(9.0), 4), (np.arange(9.0), 99)]),
    "loop over a tuple in try": ("def f(a, k):\n    s = 0\n    try:\n        for v in a:\n            s += 12 // (v - k)\n"
                                  "    except ZeroDivisionError:\n        return -s\n    return s\n",
                                  [((1, 2, 3, 4, 5), 4), ((1, 2, 3), 99)]),
    "while in try": ("def f(n):\n    c = 0\n    while True:\n        try:\n            c += 1\n            12 // (n - c)\n"
                     "        except ZeroDivisionError:\n            break\n    return c\n", [(5,), (1,)]),
    "re-raise": ("def f(k):\n    try:\n        try:\n            10 // k\n        except ZeroDivisionError:\n            k += 1\n"
                 "            raise\n    except ArithmeticError:\n        return k\n    return -1\n", [(0,), (4,)]),
    "raise what was caught": ("def f(k):\n    try:\n        try:\n            10 // k\n        except ZeroDivisionError as e:\n"
                              "            raise e\n    except ArithmeticError:\n        return k\n    return -1\n",
                              [(0,), (4,)]),
    "assert caught": ("def f(x):\n    try:\n        assert x > 0, 'no'\n    except AssertionError:\n        return -1\n"
                      "    return x\n", [(3,), (-3,)]),
    "in an inner function": ("def f(x):\n    def g(y):\n        if y > 2:\n            raise ValueError(y)\n        return y\n"
                             "    try:\n        return g(x)\n    except ValueError:\n        return -g(1)\n", [(1,), (5,)]),
    "arrays made in try": ("def f(n, k):\n    a = np.zeros(3)\n    try:\n        a = np.ones(n)\n        a[0] = 10 // k\n"
                           "        b = np.empty(n)\n        b[:] = a\n        a = b + a\n    except ZeroDivisionError:\n"
                           "        a[1] = 7\n    return a\n", [(4, 2), (4, 0)]),
    "type changes in try": ("def f(k):\n    x = 1\n    try:\n        10 // k\n        x = 2.5\n        10 // (k - 1)\n"
                            "    except ZeroDivisionError:\n        pass\n    return x * 2\n", [(0,), (1,), (2,)]),
    "and, or, conditional in try": ("def f(a, b):\n    try:\n        c = (a // b > 1 and b > 0) or a > 5\n"
                                    "        d = a // (b - 1) if c else b // a\n        return d\n"
                                    "    except ZeroDivisionError:\n        return 77\n",
                                    [(7, 2), (7, 0), (0, 5), (9, 1), (1, 3)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, make):
    source, calls = PROGRAMS[name]
    check_calls(njit(make(source)), calls)


class OwnError(Exception):
    def __init__(self, code, text="none"):
        super().__init__(code, text)
        self.code = code


class DerivedError(OwnError):
    pass


@pytest.mark.parametrize("body, args", [
    ("raise ValueError", (1,)), ("raise ValueError()", (1,)), ("raise ValueError('text')", (1,)),
    ("raise ValueError(5)", (1,)), ("raise ValueError('a', 1, 2.5)", (1,)), ("raise ValueError(x, x + 0.5)", (3,)),
    ("raise ValueError('at', (x, x))", (3,)), ("raise OwnError(x)", (7,)), ("raise DerivedError(x, 'why')", (7,)),
    ("raise IndexError(None, True)", (7,)), ("assert x < 0, x * 2", (4,)), ("assert x < 0", (4,)),
    ("assert x < 0, 'no ' 'text'", (4,)), ("raise OwnError(x) from None", (7,)),
])
def test_what_is_raised(make, body, args):
    f = njit(make(f"def f(x):\n    {body}\n", OwnError=OwnError, DerivedError=DerivedError))
    with pytest.raises(BaseException) as want:
        f.py_func(*args)
    for _ in range(2):
        with pytest.raises(type(want.value)) as got:
            f(*args)
        assert got.value.args == want.value.args
        assert getattr(got.value, "code", None) == getattr(want.value, "code", None)


def test_array_as_argument(make):
    f = njit(make("def f(n):\n    a = np.arange(n)\n    raise ValueError('bad', a)\n"))
    with pytest.raises(ValueError) as got:
        f(4)
    assert got.value.args[0] == "bad" and (got.value.args[1] == np.arange(4)).all()


def test_own_classes_are_caught(make):
    f = njit(make("def f(k):\n    try:\n        if k == 0:\n            raise DerivedError(3)\n        raise OwnError(4)\n"
                  "    except DerivedError:\n        return 1\n    except OwnError:\n        return 2\n",
                  OwnError=OwnError, DerivedError=DerivedError))
    assert f(0) == 1 and f(1) == 2


def test_crosses_calls(make):
    f = make("@njit\ndef deep(x):\n    if x > 3:\n        raise KeyError(x)\n    return x\n\n"
             "@njit\ndef middle(x):\n    a = np.ones(5)\n    a[0] = deep(x)\n    return a.sum()\n\n"
             "@njit\ndef f(x):\n    try:\n        return middle(x)\n    except KeyError:\n        return -1.0\n", njit=njit)
    assert f(2) == 6.0 and f(5) == -1.0


def frames_of(error):
    return [(frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)][1:]


def test_traceback_has_every_frame(make):
    source = ("@njit\ndef deep(x):\n    y = x + 1\n    if y > 3:\n        raise KeyError(y)\n    return x\n\n"
              "@njit\ndef middle(x):\n    return (deep(1) +\n            deep(x))\n\n"
              "@njit\ndef f(x):\n    for i in range(3):\n        x = x + middle(i + x)\n    return x\n")
    f = make(source, njit=njit)
    with pytest.raises(KeyError) as got:
        f(2)
    assert frames_of(got.value) == [("f", 16), ("middle", 11), ("deep", 5)]
    with pytest.raises(KeyError) as got:  # and none is left over
        f(2)
    assert frames_of(got.value) == [("f", 16), ("middle", 11), ("deep", 5)]


def test_division_names_its_line(make):
    f = make("@njit\ndef g(a, b):\n    return a // b\n\n@njit\ndef f(a):\n    return g(a, 0)\n", njit=njit)
    with pytest.raises(ZeroDivisionError) as got:
        f(2)
    assert frames_of(got.value) == [("f", 7), ("g", 3)]


def test_caught_exceptions_leave_no_trace(make):
    f = make("@njit\ndef g(a, b):\n    return a // b\n\n@njit\ndef h(a):\n    try:\n        return g(a, 0)\n"
             "    except ZeroDivisionError:\n        return 1\n\n@njit\ndef f(a):\n    h(a)\n    return g(a, 0)\n", njit=njit)
    with pytest.raises(ZeroDivisionError) as got:
        f(2)
    assert frames_of(got.value) == [("f", 15), ("g", 3)]


def test_interrupt_is_not_swallowed(run_python):
    code = ("import gridcell; gridcell.activate()\nfrom numba import njit\nimport os\n"
            "@njit\ndef f(n):\n    s = 0\n    while True:\n        try:\n            s += 1\n            if s < 0:\n"
            "                raise ValueError(s)\n        except:\n            s = 5\n    return s\n"
            "import subprocess\n"
            "subprocess.Popen(['sh', '-c', f'sleep 1; kill -INT {os.getpid()}'])\n"
            "try:\n    f(1)\nexcept KeyboardInterrupt:\n    print('interrupted')\n")
    assert "interrupted" in run_python(code=code).stdout


def test_text_of_what_was_caught(make, capfd):
    source = ("def f(k):\n    try:\n        if k == 0:\n            raise ValueError('plain')\n        if k == 1:\n"
              "            raise ValueError(f'number {k}')\n        if k == 2:\n            raise ValueError\n"
              "        if k == 3:\n            raise ValueError(k, 2.5)\n        return str(1 // (k - 4))\n"
              "    except Exception as e:\n        return 'caught ' + str(e)\n")
    f = njit(make(source))
    assert [f(k) for k in range(6)] == [f.py_func(k) for k in range(4)] + ["caught integer division by zero", "1"]
    g = njit(make("def f(k):\n    try:\n        raise IndexError(k, 'x')\n    except IndexError as e:\n        print('it was', e)\n"))
    g(3)
    assert capfd.readouterr().out == "it was (3, 'x')\n"


@pytest.mark.parametrize("call, kind", [("a.decode()", UnicodeDecodeError), ("s.encode()", UnicodeEncodeError),
                                        ("int(s)", ValueError), ("s.center(4, 'ab')", TypeError)])
def test_handlers_of_errors_with_texts_of_their_own(call, kind):
    for asked in (UnicodeDecodeError, UnicodeEncodeError, UnicodeError, ValueError, TypeError, OverflowError, Exception):
        scope = {}
        exec(f"def f(a, s):\n    try:\n        {call}\n        return 0\n    except {asked.__name__}:\n        return 1\n",
             scope)
        compiled = njit(scope["f"])
        if issubclass(kind, asked):
            assert compiled(b"\xff", "\udc80") == 1
        else:
            with pytest.raises(UnicodeError if issubclass(kind, UnicodeError) else kind):
                compiled(b"\xff", "\udc80")


@pytest.mark.parametrize("raised", ["ValueError('a', n)", "KeyError('it\\'s')", "Told(n, 2.5)", "MemoryError", "OSError(2, 'no')"])
def test_repr_of_what_was_caught(make, raised):
    f = make(f"def f(n):\n    try:\n        raise {raised}\n    except Exception as e:\n"
             "        return repr(e), f'{e!r}', '%r' % e, f'{e!s}'\n", Told=Told)
    assert njit(f)(3) == f(3)


def chain_of(error):
    if error is None:
        return None
    return (type(error), error.args, error.__suppress_context__, error.__cause__ is error.__context__,
            chain_of(error.__cause__), chain_of(error.__context__))


# What an exception is from, and what was being handled when it was raised
CHAINS = [
    "raise ValueError(n) from KeyError('b', n)", "raise ValueError from KeyError", "raise ValueError('a') from None",
    "try:\n    raise KeyError(n)\nexcept KeyError:\n    raise ValueError('a')",
    "try:\n    raise KeyError(n)\nexcept KeyError as e:\n    raise ValueError(n) from e",
    "try:\n    raise KeyError(n)\nexcept KeyError:\n    raise ValueError(n) from None",
    "try:\n    raise KeyError(n)\nexcept KeyError:\n    raise ValueError(n) from TypeError('t')",
    "try:\n    other(n)\nexcept LookupError as e:\n    raise ValueError(str(e))",
    "try:\n    other(n)\nexcept LookupError:\n    raise",
    "try:\n    raise KeyError(n)\nfinally:\n    raise ValueError('v')",
    "try:\n    try:\n        raise KeyError(n)\n    except KeyError:\n        raise ValueError('v')\n"
    "except ValueError:\n    raise TypeError(n)",
    "try:\n    try:\n        raise KeyError(n)\n    except KeyError as e:\n        raise ValueError('v') from e\n"
    "except ValueError:\n    raise",
    "try:\n    try:\n        raise KeyError(n)\n    except KeyError:\n        raise ValueError('v')\n"
    "except ValueError:\n    pass\nraise TypeError(n)",
    "try:\n    raise KeyError(n)\nexcept KeyError:\n    try:\n        raise IndexError\n    except IndexError:\n"
    "        pass\n    raise ValueError",
    "for i in range(3):\n    try:\n        raise KeyError(i)\n    except KeyError:\n        if i == 2:\n"
    "            raise ValueError(i)",
    "try:\n    raise KeyError(n)\nexcept KeyError:\n    assert n == 0, 'text'",
    "try:\n    raise KeyError(n)\nexcept (KeyError, ValueError) as e:\n    raise e from TypeError(1)",
    "try:\n    int('x')\nexcept ValueError:\n    raise RuntimeError(n)",
]


@pytest.mark.parametrize("body", CHAINS)
def test_causes_and_contexts(make, body):
    source = ("def other(n):\n    try:\n        raise KeyError(n)\n    except KeyError:\n        raise IndexError(n)\n\n"
              "def f(n):\n    " + body.replace("\n", "\n    ") + "\n")
    raised = []
    for f in make(source), njit(make(source.replace("def other", "@njit\ndef other"), njit=njit)):
        with pytest.raises(Exception) as caught:
            f(3)
        raised.append(chain_of(caught.value))
        try:  # what Python handles is at the end of the chain
            raise OSError
        except OSError:
            with pytest.raises(Exception) as caught:
                f(3)
        raised.append(chain_of(caught.value))
    assert raised[:2] == raised[2:]


def test_except_without_classes(make):
    f = njit(make("def f(n):\n    try:\n        raise ValueError(n)\n    except ():\n        return 1\n"))
    with pytest.raises(ValueError, match="3"):
        f(3)


def helper(x):
    raise NotImplementedError


@overload(helper)
def overload_helper(x):
    return lambda x: x


@pytest.mark.parametrize("raised", ["ValueError", "len", "n.bit_length", "helper"])
def test_arguments_that_are_no_values(make, raised):
    """They were left out without a word."""
    make = functools.partial(make, helper=helper)
    f = njit(make(f"def f(n):\n    raise ValueError('a', {raised})\n"))
    with pytest.raises(Exception, match="an argument of an exception cannot be of type|the method 'bit_length'"):
        f(3)
    g = njit(make("def f(n):\n    try:\n        raise KeyError(n)\n    except KeyError as e:\n        raise ValueError(e)\n"))
    with pytest.raises(Exception, match="Its text is str.e.; `raise ... from e` keeps it"):
        g(3)


@pytest.mark.parametrize("call", ["int(s)", "float(s)", "s.index('q')", "a.decode()", "s.center(4, 'ab')", "s.split('')"])
def test_texts_of_caught_errors_of_calls(call):
    scope = {}
    exec(f"def f(a, s):\n    try:\n        {call}\n        return 'none'\n    except Exception as e:\n        return str(e)\n",
         scope)
    assert njit(scope["f"])(b"\xff", "zz") == scope["f"](b"\xff", "zz")


class Told(Exception):
    def __str__(self):
        return f"told {self.args}"


class OwnKey(KeyError):
    pass


@pytest.mark.parametrize("given", ["'k'", "n", "'a', n", "(1, n)", "f'x{n}'", "None", "2.5", "", "True", "'a\\'b\"c'", "'\u00e9\\n'"])
@pytest.mark.parametrize("name", ["ValueError", "KeyError", "OwnKey", "Told", "IndexError", "OSError", "FileNotFoundError",
                                  "RuntimeError", "LookupError", "AssertionError"])
def test_text_is_that_of_the_class(make, name, given):
    """A KeyError shows the repr of its key, an OSError its number, a class of the user's what it likes."""
    f = make(f"def f(n):\n    try:\n        raise {name}({given})\n    except Exception as e:\n        return str(e), f'<{{e}}>'\n",
             OwnKey=OwnKey, Told=Told)
    assert njit(f)(3) == f(3)


@pytest.mark.parametrize("fails", ["{1: 2}[n]", "{'a': 2}['b']", "{(1, 'a'): 1}[(n, 'q')]", "{1, 2}.remove(9)", "[1, 2][n]",
                                   "int('x')", "[1].index(n)", "'abc'.index('z')"])
def test_text_of_what_python_raises(make, fails):
    f = make(f"def f(n):\n    try:\n        {fails}\n    except Exception as e:\n        return str(e)\n    return 'none'\n")
    assert njit(f)(3) == f(3)


def test_text_of_a_bad_index_is_that_of_the_exception(make):
    """Its message is a format of the numbers."""
    f = njit(make("def f(n):\n    try:\n        return str(np.zeros(2)[n])\n    except IndexError as e:\n        return str(e)\n"))
    g = njit(make("def f(n):\n    return np.zeros(2)[n]\n"))
    with pytest.raises(IndexError) as caught:
        g(3)
    assert f(3) == str(caught.value)


# By name: handlers in which other exceptions are raised and caught, before theirs is told of or raised again
HELD = {
    "told": "raise ValueError(n, 'x')\nexcept ValueError as e:\n    {other}\n    return str(e)",
    "told with the other": "raise ValueError(n, 'x')\nexcept ValueError as e:\n    try:\n        raise KeyError(n + 1)\n"
                           "    except KeyError as g:\n        return str(e) + str(g)",
    "raised again": "raise ValueError(n, 'x')\nexcept ValueError:\n    {other}\n    raise",
    "raised by name": "raise ValueError(n, 'x')\nexcept ValueError as e:\n    {other}\n    raise e",
    "finally": "raise ValueError(n, 'x')\nfinally:\n    {other}",
    "index": "np.zeros(2)[n + 2]\nexcept IndexError as e:\n    {other}\n    return str(e)[:12]",
    "in a loop": "raise ValueError(n)\nexcept ValueError as e:\n    r = ''\n    for i in range(4):\n        {other}\n"
                 "        r += str(e)\n        if i == n:\n            break\n    return r",
    "handed on": "try:\n        raise ValueError(n, 'x')\n    except ValueError as e:\n        {other}\n"
                 "        raise KeyError(str(e), n)\nexcept KeyError as e:\n    return str(e)",
    "of no arguments": "raise ValueError\nexcept ValueError as e:\n    {other}\n    return '<' + str(e) + '>'",
}
OTHERS = {"raised": "try:\n    raise KeyError(n + 1, 'other')\nexcept KeyError:\n    pass", "key": "try:\n    {{1: 2}}[n + 50]\nexcept KeyError:\n    pass",
          "called": "other(n)", "none": "pass"}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", HELD)
def test_handlers_hold_their_exception(make, name, other):
    """With the arguments that it was raised with, whatever is raised and caught meanwhile."""
    text = HELD[name]
    at = next((line.index("{") for line in text.splitlines() if line.strip() == "{other}"), 0)
    text = text.replace("{other}", OTHERS[other].replace("{{", "{").replace("}}", "}").replace("\n", "\n" + " " * at))
    source = ("def other(n):\n    try:\n        raise IndexError(n + 7)\n    except IndexError as e:\n        return str(e)\n\n"
              "def f(n):\n    try:\n        " + text.replace("\n", "\n    ") + "\n    return 'none'\n")
    plain = make(source)
    f = njit(make(source.replace("def other", "@njit\ndef other"), njit=njit))
    said = []
    for function in (plain, f):
        for n in (0, 2, 3):
            try:
                said.append(function(n))
            except Exception as error:
                said.append((type(error), error.args))
    if name == "index":  # the words are ours
        said = [text == "index is out" or text == f"index {n + 2} is out"[:12] for n, text in zip((0, 2, 3) * 2, said)]
    assert said[:3] == said[3:]


def test_what_handlers_hold_is_let_go_of(make):
    f = njit(make("def f(a, n):\n    for i in range(n):\n        try:\n            raise ValueError(a, i)\n"
                  "        except ValueError as e:\n            if i % 3 == 0:\n                continue\n"
                  "            if i == n - 1:\n                return str(e)[:2]\n    return ''\n"))
    a = np.ones(3)
    f(a, 3)
    before = sys.getrefcount(a)
    assert f(a, 6) == "(a"
    f(a, 5000)
    assert sys.getrefcount(a) <= before + 1  # of the one raised last


def test_what_a_caught_exception_is(make):
    f = make("@njit\ndef deep(k):\n    if k == 0:\n        raise KeyError(k)\n    if k == 1:\n        raise DerivedError(k)\n"
             "    return 1 // (k - 2)\n\n"
             "@njit\ndef f(k):\n    kept = 0\n    try:\n        deep(k)\n    except Exception as e:\n"
             "        kept = isinstance(e, LookupError) + 2 * isinstance(e, (OwnError, ValueError)) + 4 * isinstance(e, BOTH)\n"
             "        if not e:\n            return -1\n        if isinstance(e, ZeroDivisionError) and e:\n            return 100\n"
             "    return kept\n", njit=njit, OwnError=OwnError, DerivedError=DerivedError, BOTH=(KeyError, DerivedError))
    assert [f(k) for k in range(4)] == [f.py_func(k) for k in range(4)] == [5, 6, 100, 0]


@pytest.mark.parametrize("use,words", [
    ("e.args", "its text, str\\(e\\), and its class, isinstance\\(e, ValueError\\)"), ("e.errno", "knows of an exception that it caught"),
    ("isinstance(e, int)", "is asked for classes of exceptions")])
def test_what_a_caught_exception_has_not(make, use, words):
    f = njit(make(f"def f(k):\n    try:\n        1 // k\n    except ZeroDivisionError as e:\n        {use}\n"))
    with pytest.raises(TypingError, match=words):
        f(0)
