# SPDX-License-Identifier: MIT
"""How long a launch takes on the device, tried several times on the same data."""
import inspect
import statistics
import time

import numpy as np

from gridcell._gridcell import HostArgument
from gridcell.cuda.launches import launch
from gridcell.cuda.observing import Observing, present_gpu

_MOST_SECONDS = 1.0


def positional(kernel, args, kwargs):
    """The arguments of a launch without their names."""
    return inspect.signature(kernel.py_func).bind(*args, **kwargs).args if kwargs else args


def arrays_of(args):
    """(position, array) of the arguments that are arrays, of the host or the device."""
    for position, value in enumerate(args):
        value = value.value if isinstance(value, HostArgument) else value
        if isinstance(value, np.ndarray) or hasattr(value, "copy_to_host"):
            yield position, value


def contents_of(array):
    return array.copy() if isinstance(array, np.ndarray) else array.copy_to_host()


def fill(array, contents):
    if not isinstance(array, np.ndarray):
        array.copy_to_device(contents)
    elif array.flags.writeable:
        array[...] = contents


def times(configuration, args, restore, runs, most_seconds=_MOST_SECONDS):
    """Seconds on the device by events, sorted; `restore` gives the arrays the contents that they had."""
    from numba import cuda
    stream = configuration.stream
    found, start = [], time.perf_counter()
    while len(found) < runs and (len(found) < 3 or time.perf_counter() - start < most_seconds):
        restore()
        before, after = cuda.event(), cuda.event()
        before.record(stream)
        launch(configuration, args, {})
        after.record(stream)
        after.synchronize()
        found.append(before.elapsed_time(after) / 1e3)
    return sorted(found)


class Measuring(Observing):
    """Observes each launch; where the GPU that is meant is the one that is there, times it, too, on the data that it
    came with: `seconds` of the results. The arrays hold what one launch leaves."""

    def __init__(self, device=None):
        super().__init__(device)
        present = present_gpu()
        if present and present.name == self.gpu.name:
            self._observed, self._launched = self._launched, self._measured

    def _measured(self, configuration, args, kwargs):
        args = positional(configuration.dispatcher, args, kwargs)
        arrays = [array for _, array in arrays_of(args)]
        before = [contents_of(array) for array in arrays]
        self._observed(configuration, args, {})
        behind = [contents_of(array) for array in arrays]

        def give(contents):
            for array, content in zip(arrays, contents):
                fill(array, content)

        found = times(configuration, args, lambda: give(before), 5, most_seconds=0.2)
        give(behind)
        self.results[-1].seconds = statistics.median(found)
