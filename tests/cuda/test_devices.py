"""Devices, streams and events."""
import contextlib
import ctypes
import io
import re

import pytest
from common import cuda, equal, is_emulated, np, raises


def test_a_device_is_there():
    assert cuda.is_available() is True
    assert len(cuda.gpus) >= 1
    assert re.fullmatch(r"<Managed Device 0>(, <Managed Device \d+>)*", str(cuda.gpus))
    assert cuda.list_devices() is cuda.gpus
    assert cuda.select_device(0).id == 0
    with cuda.gpus[0]:
        assert cuda.gpus.current.id == 0


def test_attributes_of_a_device():
    device = cuda.get_current_device()
    major, minor = device.compute_capability
    assert isinstance(major, int) and isinstance(minor, int) and major >= 3
    assert device.WARP_SIZE == 32 and device.MULTIPROCESSOR_COUNT > 0
    assert device.MAX_THREADS_PER_BLOCK == 1024
    assert device.MAX_GRID_DIM_X == 2**31 - 1
    assert device.MAX_SHARED_MEMORY_PER_BLOCK >= 48 * 1024
    assert device.COMPUTE_CAPABILITY_MAJOR == major
    name = device.name
    assert name and isinstance(name, str) and f"'{name}'" in repr(device)
    assert str(name) == repr(name.encode()) and f"{name}" == name.decode() == name  # as tutorials show it
    assert device.uuid.startswith("GPU-")
    with raises(AttributeError):
        device.NO_SUCH_ATTRIBUTE


def test_every_attribute_has_a_value():
    from numba.cuda.cudadrv import enums
    device = cuda.get_current_device()
    assert len(enums.DEVICE_ATTRIBUTES) > 140
    asked = 0
    for name, number in enums.DEVICE_ATTRIBUTES.items():
        assert getattr(enums, "CU_DEVICE_ATTRIBUTE_" + name) == number
        try:
            assert isinstance(getattr(device, name), int)
            asked += 1
        except cuda.CudaAPIError as error:  # newer than the driver
            assert error.code == 1 and number > 110
    assert asked > 100 and "MANAGED_MEMORY" in dir(device)
    assert device.CAN_MAP_HOST_MEMORY == device.HOST_REGISTER_SUPPORTED == 1
    assert device.MULTI_PROCESSOR_COUNT == device.MULTIPROCESSOR_COUNT
    identity = device.get_device_identity()
    assert type(device).from_identity(identity) == device
    with raises(RuntimeError, "no such device"):
        type(device).from_identity({})


def test_detect_prints_and_answers():
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert cuda.detect() is True
    text = output.getvalue()
    assert re.match(r"Found \d+ CUDA devices\nid 0 +b?'.*' +\[SUPPORTED\]\n", text), text
    assert re.search(r"^ +compute capability: \d+\.\d+$", text, re.M)
    assert re.search(r"^ +pci device id: \d+$", text, re.M)
    assert re.search(r"^ +FP16 Support: Yes\n +BF16 Support: (Yes|No)\n +FP8 Support: (Yes|No)$", text, re.M)
    assert re.search(r"^Summary:\n\s*(\d+)/\1 devices are supported", text, re.M)


def test_no_such_device():
    from numba.cuda.cudadrv.driver import CudaAPIError
    with raises(CudaAPIError, "CUDA_ERROR_INVALID_DEVICE"):
        cuda.select_device(99)


def test_numbers_that_are_no_devices():
    with raises(cuda.CudaAPIError, "[101]", "CUDA_ERROR_INVALID_DEVICE"):
        cuda.select_device(-1)
    for wrong in ("0", 1.0, None, True):
        with raises(TypeError, "a device's number has to be an int"):
            cuda.select_device(wrong)
    with raises(IndexError, "there is no device 99"):
        cuda.gpus[99]
    with raises(IndexError, "there is no device -1"):
        cuda.current_context(-1)
    with raises(RuntimeError, "the context was not pushed"):
        cuda.current_context().pop()


def test_special_streams():
    legacy, own = cuda.legacy_default_stream(), cuda.per_thread_default_stream()
    assert repr(legacy) == "<Legacy default CUDA stream>" and int(legacy) == 1
    assert repr(own) == "<Per-thread default CUDA stream>" and int(own) == 2
    made = cuda.stream()
    external = cuda.external_stream(int(made))
    assert repr(external) == f"<External CUDA stream {int(made)}>" and external.external and not made.external
    assert repr(cuda.external_stream(0)) == "<Default CUDA stream>"
    for stream in (legacy, own, external):
        d = cuda.to_device(np.arange(100.0), stream=stream)
        host = d.copy_to_host(stream=stream)
        stream.synchronize()
        assert stream.query() and host[99] == 99.0 and d.stream is stream
    del external
    made.synchronize()
    for wrong in ("1", 1.0, None, True):
        with raises(TypeError, "ptr for external stream must be an int"):
            cuda.external_stream(wrong)
    with raises(ValueError, "cannot be negative"):
        cuda.external_stream(-1)


