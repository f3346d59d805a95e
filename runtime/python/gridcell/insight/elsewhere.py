# SPDX-License-Identifier: MIT
"""Counts a launch on the emulated device of another process, where this one has a real GPU.

The kernel goes there whole, its arguments as copies; what comes back are the counts alone. So the GPU's own launch
is what changes the program's arrays.
"""
import io
import os
import pickle
import signal
import subprocess
import sys

import numpy as np

from gridcell._gridcell import HostArgument


_ALIGNMENT = 256  # of an allocation, on a GPU and on the emulated device


class _Strided:
    """The bytes that an array spans, from which it is made again as it lies in memory."""

    def __init__(self, array, strides=None):
        self.shape, self.strides, self.dtype = array.shape, tuple(strides or array.strides), array.dtype
        step = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides)]
        self.start = -sum(min(0, size) for size in step)
        end = self.start + sum(max(0, size) for size in step) + self.dtype.itemsize
        self.data = bytearray(end if array.size else 0)
        self.open()[...] = array

    def open(self):
        if not self.data:
            return np.empty(self.shape, self.dtype)
        return np.ndarray(self.shape, self.dtype, self.data, self.start, self.strides)


class _OnDevice:
    """The contents of an array that is on the device, to be put on the other one, at as odd a place."""

    def __init__(self, array):
        self.contents = _Strided(array.copy_to_host(), array.strides)
        address = array.__cuda_array_interface__["data"][0] - self.contents.start
        self.offset = address % _ALIGNMENT if self.contents.data else 0

    def open(self):
        from numba import cuda
        array = self.contents.open()
        if not self.offset and (array.flags.c_contiguous or array.flags.f_contiguous):
            return cuda.to_device(array)
        memory = cuda.to_device(np.frombuffer(bytes(self.offset) + self.contents.data, np.uint8))
        address = memory.__cuda_array_interface__["data"][0] + self.offset + self.contents.start
        return cuda.from_cuda_array_interface(
            {"shape": array.shape, "strides": array.strides, "typestr": array.dtype.str, "descr": array.dtype.descr,
             "data": (address, False), "version": 3}, owner=memory)


def _portable(value):
    if isinstance(value, HostArgument):
        value = value.value
    if hasattr(value, "copy_to_host"):
        return _OnDevice(value)
    if hasattr(value, "__cuda_array_interface__"):
        from numba import cuda
        return _OnDevice(cuda.as_cuda_array(value))
    if isinstance(value, np.ndarray) and not (value.flags.c_contiguous or value.flags.f_contiguous):
        return _Strided(value)
    return value


def _start():
    environment = {**os.environ, "GRIDCELL_DEVICE": "emulator"}
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    code = f"import sys; sys.path.insert(0, {package!r}); from gridcell.insight.elsewhere import answer; answer()"
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def count(kernel, items, args):
    """(what was counted or None, whether an interrupt ended it, the error or None) of a launch, elsewhere."""
    grid, block, _, shared = (*items, 0, 0)[:4]
    try:
        task = pickle.dumps(list(sys.path)) + pickle.dumps((kernel, grid, block, shared,
                                                            [_portable(value) for value in args]))
    except Exception as error:
        raise RuntimeError(f"cuda.xray counts on the emulated device of another process, and an argument of "
                           f"{kernel.py_func.__name__} cannot go there: {error}") from error
    child, is_interrupted = _start(), False
    try:
        out, err = child.communicate(task)
    except KeyboardInterrupt:
        is_interrupted = True
        child.send_signal(signal.SIGINT)  # it gives the counts so far
        out, err = child.communicate()
    finally:
        child.kill()  # where a second interrupt came
    if is_interrupted and (child.returncode != 0 or not out):
        return None, True, None  # it came before the launch
    if child.returncode != 0 or not out:
        text = err.decode(errors="replace").strip().splitlines()
        raise RuntimeError("cuda.xray counts on the emulated device of another process, which failed: "
                           f"{text[-1] if text else f'exit code {child.returncode}'}")
    counted, error = pickle.loads(out)
    return counted, is_interrupted, error


def answer():
    """What the other process does: reads a task, and writes what it counted."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the kernel prints
    import gridcell
    gridcell.activate()
    from gridcell import _gridcell
    task = io.BytesIO(sys.stdin.buffer.read())
    sys.path[:] = pickle.load(task)  # ahead of what is imported from there
    kernel, grid, block, shared, args = pickle.load(task)
    args = [value.open() if isinstance(value, (_Strided, _OnDevice)) else value for value in args]
    launch, error = _gridcell.Kernel.__getitem__(kernel.observed(), (grid, block, 0, shared)), None
    try:
        launch(*args)
    except KeyboardInterrupt:
        pass
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    pickle.dump((launch.dispatcher._take_observation(), error), out)
    out.close()
