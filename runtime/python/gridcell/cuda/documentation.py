# SPDX-License-Identifier: MIT
"""The docstrings of numba.cuda: arguments, types, errors, one example each.

An entry begins with `=== name`; its first line is the signature. The examples are run by
tests/cuda/test_docstrings.py.
"""
from gridcell import _gridcell as _extension

from . import documentation_arrays, documentation_devices, documentation_kernels

_TEXT = '''
=== jit
jit(func_or_sig=None, device=False, inline='never', link=[], debug=None, opt=None, cache=False, **kws)

Compiles a function for CUDA devices: a kernel, or with device=True a function for kernels.

func_or_sig: the function; or a signature, or a list of them, to compile at once: as text
    'void(float32[:], int32)' or as types. Without one, a launch compiles for its arguments.
device: for functions that kernels call. inline: 'always' or 'never', of device functions.
debug: raise exceptions in threads, and check indices. opt: False for no optimisation.
cache: keep machine code on disk. lineinfo, fastmath, max_registers, launch_bounds: as in CUDA.
Gives a dispatcher; kernel[blocks, threads, stream, shared_bytes](arguments) launches it.
Raises TypingError when the function has no meaning for the types, UnsupportedError for what
cannot be compiled, NotImplementedError for an unknown option.

Example:
    @cuda.jit
    def add(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[i] + b[i]

    out = np.zeros(100)
    add[4, 32](np.ones(100), np.ones(100), out)
=== compile_ptx
compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None, opt=None)

The PTX of a kernel, without a device.

pyfunc: the function. sig: its signature. cc: the compute capability, such as (8, 0).
Gives (PTX, return type). Raises TypingError as jit does.

Example:
    def fill(a):
        a[cuda.grid(1)] = 1

    ptx, returns = cuda.compile_ptx(fill, "void(float64[:])", cc=(8, 0))
'''


_ATOMIC = {
    "add": "Adds val", "sub": "Subtracts val", "max": "Keeps the larger; where one is NaN, nothing is stored",
    "min": "Keeps the smaller; where one is NaN, nothing is stored",
    "nanmax": "Keeps the larger; NaN counts as missing",
    "nanmin": "Keeps the smaller; NaN counts as missing", "and_": "Bitwise and with val",
    "or_": "Bitwise or with val", "xor": "Bitwise exclusive or with val", "exch": "Stores val",
    "inc": "Adds 1 up to val, and goes on from 0", "dec": "Subtracts 1 down to 0, and goes on from val"}

_REAL = "integers, floats or bfloat16"
_SUMS = _REAL + ", or complex numbers, whose parts are added each for itself"
_ATOMIC_TYPES = {"add": _SUMS, "sub": _SUMS, "max": _REAL, "min": _REAL, "nanmax": _REAL, "nanmin": _REAL,
                 "inc": "unsigned integers", "dec": "unsigned integers",
                 "exch": _REAL + ", bool or complex64"}


def _atomics():
    for name, what in _ATOMIC.items():
        types = _ATOMIC_TYPES.get(name, "integers or bool")
        yield f"atomic.{name}", f"""{name}(ary, idx, val)

{what}, at ary[idx], so that no other thread comes in between.

ary: an array of {types}, in global or shared memory.
idx: an int, or a tuple with one for each axis. val: a number of ary's type.
Gives the value that was there before. Raises TypingError for other types.

Example:
    @cuda.jit
    def update(a):
        cuda.atomic.{name}(a, 0, 3)

    update[1, 32](np.ones(1, np.uint32))
"""
    yield "atomic.cas", """cas(ary, idx, old, val)

Stores val at ary[idx] if old is there, so that no other thread comes in between.

ary: an array of int32, uint32, int64 or uint64. idx: an int, or a tuple with one for each axis.
Gives the value that was there before. Raises TypingError for other types.

Example:
    @cuda.jit
    def take(lock):
        cuda.atomic.cas(lock, 0, 0, 1)

    take[1, 32](np.zeros(1, np.int32))
"""
    yield "atomic.compare_and_swap", """compare_and_swap(ary, old, val)

Stores val in ary[0] if old is there, so that no other thread comes in between.

ary: an array of int32, uint32, int64 or uint64, of one axis.
Gives the value that was there before. Raises TypingError for other types.

Example:
    @cuda.jit
    def take(lock):
        cuda.atomic.compare_and_swap(lock, 0, 1)

    take[1, 32](np.zeros(1, np.int32))
"""


_TAKES = {**dict.fromkeys("WN", "an integer; narrow ones count as 32 bits"), "R": "an integer or a float",
          "B": "a bool or a number", "F": "a real number", "D": "a real number"}
_GIVES = {"I": "an int32", "U": "a uint32", "L": "an int64", "Q": "a uint64", "F": "a float32", "D": "a float64",
          "B": "a bool", "W": "an integer of the type that it takes", "N": "an integer without a sign, as wide as it takes",
          "R": "a float32, or a float64"}


