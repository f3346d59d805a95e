"""Contexts that end: reset, closed, lost; and what is left of what they held."""
import asyncio
import gc
import threading

import child
from common import cuda, equal, is_emulated, np, raises
from numba.cuda.cudadrv.driver import CudaAPIError


@cuda.jit
def increase(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


@cuda.jit("void(float64[:])")
def declared(a):
    a[cuda.grid(1)] = 3


def uses_of(d, stream, event):
    host = np.zeros(8)
    return [lambda: d.copy_to_host(), lambda: d.copy_to_device(host), lambda: d[0], lambda: d[2:4][1],
            lambda: d.__setitem__(0, 1.0), lambda: increase[1, 32](d), lambda: increase[1, 32, stream](host),
            lambda: d.__cuda_array_interface__, lambda: d + 1, lambda: d.sum(), lambda: np.asarray(d),
            lambda: d.get_ipc_handle(), lambda: cuda.to_device(host, stream=stream),
            lambda: d.gpu_data.device_pointer, lambda: cuda.device_array(8).copy_to_device(d),
            stream.synchronize, stream.query, event.record, event.query, event.synchronize,
            lambda: event.wait(), lambda: event.elapsed_time(cuda.event()), lambda: cuda.event().record(stream)]


def check_the_end(end, word):
    d, stream, event = cuda.to_device(np.zeros(8)), cuda.stream(), cuda.event()
    mapped, empty = cuda.mapped_array(4), cuda.device_array(0)
    mapped[:] = 5
    increase[1, 32](d)
    end()
    for use in uses_of(d, stream, event):
        with raises(CudaAPIError, "[709]", "context of device 0", word, "make it anew"):
            use()
    with raises(CudaAPIError, "this mapped array was made in a context"):
        increase[1, 32](mapped)
    assert (mapped == 5).all() and d.shape == (8,) and "DeviceNDArray" in repr(d)
    equal(empty, np.zeros(0))
    # kernels, ufuncs and declared versions go on; so do the default streams
    fresh = cuda.to_device(np.zeros(8))
    increase[1, 32](fresh)
    declared[1, 8](cuda.device_array(8))
    equal(fresh + fresh, np.full(8, 2.0))
    assert fresh.sum() == 8.0
    cuda.default_stream().synchronize()
    # what is left of the old ones goes without a trace
    del d, stream, event, mapped, empty
    gc.collect()
    equal(fresh, np.ones(8))


def test_reset():
    check_the_end(lambda: cuda.current_context().reset(), "was reset")
    check_the_end(lambda: cuda.get_current_device().reset(), "was reset")


def test_close():
    check_the_end(cuda.close, "was closed")
    check_the_end(lambda: cuda.gpus[0].release_primary_context(), "was closed")


def test_memory_of_ended_contexts_is_freed():
    context = cuda.current_context()
    kept = cuda.device_array(1 << 28, np.uint8)
    before = context.get_memory_info()
    context.reset()
    del kept
    after = context.get_memory_info()  # the device's own share may change
    assert after.total == before.total and after.total >= after.free >= before.free + (1 << 27)
    assert cuda.current_context() is context


def test_older_contexts_have_ended_too():
    d = cuda.device_array(3)
    cuda.close()
    cuda.to_device(np.zeros(3))
    cuda.current_context().reset()
    with raises(CudaAPIError, "context of device 0 that has ended"):
        d.copy_to_host()


def test_close_on_another_thread_ends_nothing():
    d = cuda.to_device(np.arange(3))
    thread = threading.Thread(target=cuda.close)
    thread.start()
    thread.join()
    equal(d, np.arange(3))


def test_inspection_after_a_reset():
    increase[1, 32](cuda.device_array(8))
    cuda.current_context().reset()
    assert all(count >= 32 for count in increase.get_max_threads_per_block().values())


def test_a_callback_of_a_lost_stream_tells_the_status():
    stream = cuda.stream()

    async def wait():
        return await stream.async_done()

    assert asyncio.run(wait()) is stream
    cuda.current_context().reset()
    with raises(CudaAPIError, "this stream was made in a context"):
        asyncio.run(wait())


def test_an_illegal_access_loses_the_context():
    """Drivers that open the device again in the same process go on with a new context; others, such as
    580, refuse, which is said with what to do."""
    if is_emulated():  # which finds a wrong index before it does harm
        return
    assert "done" in child.run('''
from numba.cuda.cudadrv.driver import CudaAPIError

@cuda.jit
def good(a):
    a[cuda.grid(1)] += 1

@cuda.jit
def bad(a):
    a[1 << 36] = 1

kept, stream, event = cuda.to_device(np.zeros(8)), cuda.stream(), cuda.event()
mapped, pinned = cuda.mapped_array(8), cuda.pinned_array(8)
mapped[:] = pinned[:] = 4
good[1, 8](kept)

def lose():
    d = cuda.to_device(np.zeros(1 << 20))
    bad[1, 1](d)
    with raises(CudaAPIError, "'bad' (", "The context of device 0 is lost"):
        cuda.synchronize()
    return d

def check_uses(d, code):
    for use in (kept.copy_to_host, d.copy_to_host, stream.synchronize, event.record,
                lambda: good[1, 8](kept), lambda: good[1, 8, stream](np.zeros(8)), lambda: good[1, 8](mapped)):
        with raises(CudaAPIError, code, "context of device 0"):
            use()
    assert (mapped == 4).all() and (pinned == 4).all()

d = lose()
try:
    cuda.to_device(np.zeros(8))
except CudaAPIError as error:
    assert "[700]" in str(error) and "restart the kernel" in str(error), error
    check_uses(d, "[7")
    with raises(CudaAPIError, "restart the kernel"):
        cuda.to_device(np.zeros(8))
else:
    for turn in range(3):
        check_uses(d, "[709]")
        fresh = cuda.to_device(np.zeros(8))
        good[1, 8](fresh)
        equal(fresh, np.ones(8))
        x = np.arange(2_000_000.0)
        equal(cuda.to_device(x), x)
        assert (fresh + 1).sum() == 16
        d = lose()
del kept, stream, event, mapped, pinned, d
print("done")
''')


def test_several_devices():
    assert "done" in child.run('''
import threading
assert len(cuda.gpus) == 2 and [device.id for device in cuda.gpus] == [0, 1]
assert str(cuda.gpus) == "<Managed Device 0>, <Managed Device 1>"
first = cuda.to_device(np.arange(6.0))
with cuda.gpus[1]:
    assert cuda.gpus.current.id == 1 == cuda.get_current_device().id
    second = cuda.to_device(np.ones(6))
    grid = cuda.to_device(np.zeros((2, 3)))
    seen = []
    thread = threading.Thread(target=lambda: seen.append(cuda.get_current_device().id))
    thread.start()
    thread.join()
    assert seen == [0]
assert cuda.gpus.current.id == 0
assert second.gpu_data.context.device.id == 1
second.copy_to_device(first)
equal(second, np.arange(6.0))
grid.copy_to_device(first.reshape(2, 3))
grid.copy_to_device(cuda.to_device(np.asfortranarray(np.ones((2, 3)))))
equal(grid, np.ones((2, 3)))
context, other = cuda.current_context(0), cuda.current_context(1)
assert context != other and context.can_access_peer(other) and context.can_access_peer(1)
assert not context.can_access_peer(0)
context.enable_peer_access(other)
context.enable_peer_access(1)
with raises(ValueError):
    context.enable_peer_access(1, flags=1)
with raises(IndexError, "there is no device 2"):
    cuda.current_context(2)
other.reset()
equal(first, np.arange(6.0))
with raises(cuda.CudaAPIError, "context of device 1 that was reset"):
    second.copy_to_host()
assert cuda.select_device(1).id == 1
with context:
    assert cuda.get_current_device().id == 0
assert cuda.get_current_device().id == 1
cuda.close()
assert cuda.get_current_device().id == 0
print("done")
''', GRIDCELL_DEVICE="emulator", GRIDCELL_EMULATOR_DEVICES="2")
