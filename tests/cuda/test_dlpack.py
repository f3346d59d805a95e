"""DLPack: device arrays for other libraries, and theirs for kernels."""
import gc
import weakref

import numba
from common import cuda, equal, is_emulated, np, raises


class Other:
    """An array of another library, which has DLPack alone."""

    def __init__(self, array):
        self.array, self.asked = array, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        self.asked.append(options)
        return self.array.__dlpack__(**options)


class Old(Other):
    """One from before versions."""

    def __dlpack__(self, stream=None):
        self.asked.append({"stream": stream})
        return self.array.__dlpack__(stream=stream)


def matrix():
    return cuda.to_device(np.arange(12, dtype=np.float32).reshape(3, 4))


def test_capsules():
    d = matrix()
    assert d.__dlpack_device__() == (2, 0)
    for version in (None, (0, 8), (1, 0), (2, 0)):
        back = cuda.from_dlpack(d.__dlpack__(max_version=version))
        assert back.device_pointer_value == d.device_pointer_value and back.strides == d.strides
        equal(back, d.copy_to_host())
    for part in (d[::2, 1:3], d[::-1], d[1], d[:0]):
        equal(cuda.from_dlpack(part.__dlpack__()), part.copy_to_host())
    for dtype in "i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16 ?".split():
        equal(cuda.from_dlpack(cuda.to_device(np.ones(3, dtype)).__dlpack__()), np.ones(3, dtype))
    equal(cuda.from_dlpack(cuda.to_device(np.float32(3)).__dlpack__()), np.float32(3))


def test_copies():
    d = matrix()
    for copied in (cuda.from_dlpack(d, copy=True), cuda.from_dlpack(d.__dlpack__(copy=True)),
                   cuda.from_dlpack(Other(d), copy=True)):
        assert copied.device_pointer_value != d.device_pointer_value
        equal(copied, d.copy_to_host())
    assert cuda.from_dlpack(d) is d
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        np.testing.assert_array_equal(np.from_dlpack(d, device="cpu"), d.copy_to_host())
    with raises((RuntimeError, BufferError), "device"):
        np.from_dlpack(d)


def test_kernels_take_what_has_dlpack():
    @cuda.jit
    def kernel(a):
        a[0, 0] = 77

    d = matrix()
    for other in (Other(d), Old(d)):
        d[0, 0] = 0
        kernel[1, 1](other)
        assert d[0, 0] == 77 and all(asked["stream"] in (1, 2) for asked in other.asked)
    captured = Other(d)

    @cuda.jit
    def sets():
        captured[1, 1] = 5

    sets[1, 1]()
    assert d[1, 1] == 5
    assert cuda.as_cuda_array(captured).device_pointer_value == d.device_pointer_value
    target = cuda.device_array_like(d)
    target.copy_to_device(captured)
    equal(target, d.copy_to_host())


def test_ufuncs_operators_and_reductions():
    @numba.vectorize(["float32(float32, float32)"], target="cuda")
    def plus(a, b):
        return a + b

    host = np.arange(6, dtype=np.float32)
    d = cuda.to_device(host)
    for result in (plus(Other(d), Other(d)), plus(d, Other(d)), d + Other(d), Other(d) + d):
        equal(result, host + host)
    out = cuda.device_array_like(d)
    plus(d, d, out=Other(out))
    equal(out, host + host)
    assert cuda.reduce(lambda a, b: a + b)(Other(d)) == 15
    d += Other(out)
    equal(d, host * 3)


def test_read_only():
    d = matrix()
    fixed = cuda.from_cuda_array_interface(
        {**d.__cuda_array_interface__, "data": (d.device_pointer_value, True)}, owner=d)
    assert fixed.is_readonly and fixed[1:].is_readonly and fixed.__cuda_array_interface__["data"][1]
    assert not d.is_readonly
    with raises(BufferError, "read-only"):
        fixed.__dlpack__()
    taken = cuda.from_dlpack(Other(fixed))
    assert taken.is_readonly
    with raises(ValueError, "read-only"):
        taken[0, 0] = 1
    with raises(ValueError, "read-only"):
        taken.copy_to_device(d)

    @cuda.jit
    def writes(a):
        a[0, 0] = 1

    @cuda.jit
    def reads(a, out):
        out[0] = a[0, 1]

    with raises(numba.TypingError, "Cannot modify readonly array"):
        writes[1, 1](taken)
    out = np.zeros(1)
    reads[1, 1](taken, out)
    assert out[0] == 1
    for own in (taken.copy(), cuda.from_dlpack(taken, copy=True), cuda.from_dlpack(taken.__dlpack__(
            max_version=(1, 0), copy=True))):
        own[0, 0] = 9
    assert d[0, 0] == 0