def _regular_functions(rows):
    """The rows whose kind is a signature; compiler/types/intrinsics.def says what its letters mean."""
    for name, parameters, signature, _, what in rows:
        if "(" not in signature:
            continue
        takes = [f"{word}: {_TAKES.get(code, 'an integer')}."
                 for word, code in zip(parameters.split(), signature[2:-1])]
        gives = [f"Gives {_GIVES[signature[0]]}."] if signature[0] != "V" else []
        raises = ["Raises TypingError for other types."] if takes else []
        sentences = " ".join(takes + gives + raises)
        call = f"cuda.{name}({', '.join('a[i]' for _ in takes)})"
        yield name, f"""{name}({parameters.replace(" ", ", ")})

{what}
{sentences and chr(10) + sentences + chr(10)}
Example:
    @cuda.jit
    def compute(a):
        i = cuda.grid(1)
        {"a[i] = " if gives else ""}{call}

    compute[1, 8](np.arange(8))
"""


def _warp_functions(rows):
    for name, parameters, kind, _, what in rows:
        words = parameters.split()
        if kind not in ("value", "truth") or words[0] != "mask" or name == "match_all_sync":
            continue
        arguments = ", ".join(["0xFFFFFFFF", "a[i]" if kind == "value" else "a[i] > 3", "1"][:len(words)])
        yield name, f"""{name}({", ".join(words)})

{what}

mask: an integer, one bit for each lane that takes part; those all have to call.
Values are int32, int64, float32 or float64; predicates are bools or integers.
Raises TypingError for other types.

Example:
    @cuda.jit
    def exchange(a):
        i = cuda.laneid
        a[i] = cuda.{name}({arguments})

    exchange[1, 32](np.arange(32))
"""


def _warp_pairs():
    yield "match_all_sync", """match_all_sync(mask, value)

Whether all lanes of mask have the same value.

mask: an integer, one bit for each lane that takes part; those all have to call.
value: int32, int64, float32 or float64.
Gives (lanes, bool): mask and True where they have, else 0 and False. Raises TypingError for
other types.

Example:
    @cuda.jit
    def agree(a):
        lanes, same = cuda.match_all_sync(0xFFFFFFFF, a[0])
        a[0] = lanes

    agree[1, 32](np.zeros(1, np.int64))
"""
    yield "vote_sync_intrinsic", """vote_sync_intrinsic(mask, mode, predicate)

A vote of the lanes of mask.

mode: an integer; 0 all, 1 any, 2 and 3 the same. predicate: a bool or an integer.
Gives (ballot as an int32, whether it holds). Raises TypingError for other types.

Example:
    @cuda.jit
    def vote(a):
        ballot, holds = cuda.vote_sync_intrinsic(0xFFFFFFFF, 0, a[cuda.laneid] > 3)
        a[0] = ballot

    vote[1, 32](np.arange(32))
"""


def _cache_hints(rows):
    for name, parameters, kind, _, what in rows:
        if kind not in ("load", "store"):
            continue
        loads = kind == "load"
        call = f"a[0] = cuda.{name}(a, 1)" if loads else f"cuda.{name}(a, 0, 3.0)"
        yield name, f"""{name}({parameters.replace(" ", ", ")})

{what}

array: an array of integers or floats in global memory. i: an int, or a tuple with one for each axis.
{"Gives the element." if loads else "value: a number of the array's type."} Raises TypingError for other types.

Example:
    @cuda.jit
    def touch(a):
        {call}

    touch[1, 1](np.ones(2))
"""


_FP16 = {2: ("hadd hsub hmul hdiv heq hne hgt hge hlt hle hmax hmin", "a, b"),
         1: ("hneg habs hsin hcos hlog hlog2 hlog10 hexp hexp2 hexp10 hfloor hceil hrint htrunc "
             "hsqrt hrsqrt hrcp", "a"), 3: ("hfma", "a, b, c")}


def _half_functions(summaries):
    for names, parameters in _FP16.values():
        arguments = ", ".join("a[1]" for _ in parameters.split(","))
        for name in names.split():
            result = "a bool" if name in ("heq", "hne", "hgt", "hge", "hlt", "hle") else "a float16"
            yield f"fp16.{name}", f"""{name}({parameters})

{summaries(name)}

{parameters}: float16. Gives {result}. Raises TypingError for other types.

Example:
    @cuda.jit
    def compute(a):
        a[0] = cuda.fp16.{name}({arguments})

    compute[1, 1](np.ones(2, np.float16))
"""


def _entries(namespace):
    texts = (_TEXT, documentation_arrays.TEXT, documentation_devices.TEXT, documentation_kernels.TEXT)
    for entry in "".join(texts).split("\n=== ")[1:]:
        name, _, text = entry.partition("\n")
        yield name, text
    yield from _atomics()
    rows = [(name.removeprefix("cuda."), *rest) for name, *rest in _extension.intrinsics()]
    yield from _regular_functions(rows)
    yield from _warp_functions(rows)
    yield from _warp_pairs()
    yield from _cache_hints(rows)
    half = namespace["fp16"]
    yield from _half_functions(lambda name: getattr(half, name).__doc__)


def describe(namespace):
    """Gives every name in the namespace of numba.cuda its docstring."""
    for path, text in _entries(namespace):
        root, _, member = path.partition(".")
        owner = namespace[root]
        target = getattr(owner, member) if member else owner
        target.__doc__ = text.rstrip("\n")
