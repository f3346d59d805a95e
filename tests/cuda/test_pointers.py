# SPDX-License-Identifier: MIT
"""Pointers as arguments of kernels, arrays that are not aligned, and streams of other libraries."""
from common import cuda, equal, is_emulated, np, raises
from numba import carray, farray, float32, int32, int64, types


def address(array):
    return array.__cuda_array_interface__["data"][0]


def test_arrays_over_pointers():
    @cuda.jit(types.void(types.CPointer(float32), types.CPointer(float32), int64))
    def swap(source, target, n):
        a = carray(source, (n, 2))
        b = farray(target, (n, 2), np.float32)
        i = cuda.grid(1)
        if i < n:
            b[i, 0], b[i, 1] = a[i, 1], a[i, 0]

    a = np.arange(8, dtype=np.float32)
    source, target = cuda.to_device(a), cuda.device_array(8, np.float32)
    swap[1, 32](address(source), np.uint64(address(target)), 4)
    equal(target.copy_to_host().reshape(4, 2, order="F"), a.reshape(4, 2)[:, ::-1])
    with raises(TypeError, "No matching definition"):
        swap[1, 32](1.5, address(target), 4)


def test_cache_hints_of_pointers():
    @cuda.jit(types.void(types.CPointer(int32), types.CPointer(int32)))
    def copy(source, target):
        i = cuda.grid(1)
        cuda.stcs(target, i, cuda.ldcg(source, i) + 1)

    source, target = cuda.to_device(np.arange(5, dtype=np.int32)), cuda.device_array(5, np.int32)
    copy[1, 5](address(source), address(target))
    equal(target.copy_to_host(), np.arange(1, 6, dtype=np.int32))


def test_unaligned_arrays():
    def twice(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= 2

    for kernel in (cuda.jit(twice), cuda.jit("void(float64[:])")(twice), cuda.jit("void(float64[::1])")(twice)):
        a = np.zeros(8 * 5 + 1, np.uint8)[1:].view(np.float64)
        a[:] = np.arange(5)
        assert not a.flags.aligned
        kernel[1, 32](a)
        equal(a, 2.0 * np.arange(5))
    packed = np.zeros(4, np.dtype([("tag", "i1"), ("x", "f8")]))
    packed["x"] = 1.5
    kernel = cuda.jit("void(float64[:])")(twice)
    kernel[1, 32](packed["x"])
    equal(packed["x"], np.full(4, 3.0))


class Foreign:
    """A stream of another library."""

    def __init__(self, stream, version=0):
        self.stream, self.version = stream, version

    def __cuda_stream__(self):
        return self.version, int(self.stream)


def test_streams_of_others():
    own = cuda.stream()
    assert own.__cuda_stream__() == (0, int(own))
    stream = Foreign(own)

    @cuda.jit
    def add(a):
        a[cuda.grid(1)] += 1

    array = cuda.to_device(np.zeros(4), stream=stream)
    add[1, 4, stream](array)
    host = array.copy_to_host(stream=stream)
    event = cuda.event()
    event.record(stream)
    event.wait(stream)
    event.synchronize()
    equal(host, np.ones(4))
    assert array.__cuda_array_interface__["stream"] == int(own)
    assert cuda.device_array(3, stream=stream).stream.external
    for wrong in ("x", Foreign(own, 1)):
        with raises(TypeError):
            add[1, 4, wrong]


def test_indices_of_mixed_integers():
    # int64 and uint64 make a float64, which atomics take as an index
    @cuda.jit
    def kernel(a, n):
        cuda.atomic.add(a, np.uint64(cuda.threadIdx.x) + n - n, 2)

    a = np.zeros(4, np.int32)
    kernel[1, 4](a, 1)
    equal(a, np.full(4, 2, np.int32))


def test_constant_floats():
    @cuda.jit
    def kernel(a):
        a[0], a[1], a[2] = float("nan"), float("-inf"), float(" 1_0.5e1 ")

    a = np.zeros(3)
    kernel[1, 1](a)
    assert np.isnan(a[0]) and a[1] == -np.inf and a[2] == 105


def test_first_launches_at_once():
    import threading
    seen = []
    code = cuda.CUSource("", setup_callback=seen.append)

    @cuda.jit(link=[code])
    def kernel(a):
        a[cuda.grid(1)] += 1

    arrays = [cuda.to_device(np.zeros(4)) for _ in range(4)]
    threads = [threading.Thread(target=lambda a=a: kernel[1, 4](a)) for a in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == len(kernel.signatures) == 1
    for array in arrays:
        equal(array.copy_to_host(), np.ones(4))


def test_several_sources():
    one = cuda.CUSource('extern "C" __device__ int add_one(int *r, int x) { *r = x + 1; return 0; }',
                        name="one.cu")
    two = cuda.CUSource('extern "C" __device__ int add_one(int *, int);\n'
                        'extern "C" __device__ int add_two(int *r, int x)\n'
                        '{ int t; add_one(&t, x); *r = t + 1; return 0; }', name="two.cu")
    first, second = (cuda.declare_device(name, "int32(int32)") for name in ("add_one", "add_two"))
    for link in ([one, two], (two, one), {one, two}):
        @cuda.jit(link=link)
        def kernel(out, x):
            out[0] = first(x)
            out[1] = second(x)

        out = np.zeros(2, np.int32)
        kernel[1, 1](out, np.int32(5))
        equal(out, np.array([6, 7], np.int32))


def test_records_of_devices():
    from numba import typeof
    from numba.cuda.cudadrv.devicearray import auto_device, is_contiguous
    dtype = np.dtype([("a", "i4"), ("b", "f4")])
    host = np.array([(1, 2.5)], dtype)[0]
    record, is_new = auto_device(host)
    assert is_new and record._numba_type_ == typeof(host)
    assert auto_device(record) == (record, False)
    wide = cuda.to_device(np.ones((3, 4)))
    assert is_contiguous(wide) and is_contiguous(wide.T) and not is_contiguous(wide[:, 1:3])
    assert is_emulated() or record.device_ctypes_pointer.value


def test_addresses_as_numbers():
    import ctypes
    array = cuda.to_device(np.arange(4.0))
    memory = array.gpu_data
    assert int(memory.handle) == int(memory.device_pointer) == memory.handle.value == address(array)
    assert int(array.device_ctypes_pointer) == array.device_ctypes_pointer.value == address(array)
    assert isinstance(array.device_ctypes_pointer, ctypes.c_void_p)


def test_arrays_of_the_other_sign():
    @cuda.jit("void(int32[:])")
    def negate(a):
        a[cuda.grid(1)] *= -1

    a = np.arange(4, dtype=np.uint32)
    negate[1, 4](a)
    equal(a.view(np.int32), -np.arange(4, dtype=np.int32))
    for wrong in (np.zeros(4, np.int64), np.zeros(4, np.float32), np.zeros((4, 4), np.uint32)):
        with raises(TypeError, "No matching definition"):
            negate[1, 4](wrong)


def test_links_that_are_not_there():
    from numba.cuda.cudadrv.driver import LinkerError
    for error in (LinkerError, FileNotFoundError):
        with raises(error, "nonexistent.a not found"):
            cuda.jit("void()", link=["nonexistent.a"])(lambda: None)
    with raises(RuntimeError, "Don't know how to link file with no extension"):
        cuda.jit("void()", link=["nonexistent"])(lambda: None)
