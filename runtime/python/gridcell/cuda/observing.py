# SPDX-License-Identifier: MIT
"""cuda.xray: what each line of a kernel costs the memory system and the warps."""
import inspect
import threading

from gridcell import _gridcell
from gridcell._gridcell import HostArgument
from gridcell.insight.gpus import gpu_called, gpu_of

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher
from .launches import Launches
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


def modelled_gpu(name):
    """The GPU that is meant; where none is named, the one that is there if it is known."""
    device = get_context().device
    own = None if name is not None or device.is_emulated else gpu_called(device.name.decode())
    return own or gpu_of(name)


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
    device = get_context().device
    if device.is_emulated:
        _observe_here(kernel, items, args, kwargs, gpu, results)
    else:
        _observe_elsewhere(kernel, items, args, kwargs, gpu, results, device)


def _observe_here(kernel, items, args, kwargs, gpu, results):
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


def _observe_elsewhere(kernel, items, args, kwargs, gpu, results, device):
    """On a GPU: counts with copies of the arguments, then launches as the program does. A kernel that raises does so
    on the GPU, too; one that an interrupt ended is not launched."""
    from gridcell.insight.elsewhere import count
    launch = _gridcell.Kernel.__getitem__(kernel, items)
    if kwargs:
        args, kwargs = inspect.signature(kernel.py_func).bind(*args, **kwargs).args, {}
    get_context().synchronize()  # what is under way to the arguments has come
    counted, is_interrupted, error = count(kernel, items, args)
    if counted and not error:
        result = XRay(kernel, launch, {name: (shape, strides, 0) for name, (shape, strides, _)
                                       in _arrays(kernel, args).items()}, counted, gpu, is_interrupted)
        result.counted_for = device.name.decode()
    if is_interrupted:
        results.extend([result] if counted else [])
        raise KeyboardInterrupt
    launch(*args)
    get_context().synchronize()
    if error:
        raise RuntimeError(f"the kernel raised on the emulated device, which counts, and not on "
                           f"{device.name.decode()}: {error}")
    results.append(result)


class Observing(Launches):
    """While it is open, each launch of a user's kernel is observed; `results`: an XRay for each."""

    def __init__(self, device=None):
        self.gpu = modelled_gpu(device)
        self.results = []
        super().__init__(lambda kernel, items, args, kwargs:
                         _observe(kernel, items, args, kwargs, self.gpu, self.results))
