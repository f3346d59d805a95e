"""DeviceNDArray against NumPy: transfers, views, indexing, assignment, errors."""
import copy
import gc
import re

import numpy as np

from common import cuda, equal, raises, rng


def random_array(shape, dtype=np.float32):
    return (rng.random(shape) * 200 - 100).astype(dtype)


def test_attributes():
    x = random_array((2, 3, 4))
    d = cuda.to_device(x)
    for name in ("shape", "strides", "dtype", "ndim", "size", "nbytes"):
        assert getattr(d, name) == getattr(x, name), name
    assert d.alloc_size == x.nbytes and len(d) == 2
    assert d.flags == {"C_CONTIGUOUS": True, "F_CONTIGUOUS": False}
    text = r"<numba\.cuda\.cudadrv\.devicearray\.DeviceNDArray object at 0x[0-9a-f]+>"
    assert re.fullmatch(text, repr(d)) and re.fullmatch(text, str(d))


def test_round_trip_of_every_dtype():
    for dtype in "?bhilqBHILQefdFD":
        x = random_array(17, np.float64).astype(dtype)
        equal(cuda.to_device(x), x)
    record = np.zeros(5, [("a", "i4"), ("b", "f8")])
    record["a"] = range(5)
    equal(cuda.to_device(record), record)


def test_shapes_and_orders():
    for shape in ((), (0,), (1,), (7,), (3, 4), (0, 5), (2, 1, 3), (2, 2, 2, 2, 2, 2)):
        x = random_array(shape)
        equal(cuda.to_device(x), x)
        f = np.asfortranarray(x)
        back = cuda.to_device(f).copy_to_host()
        assert back.flags["F_CONTIGUOUS"] == f.flags["F_CONTIGUOUS"]
        np.testing.assert_array_equal(back, f)


def test_lists_and_numbers():
    equal(cuda.to_device([1, 2, 3]), np.array([1, 2, 3]))
    equal(cuda.to_device(2.5), np.array(2.5))
    d = cuda.to_device([1, 2])
    assert cuda.to_device(d) is d


def test_device_array_and_like():
    d = cuda.device_array((3, 4), np.int16)
    assert d.shape == (3, 4) and d.dtype == np.int16
    assert cuda.device_array(5).dtype == np.float64
    assert cuda.device_array((2, 3), order="F").strides == (8, 16)
    for x in (random_array((3, 4)), np.asfortranarray(random_array((3, 4)))):
        like = cuda.device_array_like(x)
        assert like.strides == x.strides and like.dtype == x.dtype
    assert cuda.device_array_like(d).shape == (3, 4)
    from numba import int32
    assert cuda.device_array(2, int32).dtype == np.int32


def test_views_of_slices():
    x = random_array((6, 5, 4))
    d = cuda.to_device(x)
    indices = [np.s_[2], np.s_[-1], np.s_[1:4], np.s_[::2], np.s_[:, 1], np.s_[..., 2],
               np.s_[1:, 2:3, ::3], np.s_[2, ..., 1:], np.s_[:, None, 2], np.s_[4:1], np.s_[::-1],
               np.s_[:, ::-2, ::-1], np.s_[5:0:-2, 3], np.s_[100:]]
    for index in indices:
        equal(d[index], x[index])
    equal(d[1:][2:][:, 1], x[1:][2:][:, 1])


def test_elements_are_numpy_scalars():
    x = random_array((3, 4), np.float32)
    d = cuda.to_device(x)
    assert d[1, 2] == x[1, 2] and type(d[1, 2]) is np.float32
    assert d[-1, -1] == x[-1, -1]
    assert cuda.to_device(x[0])[2] == x[0, 2]
    for index in ((3, 0), (0, 4), (0, 0, 0), -4):
        with raises(IndexError):
            d[index]


def test_assignment():
    x = random_array((5, 6))
    d = cuda.to_device(x)
    d[2, 3] = x[2, 3] = 7
    d[0] = x[0] = 1.5
    d[1] = x[1] = np.arange(6)
    d[3:5] = x[3:5] = random_array((2, 6))
    d[:] = x[:] = x * 2
    equal(d, x)
    d[2] = d[1]
    x[2] = x[1]
    equal(d, x)
    with raises(ValueError):
        d[0] = np.arange(5)


def test_assignment_to_strided_views():
    x = random_array((5, 6))
    d = cuda.to_device(x)
    d[:, 1] = x[:, 1] = 3
    d[::2, ::3] = x[::2, ::3] = random_array((3, 2))
    equal(d, x)
    d[:, 2] = d[:, 3]
    x[:, 2] = x[:, 3]
    equal(d, x)


def test_reshape_ravel_view_squeeze_split():
    x = random_array((4, 6))
    d = cuda.to_device(x)
    equal(d.reshape(3, 8), x.reshape(3, 8))
    equal(d.reshape((2, -1)), x.reshape(2, -1))
    equal(d.ravel(), x.ravel())
    equal(d.view(np.int32), x.view(np.int32))
    equal(d.view(np.int16), x.view(np.int16))
    equal(d.reshape(1, 24, 1).squeeze(), x.reshape(24))
    for part, expected in zip(d.ravel().split(7), (x.ravel()[i:i + 7] for i in range(0, 24, 7))):
        equal(part, expected)
    with raises(ValueError):
        d.reshape(5, 5)
    with raises(NotImplementedError, "operation requires copying"):
        d[:, 1:].ravel()


