# SPDX-License-Identifier: MIT
"""Nothing that the extension exports ends the process: every type, function and method with nothing and with wrong things,
and with objects that were made without their constructor; before NumPy is imported, and after."""
import pytest

SCRIPT = r'''
import gridcell; gridcell.activate()
import copy, faulthandler, gc, operator, os, pickle, signal, sys
from gridcell import _gridcell
WITH_NUMPY = sys.argv[1] == "numpy"


class Strange:
    def fail(self, *args):
        raise ValueError
    __getattr__ = __index__ = __iter__ = __hash__ = __eq__ = __repr__ = __len__ = fail


VALUES = [None, 0, -1, 2**70, 1.5, float("nan"), 1j, "", "x", "float64(float64)\0y", "\ud800", b"y", (), (1,), (None,), [],
          [1, "a"], {}, {"a": 1}, set(), object(), int, type, len, lambda *a: 1, Strange(), slice(1, 2), ..., memoryview(b"abc")]
ARGUMENTS = [()] + [(v,) for v in VALUES] + [(v, v) for v in VALUES[::3]] + [(None, v, v) for v in VALUES[::4]] + [(1,) * 9]
OPERATIONS = [repr, str, hash, len, iter, bool, int, float, dir, copy.copy, copy.deepcopy, pickle.dumps, operator.neg,
              operator.index, next, memoryview, bytes] + [eval("lambda o: " + text) for text in (
    "o == o", "o < o", "o + o", "o * 2", "2 * o", "o @ o", "o[0]", "o[:]", "o[()]", "o[None]", "o['a']", "o[0, 0]", "o[-2**70]",
    "o.__setitem__(0, 1)", "o.__delitem__(0)", "1 in o", "o()", "o(1)", "o(None, a=1)", "o.__reduce__()", "o.__reduce_ex__(4)",
    "o.__init__()", "o.__init__(1)", "o.__sizeof__()", "setattr(o, 'zz', 1)", "o[1, 1]()", "o[o]", "o[1, 1, o, o]()",
    "isinstance(1, o)", "hash((o,))", "gc.get_referents(o)")]
# setflags(uic=False) is NumPy's own fault: a view lets go of its memory, and goes on using it.
LEFT_OUT = {"provoke", "__class__", "__subclasshook__", "__init_subclass__", "__new__", "setflags"}


def attempt(work):
    try:
        return work()
    except BaseException:
        return None


def try_object(make, names, tell):
    tell("operations")
    for number, operation in enumerate(OPERATIONS):
        tell(f"operation {number}")
        attempt(lambda: operation(make()))
    for name in names:
        tell(name)
        attempt(lambda: getattr(make(), name))
        for arguments in ARGUMENTS:
            attempt(lambda: getattr(make(), name)(*arguments))
        attempt(lambda: getattr(make(), name)(a=1))
        for value in None, 1:
            attempt(lambda: setattr(make(), name, value))
        attempt(lambda: delattr(make(), name))


def try_callable(call, tell):
    for number, arguments in enumerate(ARGUMENTS):
        tell(f"arguments {number}")
        attempt(lambda: call(*arguments))
    attempt(lambda: call(a=1))


def names_of(thing):
    return [name for name in dir(thing) if name not in LEFT_OUT]


def try_type(kind, tell):
    try_callable(kind, tell)
    derived = type("Derived", (kind,), {"__init__": lambda *a, **k: None}) if attempt(
        lambda: type("Derived", (kind,), {})) else kind
    for make in lambda: kind.__new__(kind), kind, lambda: derived.__new__(derived), derived:
        if attempt(make) is not None:
            try_object(make, names_of(kind), tell)
    for name in names_of(kind):
        method = getattr(kind, name, None)
        if callable(method):
            tell(name + " of nothing")
            for arguments in ARGUMENTS[:12]:
                attempt(lambda: method(*arguments))


def made():
    import numpy as np, numba
    from numba import cuda, njit, types, typed, vectorize
    f = njit(lambda x: x + 1); f(1)
    @cuda.jit
    def k(a):
        a[0] = 1
    d = cuda.to_device(np.zeros(4)); k[1, 1](d)
    v = vectorize(lambda x: x + 1); v(1.0)
    def count(n):
        for i in range(n):
            yield i
    table = typed.Dict.empty(types.int64, types.float64)
    return [f, k, k[1, 1], d, typed.List([1, 2]), table, v, cuda.stream(), cuda.event(), njit(count)(3), cuda.pinned_array(4),
            types.float64(types.int64), types.float64, types.boolean, types.complex64, types.float64[:, ::1],
            types.Tuple((types.int64, types.float32)), types.UniTuple(types.int64, 3), types.ListType(types.int64),
            types.DictType(types.int64, types.float32), types.Optional(types.int64), types.unicode_type, types.none,
            numba.from_dtype(np.dtype([("a", "i4")])), types.FunctionType(types.int64(types.int64)), numba.typeof(f),
            types.CPointer(types.int64), types.NPDatetime("s"), types.deferred_type()]


def in_child(label, work):
    """Runs work(tell) in a child; says where it stood if it died."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        faulthandler.disable()
        signal.alarm(100)
        attempt(lambda: work(lambda text: os.write(writer, text.encode("utf-8", "replace")[:80].ljust(80))))
        gc.collect()
        os._exit(0)
    os.close(writer)
    last = b""
    while part := os.read(reader, 80 * 256):
        last = (last + part)[-80:]
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if status:
        print("DIED", label, last.decode("utf-8", "replace").strip(), status)


count = 0
for name, thing in sorted(vars(_gridcell).items()):
    if callable(thing) and name not in LEFT_OUT:
        in_child(name, lambda tell: (try_type if isinstance(thing, type) else try_callable)(thing, tell))
        count += 1
if WITH_NUMPY:
    for thing in made():
        in_child(repr(thing), lambda tell: try_object(lambda: thing, names_of(thing), tell))
        count += 1
print("tried", count > 100)
'''


@pytest.mark.parametrize("numpy", ["none", "numpy"])
def test_wrong_calls(tmp_path, run_python, numpy):
    path = tmp_path / "wrong_calls.py"
    path.write_text(("import numpy\n" if numpy == "numpy" else "") + SCRIPT)
    done = run_python(str(path), numpy, env={"GRIDCELL_DEVICE": "emulator"}, timeout=600)
    assert done.stdout == "tried True\n", done.stdout + done.stderr


def test_numpy_is_not_imported_by_a_name(run_python):
    """A class that nobody knows, named before NumPy is imported."""
    code = ("import gridcell; gridcell.activate()\nimport sys\nfrom numba import njit\nclass Unknown:\n    pass\n"
            "@njit\ndef f(x):\n    return Unknown\n@njit\ndef g(x):\n    return Unknown()\n@njit\ndef h(x):\n"
            "    return isinstance(x, Unknown)\n@njit\ndef i(x):\n    try:\n        return x\n    except Unknown:\n        return 0\n"
            "@njit\ndef j(x, k=Unknown):\n    return k\n"
            "for f in f, g, h, i, j:\n    try:\n        f(1)\n    except Exception as error:\n        print(type(error).__name__)\n"
            "    else:\n        print('done')\n")
    done = run_python(code=code)
    assert done.returncode == 0 and len(done.stdout.split()) == 5, done.stderr
