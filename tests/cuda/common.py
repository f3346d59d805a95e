"""What every file of the suite needs; nothing here needs pytest."""
import contextlib
import os
import pathlib
import sys

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD",
                                    pathlib.Path(__file__).resolve().parents[2] / "build"))
sys.path.insert(0, str(BUILD / "python"))
os.environ.setdefault("GRIDCELL_DEVICE", "emulator")

import gridcell

gridcell.activate()

import numpy as np
from numba import cuda

rng = np.random.default_rng(7)


@contextlib.contextmanager
def raises(exception, *texts):
    """The block raises exactly this; its message holds the texts."""
    try:
        yield
    except exception as error:
        for text in texts:
            assert text in str(error), (text, str(error))
    else:
        raise AssertionError(f"no {exception.__name__}")


@contextlib.contextmanager
def by_route(name):
    """Kernels compiled in the block have their PTX made by this route."""
    before = os.environ.get("GRIDCELL_PTX")
    os.environ["GRIDCELL_PTX"] = name
    try:
        yield
    finally:
        os.environ.pop("GRIDCELL_PTX")
        if before is not None:
            os.environ["GRIDCELL_PTX"] = before


def ptx_routes():
    """The routes to PTX that this machine has: libnvvm may be missing."""
    def nothing():
        pass

    with by_route("nvvm"):
        try:
            cuda.compile_ptx(nothing, ())
        except cuda.CudaSupportError:
            return ["nvptx"]
    return ["nvptx", "nvvm"]


def is_emulated():
    return cuda.get_current_device().is_emulated


def equal(device_array, expected):
    host = device_array.copy_to_host() if hasattr(device_array, "copy_to_host") else device_array
    expected = np.asarray(expected)
    assert host.shape == expected.shape, (host.shape, expected.shape)
    assert host.dtype == expected.dtype, (host.dtype, expected.dtype)
    np.testing.assert_array_equal(host, expected)


def new_adder():
    """A kernel out = a + b, compiled for nothing yet."""
    @cuda.jit
    def add(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[i] + b[i]

    return add


def new_doubler():
    """A kernel x *= 2, compiled for nothing yet."""
    @cuda.jit
    def double(x):
        """Doubles."""
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    return double


def composed(outer, inner, values, dtype):
    """outer(inner(value)) of each value, computed by a kernel."""
    @cuda.jit
    def kernel(values, out):
        i = cuda.grid(1)
        if i < len(values):
            out[i] = outer(inner(values[i]))

    out = np.zeros(len(values), dtype)
    kernel[(len(values) + 127) // 128, 128](values, out)
    return out
