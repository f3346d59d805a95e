"""Medians of the times of calls that a device goes on with on its own."""
import statistics
import time


def seconds(action, wait, repeats=20, inner=1):
    """Median time of one of `inner` calls, with the wait for the device after the last."""
    samples = []
    for _ in range(repeats):
        wait()
        start = time.perf_counter()
        for _ in range(inner):
            action()
        wait()
        samples.append((time.perf_counter() - start) / inner)
    return statistics.median(samples)


def issue_seconds(action, wait, inner=500, repeats=101):
    """Median time to issue one asynchronous call, without waiting for the device. Many times, as the
    processor takes its time to run at its full clock."""
    samples = []
    for _ in range(repeats):
        wait()
        start = time.perf_counter()
        for _ in range(inner):
            action()
        samples.append((time.perf_counter() - start) / inner)
    wait()
    return statistics.median(samples)
