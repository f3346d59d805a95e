"""PTX without a device: kernels, and device functions that C can call."""
import math
import shutil
import subprocess
import tempfile
import pathlib

from common import cuda, np, raises
from numba import boolean, float32, float64, int32, int64, types, void

PTXAS = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")


def assembled(ptx, cc):
    """Checks the PTX with NVIDIA's assembler, where it is installed."""
    if not PTXAS:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "code.ptx"
        path.write_text(ptx)
        done = subprocess.run([PTXAS, f"-arch=sm_{cc[0]}{cc[1]}", path, "-o", path.with_suffix(".o")],
                              capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def add(a, b):
    return a + b


def test_device_functions():
    for cc in ((7, 5), (8, 0), (9, 0)):
        ptx, returned = cuda.compile(add, int32(int32, int32), cc=cc)
        assert returned == int32
        assert ".visible .func" in ptx and "add(" in ptx and ".param .b32 add_param_0" in ptx
        assembled(ptx, cc)
    ptx, returned = cuda.compile_ptx(add, (float64, float32), device=True,
                                     abi_info={"abi_name": "plus"})
    assert returned == float64 and "plus(" in ptx and ".param .b64 plus_param_0" in ptx
    assembled(ptx, (7, 5))


def test_functions_that_call_others():
    @cuda.jit(device=True)
    def square(x):
        return x * x

    def norm(x, y, is_fast):
        if is_fast:
            return abs(x) + abs(y)
        return math.sqrt(square(x) + square(y))

    ptx, returned = cuda.compile(norm, float64(float64, float64, boolean))
    assert returned == float64 and ".entry" not in ptx
    assembled(ptx, (7, 5))

    def nothing(a):
        a[0] = 1

    ptx, returned = cuda.compile(nothing, void(float32[:]))
    assert returned == types.void and ".visible .func nothing(" in " ".join(ptx.split())
    assembled(ptx, (7, 5))


def test_kernels():
    def kernel(a, x):
        i = cuda.grid(1)
        if i < a.size:
            a[i] += x

    for cc in ((7, 5), (8, 0), (9, 0)):
        ptx, returned = cuda.compile_ptx(kernel, void(float32[:], float32), cc=cc)
        assert returned == types.void and ".visible .entry" in ptx and f"sm_{cc[0]}{cc[1]}" in ptx
        assembled(ptx, cc)
    assert ".entry" in cuda.compile(kernel, void(float32[:], float32), device=False)[0]
    ptx, _ = cuda.compile_for_current_device(add, (int64, int64))
    assert ".func" in ptx


def test_complex_results_for_c():
    for type_, bytes_ in ((types.complex64, 8), (types.complex128, 16)):
        ptx, returned = cuda.compile(lambda x: x / 2, type_(type_), abi_info={"abi_name": "half"})
        assert returned == type_ and f"func_retval0[{bytes_}]" in ptx
        assembled(ptx, (7, 5))


def test_what_is_refused():
    with raises(TypeError, "CUDA kernel must have void return type"):
        cuda.compile_ptx(add, int32(int32, int32))
    with raises(ValueError, "launch_bounds"):
        cuda.compile(add, int32(int32, int32), launch_bounds="many")
    with raises(Exception, "returns one number"):
        cuda.compile(lambda a: (a, a), (int32,))


def test_integers_of_float16_under_fastmath():
    def convert(a, b):
        b[0] = a[0]

    for to in (types.int64, types.int32, types.uint8, types.uint64):
        ptx = cuda.compile_ptx(convert, (types.float16[:], to[:]), fastmath=True, cc=(9, 0))[0]
        assembled(ptx, (9, 0))
        assert ".f16" in ptx and ".ftz" not in ptx


def test_fast_functions():
    if not PTXAS:
        return  # no toolkit, and so perhaps no libdevice
    for name, instruction in (("sin", "sin.approx.ftz.f32"), ("cos", "cos.approx.ftz.f32"),
                              ("tan", "sin.approx.ftz.f32"), ("exp", "ex2.approx.ftz.f32"),
                              ("log", "lg2.approx.ftz.f32"), ("log2", "lg2.approx.ftz.f32"),
                              ("log10", "lg2.approx.ftz.f32")):
        function = getattr(math, name)
        fast, exact = (cuda.compile_ptx(lambda x: function(x), (float32,), device=True, fastmath=fastmath)[0]
                       for fastmath in (True, False))
        assert instruction in fast and len(fast) < len(exact), name
    power = cuda.compile_ptx(lambda x, y: math.pow(x, y), (float32, float32), device=True, fastmath=True)[0]
    assert "lg2.approx.ftz.f32" in power and len(power) < 3000


def test_shapes_that_are_not_constant():
    @cuda.jit
    def kernel(a):
        part = cuda.shared.array(a[0], float32)
        part[0] = 1

    with raises(Exception, "No implementation of function Function(<function shared.array",
                " >>> array(float64, class(float32))"):
        kernel[1, 1](np.ones(3))


def test_targets_of_one_family():
    def f(a):
        a[0] = 1

    for cc, target in (((9, 0, "a"), "sm_90a"), ((10, 0, "f"), "sm_100f"), ([8, 0], "sm_80"), ((9, 0), "sm_90")):
        ptx, _ = cuda.compile_ptx(f, void(float64[:]), cc=cc)
        newest = "sm_90" if cc[0] > 9 and "LLVM NVPTX" in ptx else target  # that LLVM 19 knows
        assert f".target {newest}\n" in ptx, ptx[:300]
    assert ".target sm_90a\n" in cuda.compile(lambda x: x + 1, "int32(int32)", cc=(9, 0, "a"))[0]
    for cc in ((8, 0, "a"), (9, 0, "f"), (9, 0, "x")):
        with raises(ValueError, "no compute capability"):
            cuda.compile_ptx(f, void(float64[:]), cc=cc)
