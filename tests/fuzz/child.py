"""The process that runs generated programs: a JSON line in, a JSON line with the verdict out."""
import collections
import copy
import ctypes
import faulthandler
import gc
import json
import linecache
import math
import os
import pathlib
import random
import re
import resource
import sys
import types
import warnings
from collections.abc import ItemsView, KeysView, ValuesView

import numpy as np

import oracle

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD",
                                    pathlib.Path(__file__).resolve().parents[2] / "build"))
sys.path.insert(0, str(BUILD / "python"))

import gridcell

gridcell.activate()

import numba
import numba.experimental
from numba.core import errors

# What Python finds at run time and compiled code when it is compiled, or not at all.
STATIC = (TypeError, AttributeError, NameError, NotImplementedError)
UNCLEAN = (SystemError, MemoryError, RecursionError, errors.InternalError)
MEMORY = 6 << 30
RECORD = np.dtype([("p", np.int64), ("q", np.float64)])
SHARED = {"np": np, "math": math, "random": random, "namedtuple": collections.namedtuple, "RECORD": RECORD}
COMPILED = {"prange": numba.prange, "literally": numba.literally, "List": numba.typed.List, "Dict": numba.typed.Dict,
            "jitclass": numba.experimental.jitclass, "int64": numba.int64, "literal_unroll": numba.literal_unroll,
            "unicode_type": numba.types.unicode_type, "ListType": numba.types.ListType,
            "vectorize": numba.vectorize, "guvectorize": numba.guvectorize, "stencil": numba.stencil}


class PlainList(list):
    empty_list = staticmethod(lambda item: PlainList())


class PlainDict(dict):
    empty = staticmethod(lambda key, item: PlainDict())


class Shifted:
    """What a stencil's kernel sees of an array: the items around a place."""

    def __init__(self, array, place):
        self.array, self.place, self.seen = array, place, []

    def __getitem__(self, offsets):
        offsets = offsets if isinstance(offsets, tuple) else (offsets,)
        self.seen.append(offsets)
        return self.array[tuple(np.add(self.place, offsets))]


def plain_stencil(kernel):
    def call(array):
        probe = Shifted(np.ones((9,) * array.ndim), (4,) * array.ndim)
        kernel(probe)
        before, after = np.min([*probe.seen, (0,) * array.ndim], 0), np.max([*probe.seen, (0,) * array.ndim], 0)
        result = np.zeros_like(array)
        for place in np.ndindex(array.shape):
            if all(-b <= at < size - e for at, size, b, e in zip(place, array.shape, before, after)):
                result[place] = kernel(Shifted(array, place))
        return result
    return call


# the same names for plain Python
PLAIN = {"prange": range, "literally": lambda value: value, "jitclass": lambda spec: lambda cls: cls,
         "List": PlainList, "Dict": PlainDict, "int64": None, "unicode_type": None,
         "ListType": lambda item: None, "literal_unroll": lambda value: value,
         "vectorize": lambda function: lambda *args: np.vectorize(function, otypes="d")(*args)[()],
         "guvectorize": lambda types, signature: plain_moving, "stencil": plain_stencil}


def plain_moving(function):
    """A generalised ufunc "(n),()->(n)" of floats."""
    def row(values, width):
        result = np.empty(len(values))
        function(values, width, result)
        return result
    return np.vectorize(row, signature="(n),()->(n)", otypes="d")


LEAK_CALLS = 25


def plain(value):
    """A result as plain Python values."""
    if isinstance(value, np.ndarray):
        kind = "M" if value.dtype.kind in "mM" else str(value.dtype)
        return ("array", value.shape, kind, plain(value.tolist()))
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict) or type(value).__name__ in ("Dict", "DictType"):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return {plain(item) for item in value}
    if isinstance(value, (KeysView, ValuesView, ItemsView)):
        return [plain(item) for item in value]
    if isinstance(value, (list, tuple)):
        return (tuple if isinstance(value, tuple) else list)(plain(item) for item in value)
    if type(value).__name__ == "List":
        return [plain(item) for item in value]
    if callable(value):
        return "function"
    return value