def test_transpose():
    x = random_array((3, 5))
    d = cuda.to_device(x)
    equal(d.T, x.T)
    equal(d.transpose(), x.T)
    equal(d.T.T, x)
    with raises(NotImplementedError, "transposing a non-2D DeviceNDArray isn't supported"):
        cuda.to_device(random_array(3)).T


def test_copies_into_arrays_that_exist():
    x, y = random_array((3, 4)), random_array((3, 4))
    d = cuda.to_device(x)
    host = np.empty_like(x)
    assert d.copy_to_host(host) is host
    np.testing.assert_array_equal(host, x)
    d.copy_to_device(y)
    equal(d, y)
    d.copy_to_device(cuda.to_device(x))
    equal(d, x)
    part = np.zeros((3, 8), np.float32)
    d.copy_to_host(part[:, ::2])
    np.testing.assert_array_equal(part[:, ::2], x)


def test_the_copy_module():
    x = random_array((3, 4))
    for host in (x, np.asfortranarray(x), np.float32(3.5), random_array((0, 2)), random_array((2, 3, 4))):
        whole = cuda.to_device(x)
        d = cuda.to_device(host)
        same, own = copy.copy(d), copy.deepcopy(d)
        assert same is not d and same.device_ctypes_pointer.value == d.device_ctypes_pointer.value
        assert own.is_f_contiguous() == d.is_f_contiguous() and type(own) is type(d)
        equal(same, host)
        equal(own, host)
        if d.size:
            d.copy_to_device(np.asarray(host) + 1)
            equal(same, np.asarray(host) + 1)
            equal(own, host)
        part = whole[1:, ::2]
        equal(copy.copy(part), x[1:, ::2])
        equal(copy.deepcopy(part), x[1:, ::2])
    both = copy.deepcopy([d, {"d": d}])
    assert both[0] is both[1]["d"] is not d


def test_copies_are_refused():
    d = cuda.to_device(random_array((3, 4)))
    with raises(TypeError, "incompatible dtype: float32 vs. float64"):
        d.copy_to_host(np.empty((3, 4)))
    with raises(ValueError, "incompatible shape: (3, 4) vs. (4, 3)"):
        d.copy_to_host(np.empty((4, 3), np.float32))
    with raises(ValueError, "incompatible strides"):
        d.copy_to_host(np.empty((3, 4), np.float32, order="F"))
    with raises(ValueError, "Array contains non-contiguous buffer and cannot be transferred"):
        cuda.to_device(np.arange(10)[::2])
    with raises(TypeError):
        cuda.to_device(np.array([object()]))


def test_array_protocols():
    x = random_array((3, 4))
    d = cuda.to_device(x)
    np.testing.assert_array_equal(np.asarray(d), x)
    assert np.asarray(d, dtype=np.float64).dtype == np.float64
    interface = d.__cuda_array_interface__
    assert interface["shape"] == (3, 4) and interface["typestr"] == "<f4"
    assert interface["strides"] is None and interface["version"] == 3
    assert d[:, 1].__cuda_array_interface__["strides"] == (16,)

    class Foreign:
        __cuda_array_interface__ = interface

    assert cuda.is_cuda_array(Foreign()) and not cuda.is_cuda_array(x)
    view = cuda.as_cuda_array(Foreign())
    equal(view, x)
    view[0, 0] = 42
    assert d[0, 0] == 42
    with raises(TypeError, "*obj* doesn't implement the cuda array interface."):
        cuda.as_cuda_array(x)
    with raises(NotImplementedError, "Masked arrays are not supported"):
        cuda.from_cuda_array_interface(dict(interface, mask=d))


def test_memory_is_given_back():
    context = cuda.current_context()
    gc.collect()  # arrays of other tests in circles of references
    before = context.get_memory_info()
    held = [cuda.device_array(1 << 20, np.uint8) for _ in range(8)]
    if cuda.get_current_device().is_emulated:
        assert before.free - context.get_memory_info().free == 8 << 20
    del held
    assert context.get_memory_info().free >= before.free - (16 << 20)
    assert before.total >= before.free > 0


def test_too_much_memory():
    from numba.cuda.cudadrv.driver import CudaAPIError
    with raises(CudaAPIError, "results in CUDA_ERROR_OUT_OF_MEMORY"):
        cuda.device_array(1 << 50, np.uint8)
    with raises(ValueError):
        cuda.device_array(-1)


def test_host_memory_kinds():
    for make in (cuda.pinned_array, cuda.mapped_array, cuda.managed_array):
        a = make((3, 4), np.float32)
        assert isinstance(a, np.ndarray) and a.shape == (3, 4) and a.dtype == np.float32
    assert cuda.pinned_array_like(np.zeros((2, 3), order="F")).flags["F_CONTIGUOUS"]
    x = random_array(9)
    with cuda.pinned(x):
        equal(cuda.to_device(x), x)
    with cuda.mapped(x) as d:
        d[0] = 11
    assert x[0] == 11
