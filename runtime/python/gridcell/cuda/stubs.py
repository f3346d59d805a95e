# SPDX-License-Identifier: MIT
"""The names that mean something inside kernels only.

Each carries `__gridcell_builtin__`, by which the compiler knows it, and says so when it is called
on the host.
"""
import types as _types


class _Dim3Meta(type):
    def __repr__(cls):
        return f"<class 'numba.cuda.stubs.{cls.__name__}'>"


def _dim3(name, doc):
    names = {"__gridcell_builtin__": f"cuda.{name}", "__doc__": doc,
             "__module__": "numba.cuda.stubs"}

    def __new__(cls):
        raise NotImplementedError(f"{cls} is not instantiable")

    return _Dim3Meta(name, (), dict(names, __new__=__new__))


threadIdx = _dim3("threadIdx", "The thread's indices in its block: x, y, z.")
blockIdx = _dim3("blockIdx", "The block's indices in the grid: x, y, z.")
blockDim = _dim3("blockDim", "Threads of a block: x, y, z.")
gridDim = _dim3("gridDim", "Blocks of the grid: x, y, z.")


def _stub(path, doc, is_function=False):
    name = path.rpartition(".")[2]

    def call(*args, **kwargs):
        if is_function:
            raise NotImplementedError(f"{call!r} cannot be called from host code")
        raise NotImplementedError(f"<class 'numba.cuda.stubs.{path}'> is not instantiable")

    call.__name__ = name
    call.__qualname__ = path
    call.__module__ = "numba.cuda.stubs"
    call.__doc__ = doc
    call.__gridcell_builtin__ = f"cuda.{path}"
    return call


def _namespace(name, doc, **functions):
    module = _types.ModuleType(f"cuda.{name}", doc)
    for function, text in functions.items():
        public = function.rstrip("_") if name != "atomic" else function
        setattr(module, public, _stub(f"{name}.{function}", text, True))
    return module


def _mark(name, *args):
    raise TypeError(f"cuda.{name} can only be used inside a kernel or a device function")


def grid(ndim):
    """Index of the thread in the whole grid: an int, or a tuple of 2 or 3."""
    _mark("grid")


def gridsize(ndim):
    """Threads of the whole grid: an int, or a tuple of 2 or 3."""
    _mark("gridsize")


grid.__gridcell_builtin__ = "cuda.grid"
gridsize.__gridcell_builtin__ = "cuda.gridsize"

laneid = _stub("laneid", "The thread's number in its warp.")
warpsize = 32

shared = _namespace("shared", "Memory of a block.",
                    array="An array that the threads of a block share.")
local = _namespace("local", "Memory of a thread.", array="An array of the thread's own.")
const = _namespace("const", "Constant memory.", array_like="A constant copy of a host array.")
atomic = _namespace(
    "atomic", "Operations that no other thread can come in between. All give the old value.",
    add="Adds.", sub="Subtracts.", max="Keeps the larger; NaN stores nothing.",
    min="Keeps the smaller; NaN stores nothing.", nanmax="Keeps the larger; NaN counts as missing.",
    nanmin="Keeps the smaller; NaN counts as missing.", and_="Bitwise and.", or_="Bitwise or.",
    xor="Bitwise exclusive or.", exch="Stores.", inc="Counts up, to 0 after the limit.",
    dec="Counts down, to the limit after 0.", cas="Stores where the old value is as expected.",
    compare_and_swap="Stores in element 0 where the old value is as expected.")

cg = _namespace("cg", "Cooperative groups.", this_grid="""The group of all threads of the grid.

Its method sync() waits for all of them; a kernel that calls it is launched cooperatively, so that
all its blocks run at once. More blocks than the device can hold at once are refused at launch.""")
fp16 = _namespace(
    "fp16", "Arithmetic on float16.",
    hadd="a + b.", hsub="a - b.", hmul="a * b.", hdiv="a / b.", hfma="a * b + c, rounded once.",
    hneg="-x.", habs="The absolute value.", hsin="Sine.", hcos="Cosine.", hlog="Natural logarithm.",
    hlog2="Logarithm to base 2.", hlog10="Logarithm to base 10.", hexp="e**x.", hexp2="2**x.",
    hexp10="10**x.", hfloor="Rounds down.", hceil="Rounds up.", hrint="Rounds to nearest, ties to even.",
    htrunc="Rounds towards zero.", hsqrt="Square root.", hrsqrt="1 / sqrt(x).", hrcp="1 / x.",
    heq="a == b.", hne="a != b.", hgt="a > b.", hge="a >= b.", hlt="a < b.", hle="a <= b.",
    hmax="The larger; NaN counts as missing.", hmin="The smaller; NaN counts as missing.")

_FUNCTIONS = dict(
    syncthreads="Waits for all threads of the block.",
    syncthreads_count="Waits, and counts the threads whose argument is true.",
    syncthreads_and="Waits; true where all arguments are.",
    syncthreads_or="Waits; true where any argument is.",
    syncwarp="Waits for the threads of the warp.",
    threadfence="Orders memory writes for the device.",
    threadfence_block="Orders memory writes for the block.",
    threadfence_system="Orders memory writes for the system.",
    shfl_sync="The value of another lane.", shfl_up_sync="The value of a lower lane.",
    shfl_down_sync="The value of a higher lane.", shfl_xor_sync="The value of lane ^ mask.",
    vote_sync_intrinsic="A vote of the warp.",
    all_sync="True where all lanes' arguments are.", any_sync="True where any lane's argument is.",
    eq_sync="True where all lanes' arguments agree.", ballot_sync="A bit for each lane.",
    match_any_sync="The lanes with an equal value.",
    match_all_sync="All lanes, if their values are equal.",
    activemask="The lanes that are active.", lanemask_lt="The lanes below this one.",
    popc="Number of set bits.", clz="Number of leading zero bits.",
    ffs="Number of the first set bit, from 1; 0 for none.", brev="The bits in reverse.",
    fma="a * b + c, rounded once.", cbrt="Cube root.", selp="a if the predicate holds, else b.",
    nanosleep="Sleeps for about so many nanoseconds.",
    ldca="Loads array[i]; cached at all levels.", ldcg="Loads array[i]; cached in L2.",
    ldcs="Loads array[i]; likely read once.", ldlu="Loads array[i]; last use.",
    ldcv="Loads array[i]; not cached.", stwb="Stores array[i]; written back from all levels.",
    stcg="Stores array[i]; cached in L2.", stcs="Stores array[i]; likely written once.",
    stwt="Stores array[i]; written through to memory.")
for _name, _doc in _FUNCTIONS.items():
    globals()[_name] = _stub(_name, _doc)

__all__ = ["threadIdx", "blockIdx", "blockDim", "gridDim", "grid", "gridsize", "laneid",
           "warpsize", "shared", "local", "const", "atomic", "cg", "fp16", *_FUNCTIONS]
