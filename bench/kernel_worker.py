"""Measures the kernels of the set in this process, with whichever numba it imports, on its device: a
GPU, the emulated one or numba's simulator."""
import statistics
import time
import warnings

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda asks for a name that NumPy 2.5 dropped

from numba import cuda

import kernels

warnings.simplefilter("ignore")


def case_named(name):
    case, = (case for case in kernels.CASES if case.name == name)
    return case


def copies(arguments):
    return [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]


def on_host(arguments):
    return [argument.copy_to_host() if hasattr(argument, "copy_to_host") else argument
            for argument in arguments]


def check(case, function, arguments):
    """Runs it on small arrays, and compares its outputs with those of NumPy."""
    arguments = copies(arguments)
    expected = case.expected(*copies(arguments))
    function(*arguments)
    for wanted, found in zip(expected, arguments[-len(expected):]):
        np.testing.assert_allclose(found, wanted, rtol=case.tolerance, atol=1e-5, err_msg=case.name)


def check_kernel(case):
    check(case, cuda.jit(case.kernel)[case.launch(case.small)], case.arguments(case.small))


def check_loops(case):
    check(case, case.loops, on_host(case.arguments(case.small)))


def on_device(arguments):
    return [cuda.to_device(argument) if isinstance(argument, np.ndarray) else argument
            for argument in arguments]


def seconds(action, repeats):
    """The shortest time of a call: what else the machine does only makes it longer."""
    samples = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        samples.append(time.perf_counter() - start)
    return min(samples)


def kernel_seconds(name, size_name, repeats=15):
    """Seconds of a launch until it is done, and of one step of its work."""
    case = case_named(name)
    check_kernel(case)
    size = getattr(case, size_name)
    launch = cuda.jit(case.kernel)[case.launch(size)]
    arguments = on_device(case.arguments(size))

    def run():
        launch(*arguments)
        cuda.synchronize()
    run()
    elapsed = seconds(run, repeats)
    return elapsed, elapsed / case.work(size)


def loops_seconds(name, repeats=15):
    case = case_named(name)
    check_loops(case)
    arguments = on_host(case.arguments(case.emulator))
    case.loops(*arguments)
    return seconds(lambda: case.loops(*arguments), repeats)


def event_seconds(action, repeats=20):
    """Median time on the device, between two events."""
    start, end = cuda.event(), cuda.event()
    samples = []
    for _ in range(repeats):
        start.record()
        action()
        end.record()
        end.synchronize()
        samples.append(cuda.event_elapsed_time(start, end) / 1e3)
    return statistics.median(samples)


def copy_bandwidth():
    """Bytes that a copy on the device reads and writes in a second."""
    source, target = (cuda.to_device(np.zeros(1 << 26, np.float32)) for _ in range(2))
    target.copy_to_device(source)
    return 2 * source.size * source.dtype.itemsize / event_seconds(lambda: target.copy_to_device(source))


def gpu_rows():
    """Row -> [unit, value] of each kernel on a GPU."""
    rows = {}
    bandwidth = copy_bandwidth()
    rows["copy on the device, bytes in a second"] = ["B", bandwidth]
    for case in kernels.CASES:
        check_kernel(case)
        launch = cuda.jit(case.kernel)[case.launch(case.gpu)]
        host = case.arguments(case.gpu)
        moved = case.moved(*host) if case.moved else None
        arguments = on_device(host)
        del host
        launch(*arguments)
        elapsed = event_seconds(lambda: launch(*arguments))
        rows[f"device: {case.name}"] = ["s", elapsed]
        if moved:
            rows[f"share of copy bandwidth: {case.name}"] = ["%", 100 * moved / elapsed / bandwidth]
        del arguments
    return rows
