"""Interrupts end kernels that would run for ever, on either device, and nothing else is lost."""
import gc
import os
import signal
import threading
import time

import numpy as np
import pytest

from common import cuda, equal, is_emulated, raises

# A kernel that never ends leaves the device soon after the interrupt; the limit only tells "soon" from "never".
PATIENCE = 0.3
SOON = 10.0
ENDLESS = 1 << 62


@cuda.jit
def while_true(x, n):
    while n:
        x[0] += 1


@cuda.jit
def while_nothing_comes(x, n):
    while cuda.atomic.add(x, 0, 0.0) == 0 and n:
        pass


@cuda.jit
def long_for(x, n):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + i
    x[0] = total


@cuda.jit
def for_with_a_way_out(x, n):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + 1.0
        if total > 3.0:
            break
    x[0] = total


@cuda.jit
def grid_stride(x, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        x[i & 63] += 1.0


@cuda.jit
def downwards(x, n):
    total = 0.0
    for i in range(n, 0, -1):
        total = total * 0.5 + i
    x[1] = total


@cuda.jit
def nested(x, n):
    for i in range(n):
        for j in range(i & 7):
            for k in range(3):
                x[j + k] += 1.0


@cuda.jit
def nested_in_while(x, n):
    i = n
    while i > 0:
        for j in range(20):
            x[j] += 1.0
        if x[0] < 0:
            i = 0


@cuda.jit(device=True)
def search(x, n):
    at = 0
    while at < n and x[at & 63] >= 0:
        at += 1
    return at


@cuda.jit
def in_a_device_function(x, n):
    x[0] = search(x, n)


@cuda.jit
def with_barriers(x, n):
    tile = cuda.shared.array(128, np.float64)
    me = cuda.threadIdx.x
    for _ in range(n):
        tile[me] = x[me & 63] + 1.0
        cuda.syncthreads()
        x[me & 63] = tile[(me + 1) % cuda.blockDim.x]
        cuda.syncthreads()


@cuda.jit
def with_warps(x, n):
    value = x[cuda.threadIdx.x & 63]
    while n:
        value = cuda.shfl_xor_sync(0xffffffff, value, 1) + 1.0
        if cuda.any_sync(0xffffffff, value < 0):
            break
    x[0] = value


@cuda.jit
def with_a_lock(x, n):
    while cuda.atomic.cas(x, 0, 0.0, 1.0) != 2.0 and n:
        cuda.threadfence()


@cuda.jit
def cooperative(x, n):
    grid = cuda.cg.this_grid()
    for _ in range(n):
        cuda.atomic.add(x, 0, 1.0)
        grid.sync()


@cuda.jit
def some_blocks_only(x, n):
    """The others wait at the barrier of the grid, for blocks that never come."""
    grid = cuda.cg.this_grid()
    if cuda.blockIdx.x == 0:
        while n:
            x[0] += 1.0
    grid.sync()


KERNELS = [while_true, while_nothing_comes, long_for, for_with_a_way_out, grid_stride, downwards, nested,
           nested_in_while, in_a_device_function, with_barriers, with_warps, with_a_lock, cooperative, some_blocks_only]


@pytest.fixture(autouse=True)
def nothing_is_collected():
    """Beside streams of other libraries memory is given back when the device is idle: the arrays of an earlier
    test, collected while a kernel runs that nobody interrupts yet, would wait for good."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def interrupted(call, *args):
    """Seconds from SIGINT to KeyboardInterrupt."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(PATIENCE, send)
    timer.start()
    try:
        with raises(KeyboardInterrupt):
            call(*args)
        return time.monotonic() - sent[0]
    finally:
        timer.join()


def fresh():
    return cuda.to_device(np.zeros(128))


def finishes(kernel):
    """The same code runs to its end afterwards: nothing tells it to stop any more."""
    x = fresh()
    kernel[2, 64](x, 0)
    cuda.synchronize()
    if kernel is cooperative:
        cooperative[2, 64](x, 3)
        assert x.copy_to_host()[0] == 3 * 128
    if kernel is grid_stride:
        grid_stride[2, 64](x, 640000)
        assert x.copy_to_host().sum() > 0


def checks_out(kept):
    """Arrays made before are as they were, and new work is right."""
    equal(kept, np.arange(1000.0))
    doubled = cuda.device_array_like(kept)

    @cuda.jit
    def double(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = 2 * a[i]

    double[8, 128](kept, doubled)
    equal(doubled, np.arange(1000.0) * 2)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.py_func.__name__)
def test_an_endless_kernel_ends(kernel):
    kept, x = cuda.to_device(np.arange(1000.0)), fresh()
    kernel[2, 64](x, 0)  # compiles it
    cuda.synchronize()

    def run():
        kernel[2, 64](x, ENDLESS)
        cuda.synchronize()

    assert interrupted(run) < SOON
    checks_out(kept)
    finishes(kernel)


def waits():
    """What a cell may wait by for a kernel that is under way: name -> (the stream that it runs on, the wait)."""
    stream, event = cuda.stream(), cuda.event()
    x = fresh()

    def launch_many():
        for _ in range(5000):
            while_true[1, 32](x, 0)

    pinned = cuda.pinned_array(128)
    return {
        "synchronize": (0, cuda.synchronize),
        "current context": (0, cuda.current_context().synchronize),
        "copy_to_host": (0, x.copy_to_host),
        "copy_to_host of another array": (0, fresh().copy_to_host),
        "copy_to_device": (0, lambda: x.copy_to_device(np.ones(128))),
        "an item": (0, lambda: x[3]),
        "repr": (0, lambda: np.asarray(x)),
        "launch with a host array": (0, lambda: while_true[1, 32](np.zeros(4), 0)),
        "stream": (stream, stream.synchronize),
        "stream's copy": (stream, lambda: x.copy_to_host(stream=stream)),
        "pinned copy": (stream, lambda: (x.copy_to_host(pinned, stream=stream), stream.synchronize())),
        "event": (stream, lambda: (event.record(stream), event.synchronize())),
        "a full queue": (0, lambda: (launch_many(), cuda.synchronize())),
        "a full queue beside a foreign stream": (
            0, lambda: (cuda.external_stream(int(stream)), launch_many(), cuda.synchronize())),
        "an allocation beside a foreign stream": (
            0, lambda: (cuda.external_stream(int(stream)), cuda.device_array(4), cuda.synchronize())),
        "closing the context": (0, cuda.close),
    }


WAITS = ["synchronize", "current context", "copy_to_host", "copy_to_host of another array", "copy_to_device", "an item",
         "repr", "launch with a host array", "stream", "stream's copy", "pinned copy", "event", "a full queue",
         "a full queue beside a foreign stream", "an allocation beside a foreign stream", "closing the context"]


@pytest.mark.parametrize("name", WAITS)
def test_each_wait_can_be_interrupted(name):
    if is_emulated():
        pytest.skip("a launch on the emulated device returns when the kernel has ended")
    kept, x = cuda.to_device(np.arange(1000.0)), fresh()
    stream, wait = waits()[name]
    while_true[2, 64](x, 0)
    checks_out(kept)
    while_true[2, 64, stream](x, ENDLESS)
    time.sleep(0.1)
    assert interrupted(wait) < SOON
    checks_out(kept)


def test_several_endless_kernels_leave_in_order():
    if is_emulated():
        pytest.skip("launches on the emulated device do not queue")
    x, streams = fresh(), [cuda.stream() for _ in range(3)]
    for stream in streams:
        for kernel in (while_true, long_for, nested):
            kernel[2, 64](x, 0)
            kernel[2, 64, stream](x, ENDLESS)
    assert interrupted(cuda.synchronize) < SOON
    for stream in streams:
        stream.synchronize()
    checks_out(cuda.to_device(np.arange(1000.0)))


def test_an_interrupt_that_nobody_waits_for_stops_nothing():
    """A loop of launches ends between two of them: what was launched runs to its end."""
    @cuda.jit
    def count(x, turns):
        for _ in range(turns):
            x[cuda.threadIdx.x] += 1.0

    x, launches = fresh(), 0

    def run():
        nonlocal launches
        while True:
            count[1, 128](x, 1000)
            launches += 1
            time.sleep(0.001)

    interrupted(run)
    assert np.all(np.isin(x.copy_to_host() / 1000, (launches, launches + 1)))


def test_the_message_says_what_was_stopped():
    if is_emulated():
        pytest.skip("kernels on the emulated device stop by themselves")
    x = fresh()
    while_true[1, 32](x, 0)
    while_true[1, 32](x, ENDLESS)
    timer = threading.Timer(PATIENCE, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        cuda.synchronize()
    except KeyboardInterrupt as error:
        assert "were stopped" in str(error) and "incomplete" in str(error), str(error)
    else:
        raise AssertionError("it went on")
    timer.join()


def test_what_is_compiled_for_others_polls_nothing():
    ptx, _ = cuda.compile_ptx(long_for.py_func, "void(float64[:], int64)")
    assert "gridcell_control" not in ptx