def test_launches_that_another_library_records():
    """More than fit into the driver's queue, into a graph that runs them when it is launched."""
    if is_emulated():
        pytest.skip("the emulated device has no graphs")

    @cuda.jit
    def count(a):
        a[cuda.grid(1)] += 1

    driver, graph, runs = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_void_p()
    d, plain = cuda.to_device(np.zeros(32)), cuda.to_device(np.zeros(32))
    count[1, 32](d)
    cuda.synchronize()
    made = cuda.stream()
    handle, external = ctypes.c_void_p(int(made)), cuda.external_stream(int(made))
    for mode in (0, 1, 2):  # global, of the thread, relaxed
        assert not driver.cuStreamBeginCapture_v2(handle, mode)
        for _ in range(2000):
            count[1, 32, external](d)
        assert not driver.cuStreamEndCapture(handle, ctypes.byref(graph))
        assert not driver.cuGraphInstantiateWithFlags(ctypes.byref(runs), graph, ctypes.c_ulonglong(0))
        assert not driver.cuGraphLaunch(runs, handle)
        external.synchronize()
        assert not driver.cuGraphExecDestroy(runs) and not driver.cuGraphDestroy(graph)
    equal(d, np.full(32, 6001.0))
    for _ in range(2000):
        count[1, 32](plain)
    equal(plain, np.full(32, 2000.0))


def test_launches_go_to_the_streams_of_threads():
    import child
    assert child.run('''
@cuda.jit
def fill(a):
    a[cuda.grid(1)] = 3

d = cuda.device_array(64)
fill[2, 32](d)
print(int(d.copy_to_host().sum()))
''', NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM="1") == "192\n"


def test_streams():
    stream = cuda.stream()
    assert re.fullmatch(r"<CUDA stream \d+>", repr(stream)) and stream
    assert repr(cuda.default_stream()) == "<Default CUDA stream>" and cuda.default_stream()
    x = np.arange(1000.0)
    with stream.auto_synchronize():
        d = cuda.to_device(x, stream=stream)
        back = d.copy_to_host(stream=stream)
    np.testing.assert_array_equal(back, x)
    stream.synchronize()
    cuda.synchronize()
    with raises(TypeError):
        cuda.to_device(x, stream="no stream")


def test_stream_callback():
    seen = []
    stream = cuda.stream()
    stream.add_callback(lambda *args: seen.append(args), 7)
    stream.synchronize()
    import time
    for _ in range(200):
        if seen:
            break
        time.sleep(0.01)
    assert seen == [(stream, 0, 7)]


def test_callbacks_come_in_order_and_warn():
    import asyncio
    import warnings
    seen, stream = [], cuda.stream()

    def fail(*unused):
        raise ValueError("wrong")

    async def wait():
        return await stream.async_done()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(20):
            stream.add_callback(lambda stream, status, arg: seen.append(arg), i)
        stream.add_callback(fail)
        assert asyncio.run(wait()) is stream
    assert seen == list(range(20))
    assert [str(warning.message) for warning in caught] == ["Exception in stream callback: wrong"]


def test_events_that_cannot_be_compared():
    event, plain = cuda.event(), cuda.event(timing=False)
    with raises(cuda.CudaAPIError, "[400]", "cuEventElapsedTime results in CUDA_ERROR_INVALID_HANDLE"):
        event.elapsed_time(event)
    event.record()
    plain.record()
    plain.synchronize()
    with raises(cuda.CudaAPIError, "CUDA_ERROR_INVALID_HANDLE"):
        cuda.event_elapsed_time(event, plain)
    with raises(TypeError, "elapsed_time needs an event, got 3"):
        event.elapsed_time(3)
    with raises(TypeError, "stream must be a CUDA stream or 0"):
        event.record(stream="x")
    assert int(event) == event.handle != 0


def test_events():
    start, end = cuda.event(), cuda.event()
    start.record()
    d = cuda.to_device(np.zeros(1 << 20))
    d.copy_to_host()
    end.record()
    end.synchronize()
    assert end.query()
    assert 0 <= start.elapsed_time(end) < 60000
    assert cuda.event_elapsed_time(start, end) == start.elapsed_time(end)
    end.wait(cuda.stream())


def test_device_names_do_nothing_on_the_host():
    for name in ("syncthreads", "threadIdx", "syncwarp"):
        with raises(NotImplementedError):
            getattr(cuda, name)()
    with raises(NotImplementedError, "cannot be called from host code"):
        cuda.shared.array(3, np.float32)
    with raises(TypeError):
        cuda.grid(1)
    assert repr(cuda.threadIdx) == "<class 'numba.cuda.stubs.threadIdx'>"
