"""Jitted functions and ufuncs in other processes: they compile again where they land."""
import os
import pickle

import pytest

from conftest import BUILD

DEFINE = '''
import math, pickle, sys
import numpy as np
import numba
from numba import cuda, float64, guvectorize, int64, njit, vectorize

K = 10
TABLE = np.arange(4.0)

@njit
def helper(x):
    return x + K

@njit("int64(int64)", fastmath=True)
def eager(x):
    return helper(x) * 2

@njit
def with_globals(x, scale=3.0):
    """Words."""
    return math.sqrt(x) * scale + np.sum(TABLE)

@njit
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@njit
def even(n):
    return True if n == 0 else odd(n - 1)

@njit
def odd(n):
    return False if n == 0 else even(n - 1)

def adder(n, f):
    @njit
    def add(x):
        return f(x) + n
    return add

add5 = adder(5, helper)
square = njit(lambda x: x * x)

@vectorize([float64(float64, float64)])
def fixed(a, b):
    return a / b

@vectorize(identity=0)
def dynamic(a, b):
    return a + 2 * b

@guvectorize([(float64[:], float64[:])], "(n)->(n)")
def running(a, out):
    total = 0.0
    for i in range(a.size):
        total += a[i]
        out[i] = total

@cuda.jit
def kernel(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += K

EVERYTHING = [eager, with_globals, fib, even, add5, square, fixed, dynamic, running, kernel,
              int64, float64[:, ::1], int64(float64, int64)]
'''

USE = '''
def use(things):
    import numpy as np
    eager, with_globals, fib, even, add5, square, fixed, dynamic, running, kernel = things[:10]
    a = np.ones(3)
    kernel[1, 3](a)
    with np.errstate(all="ignore"):
        quotient = float(fixed(1.0, 0.0))
    return [eager(1), str(eager.signatures), eager.targetoptions["fastmath"], with_globals(4.0),
            with_globals.__doc__, fib(10), even(7), add5(1), square(3), quotient,
            dynamic(np.arange(3), 1).tolist(), running(np.arange(3.0)).tolist(), a.tolist(),
            [str(thing) for thing in things[10:]]]
'''
WANT = [22, "[(int64,)]", True, 12.0, "Words.", 55, False, 16, 9, float("inf"),
        [2, 3, 4], [0.0, 1.0, 3.0], [11.0, 11.0, 11.0],
        ["int64", "array(float64, 2d, C)", "(float64, int64) -> int64"]]


@pytest.mark.parametrize("pickler", ["pickle", "cloudpickle"])
def test_to_another_process(run_python, pickler):
    if pickler == "cloudpickle":
        pytest.importorskip("cloudpickle")
    code = f"{DEFINE}\nimport {pickler} as p\np.dump(EVERYTHING, open('all.pickle', 'wb'))\n"
    done = run_python("-m", "gridcell", code=code)
    assert done.stderr == ""
    code = f"{USE}\nimport pickle\nprint(use(pickle.load(open('all.pickle', 'rb'))))\n"
    done = run_python("-m", "gridcell", code=code)
    assert done.stdout.strip() == str(WANT), done.stderr


def test_cached_functions_stay_cached(run_python, tmp_path):
    env = {"GRIDCELL_CACHE_DIR": str(tmp_path / "cache")}
    code = ("import pickle\nfrom numba import njit\n@njit(cache=True)\ndef f(x): return x + 1\n"
            "f(1)\npickle.dump(f, open('f.pickle', 'wb'))\n")
    assert run_python("-m", "gridcell", code=code, env=env).stderr == ""
    code = ("import pickle\nf = pickle.load(open('f.pickle', 'rb'))\n"
            "print(f(1), *f.stats.cache_hits.values())\n")
    assert run_python("-m", "gridcell", code=code, env=env).stdout == "2 1\n"