def test_host_memory_that_the_device_knows():
    for make, kind in ((cuda.managed_array, 13), (cuda.mapped_array, 3)):
        host = make((2, 3))
        host[:] = 4
        assert host.__dlpack_device__()[0] == kind
        seen = np.from_dlpack(host)
        assert seen.ctypes.data == host.ctypes.data and seen.sum() == 24
        taken = cuda.from_dlpack(host)
        equal(taken, np.full((2, 3), 4.))
        taken[0, 0] = 1
        cuda.synchronize()
        assert host[0, 0] == 1
        assert (host + 1).__dlpack_device__() == (1, 0)
        host.flags.writeable = False
        assert cuda.from_dlpack(host).is_readonly
    assert tuple(cuda.pinned_array(3).__dlpack_device__()) == (1, 0)


def test_streams():
    stream, other = cuda.stream(), cuda.stream()
    d = cuda.to_device(np.arange(5.), stream=stream)
    for consumer in (None, 1, 2, -1, int(other), int(stream)):
        equal(cuda.from_dlpack(d.__dlpack__(stream=consumer)), np.arange(5.))

    @cuda.jit
    def slow(a):
        for turn in range(2000 if a.size else 0):
            cuda.atomic.add(a, 0, 1)

    @cuda.jit
    def reads(a, out):
        out[0] = a[0]

    out = cuda.device_array(1)
    slow[32, 32, stream](d)
    reads[1, 1, other](cuda.from_dlpack(d.__dlpack__(stream=int(other))), out)
    other.synchronize()
    assert out[0] == 32 * 32 * 2000


def test_lifetime():
    d = cuda.to_device(np.arange(5.))
    alive = weakref.ref(d)
    view = cuda.from_dlpack(d.__dlpack__())[1:]
    del d
    gc.collect()
    assert alive() is not None
    equal(view, np.arange(1., 5))
    del view
    assert alive() is None
    d = cuda.to_device(np.arange(5.))
    alive = weakref.ref(d)
    capsules = [d.__dlpack__(), d.__dlpack__(max_version=(1, 0))]
    del d
    assert alive() is not None
    del capsules
    assert alive() is None


def test_refusals():
    d = matrix()
    with raises(BufferError, "not on a CUDA device"):
        cuda.from_dlpack(np.zeros(3))
    with raises(BufferError, "not on a CUDA device"):
        cuda.from_dlpack(np.zeros(3).__dlpack__())
    with raises(TypeError, "int has neither __dlpack__ nor"):
        cuda.from_dlpack(3)
    with raises(TypeError, "doesn't implement the cuda array interface"):
        cuda.as_cuda_array(np.zeros(3))
    with raises(ValueError, "ambiguous"):
        d.__dlpack__(stream=0)
    with raises(TypeError, "stream has to be an int or None, got 'x'"):
        d.__dlpack__(stream="x")
    with raises(ValueError, "no stream"):
        d.__dlpack__(stream=-5)
    with raises(BufferError, "cannot be had on (2, 9)"):
        d.__dlpack__(dl_device=(2, 9))
    with raises(BufferError, "without a copy"):
        d.__dlpack__(dl_device=(1, 0), copy=False)
    capsule = d.__dlpack__()
    cuda.from_dlpack(capsule)
    with raises(BufferError, "nobody has taken"):
        cuda.from_dlpack(capsule)
    with raises(BufferError, "no type for the dtype"):
        cuda.device_array(3, "M8[s]").__dlpack__()
    if is_emulated():
        assert cuda.from_dlpack(d.__dlpack__(stream=12345)).shape == d.shape
