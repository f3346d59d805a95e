# SPDX-License-Identifier: MIT
"""cuda.xray: what each line of a kernel costs the memory system and the warps."""
import threading

from gridcell import _gridcell
from gridcell._gridcell import HostArgument
from gridcell.insight.gpus import gpu_of

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher
from .xray_result import XRay

__all__ = ["xray"]


def xray(kernel, grid, block, *args, stream=0, shared=0, device=None):
    """Runs kernel[grid, block, stream, shared](*args) and counts what it does; gives an XRay."""
    _check_kernel(kernel)
    gpu = check_device(device)
    results = []
    try:
        _observe(kernel, (grid, block, stream, shared), args, {}, gpu, results)
    except KeyboardInterrupt:
        if not results:  # it came before the launch
            raise
    return results[0]


def check_device(name):
    """The GPU that is meant; raises where counting is not possible."""
    gpu = gpu_of(name)
    device = get_context().device
    if not device.is_emulated:
        raise RuntimeError(
            f"cuda.xray counts on the emulated device so far, and this is {device.name.decode()}: set "
            "GRIDCELL_DEVICE=emulator before Python or the notebook's kernel starts")
    return gpu


def _check_kernel(kernel):
    if not isinstance(kernel, CUDADispatcher):
        raise TypeError(f"cuda.xray takes a kernel (@cuda.jit), its grid and block, and its arguments; "
                        f"this is a {type(kernel).__name__}")
    if kernel.targetoptions.get("device"):
        raise TypeError(f"{kernel.py_func.__name__} is a device function; cuda.xray takes a kernel, and "
                        "counts what its device functions do with it")


def _arrays(kernel, args):
    """Of the arguments that are arrays: (shape, strides, address, 0 for those of the host), by name."""
    found = {}
    for name, value in zip(kernel.py_func.__code__.co_varnames, args):
        value = value.value if isinstance(value, HostArgument) else value
        shape, strides = getattr(value, "shape", None), getattr(value, "strides", None)
        if shape is not None and strides is not None:
            place = getattr(value, "__cuda_array_interface__", None)
            found[name] = tuple(shape), tuple(strides), place["data"][0] if place else 0
    return found


_one_at_a_time = threading.RLock()  # counts lie with the kernel until they are taken


def _observe(kernel, items, args, kwargs, gpu, results):
    """Launches, and adds an XRay to the results; also where an interrupt ended the kernel."""
    launch = _gridcell.Kernel.__getitem__(kernel.observed(), items)
    is_interrupted = has_failed = False
    with _one_at_a_time:
        try:
            launch(*args, **kwargs)
        except KeyboardInterrupt:
            is_interrupted = True
            raise
        except BaseException:
            has_failed = True
            raise
        finally:  # also of a launch that failed: its counts are not the next one's
            counted = launch.dispatcher._take_observation()
            if counted and not has_failed:
                results.append(XRay(kernel, launch, _arrays(kernel, args), counted, gpu, is_interrupted))


class _Launch:
    """A launch configuration while launches are observed."""

    def __init__(self, kernel, items, observing):
        self._items = items
        self._kernel, self._observing = kernel, observing
        self._launch = _gridcell.Kernel.__getitem__(kernel, items)

    def __call__(self, *args, **kwargs):
        _observe(self._kernel, self._items, args, kwargs, self._observing.gpu, self._observing.results)

    def __getattr__(self, name):
        return getattr(self._launch, name)


class Observing:
    """While it is open, each launch of a user's kernel is observed; `results`: an XRay for each."""

    def __init__(self, device=None):
        self.gpu = check_device(device)
        self.results = []

    def __enter__(self):
        def configure(kernel, items):
            return kernel_launch(kernel, items) if kernel._is_quiet else _Launch(kernel, items, self)

        kernel_launch = CUDADispatcher.__getitem__
        CUDADispatcher.__getitem__ = configure
        return self

    def __exit__(self, *failure):
        del CUDADispatcher.__getitem__  # the base's is there again
