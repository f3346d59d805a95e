"""Kernels that call functions of others: declared, linked, and compiled to be linked."""
import ctypes.util
import os
import pathlib
import shutil
import subprocess
import tempfile

from common import cuda, is_emulated, np, raises
from gridcell import _gridcell
from gridcell.cuda import foreign
from numba.core import errors
from numba import boolean, float32, float64, int32, int64, types, void

SCALE = r"""
extern "C" __device__ int scale(float *result, float x, int by)
{
    *result = x * by;
    return 0;
}
extern "C" __device__ int sum_of(double *result, const double *items, long long count)
{
    double sum = 0;
    for (long long i = 0; i < count; i++)
        sum += items[i];
    *result = sum;
    return 0;
}
extern "C" __device__ float half_of(float x) { return rsqrtf(4.0f) * x; }
extern "C" __device__ bool is_odd(short x) { return x & 1; }
extern "C" __device__ int store(void *unused, float *target, signed char x)
{
    *target = x;
    return 0;
}
"""
NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
CAN_RUN = not is_emulated() or any(map(shutil.which, ("c++", "g++", "clang++")))


def has_tools():
    try:
        _gridcell.cuda_nvrtc(SCALE, "scale.cu", 75, False)
    except Exception as error:
        assert "was not found" in str(error), error
        return False
    return True


def declared(link=None):
    return (cuda.declare_device("scale", float32(float32, int32), link=link),
            cuda.declare_device("sum_of", "float64(CPointer(float64), int64)", link=link),
            cuda.declare_device("half_of", float32(float32), link=link, abi="c"),
            cuda.declare_device("is_odd", boolean(types.int16), link=link, abi="c"))


def make_kernel(functions, **options):
    scale, sum_of, half_of, is_odd = functions

    @cuda.jit(**options)
    def kernel(out, items):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = scale(half_of(i), 3) + sum_of(items, len(items)) + is_odd(i)

    return kernel


def check(kernel):
    out, items = np.zeros(64, np.float32), np.arange(5.0)
    kernel[2, 32](out, items)
    i = np.arange(64)
    np.testing.assert_array_equal(out, (1.5 * i + 10 + i % 2).astype(np.float32))


def test_cuda_c_in_memory():
    if not CAN_RUN:
        return
    check(make_kernel(declared(), link=cuda.CUSource(SCALE)))
    check(make_kernel(declared(cuda.CUSource(SCALE))))  # the function brings its code
    check(make_kernel(declared(), link=[cuda.CUSource(SCALE, name="twice.cu"),
                                        cuda.CUSource(SCALE)][:1]))


def test_cuda_c_in_a_file():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scale.cu"
        path.write_text(SCALE)
        kernels = make_kernel(declared(), link=[str(path)]), make_kernel(declared(path))
        with raises(FileNotFoundError, "missing.cu"):
            make_kernel(declared(), link=[os.path.join(folder, "missing.cu")])
        with raises(RuntimeError, "Don't know how to link file with extension .txt"):
            make_kernel(declared(), link=[os.path.join(folder, "a.txt")])
    for kernel in kernels if CAN_RUN else ():
        check(kernel)


def test_pointers():
    if not CAN_RUN:
        return
    store = cuda.declare_device("store", void(types.CPointer(float32), types.int8),
                                link=cuda.CUSource(SCALE))

    @cuda.jit
    def kernel(a):
        store(a[cuda.grid(1):], -cuda.grid(1))

    a = np.zeros(32, np.float32)
    kernel[1, 32](a)
    np.testing.assert_array_equal(a, -np.arange(32, dtype=np.float32))


def test_from_buffer():
    try:
        import cffi
    except ImportError:
        return
    if not CAN_RUN:
        return
    ffi = cffi.FFI()
    sum_of = declared(cuda.CUSource(SCALE))[1]

    @cuda.jit
    def kernel(out, items):
        out[0] = sum_of(ffi.from_buffer(items), items.size)

    out = np.zeros(1)
    kernel[1, 1](out, np.arange(100.0))
    assert out[0] == 4950


def test_a_device_function_of_ours_in_between():
    if not CAN_RUN:
        return
    half_of = declared(cuda.CUSource(SCALE))[2]

    @cuda.jit(device=True)
    def quarter(x):
        return half_of(half_of(x))

    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] = quarter(a[cuda.grid(1)])

    a = np.full(32, 8, np.float32)
    kernel[1, 32](a)
    assert (a == 2).all()


def architecture():
    """The compute capability to make code for, as major * 10 + minor."""
    if is_emulated():
        return 75
    major, minor = cuda.get_current_device().compute_capability
    return major * 10 + minor


def makes_ltoir():
    return os.environ.get("GRIDCELL_PTX") != "nvptx"


