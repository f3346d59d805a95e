"""What few programs ask of a kernel: extensions, callbacks, compiling again, PTX linked as one."""
import pickle

from common import cuda, equal, new_doubler, np, raises
from numba import types

scale = 2


@cuda.jit
def by_scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= scale


def test_compiling_again():
    global scale
    x = np.ones(4)
    by_scale[1, 4](x)
    scale = 5
    by_scale.recompile()
    by_scale[1, 4](x)
    scale = 2
    equal(x, np.full(4, 10.0))
    assert len(by_scale.signatures) == 1
    by_scale.recompile()
    by_scale[1, 4](x)
    equal(x, np.full(4, 20.0))


def test_compiling_declared_signatures_again():
    factor = 3

    @cuda.jit("(float32[:],)")
    def multiply(x):
        x[cuda.grid(1)] *= factor

    x = cuda.to_device(np.ones(4, np.float32))
    multiply[1, 4](x)
    factor = 7
    multiply.recompile()
    multiply[1, 4](x)
    equal(x, np.full(4, 21, np.float32))
    assert len(multiply.signatures) == 1


def test_compiling_again_for_constants_of_a_launch():
    @cuda.jit
    def reverse(x):
        part = cuda.shared.array(cuda.blockDim.x, np.float64)
        i = cuda.threadIdx.x
        part[i] = x[i]
        cuda.syncthreads()
        x[i] = part[cuda.blockDim.x - 1 - i]

    x = np.arange(8.0)
    reverse[1, 8](x)
    reverse.recompile()
    reverse[1, 8](x)
    equal(x, np.arange(8.0))


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high


class IntervalArguments:
    def prepare_args(self, ty, val, stream, retr):
        if isinstance(val, Interval):
            pair = val

            def widen():
                pair.high += 1

            retr.append(widen)
            return types.UniTuple(types.float64, 2), (val.low, val.high)
        return ty, val


class Doubled:
    def __init__(self):
        self.seen = []

    def prepare_args(self, ty, val, stream, retr):
        self.seen.append((str(ty), stream))
        return (ty, val * 2) if isinstance(val, int) else (ty, val)


def test_extensions_prepare_arguments():
    doubled = Doubled()

    @cuda.jit(extensions=[doubled, IntervalArguments()])
    def measure(out, interval, n=1):
        out[0] = (interval[1] - interval[0]) * n

    out, interval = np.zeros(1), Interval(1.5, 4.0)
    measure[1, 1](out, interval, 10)
    assert out[0] == 50 and interval.high == 5
    measure[1, 1](out, interval, n=1)
    assert out[0] == 7 and interval.high == 6
    stream = cuda.stream()
    measure[1, 1, stream](out, interval)
    assert out[0] == 9 and len(measure.extensions) == 2
    assert doubled.seen[2] == ("int64", 0) and doubled.seen[-1] == ("int64", stream)
    assert doubled.seen[1][0] == "UniTuple(float64 x 2)", doubled.seen[1]


def test_failing_extensions():
    class Failing:
        def prepare_args(self, ty, val, stream, retr):
            raise KeyError("no such thing")

    @cuda.jit(extensions=[Failing()])
    def nothing(x):
        pass

    with raises(KeyError, "no such thing"):
        nothing[1, 1](1)


def test_callbacks_before_a_launch():
    calls = []

    @cuda.jit
    def fill(x, value):
        x[cuda.grid(1)] = value

    configured = fill[2, 4]
    configured.pre_launch_callbacks.append(lambda kernel, config: calls.append((kernel, config)))
    x = np.zeros(8)
    configured(x, 3)
    equal(x, np.full(8, 3.0))
    configured(x, 1.5)
    (first, config), (second, _) = calls
    assert config is configured and config.griddim == (2, 1, 1)
    assert str(first.argument_types[1]) == "int64" and str(second.argument_types[1]) == "float64"
    assert fill[1, 8].pre_launch_callbacks == []

    def refuse(kernel, config):
        raise LookupError("not now")

    configured.pre_launch_callbacks[:] = [refuse]
    with raises(LookupError, "not now"):
        configured(x, 9)
    equal(x, np.full(8, 1.5))


def test_ptx_linked_as_one():
    double = new_doubler()
    double[1, 4](np.ones(4, np.float32))
    try:
        texts = double.inspect_lto_ptx()
    except cuda.CudaSupportError as error:  # no nvJitLink, or no libnvvm that writes LTO-IR
        assert "nvJitLink" in str(error) or "libnvvm" in str(error)
        return
    (text,) = texts.values()
    assert ".entry " in text and ("mul.f32" in text or "add.f32" in text)
    for cc in ((7, 5), (9, 0), (10, 0)):  # libnvvm reads another language from 10.0 on
        (version,) = double.overloads.values()
        linked = version.inspect_lto_ptx(cc)
        assert ".entry " in linked and f"sm_{cc[0]}{cc[1]}" in linked
    assert double.inspect_lto_ptx(double.signatures[0]) == text

    with raises(RuntimeError, "Cannot get the LTO PTX of a device function"):
        cuda.jit(lambda x: x, device=True).inspect_lto_ptx()


def test_pickled_launch_configurations():
    out = np.zeros(6)
    launch = pickle.loads(pickle.dumps(by_scale[(2, 1), 3, 0, 64]))
    assert launch.griddim == (2, 1, 1) and launch.blockdim == (3, 1, 1) and launch.sharedmem == 64
    out[:] = 1
    launch(out)
    equal(cuda.to_device(out), np.full(6, 2.0))
    with raises(pickle.PicklingError, "by_scale[...] is bound to <CUDA stream", "pickle the kernel"):
        pickle.dumps(by_scale[1, 6, cuda.stream()])


global_on_device = cuda.to_device(np.arange(3.0))


def test_cache_refuses_device_arrays():
    captured = cuda.to_device(np.arange(4.0))

    def of_closure(out):
        out[0] = captured[1]

    def of_module(out):
        out[0] = global_on_device[2]

    out = np.zeros(1)
    for function in (of_closure, of_module):
        for _ in range(2):
            with raises(pickle.PicklingError, "global device arrays", function.__name__):
                cuda.jit(function, cache=True)[1, 1](out)
        cuda.jit(function)[1, 1](out)
    assert out[0] == 2

    @cuda.jit(cache=True)
    def plain(out):
        out[0] = 7

    plain[1, 1](out)
    assert out[0] == 7 and sum(plain.stats.cache_misses.values()) == 1
