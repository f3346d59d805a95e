"""Every way into compiled code x every way to fail in it, in one process that must outlive them all.

A line for each: how it ended. Names on the command line choose entries."""
import ctypes
import gc
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from numba import cfunc, cuda, guvectorize, njit, objmode, prange, stencil, types, vectorize
from numba.experimental import jitclass
from numba.extending import overload

libc = ctypes.CDLL(None)
memset = libc.memset
memset.argtypes, memset.restype = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t], ctypes.c_void_p
abort = libc.abort
abort.argtypes, abort.restype = [], None

IN_C, RECURSION, ABORT, OVERFLOW = range(2, 6)
OUTSIDE = 100  # and more: an index that is known when the code is compiled is no access
FAILURES = {"outside": OUTSIDE, "in C": IN_C, "recursion": RECURSION, "abort": ABORT, "overflow": OVERFLOW}
TABLE = np.arange(8.0)
LEAST = -2**63


@njit(boundscheck=False)
def read(a, i):
    return a[i]


@njit
def deep(n):
    return deep(n + 1) + 1 if n > -1 else n


@njit
def divide(a, b):
    return a // b + a % b


@njit
def fail(how):
    """Fails as it is told; 7 where it does not."""
    if how >= 100:
        return int(read(TABLE, how * 10**11))
    if how == 2:
        memset(8192, 0, 100)
    if how == 3:
        return deep(how)
    if how == 4:
        abort()
    if how == 5:  # the machine has a trap for it, Python a number: -2**63 again, in 64 bits
        return 7 if divide(how + LEAST - 5, 4 - how) == LEAST else 0
    return 7


ENTRIES = {}


def entry(function):
    ENTRIES[function.__name__] = function
    return function


ENTRIES["function"] = fail
ENTRIES["nogil"] = njit(nogil=True)(lambda how: fail(how))
ENTRIES["lambda"] = njit(lambda how: fail(how))


@njit(["int64(int64)"])
def eager(how):
    return fail(how)


ENTRIES["eager"] = eager


@vectorize(["int64(int64)"])
def ufunc(how):
    return fail(how)


@vectorize(["int64(int64)"], target="parallel")
def parallel_ufunc(how):
    return fail(how)


@vectorize
def dufunc(how):
    return fail(how)


@guvectorize(["int64[:], int64[:]"], "(n)->()")
def gufunc(how, out):
    out[0] = fail(how[0])


@guvectorize(["int64[:], int64[:]"], "(n)->()", target="parallel")
def parallel_gufunc(how, out):
    out[0] = fail(how[0])


for _ufunc in ufunc, parallel_ufunc, dufunc:
    ENTRIES[_ufunc.__name__] = lambda how, f=_ufunc: int(f(np.full(50000, how))[0])
    ENTRIES[_ufunc.__name__ + " of a scalar"] = lambda how, f=_ufunc: int(f(np.int64(how)))
for _ufunc in gufunc, parallel_gufunc:
    ENTRIES[_ufunc.__name__] = lambda how, f=_ufunc: int(f(np.full((64, 3), how))[0])
ENTRIES["ufunc.at"] = lambda how: dufunc.at(np.full(3, how), [0]) or 7
ENTRIES["ufunc.reduce"] = lambda how: int(reducing.reduce(np.full(4, how)))


@vectorize(["int64(int64, int64)"])
def reducing(a, b):
    return fail(b)


class Unraisable:
    """What C cannot be told: the exception that was reported instead."""

    def __enter__(self):
        self.caught, self.before = None, sys.unraisablehook
        sys.unraisablehook = lambda info: setattr(self, "caught", info.exc_value)
        return self

    def __exit__(self, *ignored):
        sys.unraisablehook = self.before

    def result(self, value):
        if self.caught is not None:
            raise self.caught
        return value


@cfunc("int64(int64)")
def callback(how):
    return fail(how)


@entry
def by_ctypes(how):
    with Unraisable() as unraisable:
        value = callback.ctypes(how)
    return unraisable.result(value)


@cfunc("int32(CPointer(int64), CPointer(int64))")
def compare(a, b):
    return fail(numba.carray(a, 1)[0]) - 7


@entry
def by_qsort(how):
    """C code between two calls: its own frames are left by none of ours."""
    items = np.full(10, how)
    with Unraisable() as unraisable:
        libc.qsort(items.ctypes.data_as(ctypes.c_void_p), 10, 8, compare.ctypes)
    return unraisable.result(7)


@jitclass([("x", types.int64)])
class Box:
    def __init__(self, how):
        self.x = fail(how)

    def method(self, how):
        return fail(how)

    @property
    def of_zero(self):
        return fail(self.x)

    @of_zero.setter
    def of_zero(self, how):
        self.x = fail(how)

    @staticmethod
    def static(how):
        return fail(how)

    def __add__(self, how):
        return fail(how)

    def __getitem__(self, how):
        return fail(how)


def set_property(how):
    box.of_zero = how
    return box.x


ENTRIES["constructor"] = lambda how: Box(how).x
ENTRIES["method"] = lambda how: box.method(how)
ENTRIES["setter"] = set_property
ENTRIES["static method"] = lambda how: Box.static(how)
ENTRIES["operator"] = lambda how: box + how
ENTRIES["item of a jitclass"] = lambda how: box[how]


def python_function(how):
    return 0


@overload(python_function)
def _overload(how):
    return lambda how: fail(how)


ENTRIES["overload"] = njit(lambda how: python_function(how))


@njit
def generator(how):
    yield 1
    yield fail(how)


