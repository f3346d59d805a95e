"""Modules: the callbacks of linked code, and PTX that the user loads."""
import ctypes
import gc
import shutil

from common import cuda, is_emulated, np, raises
from numba.cuda.cudadrv import driver
from test_compile import assembled
from test_foreign import has_tools

SCALED = """
__device__ float factor = 2.0f;
extern "C" __device__ int scaled(float *result, float x) { *result = x * factor; return 0; }
"""
CAN_RUN = not is_emulated() or any(map(shutil.which, ("c++", "g++", "clang++")))


class Calls:
    """Callbacks that note with which module they are called."""

    def __init__(self, factor):
        self.factor, self.live, self.count = np.float32(factor), set(), 0

    def setup(self, module):
        memory, size = module.get_global_symbol("factor")
        assert size == 4 and module.handle and module.is_live
        driver.host_to_device(memory, np.array([self.factor]), 4)
        self.live.add(module.handle)
        self.count += 1

    def teardown(self, module):
        self.live.remove(module.handle)


def make(calls, text=SCALED):
    code = cuda.CUSource(text, setup_callback=calls.setup, teardown_callback=calls.teardown)
    scaled = cuda.declare_device("scaled", "float32(float32)", link=code)

    @cuda.jit
    def kernel(a):
        a[0] = scaled(a[0])

    return kernel


def result_of(kernel, dtype=np.float32):
    a = np.ones(1, dtype)
    kernel[1, 1](a)
    return a[0]


def test_setup_and_teardown():
    if not CAN_RUN:
        return
    calls = Calls(3)
    kernel = make(calls)
    assert calls.count == 0
    assert result_of(kernel) == 3 and result_of(kernel) == 3 and calls.count == 1
    assert result_of(kernel, np.float64) == 3 and calls.count == 2 and len(calls.live) == 2
    assert calls.live <= set(cuda.current_context().modules)
    cuda.current_context().reset()
    assert not calls.live
    assert result_of(kernel) == 3 and calls.count == 3 and len(calls.live) == 1
    del kernel
    gc.collect()
    assert not calls.live


def test_links_of_kernels():
    if not CAN_RUN:
        return
    calls = Calls(5)
    code = cuda.CUSource(SCALED, setup_callback=calls.setup)
    scaled = cuda.declare_device("scaled", "float32(float32)")

    @cuda.jit("void(float32[:])", link=[code])
    def kernel(a):
        a[0] = scaled(a[0])

    assert calls.count == 1 and result_of(kernel) == 5


def test_what_callbacks_raise():
    with raises(TypeError, "must be callable"):
        cuda.CUSource(SCALED, setup_callback=1)
    if not CAN_RUN:
        return
    calls = Calls(5)

    def fails(module):
        module.get_global_symbol("no_such_name")

    calls.setup = fails
    kernel = make(calls, SCALED + "// anew")
    for turn in range(2):
        with raises(cuda.CudaAPIError, "[500]", "CUDA_ERROR_NOT_FOUND"):
            kernel[1, 1](np.ones(1))


PTX = """.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .f32 factor = 0f40000000;
.visible .entry scale(.param .u64 a, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %i, %n;
    .reg .b64 %a, %at;
    .reg .f32 %x, %by;
    ld.param.u64 %a, [a];
    ld.param.u32 %n, [n];
    mov.u32 %i, %tid.x;
    setp.ge.u32 %p, %i, %n;
    @%p bra $done;
    mul.wide.u32 %at, %i, 4;
    add.u64 %at, %a, %at;
    ld.global.f32 %x, [%at];
    ld.global.f32 %by, [factor];
    mul.f32 %x, %x, %by;
    st.global.f32 [%at], %x;
$done:
    ret;
}
"""


def test_modules_of_ptx():
    assembled(PTX, (7, 5))
    context = cuda.current_context()
    if is_emulated():
        with raises(NotImplementedError, "are for GPUs"):
            context.create_module_ptx(PTX)
        return
    calls = []
    module = context.create_module_image(PTX, setup_callbacks=[calls.append], teardown_callbacks=[calls.append])
    assert calls == [module] and context.modules[module.handle] is module
    function = module.get_function("scale")
    assert function.name == "scale" and function.attrs.regs > 0 and function.attrs.maxthreads >= 32
    function.cache_config(prefer_shared=True)
    memory, size = module.get_global_symbol("factor")
    driver.host_to_device(memory, np.array([5], np.float32), size)
    d, stream = cuda.to_device(np.arange(32, dtype=np.float32)), cuda.stream()
    driver.launch_kernel(function.handle, 1, 1, 1, 32, 1, 1, 0, stream,
                         [ctypes.c_uint64(d.device_pointer_value), ctypes.c_uint32(30)])
    stream.synchronize()
    np.testing.assert_array_equal(d.copy_to_host(), [i * 5 if i < 30 else i for i in range(32)])
    with raises(cuda.CudaAPIError, "CUDA_ERROR_NOT_FOUND"):
        module.get_function("nothing")
    with raises(cuda.CudaAPIError, "CUDA_ERROR_INVALID_"):
        context.create_module_ptx("nonsense")
    module.unload()
    assert calls == [module] * 2 and module.handle not in context.modules
    with raises(RuntimeError, "not loaded any more"):
        module.get_function("scale")
    with raises(TypeError, "setup_callbacks must be a list of callables"):
        context.create_module_image(PTX, setup_callbacks=3)


def test_linking_by_hand():
    if not has_tools():
        return
    linker = driver.Linker.new(cc=None if not is_emulated() else (7, 5))
    with raises(driver.LinkerError, "nothing to link"):
        linker.complete()
    linker.add_ptx(PTX)
    linker.add_cu('extern "C" __global__ void other(float *a) { *a = 1; }', "other.cu")
    cubin = linker.complete()
    assert cubin[:4] == b"\x7fELF" and b"scale" in cubin and b"other" in cubin
    with raises(driver.LinkerError, "no_such_file.ptx not found"):
        linker.add_file("no_such_file.ptx", "ptx")
    with raises(driver.LinkerError):
        linker.add_ptx("nonsense")
        linker.complete()
    if not is_emulated():
        module = cuda.current_context().create_module_image(cubin)
        assert module.get_function("scale").attrs.maxthreads > 0
        module.unload()