def test_classes_are_in_loaded_modules(run_python):
    """As cloudpickle wants them to be, which otherwise takes them apart."""
    code = ("import sys, numba\nfrom numba import float64, int64\n"
            "for value in (int64, float64(int64), numba.njit(lambda x: x)):\n"
            "    kind = type(value)\n"
            "    assert getattr(sys.modules[kind.__module__], kind.__qualname__) is kind, kind\n")
    assert run_python("-m", "gridcell", code=code).stderr == ""


def test_multiprocessing(prints):
    code = DEFINE + USE + '''
def apply(f, *args):
    return f(*args)

if __name__ == "__main__":
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            print(list(pool.map(fib, [5, 10])), pool.submit(add5, 1).result(),
                  float(pool.submit(fixed, 1.0, 2.0).result()), pool.submit(apply, even, 4).result())
'''
    paths = [BUILD / "python" / "gridcell" / "children", BUILD / "python"]
    prints("[5, 55] 16 0.5 True\n" * 2, code=code, env={"PYTHONPATH": os.pathsep.join(map(str, paths))})


def test_what_came_last_is_kept(run_python):
    """A pool's process gets its function with every task, and nothing else holds it there in between."""
    code = DEFINE + """
texts = [pickle.dumps(thing) for thing in (fib, even, add5, kernel, numba.stencil(lambda a: a[0] + a[1]))]
others = [pickle.dumps(njit(lambda x: x)) for _ in range(140)]
pickle.dump((texts, others), open("texts.pickle", "wb"))
"""
    assert run_python("-m", "gridcell", code=code).stderr == ""
    code = """
import gc, pickle
texts, others = pickle.load(open("texts.pickle", "rb"))

def arrived():
    return [id(pickle.loads(text)) for text in texts]

first = arrived()
pickle.loads(texts[0])(5)
for text in others[:100]:
    pickle.loads(text)
    assert pickle.loads(texts[0]).signatures         # used again and again: it stays, and is compiled
assert arrived() == first
from numba.core import pickling
for text in others:
    pickle.loads(text)
assert len(pickling._recent) == 128
gc.collect()
assert not pickle.loads(texts[0]).signatures
print("done")
"""
    done = run_python("-m", "gridcell", code=code)
    assert done.stdout == "done\n", done.stderr


def test_by_name(run_python, tmp_path):
    (tmp_path / "things.py").write_text(DEFINE)
    code = '''
import pickle
import things
for name in ("eager", "fixed", "dynamic", "running", "kernel"):
    value = getattr(things, name)
    text = pickle.dumps(value)
    assert pickle.loads(text) is value and len(text) < 200, (name, len(text))
import numpy
assert pickle.loads(pickle.dumps(numpy.add)) is numpy.add
print("done")
'''
    done = run_python("-m", "gridcell", code=code)
    assert done.stdout == "done\n", done.stderr


def test_once_for_each_function(make):
    from numba import njit
    f = njit(make("def f(x):\n    return x + 1\n"))
    f.__module__ = "__main__"
    assert pickle.loads(pickle.dumps(f)) is f


def test_landing_where_numba_is_not_yet_gridcell(run_python):
    """Stencils and objects of jitclasses too; the other process has only imported pickle."""
    code = DEFINE + """
import cloudpickle
from numba import stencil, typed
from numba.experimental import jitclass

@stencil
def mean(a):
    return (a[-1] + a[1]) / K

@jitclass([("n", int64), ("values", float64[:])])
class Bag:
    def __init__(self, n):
        self.n = n
        self.values = np.arange(n + 0.0)

    def total(self):
        return self.values.sum() + self.n

@jitclass
class Blank:
    x: int
    bag: Bag
    def __init__(self):
        self.x = 5

things = [mean, Bag(4), dynamic, running, typed.List([1, 2]), Blank()]
for number, thing in enumerate(things):
    cloudpickle.dump(thing, open(f"{number}.pickle", "wb"))
"""
    assert run_python("-m", "gridcell", code=code).stderr == ""
    uses = ["mean(np.arange(4.0)).tolist()", "(thing.total(), thing.n)", "thing(np.arange(3), 1).tolist()",
            "thing(np.arange(3.0)).tolist()", "list(thing)", "thing.x"]
    wants = ["[0.0, 0.2, 0.4, 0.0]", "(10.0, 4)", "[2, 3, 4]", "[0.0, 1.0, 3.0]", "[1, 2]", "5"]
    for number, (use, want) in enumerate(zip(uses, wants)):
        code = (f"import pickle\nthing = mean = pickle.load(open('{number}.pickle', 'rb'))\nimport numpy as np\n"
                f"print({use})\n")
        done = run_python(code=code)
        assert done.stdout.strip() == want, done.stderr