ENTRIES["generator"] = lambda how: list(generator(how))[-1]
ENTRIES["generator in compiled code"] = njit(lambda how: [x for x in generator(how)][-1])


@njit(parallel=True)
def loop(how):
    total = 0
    for i in prange(1000):
        total += fail(how)
    return total // 1000


ENTRIES["prange"] = loop


@njit
def compiled_objmode(how):
    with objmode(y="int64"):
        y = fail(how)
    return y


ENTRIES["object mode"] = compiled_objmode


@njit(parallel=True)
def objmode_on_threads(how):
    total = 0
    for i in prange(8):
        with objmode(y="int64"):
            y = fail(how)
        total += y
    return total // 8


ENTRIES["object mode on threads"] = objmode_on_threads


@stencil
def neighbours(a):
    return fail(a[0]) + a[1] - a[-1]


ENTRIES["stencil"] = njit(lambda how: neighbours(np.full(5, how))[2])
ENTRIES["stencil of Python"] = lambda how: int(neighbours(np.full(5, how))[2])


@njit("int64(FunctionType(int64(int64)), int64)")
def apply(f, how):
    return f(how)


ENTRIES["function as a value"] = lambda how: apply(fail_of_int, how)
ENTRIES["function of a list"] = njit(lambda how: [fail, identity][0](how))


@njit
def identity(how):
    return how


@njit("int64(int64)")
def fail_of_int(how):
    return fail(how)


ENTRIES["sort by a key"] = njit(lambda how: 7 if sorted([how, how], key=fail)[0] == how else 0)
ENTRIES["map and filter"] = njit(lambda how: list(map(fail, [how]))[0])


def on_a_thread(how):
    told = []

    def work():
        try:
            told.append(fail(how))
        except BaseException as error:
            told.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if isinstance(told[0], BaseException):
        raise told[0]
    return told[0]


ENTRIES["thread"] = on_a_thread
ENTRIES["pool of Python's"] = lambda how: ThreadPoolExecutor(1).submit(fail, how).result()


@entry
def finalizer(how):
    class Cyclic:
        def __del__(self):
            self.told.append(fail(how))

    told = []
    cyclic = Cyclic()
    cyclic.me, cyclic.told = cyclic, told
    del cyclic
    with Unraisable() as unraisable:
        gc.collect()
    return unraisable.result(told[0] if told else 0)


@entry
def hash_of_a_key(how):
    class Key:
        def __hash__(self):
            return fail(how)

    return hash(Key())


@entry
def trace_function(how):
    def trace(*ignored):
        sys.settrace(None)
        told.append(fail(how))

    told = []
    sys.settrace(trace)
    (lambda: None)()
    return told[0]


KERNELS = {}  # without functions of C


@cuda.jit
def plain(out, how):
    out[cuda.grid(1)] = deep(how) if how == 3 else read(out, how * 10**11) if how >= 100 else 7


@cuda.jit
def with_barrier(out, how):
    shared = cuda.shared.array(32, numba.float64)
    shared[cuda.threadIdx.x] = 7
    cuda.syncthreads()
    out[cuda.grid(1)] = deep(how) if how == 3 else read(out, how * 10**11) if how >= 100 else shared[31 - cuda.threadIdx.x]


@cuda.jit
def cooperative(out, how):
    cuda.cg.this_grid().sync()
    out[cuda.grid(1)] = deep(how) if how == 3 else read(out, how * 10**11) if how >= 100 else 7


@cuda.reduce
def device_reduce(a, b):
    return deep(3) if b == 3 else read(TABLE, int(b) * 10**11) if b >= 100 else b


@vectorize(["float64(float64)"], target="cuda")
def device_ufunc(how):
    return deep(3) if how == 3 else read(TABLE, int(how) * 10**11) if how >= 100 else how


def launch(kernel, how):
    out = cuda.to_device(np.zeros(64))
    kernel[2, 32](out, how)
    return int(out.copy_to_host()[5])


for _kernel in plain, with_barrier, cooperative:
    KERNELS[_kernel.__name__] = lambda how, k=_kernel: launch(k, how)
KERNELS["debugged"] = lambda how: launch(cuda.jit(debug=True, opt=False)(plain.py_func), how)
KERNELS["device reduce"] = lambda how: int(device_reduce(np.full(100, float(how)))) * 0 + 7
KERNELS["device ufunc"] = lambda how: int(device_ufunc(np.full(100, float(how)))[3]) * 0 + 7

EXPECTED = {"outside": {"SystemError", "CudaAPIError"}, "in C": {"SystemError"}, "recursion": {"RecursionError", "CudaAPIError"},
            "abort": {"SystemError"}, "overflow": {"7"}}


def attempt(function, how):
    try:
        return str(function(how))
    except Exception as error:
        return type(error).__name__


def main(names):
    global box
    warnings.simplefilter("ignore")
    box = Box(0)
    failures = count = 0
    for entries, ways in ((ENTRIES, FAILURES), (KERNELS, {"outside": OUTSIDE, "recursion": RECURSION})):
        for name, function in entries.items():
            if names and name not in names:
                continue
            for way, how in ways.items():
                print(f"{name}, {way}:", end=" ", file=sys.stderr, flush=True)
                got, after = attempt(function, how), attempt(function, 0)
                is_right = got in EXPECTED[way] and after == "7"
                print(got, "" if is_right else f"UNEXPECTED, then {after}", file=sys.stderr, flush=True)
                failures += not is_right
                count += 1
    print(f"{count} cases, {failures} failures")


if __name__ == "__main__":
    main(sys.argv[1:])
