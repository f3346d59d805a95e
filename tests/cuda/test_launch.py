"""Launches: configurations, arguments of every kind, signatures, errors."""
import warnings

import numba
import numpy as np
from numba import float32, int32, types, void
from numba.core.errors import TypingError
from numba.cuda.cudadrv.driver import CudaAPIError

from common import cuda, equal, is_emulated, new_adder, new_doubler, raises, rng


add = new_adder()


@cuda.jit
def record_place(out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i, 0] = cuda.threadIdx.x
        out[i, 1] = cuda.blockIdx.x
        out[i, 2] = cuda.blockDim.x
        out[i, 3] = cuda.gridDim.x


def test_device_arrays():
    a, b = rng.random(1000).astype(np.float32), rng.random(1000).astype(np.float32)
    out = cuda.device_array_like(a)
    assert add[8, 128](cuda.to_device(a), cuda.to_device(b), out) is None
    cuda.synchronize()
    equal(out, a + b)


def test_host_arrays_go_and_come_back():
    a, b = rng.random(1000), rng.random(1000)
    out = np.zeros(1000)
    add[8, 128](a, b, out)
    equal(out, a + b)
    add[8, 128](a, a, a)
    equal(a, a)


def test_strided_host_arrays():
    base = rng.random(300)
    out = np.zeros((100, 3))
    add[1, 128](base[::3], base[::-3], out[:, 1])
    equal(out[:, 1], base[::3] + base[::-3])
    assert not out[:, 0].any()


def test_overlapping_host_arrays_are_apart():
    x = np.arange(10.0)
    y = x.copy()
    add[1, 32](x[:-1], x[1:], x[1:])
    equal(x[1:], y[:-1] + y[1:])


def test_direction_of_host_arrays():
    a, b, out = np.ones(4), np.full(4, 2.0), np.zeros(4)
    add[1, 4](cuda.In(a), cuda.In(b), cuda.Out(out))
    equal(out, np.full(4, 3.0))
    add[1, 4](cuda.In(a), cuda.In(b), cuda.In(out[:0]))
    kept = np.zeros(4)
    add[1, 4](a, b, cuda.In(kept))
    equal(kept, np.zeros(4))
    add[1, 4](a, b, cuda.InOut(kept))
    equal(kept, np.full(4, 3.0))


def test_read_only_host_arrays():
    a = np.arange(8.0)
    a.flags.writeable = False
    out = np.zeros(8)
    add[1, 8](a, a, out)
    equal(out, a + a)


def test_empty_and_single():
    for size in (0, 1):
        x = np.ones(size)
        out = np.zeros(size)
        add[1, 32](x, x, out)
        equal(out, x + x)


