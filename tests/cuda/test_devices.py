"""Devices, streams and events."""
import contextlib
import io
import re

from common import cuda, np, raises


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
    assert device.name.decode() in repr(device) and len(device.name) > 0
    assert device.uuid.startswith("GPU-")
    with raises(AttributeError):
        device.NO_SUCH_ATTRIBUTE


def test_detect_prints_and_answers():
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert cuda.detect() is True
    text = output.getvalue()
    assert re.match(r"Found \d+ CUDA devices\nid 0 +b?'.*' +\[SUPPORTED\]\n", text), text
    assert re.search(r"^ +compute capability: \d+\.\d+$", text, re.M)
    assert re.search(r"^ +pci device id: \d+$", text, re.M)
    assert re.search(r"^Summary:\n\s*(\d+)/\1 devices are supported", text, re.M)


def test_no_such_device():
    from numba.cuda.cudadrv.driver import CudaAPIError
    with raises(CudaAPIError, "CUDA_ERROR_INVALID_DEVICE"):
        cuda.select_device(99)


def test_streams():
    stream = cuda.stream()
    assert re.fullmatch(r"<CUDA stream \d+>", repr(stream)) and stream
    assert repr(cuda.default_stream()) == "<Default CUDA stream>" and not cuda.default_stream()
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
