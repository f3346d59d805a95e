# SPDX-License-Identifier: MIT
"""cuda.xray: what each line of a kernel costs the memory system and the warps."""
import threading

from gridcell import _gridcell
from gridcell._gridcell import HostArgument
from gridcell.insight.gpus import gpu_called, gpu_of

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher
from .launches import Launches, items_of
from .xray_result import XRay

__all__ = ["xray"]


def xray(kernel, grid, block, *args, stream=0, shared=0, device=None):
    """Runs kernel[grid, block, stream, shared](*args) and counts what it does; gives an XRay."""
    _check_kernel(kernel)
    gpu = modelled_gpu(device)
    results = []
    try:
        _observe(kernel, (grid, block, stream, shared), args, {}, gpu, results)
    except KeyboardInterrupt:
        if not results:  # it came before the launch
            raise
    return results[0]


def _name_of_gpu():
    """Of the one that is there; None on the emulated device."""
    device = get_context().device
    return None if device.is_emulated else device.name.decode()


def present_gpu():
    """The GPU that is there, if it is known; None else, and on the emulated device."""
    name = _name_of_gpu()
    return gpu_called(name) if name else None


def modelled_gpu(name):
    """The GPU that is meant; where none is named, the one that is there if it is known."""
    return gpu_of(name) if name is not None else present_gpu() or gpu_of()


def _check_kernel(kernel):
    if not isinstance(kernel, CUDADispatcher):
        raise TypeError(f"cuda.xray takes a kernel (@cuda.jit), its grid and block, and its arguments; "
                        f"this is a {type(kernel).__name__}")
    if kernel.targetoptions.get("device"):
        raise TypeError(f"{kernel.py_func.__name__} is a device function; cuda.xray takes a kernel, and "
                        "counts what its device functions do with it")


def _address(array):
    """Of one of the device; 0 of one of the host."""
    pointer = getattr(array, "device_pointer_value", None)  # ours, without a dict that says all
    if pointer is not None:
        return pointer
    place = getattr(array, "__cuda_array_interface__", None)
    return place["data"][0] if place else 0


def _arrays(kernel, args):
    """Of the arguments that are arrays: (shape, strides, address, 0 for those of the host), by name."""
    found = {}
    for name, value in zip(kernel.py_func.__code__.co_varnames, args):
        value = value.value if isinstance(value, HostArgument) else value
        shape, strides = getattr(value, "shape", None), getattr(value, "strides", None)
        if shape is not None and strides is not None:
            found[name] = tuple(shape), tuple(strides), _address(value)
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
                results[-1].argument_types = launch.dispatcher._last_types()
                results[-1].counted_on = _name_of_gpu()


class Observing(Launches):
    """While it is open, each launch of a user's kernel is observed; `results`: an XRay for each."""

    def __init__(self, device=None):
        self.gpu = modelled_gpu(device)
        self.results = []
        super().__init__(lambda launch, args, kwargs: _observe(
            launch.dispatcher, items_of(launch), args, kwargs, self.gpu, self.results))
