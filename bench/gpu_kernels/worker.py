"""Checks and times the kernels in this process, for one contender: prints a JSON object a line, one before each kernel
and one after it.

usage: worker.py numba|nvcc [--names NAME,NAME...] [--cubins FOLDER] [--ptx FOLDER]
       numba  whichever package this process imports as numba"""
import argparse
import json
import pathlib
import statistics
import sys
import time
import warnings

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda asks for a name that NumPy 2.5 dropped

from numba import cuda

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import gpu_kernels

WARM_UPS, REPEATS = 3, 20
HOLD_STEPS, HOLD_STEPS_OF_UFUNCS = 4, 20


def hold_body(steps):
    for _ in range(steps):
        cuda.nanosleep(100000)


class Compiled:
    """A contender: kernels in Python."""

    def __init__(self):
        self.hold_kernel = None

    def prepare(self, case):
        return case.build() if case.build else cuda.jit(**case.options)(case.kernel)

    def upload(self, arguments):
        """Two copies of each array: the second is what the first is restored from."""
        self.pairs = []
        uploaded = []
        for value in arguments:
            if isinstance(value, np.ndarray):
                whole = value if value.flags.c_contiguous else value.base
                array = cuda.to_device(whole)
                self.pairs.append((array, cuda.to_device(whole)))
                value = array if whole is value else array[::value.strides[0] // value.itemsize]
            uploaded.append(value)
        return uploaded

    def restore(self, uploaded):
        for array, kept in self.pairs:
            array.copy_to_device(kept)

    def free(self, uploaded):
        self.pairs = []

    def download(self, value):
        return value.copy_to_host()

    def bind(self, case, function, size, uploaded):
        launched = function if case.build else function[self.configuration(case, size)]
        return lambda: launched(*uploaded)

    def configuration(self, case, size):
        grid, block, shared = case.geometry(size)
        return (grid, block, 0, shared) if shared else (grid, block)

    def hold(self, steps):
        if not self.hold_kernel:
            self.hold_kernel = cuda.jit(hold_body)
            self.events = cuda.event(), cuda.event()
        self.hold_kernel[1, 1](steps)

    def record(self, which):
        self.events[which].record()

    def elapsed_seconds(self):
        self.events[1].synchronize()
        return cuda.event_elapsed_time(*self.events) / 1e3

    def synchronize(self):
        cuda.synchronize()

    def ptx(self, function):
        texts = function.inspect_asm() if hasattr(function, "inspect_asm") else {}
        return "\n".join(texts.values())


def check(contender, case):
    """Compares the results on small arguments with those of NumPy; the prepared function, and the seconds of its
    first launch, compilation included."""
    arguments = case.arguments(case.small)
    expected = case.expected(*(value.copy() if isinstance(value, np.ndarray) else value for value in arguments))
    uploaded = contender.upload(arguments)
    start = time.perf_counter()
    function = contender.prepare(case)
    contender.bind(case, function, case.small, uploaded)()
    contender.synchronize()
    elapsed = time.perf_counter() - start
    for wanted, value in zip(expected, uploaded[-len(expected):]):
        found = contender.download(value)
        if found.dtype.names:
            for name in found.dtype.names:
                compare(case, found[name], wanted[name])
        else:
            compare(case, found, wanted)
    contender.free(uploaded)
    return function, elapsed


def compare(case, found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=case.tolerance, atol=case.tolerance, err_msg=case.name)


def device_seconds(contender, case, function):
    """Median time between two events around a launch that was queued while the device was held."""
    uploaded = contender.upload(case.arguments(case.large))
    action = contender.bind(case, function, case.large, uploaded)
    contender.synchronize()
    samples = []
    for _ in range(WARM_UPS + REPEATS):
        if case.is_in_place:
            contender.restore(uploaded)
        contender.hold(HOLD_STEPS_OF_UFUNCS if case.build else HOLD_STEPS)
        contender.record(0)
        action()
        contender.record(1)
        samples.append(contender.elapsed_seconds())
    contender.free(uploaded)
    return statistics.median(samples[WARM_UPS:])


def measure(contender, case, ptx_folder):
    try:
        function, compile_seconds = check(contender, case)
        seconds = device_seconds(contender, case, function)
    except Exception as error:  # one kernel that fails must not hide the others' figures
        return {"failure": f"{type(error).__name__}: {error}"[:300]}
    text = contender.ptx(function) if ptx_folder else None
    if text:
        (ptx_folder / f"{case.name}.ptx").write_text(text)
    return {"seconds": seconds, "compile": compile_seconds}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("contender", choices=("numba", "nvcc"))
    parser.add_argument("--names")
    parser.add_argument("--cubins", type=pathlib.Path)
    parser.add_argument("--ptx", type=pathlib.Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.contender == "nvcc":
        from gpu_kernels.native import Native
        contender = Native(options.cubins)
    else:
        contender = Compiled()
    contender.hold(1)  # what a process does once is no kernel's compile time
    contender.synchronize()
    for case in gpu_kernels.CASES:
        if not options.names or case.name in options.names.split(","):
            print(json.dumps({"begins": case.name}), flush=True)
            print(json.dumps({"name": case.name, **measure(contender, case, options.ptx)}), flush=True)


if __name__ == "__main__":
    main()
