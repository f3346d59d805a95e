"""Device functions with signatures, records by number and within records, arrays of odd shapes."""
import subprocess
import sys

import numpy as np
import pytest
from common import BUILD, cuda, equal
from numba import float32, guvectorize, types


def test_calls_convert_to_declared_signatures():
    @cuda.jit("int32(int32, int32)", device=True)
    def add(x, y):
        return x + y

    @cuda.jit(["(float32, float32)", "(float64, float64)"], device=True)
    def exact(x, y):
        return x + y

    @cuda.jit(types.float32(types.float32[:], types.int64), device=True)
    def item(values, i):
        return values[i]

    @cuda.jit
    def kernel(out, x, y):
        shared = cuda.shared.array(4, float32)
        shared[1] = 7
        out[0] = add(x, y)
        out[1] = exact(float32(1), float32(2**-25))
        out[2] = exact(1, 2**-25)
        out[3] = item(shared, 1.5)

    out = np.zeros(4)
    kernel[1, 1](out, 1.5, 2.75)
    assert out.tolist() == [3, 1, 1 + 2**-25, 7]

    @cuda.jit(device=True)
    def no_kernel():
        pass

    for function, args in ((no_kernel, ()), (exact, (1.0, 2.0))):
        with pytest.raises(RuntimeError, match="device function as a kernel"):
            function[1, 1](*args)


def test_records():
    inner = np.dtype([("i", np.int32), ("j", np.float32, (2, 2))])
    outer = np.dtype([("x", np.int32), ("y", inner)])
    array = cuda.to_device(np.zeros(2, outer))
    array[1]["y"]["i"] = 5
    array[1]["y"]["j"][0, 1] = 2
    assert array[1]["y"]["i"] == 5
    host = array.copy_to_host()
    assert host["y"]["i"].tolist() == [0, 5] and host["y"]["j"][1, 0, 1] == 2

    pair = np.dtype([("a", np.int32), ("b", np.float32)], align=True)
    record = np.zeros(1, pair)[0]
    record["a"] = 3
    on_device = cuda.to_device(record)
    assert isinstance(on_device, cuda.cudadrv.devicearray.DeviceRecord)

    @cuda.jit
    def kernel(record, table, out):
        out[0] = record[0] + 10 * record[-1] + table[1, 0][1]
        record[1] = 4.5

    out = np.zeros(1)
    table = np.zeros((2, 2), pair)
    table["b"] = 100
    kernel[1, 1](on_device, table, out)
    assert out[0] == 103
    assert on_device.copy_to_host(record) is record and record["b"] == 4.5
    assert cuda.cudadrv.devicearray.DeviceRecord(pair).dtype == pair


def test_arrays_of_odd_shapes():
    equal(cuda.to_device(np.broadcast_to(np.arange(2.0), (3, 2))), [[0.0, 1]] * 3)
    assert cuda.device_array([3, 4]).shape == cuda.device_array(np.array([3, 4])).shape == (3, 4)
    array = cuda.to_device(np.arange(12).reshape(3, 4))
    for axes in ((0, 2), (0, 0), (0,), (0, 1, 2)):
        with pytest.raises(ValueError, match="invalid axes"):
            np.transpose(array, axes)
    equal(np.transpose(array, (-1, 0)), np.arange(12).reshape(3, 4).T)
    columns = np.asfortranarray(np.arange(12).reshape(3, 2, 2))
    for order in "FA":
        equal(cuda.to_device(columns).ravel(order), columns.ravel(order))
    with pytest.raises(NotImplementedError):
        cuda.to_device(columns).ravel()

    @guvectorize(["void(int32[:], int32[:], int32[:])"], "(n),()->(n)", target="cuda")
    def shift(values, by, out):
        for i in range(values.shape[0]):
            out[i] = values[i] + by[0]

    out = np.zeros(3, np.int32)
    shift(np.arange(3, dtype=np.int32), np.array([2], np.int32), out=out)
    assert out.tolist() == [2, 3, 4]


def test_programs_of_the_command_line():
    program = ("import sys\nsys.path.insert(0, sys.argv[1])\nimport gridcell\ngridcell.activate()\n"
               "from numba import cuda\nimport numpy as np\n"
               "@cuda.jit\ndef kernel(out):\n    out[0] = 42\n"
               "out = np.zeros(1)\nkernel[1, 1](out)\nprint(out[0])\n")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program, str(BUILD / "python")],
                          capture_output=True, text=True)
    assert done.stdout.endswith("42.0\n"), done.stderr
