# SPDX-License-Identifier: MIT
"""The docstrings of numba.cuda: arguments, types, errors, one example each.

An entry begins with `=== name`; its first line is the signature. The examples are run by
tests/cuda/test_docstrings.py.
"""
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


_WARP = {
    "shfl_sync": ("mask, value, src_lane", "The value that lane src_lane has", "0xFFFFFFFF, a[i], 0"),
    "shfl_up_sync": ("mask, value, delta", "The value of the lane delta below this one", "0xFFFFFFFF, a[i], 1"),
    "shfl_down_sync": ("mask, value, delta", "The value of the lane delta above this one", "0xFFFFFFFF, a[i], 1"),
    "shfl_xor_sync": ("mask, value, lane_mask", "The value of the lane whose number is this one's ^ lane_mask",
                      "0xFFFFFFFF, a[i], 1"),
    "all_sync": ("mask, predicate", "True where the predicate holds in all lanes of mask", "0xFFFFFFFF, a[i] > 3"),
    "any_sync": ("mask, predicate", "True where the predicate holds in some lane of mask", "0xFFFFFFFF, a[i] > 3"),
    "eq_sync": ("mask, predicate", "True where the predicate is the same in all lanes of mask",
                "0xFFFFFFFF, a[i] > 3"),
    "ballot_sync": ("mask, predicate", "A bit for each lane of mask in which the predicate holds, as a uint32",
                    "0xFFFFFFFF, a[i] > 3"),
    "match_any_sync": ("mask, value", "The lanes of mask that have the same value, one bit each, as a uint32",
                       "0xFFFFFFFF, a[i]"),
}


def _warp_functions():
    for name, (parameters, what, arguments) in _WARP.items():
        yield name, f"""{name}({parameters})

{what}.

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


_FENCES = {"threadfence": "of the device", "threadfence_block": "of the block",
           "threadfence_system": "of the device, of other devices and of the host"}


def _fences():
    for name, whom in _FENCES.items():
        yield name, f"""{name}()

Orders memory: threads {whom} see what this thread wrote before it ahead of what it writes
after it. It waits for no thread.

Example:
    @cuda.jit
    def publish(a, ready):
        a[0] = 42
        cuda.{name}()
        ready[0] = 1

    publish[1, 1](np.zeros(1), np.zeros(1))
"""


_CACHE = {"ldca": "cached at all levels", "ldcg": "cached in L2 only", "ldcs": "likely to be read once",
          "ldlu": "read for the last time", "ldcv": "not cached, read again each time",
          "stwb": "written back from all levels", "stcg": "cached in L2 only", "stcs": "likely to be written once",
          "stwt": "written through to memory"}


def _cache_hints():
    for name, how in _CACHE.items():
        loads = name.startswith("ld")
        call = f"a[0] = cuda.{name}(a, 1)" if loads else f"cuda.{name}(a, 0, 3.0)"
        yield name, f"""{name}(array, i{"" if loads else ", value"})

{"Loads" if loads else "Stores"} an element: {how}.

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
    yield from _warp_functions()
    yield from _fences()
    yield from _cache_hints()
    half = namespace["fp16"]
    yield from _half_functions(lambda name: getattr(half, name).__doc__)


def describe(namespace):
    """Gives every name in the namespace of numba.cuda its docstring."""
    for path, text in _entries(namespace):
        root, _, member = path.partition(".")
        owner = namespace[root]
        target = getattr(owner, member) if member else owner
        target.__doc__ = text.rstrip("\n")