def test_what_stays_is_named(run_python):
    code = """
import pickle, threading
from numba import njit
lock = threading.Lock()
real = threading.Lock()
@njit
def f(x): return x.real + lock
@njit
def g(x): return x.real
try:
    pickle.dumps(f)
except pickle.PicklingError as error:
    print(error)
print(pickle.loads(pickle.dumps(g))(2j))
"""
    told, value = run_python("-m", "gridcell", code=code).stdout.splitlines()
    assert told == ("f() uses lock, a _thread.lock that cannot be taken to another process (cannot pickle '_thread.lock' "
                    "object): make it inside of the function, or give what it holds as an argument")
    assert value == "0.0"


def test_pickles_of_helpers_of_helpers(run_python):
    """Each function is described once in a pickle, however deep it lies; what must stay is named where it is used."""
    code = """
import pickle, threading
from numba import njit
from numba.core import pickling
lock = threading.Lock()

def deeper(helper):
    @njit
    def calls(x): return helper(x) + helper(x)
    return calls

@njit
def last(x): return x + 1
deep = last
for _ in range(12):
    deep = deeper(deep)
counted, described = [], pickling._describe
pickling._describe = lambda owner, function: (counted.append(owner), described(owner, function))[1]
content = pickle.dumps(deep)
print(len(counted), pickle.loads(content)(1) == 2 * 4096)

@njit
def holds(x): return x + lock
try:
    pickle.dumps(deeper(deeper(holds)))
except pickle.PicklingError as error:
    print(str(error)[:17])
"""
    assert run_python("-m", "gridcell", code=code).stdout.splitlines() == ["13 True", "holds() uses lock"]


def test_types_of_classes_that_functions_make(run_python):
    """Within a process they are the same types; cloudpickle takes the class along to another one."""
    code = """
import pickle
from numba import int64, typeof
from numba.experimental import jitclass

def make():
    @jitclass(dict(size=int64))
    class Local:
        def __init__(self, size):
            self.size = size
    return Local

one, other = make(), make()
for made in (one, other):
    kind = typeof(made(1))
    assert pickle.loads(pickle.dumps(kind)) is kind and pickle.dumps(kind) == pickle.dumps(kind)
assert pickle.loads(pickle.dumps(typeof(one(1)))) is not typeof(other(1))
pickle.dump([typeof(one(1)), typeof(one(1))], open("types.pickle", "wb"))
"""
    done = run_python("-m", "gridcell", code=code)
    assert done.stderr == ""
    done = run_python(code="import pickle\na, b = pickle.load(open('types.pickle', 'rb'))\nassert a is b\nprint(a.struct)\n")
    assert done.stdout.startswith("{'size': int64}") or "cloudpickle is not installed" in done.stderr, done.stderr


class Refused:
    """What may not be pickled."""


def test_pickling_as_libraries_of_numba_do_it():
    from numba.core import serialize
    serialize.disable_pickling(Refused)
    assert serialize.loads(serialize.dumps({"a": (1, 2.5)})) == {"a": (1, 2.5)}
    assert serialize.is_serializable(len) and not serialize.is_serializable([Refused()])
    with pytest.raises(pickle.PicklingError, match="Refused.*unsupported"):
        serialize.dumps(Refused())
    root = pickle.loads(serialize.dumps(serialize.PickleCallableByPath(os.path.join)))
    assert root("a", "b") == os.path.join("a", "b")
    first = serialize._numba_unpickle(1, serialize.dumps([1]), b"h")
    assert serialize._numba_unpickle(1, b"", b"h") is first == [1]