def all_forms():
    """(name, LinkableCode) of the same functions, as far as the tools are there."""
    cc = architecture()
    kind, ptx = _gridcell.cuda_nvrtc(SCALE, "scale.cu", cc, False)
    assert kind == foreign.KIND_PTX
    yield "PTX", cuda.PTXSource(ptx)
    kind, ltoir = _gridcell.cuda_nvrtc(SCALE, "scale.cu", cc, True)
    assert kind == foreign.KIND_LTOIR
    yield "LTO-IR", cuda.LTOIR(ltoir)
    yield "CUDA C", cuda.CUSource(SCALE)
    if not NVCC:
        return
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "scale.cu"
        source.write_text(SCALE)
        for option, suffix, maker in (("-cubin", ".cubin", cuda.Cubin), ("-c", ".o", cuda.Object),
                                      ("-fatbin", ".fatbin", cuda.Fatbin),
                                      ("-lib", ".a", cuda.Archive)):
            path = source.with_suffix(suffix)
            done = subprocess.run([NVCC, f"-arch=sm_{cc}", "-rdc=true", option, source, "-o", path],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            yield suffix, maker(path.read_bytes())


def test_every_form_links():
    if not has_tools():
        return
    for name, code in all_forms():
        for lto in (False, True)[:1 + makes_ltoir()]:
            kernel = make_kernel(declared(), link=[code], lto=lto)
            argtypes = (float32[:], float64[:])
            if is_emulated():
                ltoir = kernel._ptx(argtypes, 7, 5, True) if lto else None
                first = ltoir if lto else kernel._ptx(argtypes, 7, 5).encode()
                cubin = _gridcell.cuda_link(first, foreign.KIND_LTOIR if lto else foreign.KIND_PTX,
                                            kernel._links, 75, lto, False)
                assert cubin[:4] == b"\x7fELF" and b".text." in cubin, name  # with the kernel's code
            else:
                check(kernel)


def test_what_the_emulated_device_cannot_run():
    if not is_emulated():
        return
    functions = declared()
    out, items = np.zeros(4, np.float32), np.zeros(1)
    with raises(errors.UnsupportedError, "code for a GPU, which the emulated device cannot run"):
        make_kernel(functions, link=cuda.PTXSource(".version 6.0"))[1, 4](out, items)
    with raises(errors.UnsupportedError, "is declared, and nothing is linked that defines it"):
        make_kernel(functions)[1, 4](out, items)
    if CAN_RUN:
        threads = 'extern "C" __device__ int scale(float *r, float x, int by) { *r = threadIdx.x; }'
        with raises(errors.UnsupportedError, "that use no threads"):
            make_kernel(functions, link=cuda.CUSource(threads))[1, 4](out, items)


def test_what_is_refused():
    with raises(TypeError, "Return type must be provided for device declarations"):
        cuda.declare_device("f", (int32,))
    scale, sum_of, *_ = declared()

    @cuda.jit
    def wrong(a):
        sum_of(a, 1)

    with raises(Exception, "sum_of() is declared with float64* as parameter 1, and is given"):
        wrong[1, 1](np.zeros(3, np.float32))
    if has_tools():
        with raises(Exception, "NVRTC could not compile broken.cu", "broken.cu(1)"):
            _gridcell.cuda_nvrtc("int f( {", "broken.cu", 75, False)
        kernel = make_kernel(declared(), link=cuda.PTXSource("nonsense"))
        ptx = kernel._ptx((float32[:], float64[:]), 7, 5).encode()
        with raises(Exception, "nvJitLink could not"):
            _gridcell.cuda_link(ptx, foreign.KIND_PTX, kernel._links, 75, False, False)


def test_device_code_for_others():
    def add(a, b):
        return a + b

    ptx, returned = cuda.compile(add, int32(int32, int32), abi="numba")
    assert returned == int32 and ".param .b64 add__int32__int32_param_0" in ptx
    ptx, _ = cuda.compile_ptx(add, int32(int32, int32), device=True)
    assert "add__int32__int32(" in ptx
    codes, returned = cuda.compile_all(add, int32(int32, int32), abi_info={"abi_name": "plus"})
    assert len(codes) == 1 and "plus(" in codes[0] and returned == int32
    with raises(NotImplementedError, "Unsupported ABI: fortran"):
        cuda.compile(add, int32(int32, int32), abi="fortran")
    with raises(NotImplementedError, "Unsupported output type: sass"):
        cuda.compile(add, int32(int32, int32), output="sass")
    if not has_tools() or not makes_ltoir():
        return
    ltoir, _ = cuda.compile(add, int64(int64, int64), output="ltoir")
    assert isinstance(ltoir, bytes)
    # what we compile can be linked into what others compile
    _, caller = _gridcell.cuda_nvrtc(
        'extern "C" __device__ long long add(long long, long long);'
        'extern "C" __global__ void k(long long *a) { *a = add(*a, 1); }', "caller.cu", 75, True)
    cubin = _gridcell.cuda_link(caller, foreign.KIND_LTOIR, [(foreign.KIND_LTOIR, "add", ltoir)], 75, True, False)
    assert cubin[:4] == b"\x7fELF"
