# SPDX-License-Identifier: MIT
"""numbapro's CU: kernels that take the number of their task first, and arrays that it keeps.

cu = CU("gpu"); a = cu.input(x); b = cu.output(y); cu.enqueue(kernel, ntid=n, args=(a, b)); cu.wait()
"""
import contextlib

from gridcell import cuda


class CU(contextlib.AbstractContextManager):
    """A queue of kernels on the device, whose outputs come back with wait()."""

    def __init__(self, target):
        if target not in ("gpu", "cpu"):
            raise ValueError(f"a compute unit is 'gpu' or 'cpu', not {target!r}")
        self.target = target
        self._stream = cuda.stream()
        self._outputs = []  # (device array, host array)
        self._kernels = {}
        self._is_open = True

    def _check(self):
        if not self._is_open:
            raise RuntimeError("this compute unit is closed")

    def input(self, array):
        """A copy for kernels to read."""
        self._check()
        return cuda.to_device(array, stream=self._stream)

    def output(self, array):
        """An array for kernels to write; wait() brings it to `array`."""
        self._check()
        made = cuda.device_array_like(array, stream=self._stream)
        self._outputs.append((made, array))
        return made

    def inout(self, array):
        """A copy for kernels to read and write; wait() brings it to `array`."""
        self._check()
        made = cuda.to_device(array, stream=self._stream)
        self._outputs.append((made, array))
        return made

    def scratch(self, shape, dtype):
        """An array for kernels to share, which does not come back."""
        self._check()
        return cuda.device_array(shape, dtype, stream=self._stream)

    def scratch_like(self, array):
        return self.scratch(array.shape, array.dtype)

    def enqueue(self, fn, ntid, args=()):
        """Runs fn(tid, *args) for the tasks 0 to ntid - 1, after what is in the queue."""
        self._check()
        if ntid < 0:
            raise ValueError(f"there are no {ntid} tasks")
        self._kernel(fn, len(args)).forall(ntid, stream=self._stream)(ntid, *args)

    def _kernel(self, fn, count):
        function = getattr(fn, "py_func", fn)
        if (function, count) not in self._kernels:
            self._kernels[function, count] = _task_kernel(function, count)
        return self._kernels[function, count]

    def wait(self):
        """Waits for all kernels; outputs are in their host arrays then."""
        self._check()
        for made, array in self._outputs:
            made.copy_to_host(array, stream=self._stream)
        self._stream.synchronize()

    def close(self):
        """Ends the queue; arrays that it made are given up."""
        self._outputs.clear()
        self._is_open = False

    def __exit__(self, *unused):
        self.close()


def _task_kernel(function, count):
    from gridcell.cuda.generated import define
    names = ", ".join(f"a{i}" for i in range(count))
    text = (f"def task_kernel(ntid, {names}):\n"
            "    tid = cuda.grid(1)\n"
            "    if tid < ntid:\n"
            f"        task(tid, {names})\n")
    task = cuda.jit(device=True)(function)
    return cuda.jit(define("task_kernel", text, {"cuda": cuda, "task": task}))
