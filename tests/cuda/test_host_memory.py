"""Pinned, mapped and managed host memory."""
import gc
import mmap

from common import cuda, np, raises
from numba.cuda.cudadrv.devicearray import ManagedNDArray, MappedNDArray, is_cuda_ndarray
from numba.cuda.cudadrv.driver import CudaAPIError


@cuda.jit
def increase(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def own_pages(shape, dtype=np.float64, order="C"):
    """A host array that shares no page of memory with another: a driver pins whole pages."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    return np.ndarray(shape, dtype, mmap.mmap(-1, max(size, 1)), order=order)


def copies_of(launch):
    from gridcell import _gridcell
    _gridcell.cuda_transfers(True)
    launch()
    cuda.synchronize()
    return _gridcell.cuda_transfers(True)


def test_kernels_use_mapped_and_managed_arrays_where_they_lie():
    for make, cls in ((cuda.mapped_array, MappedNDArray), (cuda.managed_array, ManagedNDArray)):
        a = make(100, np.float32)
        assert type(a) is cls and a.dtype == np.float32 and a.shape == (100,)
        a[:] = np.arange(100)
        assert copies_of(lambda: increase[4, 32](a)) == []
        np.testing.assert_array_equal(a, np.arange(100) + 1)
        # a part of it, backwards, and an ordinary array class over the same memory
        assert copies_of(lambda: increase[4, 32](a[10:0:-2])) == []
        assert copies_of(lambda: increase[4, 32](np.asarray(a)[:2])) == []
        expected = np.arange(100) + 1
        expected[10:0:-2] += 1
        expected[:2] += 1
        np.testing.assert_array_equal(a, expected)
        assert copies_of(lambda: increase[4, 32](cuda.In(a[50:]))) == []
        assert a[50] == 52


def test_mapped_arrays_take_part_in_everything():
    a, b = cuda.mapped_array(50), cuda.mapped_array(50, wc=True, portable=True)
    a[:], b[:] = 1, 2
    out = cuda.device_array(50)
    add[2, 32](a, b, out)
    np.testing.assert_array_equal(out.copy_to_host(), np.full(50, 3.0))
    assert is_cuda_ndarray(a) and cuda.is_cuda_array(a)
    view = cuda.as_cuda_array(a)
    view[3] = 9.0
    cuda.synchronize()
    assert a[3] == 9.0
    assert a.__cuda_array_interface__["data"] == (a.device_pointer_value, False)
    assert a.gpu_data.is_mapped and a.gpu_data.size >= a.nbytes
    host = a.copy_to_host()
    assert type(host) is np.ndarray and host[3] == 9.0
    a.copy_to_device(np.zeros(50))
    assert a.sum() == 0
    with raises(TypeError, "incompatible dtype"):
        a.copy_to_device(np.zeros(50, np.float32))
    with raises(ValueError, "incompatible shape"):
        a.copy_to_device(np.zeros(51))
    # a copy is a host array like any other
    other = a + 1
    assert other.gpu_data is None and not cuda.is_cuda_array(other)
    increase[2, 32](other)
    assert other[0] == 2


def test_ufuncs_take_mapped_arrays_for_device_arrays():
    import numba

    @numba.vectorize(["float64(float64, float64)"], target="cuda")
    def plus(a, b):
        return a + b

    a = cuda.mapped_array(100)
    a[:] = np.arange(100)
    result = plus(a, a)
    assert isinstance(result, cuda.cudadrv.devicearray.DeviceNDArray)
    np.testing.assert_array_equal(result.copy_to_host(), 2 * np.arange(100.0))
    np.testing.assert_array_equal(plus(a[::2], 1.0).copy_to_host(), np.arange(0.0, 100, 2) + 1)


def test_shapes_and_layouts():
    for make in (cuda.pinned_array, cuda.mapped_array, cuda.managed_array):
        a = make((3, 4), np.complex64, order="F")
        assert a.flags.f_contiguous and a.shape == (3, 4)
        assert make((), np.int8).shape == () and make(0).size == 0
        strided = make((2, 3), np.int32, strides=(32, 8))
        assert strided.strides == (32, 8)
        strided[:] = 7
        assert strided.sum() == 42
        with raises(ValueError, "negative dimensions are not allowed"):
            make(-1)
        with raises(ValueError, "strides do not match the shape"):
            make((2, 3), strides=(8,))
        with raises(TypeError, "Python objects"):
            make(3, object)
        with raises(TypeError):
            make(2.5)
    f = np.zeros((3, 4), order="F")
    assert cuda.pinned_array_like(f).flags.f_contiguous
    assert cuda.mapped_array_like(f).flags.f_contiguous
    assert cuda.mapped_array_like(np.zeros((4, 6))[:, ::2]).shape == (4, 3)


def test_memory_lives_as_long_as_an_array_over_it():
    a = cuda.mapped_array(1000)
    part = a[10:20]
    a[:] = 5
    del a
    gc.collect()
    increase[1, 32](part)
    cuda.synchronize()
    assert (part == 6).all()


def test_pinned_arrays_are_copied_on_streams():
    stream = cuda.stream()
    a = cuda.pinned_array(10000)
    a[:] = np.arange(10000)
    back = cuda.pinned_array_like(a)
    d = cuda.to_device(a, stream=stream)
    increase[40, 256, stream](d)
    d.copy_to_host(back, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(back, a + 1)
    # kernels get copies of pinned arrays, as of all host arrays
    increase[40, 256](a)
    assert a[1] == 2


def test_pinning_memory_of_others():
    a, b = np.arange(5000.0), np.zeros((100, 100), np.float32)
    with cuda.pinned(a, b[:, 10:20]):
        d = cuda.to_device(a)
        with cuda.pinned(a[10:20]):  # pinned already
            np.testing.assert_array_equal(d.copy_to_host(), a)
    with cuda.pinned(a, np.zeros(0)):
        pass
    with raises(TypeError, "a NumPy array is needed, not list"):
        with cuda.pinned([1, 2]):
            pass


def test_mapping_memory_of_others():
    a, b = own_pages(5000), own_pages((60, 50), np.int32, "F")
    with cuda.mapped(a) as d:
        assert d.shape == (5000,) and copies_of(lambda: increase[20, 256](d)) == []
        assert (a == 1).all()
        kept = d[5:]
    with raises(CudaAPIError, "[709]", "the mapping of its host memory has ended"):
        d.copy_to_host()
    with raises(CudaAPIError, "the mapping of its host memory has ended"):
        increase[1, 32](kept)
    stream = cuda.stream()
    with cuda.mapped(a, b, stream=stream) as (d, e):
        assert d.stream is stream and e.is_f_contiguous()
        e[3, 4] = 8
    assert b[3, 4] == 8
    with raises(ValueError, "non-contiguous buffer"):
        with cuda.mapped(b[::2, ::2]):
            pass
    with cuda.mapped(a):
        with raises(CudaAPIError, "[712]", "HOST_MEMORY_ALREADY_REGISTERED", "is pinned already"):
            with cuda.mapped(a):
                pass


def test_records_and_times_in_mapped_memory():
    dtype = np.dtype([("x", np.int32), ("y", np.float64)], align=True)
    a = cuda.mapped_array(4, dtype)
    a["x"], a["y"] = 1, 2.5

    @cuda.jit
    def change(rows):
        rows[cuda.grid(1)].x += 1

    change[1, 4](a)
    cuda.synchronize()
    assert (a["x"] == 2).all() and (a["y"] == 2.5).all()
    times = own_pages(512, "M8[s]")
    with cuda.mapped(times) as d:
        assert d.dtype == times.dtype
