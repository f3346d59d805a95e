"""cuda.xray where the device is a real GPU: another process counts, with copies, and the GPU launches."""
import os
import signal
import threading
from types import SimpleNamespace

import pytest
from common import cuda, is_emulated, np, raises

from gridcell.cuda import observing
from gridcell.insight.elsewhere import count
from gridcell.insight.gpus import gpu_called

pytestmark = pytest.mark.skipif(not is_emulated(), reason="the counts beside them come from the emulated device")
SCALE = np.float32(3)


@cuda.jit(device=True)
def scaled(x):
    return x * SCALE


def kernel_of(offset):
    @cuda.jit
    def kernel(a, out, n):
        i = cuda.grid(1)
        if i < n:
            out[i] += scaled(a[i]) + offset
    return kernel


@pytest.fixture
def gpu(monkeypatch):
    """As if this were a GPU: launches stay where they are."""
    device = SimpleNamespace(is_emulated=False, name=b"NVIDIA H100 80GB HBM3")
    monkeypatch.setattr(observing, "get_context", lambda: SimpleNamespace(device=device, synchronize=cuda.synchronize))


def test_the_same_counts(gpu, monkeypatch):
    kernel = kernel_of(1)
    a, out, host = cuda.to_device(np.arange(64, dtype=np.float32)), cuda.to_device(np.zeros(64, np.float32)), np.zeros(64)
    found = cuda.xray(kernel, 2, 64, a, out, 40)
    np.testing.assert_array_equal(out.copy_to_host(), [3 * i + 1 if i < 40 else 0 for i in range(64)])  # once
    assert "counted on the emulated device, with copies of the arguments; NVIDIA H100 80GB HBM3 ran" in repr(found)
    assert found.device == "H100" and found.counted_for.startswith("NVIDIA")
    with observing.Observing() as seen:
        kernel[2, 64](cuda.In(host), out=host, n=64)
    assert host[63] == 1 and len(seen.results) == 1
    monkeypatch.undo()
    here = cuda.xray(kernel, 2, 64, a, out, 40, device="H100")
    assert found.lines == here.lines and found.total == here.total and found.instructions == here.instructions
    assert found.counted_for and not here.counted_for


def test_arrays_lie_there_as_here():
    """Odd starts, steps and orders, of the device and the host, one after the other in one launch."""
    @cuda.jit
    def kernel(a, b, c, d, e, out):
        i = cuda.grid(1)
        out[i] = a[i] + b[i, 1] + c[i, 1] + d[i] + e[i].y

    base, grid = cuda.to_device(np.arange(200.0)), np.arange(40.0 * 3).reshape(40, 3)
    pairs = cuda.to_device(np.ones(40, [("x", np.float32), ("y", np.float64)]))
    args = [base[3:103:2], cuda.to_device(grid[:, ::-1].copy(order="F")), grid[:, ::-1], np.arange(90.0)[80::-2], pairs,
            cuda.to_device(np.zeros(32))]
    counted, _, error = count(kernel, (1, 32), args)
    assert error is None
    launch = kernel.observed()[1, 32]
    launch(*args)
    here = launch.dispatcher._take_observation()
    rows = [[row[:7] for row in found[3]] for found in (counted, here)]  # all but the addresses
    assert rows[0] == rows[1] and counted[:3] == here[:3] and counted[4:6] == here[4:6]


def test_what_goes_wrong_elsewhere(gpu):
    @cuda.jit
    def failing(a):
        a[0] = 1
        raise ValueError("no")

    with raises(ValueError, "no"):  # as the GPU raises it
        cuda.xray(failing, 1, 1, np.zeros(1))
    with raises(RuntimeError, "an argument of failing cannot go there", "pickle"):
        count(failing, (1, 1), [threading.Lock()])


def test_interrupts():
    @cuda.jit
    def ever(a):
        while a[0] == 0:
            a[1] = 0

    timer = threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    counted, is_interrupted, error = count(ever, (1, 1), [np.zeros(2)])
    assert is_interrupted and error is None and counted[0] == 1
    assert any(row[0] == "store" for row in counted[3])


@pytest.mark.parametrize("text, name", [
    ("NVIDIA H100 80GB HBM3", "H100"), ("Tesla T4", "T4"), ("NVIDIA A100-SXM4-40GB", "A100"),
    ("NVIDIA A100-SXM4-80GB", "A100-80GB"), ("NVIDIA GeForce RTX 4090", "RTX4090"), ("NVIDIA L40S", "L40S"),
    ("Quadro P400", None), ("NVIDIA A10", "A10"), ("NVIDIA H200", "H200"), ("Tesla V100-SXM2-16GB", "V100")])
def test_names_of_devices(text, name):
    found = gpu_called(text)
    assert (found and found.name) == name