def same(got, want):
    if isinstance(got, (int, float)) and isinstance(want, (int, float)):
        if isinstance(got, float) or isinstance(want, float):
            return (got != got and want != want) or got == want or math.isclose(
                got, want, rel_tol=1e-9, abs_tol=1e-12)
        return got == want
    if type(got) is not type(want):
        return False
    if isinstance(got, (list, tuple)):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(got, dict):
        return list(got) == list(want) and all(same(got[key], want[key]) for key in got)
    if isinstance(got, str):
        return number_free(got) == number_free(want)
    return got == want


def number_free(text):
    """The text without what a number's unified type changes in it: 1.0 for 1, 1 for True, NumPy's names."""
    text = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text)
    return re.sub(r"\.0\b", "", text).replace("True", "1").replace("False", "0")


def clean(error):
    if isinstance(error, RecursionError) and "compiled function" in str(error):
        return True
    return not isinstance(error, UNCLEAN) and "nternal error" not in str(error)


def outcome(function, arguments):
    try:
        return plain(function(*arguments)), plain(tuple(arguments)), None
    except Exception as error:
        return None, plain(tuple(arguments)), error


def judge(got, want, checker):
    """None where the compiled outcome is one that it may be; otherwise what is wrong with it."""
    error, expected = got[2], want[2]
    if error is not None and not clean(error):
        return f"unclean: {type(error).__name__}: {error}"
    if checker is None or isinstance(error, (errors.NumbaError, *STATIC)):
        return None
    if expected is None and error is None:
        if same(got[0], want[0]) and same(got[1], want[1]):
            return None
        return f"result {got[0]!r}, arguments {got[1]!r}; Python: {want[0]!r}, {want[1]!r}"
    if isinstance(error, type(expected)) and expected is not None:
        return None
    if checker.has_scalars and ZeroDivisionError in (type(error), type(expected)):
        return None  # NumPy's scalars divide by zero, and an index is asked about before its turn
    wide = isinstance(expected, OverflowError) and not checker.exact
    if "math domain" in str(expected) or isinstance(expected, (*STATIC, RecursionError)) or wide:
        return None
    return f"{error!r}, result {got[0]!r}; Python: {expected!r}, result {want[0]!r}"


def functions_of(source, serial):
    """What the source defines, compiled: every function on its own, f with the options of line one."""
    file = f"<fuzz {serial}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace = {**SHARED, **COMPILED}
    exec(compile(source, file, "exec"), namespace)
    # threads draw random numbers in no order
    parallel = "prange" in source and "random" not in source and serial % 2 == 0
    head = source.split("\n")[0].partition(": ")
    options = eval(f"dict({head[2]})") if head[0].startswith("#") else {"boundscheck": True}
    for name, value in list(namespace.items()):
        if isinstance(value, types.FunctionType) and value.__module__ is None and name != "f":
            namespace[name] = numba.njit(overflow_check=options.get("overflow_check", False))(value)
    return numba.njit(parallel=parallel, **options)(namespace["f"])


def prepared(source):
    """What plain Python makes of the source, and its checker."""
    if not source.startswith("# plain"):
        return oracle.instrumented(source, {**SHARED, **PLAIN}, source.startswith("# exact"))
    namespace = {**SHARED, **PLAIN}
    exec(compile(source, "<plain>", "exec"), namespace)
    # by default not all of a loop's indices are asked about
    is_unchecked = has_loops(source) and "boundscheck" not in source.split("\n")[0]
    return namespace, oracle.Checker(has_scalars=True, is_unchecked=is_unchecked)


