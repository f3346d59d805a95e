"""Programs for two devices: of the machine, where it has two GPUs, else emulated ones."""
import child
import pytest
from common import cuda, is_emulated

BEGIN = """
import threading
from numba import vectorize
FIRST, SECOND = cuda.gpus[0], cuda.gpus[1]


@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
"""


def on_two(source):
    """Runs the source after BEGIN; what it printed."""
    if is_emulated():
        return child.run(BEGIN + source, GRIDCELL_EMULATOR_DEVICES="2")
    if len(cuda.gpus) < 2:
        pytest.skip("there is one GPU")
    return child.run(BEGIN + source)


def test_a_kernel_on_each():
    """Compiled once, loaded for each device; with the context of its arrays' device."""
    assert on_two("""
for device in (FIRST, SECOND, FIRST):
    with device:
        a = cuda.to_device(np.arange(1000.0))
        out = cuda.device_array_like(a)
        assert out.gpu_data.context.device.id == device.id
        add[8, 128](a, a, out)
        equal(out, 2 * np.arange(1000.0))
        host = np.zeros(1000)
        add[8, 128](np.ones(1000), np.ones(1000), host)
        assert (host == 2).all()
print(len(add.overloads))
""") == "1\n"


def test_streams_and_events_of_each():
    assert on_two("""
kept = []
for device in (FIRST, SECOND):
    with device:
        stream, start, end = cuda.stream(), cuda.event(), cuda.event()
        start.record(stream)
        a = cuda.to_device(np.full(1 << 16, 3.0), stream=stream)
        add[512, 128, stream](a, a, a)
        end.record(stream)
        kept.append((stream, start, end, a))
for device, (stream, start, end, a) in zip((FIRST, SECOND), kept):
    with device:
        stream.synchronize()
        end.synchronize()
        assert start.elapsed_time(end) >= 0
        assert (a.copy_to_host(stream=stream) == 6).all()
print("done")
""") == "done\n"


def test_a_thread_for_each():
    assert on_two("""
results, together = {}, threading.Barrier(2)

def work(number):
    cuda.select_device(number)
    together.wait()
    total = 0.0
    for turn in range(20):
        a = cuda.to_device(np.full(4096, float(number + turn)))
        add[32, 128](a, a, a)
        total += a.copy_to_host().sum()
    results[number] = total, cuda.get_current_device().id

threads = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == {number: (2 * 4096.0 * sum(range(number, number + 20)), number) for number in (0, 1)}, results
print("done")
""") == "done\n"


def test_copies_between():
    """Whole arrays, slices and other layouts, either way; with a stream; also where peers see each other."""
    assert on_two("""
source = cuda.to_device(rng.random((40, 30)))
with SECOND:
    here = [cuda.device_array((40, 30)), cuda.device_array((40, 30), order="F"), cuda.to_device(np.zeros((40, 60)))[:, ::2]]
    stream = cuda.stream()
for turn in range(2):
    for target in here:
        with SECOND:
            target.copy_to_device(source)
            equal(target, source.copy_to_host())
            target.copy_to_device(source, stream=stream)
            stream.synchronize()
            equal(target, source.copy_to_host())
        back = cuda.device_array((40, 30))
        back.copy_to_device(target)
        equal(back, source.copy_to_host())
    context, other = cuda.current_context(0), cuda.current_context(1)
    if context.can_access_peer(other):
        context.enable_peer_access(other)
        other.enable_peer_access(context)
print("done")
""") == "done\n"


def test_reductions_ufuncs_and_random_numbers():
    assert on_two("""
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64
total = cuda.reduce(lambda a, b: a + b)

@vectorize(["float64(float64, float64)"], target="cuda")
def hypotenuse(a, b):
    return (a * a + b * b) ** 0.5

@cuda.jit
def draw(states, out):
    i = cuda.grid(1)
    out[i] = xoroshiro128p_uniform_float64(states, i)

drawn = []
for device in (FIRST, SECOND):
    with device:
        assert total(np.arange(10000.0)) == 49995000.0
        assert total(cuda.to_device(np.arange(10000.0))) == 49995000.0
        np.testing.assert_allclose(hypotenuse(np.full(5, 3.0), np.full(5, 4.0)), 5)
        d = cuda.to_device(np.full(5, 3.0))
        assert hypotenuse(d, d).gpu_data.context.device.id == device.id
        out = cuda.device_array(64)
        draw[1, 64](create_xoroshiro128p_states(64, seed=1), out)
        drawn.append(out.copy_to_host())
assert (drawn[0] == drawn[1]).all() and (drawn[0] != 0).all()
print("done")
""") == "done\n"


def test_memory_that_both_see():
    assert on_two("""
managed, pinned, mapped = cuda.managed_array(100), cuda.pinned_array(100), cuda.mapped_array(100)
for number, device in enumerate((FIRST, SECOND), 1):
    with device:
        before = cuda.current_context().get_memory_info()
        assert 0 < before.free <= before.total
        managed[:], pinned[:], mapped[:] = number, number, number
        add[1, 128](managed, managed, managed)
        add[1, 128](mapped, mapped, mapped)
        out = cuda.to_device(pinned)
        add[1, 128](out, out, out)
        cuda.synchronize()
        assert (managed == 2 * number).all() and (mapped == 2 * number).all() and (out.copy_to_host() == 2 * number).all()
print("done")
""") == "done\n"


def test_one_is_lost_and_the_other_stays():
    assert on_two("""
with SECOND:
    lost = cuda.to_device(np.ones(8))
kept = cuda.to_device(np.ones(8))
cuda.current_context(1).reset()
add[1, 32](kept, kept, kept)
equal(kept, np.full(8, 2.0))
with SECOND:
    with raises(cuda.CudaAPIError, "context of device 1 that was reset"):
        lost.copy_to_host()
    again = cuda.to_device(np.ones(8))
    add[1, 32](again, again, again)
    equal(again, np.full(8, 2.0))
cuda.close()
assert cuda.get_current_device().id == 0
print("done")
""") == "done\n"


def test_a_kernel_with_an_array_of_another_device():
    """Is refused before it loses the context, and works where the devices see each other."""
    assert on_two("""
with SECOND:
    far = cuda.to_device(np.ones(64))
near, empty = cuda.to_device(np.ones(64)), far[:0]
with raises(cuda.CudaAPIError, "[700] add(): the memory of argument 'b' is on device 1, and the kernel runs on device 0"):
    add[1, 64](near, far, near)
equal(near, np.ones(64))
with SECOND, raises(cuda.CudaAPIError, "argument 'out' is on device 0", "cuda.current_context(1).enable_peer_access(0)"):
    add[1, 64](far, far, near)
add[1, 64](near, near, empty)
context, other = cuda.current_context(0), cuda.current_context(1)
if context.can_access_peer(other):
    context.enable_peer_access(other)
    add[1, 64](near, far, near)
    equal(near, np.full(64, 2.0))
    add[1, 64](near, near, far)
    equal(far, np.full(64, 4.0))
    with SECOND, raises(cuda.CudaAPIError, "is on device 0"):
        add[1, 64](near, near, far)
    other.reset()
    with SECOND:
        far = cuda.to_device(np.ones(64))
    with raises(cuda.CudaAPIError, "is on device 1"):
        add[1, 64](near, far, near)
print("done")
""") == "done\n"