def test_configurations():
    out = np.zeros((64, 4), np.int64)
    record_place[4, 16](out)
    index = np.arange(64)
    equal(out, np.stack([index % 16, index // 16, index * 0 + 16, index * 0 + 4], 1))
    for grid, block in (((4,), (16,)), ([4, 1], [16, 1]), ((4, 1, 1), (16, 1, 1)),
                        (np.int64(4), np.int32(16))):
        again = np.zeros_like(out)
        record_place[grid, block](again)
        equal(again, out)
    stream = cuda.stream()
    again = np.zeros_like(out)
    record_place[4, 16, stream](again)
    stream.synchronize()
    equal(again, out)
    record_place[4, 16, 0, 128](again)
    record_place.configure(4, 16)(again)
    equal(again, out)
    assert record_place[4, 16].griddim == (4, 1, 1) and record_place[4, 16].blockdim == (16, 1, 1)


def test_bad_configurations():
    with raises(ValueError, "Kernel launch configuration was not specified. Use the syntax:\n\n"
                "kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)"):
        add(1, 2, 3)
    with raises(TypeError, "griddim must be a sequence of integers, got [1.5]"):
        add[1.5, 1]
    with raises(TypeError, "blockdim must be a sequence of integers, got [2.0]"):
        add[1, (2.0,)]
    with raises(ValueError, "griddim must be a sequence of 1, 2 or 3 integers, got [1, 2, 3, 4]"):
        add[(1, 2, 3, 4), 1]
    with raises(ValueError, "must specify at least the griddim and blockdim"):
        add[1,]
    with raises(TypeError, "object of type 'int' has no len()"):
        add[1]


def test_launches_over_the_limits():
    x = np.zeros(4)
    for grid, block in ((1, 1025), (1, (32, 32, 32)), (1, 0), (0, 1), ((1, 70000), 1)):
        with raises(CudaAPIError, "[1] Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE"):
            add[grid, block](x, x, x)


def test_wrong_number_of_arguments():
    with raises(TypeError, "missing a required argument"):
        add[1, 1](np.zeros(1), np.zeros(1))
    with raises(TypeError, "too many positional arguments"):
        add[1, 1](*[np.zeros(1)] * 4)


def test_keywords_and_defaults():
    @cuda.jit
    def scale(x, factor=3):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= factor

    x = np.arange(5)
    scale[1, 8](x)
    scale[1, 8](factor=2, x=x)
    equal(x, np.arange(5) * 6)


def test_scalar_arguments():
    @cuda.jit
    def store(out, value):
        out[0] = value

    for value in (5, -7, 2.5, True, np.float32(1.5), np.int8(-3), np.uint64(2**63), np.bool_(True),
                  1 + 2j, np.complex64(3 - 1j), np.float64(1e300)):
        out = np.zeros(1, np.asarray(value).dtype)
        store[1, 1](out, value)
        assert out[0] == value, value
    names = {str(argtypes[1]) for argtypes in store.signatures}
    assert {"int64", "float64", "float32", "int8", "uint64", "complex128", "complex64"} <= names
    assert names & {"bool", "boolean"}


def test_tuple_arguments():
    @cuda.jit
    def weigh(out, weights, arrays):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = arrays[0][i] * weights[0] + arrays[1][i] * weights[1]

    a, b, out = rng.random(10), rng.random(10), np.zeros(10)
    weigh[1, 32](out, (2.0, 3), (a, cuda.to_device(b)))
    np.testing.assert_allclose(out, a * 2 + b * 3)


def test_foreign_device_arrays():
    d = cuda.to_device(np.arange(6.0))

    class Foreign:
        __cuda_array_interface__ = d.__cuda_array_interface__

    out = cuda.device_array_like(d)
    add[1, 6](Foreign(), d, out)
    equal(out, np.arange(6.0) * 2)


def test_arguments_without_a_type():
    with raises(TypingError, "Failed in cuda mode pipeline (step: nopython frontend)",
                "non-precise type pyobject", "Cannot determine Numba type of <class 'object'>"):
        add[1, 1](object(), np.zeros(1), np.zeros(1))


def test_arguments_that_live_on_the_host():
    for value, words in (({1: 2}, "dict(int64, int64)"), ([1, 2], "list(int64)"), ({3}, "set(int64)"),
                         ("text", "unicode_type"), ((1, [2]), "list(int64)")):
        with raises(TypingError, "CUDA kernels take numbers, arrays, records and tuples of them",
                    "argument 'a' is a", words, "np.array"):
            add[1, 1](value, np.zeros(1), np.zeros(1))


def test_declared_signatures():
    declared = [void(float32[:], float32[:], float32[:]), "void(float32[:], float32[:], float32[:])",
                "(float32[:], float32[:], float32[:])", (float32[:], float32[:], float32[:]),
                [void(int32[:], int32[:], int32[:]), "void(float32[:], float32[:], float32[:])"]]
    a = rng.random(33).astype(np.float32)
    for signature in declared:
        kernel = cuda.jit(signature)(add.py_func)
        out = np.zeros_like(a)
        kernel[1, 64](a, a, out)
        equal(out, a + a)
        assert len(kernel.signatures) == (2 if isinstance(signature, list) else 1)
        with raises(TypeError, "No matching definition for argument type(s)"):
            kernel[1, 64](a.astype(np.float64), a, out)


def test_declared_scalars_convert():
    @cuda.jit("void(float32[:], int32, float64)")
    def store(out, i, value):
        out[i] = value

    out = np.zeros(3, np.float32)
    store[1, 1](out, np.int64(1), 4)
    assert out.tolist() == [0, 4, 0]


def test_kernels_return_nothing():
    with raises(TypeError, "CUDA kernel must have void return type."):
        cuda.jit("int32(int32)")(lambda x: x)

    @cuda.jit
    def gives(x):
        return x[0]

    with raises(TypeError, "CUDA kernel must have void return type."):
        gives[1, 1](np.zeros(1))


def test_options():
    for options in ({"fastmath": True}, {"debug": True, "opt": False}, {"lineinfo": True},
                    {"max_registers": 32}, {"inline": "always"}, {"cache": False}, {"opt": True}):
        kernel = cuda.jit(**options)(add.py_func)
        a, out = np.ones(4), np.zeros(4)
        kernel[1, 4](a, a, out)
        equal(out, a + a)
    with raises(NotImplementedError, "bounds checking is not supported for CUDA"):
        cuda.jit(boundscheck=True)
    with raises(TypeError):
        cuda.jit(no_such_option=1)
    with raises(TypeError, "The decorated object is not a function"):
        cuda.jit(3)


def test_forall():
    a = rng.random(1001)
    out = np.zeros(1001)
    add.forall(a.size)(a, a, out)
    equal(out, a + a)
    add.forall(0)(a, a, out)
    with raises(ValueError, "Can't create ForAll with negative task count: -1"):
        add.forall(-1)


def test_specialize():
    a = np.ones(3)
    special = add.specialize(a, a, a)
    assert special.specialized and len(special.signatures) == 1
    out = np.zeros(3)
    special[1, 4](a, a, out)
    equal(out, a + a)
    with raises(RuntimeError, "Dispatcher already specialized"):
        special.specialize(a, a, a)


def test_what_a_kernel_shows():
    import contextlib
    import io

    twice = new_doubler()
    assert twice.__name__ == "double" and twice.__doc__ == "Doubles." and twice.signatures == []
    twice[1, 4](np.ones(4, np.float32))
    signature, = twice.signatures
    assert str(signature[0]) == "array(float32, 1d, C)"
    assert "double" in twice.inspect_llvm(signature)
    assert set(twice.inspect_asm()) == {signature}
    assert ".visible .entry" in twice.inspect_asm(signature)
    assert twice.overloads[signature].shared_mem_per_block == 0
    output = io.StringIO()
    twice.inspect_types(file=output)
    assert "double" in output.getvalue() and "x[i] *= 2" in output.getvalue()
    twice.py_func


def test_warnings_of_small_grids_and_copies():
    import os
    saved = {name: os.environ.get(name) for name in
             ("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY")}
    settings = {name[len("NUMBA_"):]: getattr(numba.config, name[len("NUMBA_"):]) for name in saved}
    try:
        for value, expected in (("1", 2), ("0", 0)):
            for name in saved:
                os.environ[name] = value
            kernel = cuda.jit(add.py_func)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                x = np.ones(4)
                kernel[1, 4](x, x, x)
                kernel[1, 4](x, x, x)
            texts = [str(w.message) for w in caught
                     if issubclass(w.category, numba.NumbaPerformanceWarning)]
            assert len(texts) == expected, texts
            if expected:
                assert texts[0] == ("Grid size 1 will likely result in GPU under-utilization due to "
                                    "low occupancy.")
                assert texts[1] == ("Host array used in CUDA kernel will incur copy overhead to/from "
                                    "device.")
        os.environ.update({name: "1" for name in saved})
        numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = numba.config.CUDA_WARN_ON_IMPLICIT_COPY = 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cuda.jit(add.py_func)[1, 4](x, x, x)
    finally:
        vars(numba.config).update(settings)
        for name, value in saved.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def test_old_ways_to_say_types():
    kernel = cuda.jit(argtypes=[types.float64[:], types.float64[:], types.float64[:]])(add.py_func)
    out = np.zeros(3)
    kernel[1, 4](np.ones(3), np.ones(3), out)
    equal(out, np.full(3, 2.0))


def test_ptx_without_a_device():
    ptx, returns = cuda.compile_ptx(add.py_func, "void(float32[:], float32[:], float32[:])",
                                    cc=(8, 0))
    assert ".visible .entry" in ptx and ".target sm_80" in ptx and str(returns) == "none"
    with raises(TypeError, "CUDA kernel must have void return type."):
        cuda.compile_ptx(add.py_func, "int32(int32)")