def reference(source, arguments):
    """Python's outcome, and the checker that says whether it binds (None: it does not)."""
    outcomes, limit = [], sys.getrecursionlimit()
    for attempt in range(1 + ("random" in source or "except" in source)):
        random.seed(attempt)
        np.random.seed(attempt)
        namespace, checker = prepared(source)
        sys.setrecursionlimit(limit + 50 * attempt)
        try:
            outcomes.append(outcome(namespace["f"], copy.deepcopy(arguments)))
        except RecursionError:
            raise oracle.Undecided("a list in itself") from None
        finally:
            sys.setrecursionlimit(limit)
    if not same(outcomes[0][0], outcomes[-1][0]):
        raise oracle.Undecided("numbers of no seed, or of how deep one got")
    return outcomes[0], checker


def has_loops(source):
    return re.search(r"^ +(for|while) ", source, re.MULTILINE)


class Mallinfo(ctypes.Structure):
    """The C library's answer to mallinfo2()."""
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
        "keepcost")]


def bytes_in_use():
    """What the process has allocated, as the sanitizer or the C library counts it."""
    gc.collect()
    return count_bytes() + 16 * sys.getallocatedblocks()


def counter_of_bytes():
    libc = ctypes.CDLL(None)
    if "ASAN_OPTIONS" in os.environ:
        libc.__sanitizer_get_current_allocated_bytes.restype = ctypes.c_size_t
        return libc.__sanitizer_get_current_allocated_bytes
    libc.mallinfo2.restype = Mallinfo
    return lambda: libc.mallinfo2().uordblks


count_bytes = counter_of_bytes()


def leaked(function, arguments):
    """Bytes that each further call keeps; 0 where their number does not grow with the calls."""
    for calls in (LEAK_CALLS, LEAK_CALLS, 8 * LEAK_CALLS, 8 * LEAK_CALLS, 40 * LEAK_CALLS):
        before = bytes_in_use()
        for _ in range(calls):
            outcome(function, copy.deepcopy(arguments))
        grown = (bytes_in_use() - before) // calls
        if grown < 16:
            return 0
    return grown


def compiles_badly(compiled, arguments):
    """What is wrong with how it compiles, where whether its loops end is not known."""
    try:
        compiled.compile(tuple(map(numba.typeof, arguments)))
    except Exception as error:
        return None if clean(error) else f"unclean: {type(error).__name__}: {error}"
    return None


def run(source, calls, serial):
    compiled = functions_of(source, serial)
    decided, counted = 0, set()
    for call in calls:
        arguments = list(eval(call, SHARED))
        reason = ""
        try:
            want, checker = reference(source, arguments)
        except oracle.Undecided as undecided:
            want, checker, reason = (None, None, None), None, str(undecided)
        # an unchecked access may write anywhere, and what falls by it is a later program
        may_destroy = checker and checker.is_unchecked and (isinstance(want[2], IndexError) or "except" in source)
        if may_destroy or isinstance(want[2], MemoryError):
            continue
        is_open = checker is None or isinstance(want[2], STATIC)
        if reason == "too many steps" or (is_open and has_loops(source)):
            trouble = compiles_badly(compiled, arguments)
            if trouble:
                return {"wrong": f"f{call}: {trouble}"}
            continue
        got = outcome(compiled, copy.deepcopy(arguments))
        if isinstance(got[2], MemoryError) and (reason == "long" or "GiB" in str(got[2])):
            continue
        trouble = judge(got, want, checker)
        if not trouble and not isinstance(got[2], (errors.NumbaError, *STATIC)) and type(got[2]) not in counted:
            counted.add(type(got[2]))
            lost = leaked(compiled, arguments)
            trouble = lost and f"leak: {lost} bytes in each call"
        if trouble:
            return {"wrong": f"f{call}: {trouble}"}
        decided += checker is not None and got[2] is None
    return {"decided": decided}


def main():
    # results go where a program's own output does not
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if "ASAN_OPTIONS" not in os.environ:  # its shadow memory takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    gc.freeze()  # what is imported is not looked through at each count of bytes
    print("ready", file=answers, flush=True)
    for serial, line in enumerate(sys.stdin):
        work = json.loads(line)
        try:
            answer = run(work["source"], work["calls"], serial)
        except Exception as error:
            answer = {"wrong": f"{type(error).__name__} outside a call: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
