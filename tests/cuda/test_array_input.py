"""What device arrays refuse, and records by their fields."""
from common import cuda, equal, np, raises
from numba.cuda.cudadrv import devicearray, driver


def test_shapes_and_options():
    for wrong, error in ((2.5, TypeError), (None, TypeError), ("ab", TypeError), (-1, ValueError),
                         ((2, -1), ValueError), ((2, 1.5), TypeError)):
        with raises(error):
            cuda.device_array(wrong)
    with raises(TypeError, "shape has to be an int or a tuple of ints, not 2.5"):
        cuda.device_array(2.5)
    with raises(ValueError, "order has to be 'C' or 'F', not 'X'"):
        cuda.device_array(3, order="X")
    with raises(ValueError, "strides do not match the shape"):
        cuda.device_array(3, strides=(8, 8))
    with raises(TypeError, "stream must be a CUDA stream or 0, got 5"):
        cuda.device_array(3, stream=5)
    for like in (cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like):
        with raises(TypeError, "an array is needed, not int"):
            like(5)


def test_copies():
    d = cuda.to_device(np.arange(6.0))
    for source in (np.arange(6), np.arange(6, dtype=np.float32), "x", cuda.device_array(6, np.int8)):
        with raises(TypeError, "incompatible dtype: float64 vs."):
            d.copy_to_device(source)
    for source in (np.arange(5.0), np.zeros((2, 3)), cuda.device_array(7)):
        with raises(ValueError, "incompatible shape: (6,) vs."):
            d.copy_to_device(source)
    with raises(TypeError, "incompatible dtype"):
        d.copy_to_host(np.zeros(6, np.int8))
    with raises(ValueError, "incompatible shape"):
        d.copy_to_host(np.zeros(5))
    with raises(TypeError, "to= has to be a device array, not ndarray"):
        cuda.to_device(np.zeros(6), to=np.zeros(6))
    target = cuda.device_array(6)
    assert cuda.to_device(np.ones(6), to=target) is target
    equal(target, np.ones(6))
    equal(d, np.arange(6.0))


def test_interfaces():
    for wrong in ({}, {"shape": (3,)}, {"shape": (3,), "typestr": "<f8"}):
        with raises(ValueError, "__cuda_array_interface__ lacks"):
            cuda.from_cuda_array_interface(wrong)
    with raises(ValueError, "no address"):
        cuda.from_cuda_array_interface({"shape": (3,), "typestr": "<f8", "data": (0, False), "version": 3})
    assert cuda.from_cuda_array_interface(
        {"shape": (0,), "typestr": "<f8", "data": (0, False), "version": 3}).size == 0
    with raises(TypeError, "doesn't implement the cuda array interface"):
        cuda.as_cuda_array([1])


def test_interfaces_name_streams():
    stream = cuda.stream()
    d = cuda.to_device(np.arange(4), stream=stream)
    assert d.__cuda_array_interface__["stream"] == int(stream)
    view = cuda.from_cuda_array_interface(d.__cuda_array_interface__, owner=d)
    assert int(view.stream) == int(stream)
    equal(view, np.arange(4))


def test_arrays_over_given_memory():
    memory = cuda.current_context().memalloc(64)
    array = devicearray.DeviceNDArray((2, 4), (32, 8), np.float64, gpu_data=memory)
    array[:] = np.arange(8.0).reshape(2, 4)
    equal(devicearray.DeviceNDArray(shape=(8,), strides=(8,), dtype=np.float64, gpu_data=memory), np.arange(8.0))
    assert devicearray.DeviceNDArray((3,), (8,), np.int64).shape == (3,)
    with raises(ValueError, "reaches beyond its memory of 64 bytes"):
        devicearray.DeviceNDArray((9,), (8,), np.float64, gpu_data=memory)
    with raises(TypeError, "gpu_data has to be a MemoryPointer"):
        devicearray.DeviceNDArray((9,), (8,), np.float64, gpu_data=3)
    with raises(ValueError, "strides do not match the shape"):
        devicearray.DeviceNDArray((9,), (8, 8), np.float64)


def test_bytes_by_the_functions_of_the_driver():
    d, host = cuda.to_device(np.arange(4.0)), np.zeros(4)
    driver.device_to_host(host, d, 16)
    np.testing.assert_array_equal(host, [0, 1, 0, 0])
    driver.host_to_device(d.gpu_data, np.full(4, 7.0), 24)
    equal(d, np.array([7.0, 7.0, 7.0, 3.0]))
    other = cuda.to_device(np.zeros(4))
    driver.device_to_device(other, d, 32)
    driver.device_memset(d[2:], 0, 8)
    equal(other, np.array([7.0, 7.0, 7.0, 3.0]))
    equal(d, np.array([7.0, 7.0, 0.0, 3.0]))
    low, high = driver.device_extents(d)
    assert high - low == 32 == driver.device_memory_size(d.gpu_data)
    with raises(ValueError, "not within the 32"):
        driver.device_to_host(host, d, 33)
    with raises(Exception, "Not a CUDA memory object."):
        driver.host_to_device(host, host, 8)


def test_fields_of_records():
    dtype = np.dtype([("a", np.int32), ("b", np.float64, (2,)), ("c", [("x", np.int8), ("y", np.int16)])], align=True)
    host = np.zeros((2, 3), dtype)
    host["a"], host["b"][..., 1], host["c"]["y"] = np.arange(6).reshape(2, 3), 2.5, 9
    d = cuda.to_device(host)
    equal(d["a"], host["a"])
    equal(d["b"], host["b"])
    equal(d["c"]["y"], host["c"]["y"])
    d["a"] = 4
    d["b"][0, 1:] = 1.5
    host["a"] = 4
    host["b"][0, 1:] = 1.5
    equal(d, host)
    one = cuda.to_device(host[1, 2])
    assert one["a"] == 4 and one["c"]["y"] == 9 and one["b"].shape == (2,)
    one["a"] = 12
    assert one.copy_to_host()["a"] == 12
    with raises(ValueError, "no field of name z"):
        d["z"]
    with raises(ValueError, "no field of name a"):
        cuda.device_array(3)["a"]
