"""Medians of the times of calls that a device goes on with on its own."""
import statistics
import time


def _samples(action, wait, finish, repeats, inner):
    """Times of one of `inner` calls, of a device at rest; `finish` comes before the clock stops."""
    for _ in range(repeats):
        wait()
        start = time.perf_counter()
        for _ in range(inner):
            action()
        finish()
        yield (time.perf_counter() - start) / inner


def seconds(action, wait, repeats=20, inner=1):
    """Median time of one of `inner` calls, with the wait for the device after the last."""
    return statistics.median(_samples(action, wait, wait, repeats, inner))


def issue_seconds(action, wait, inner=500, repeats=101):
    """Median time to issue one asynchronous call, without waiting for the device. Many times, as the
    processor takes its time to run at its full clock."""
    median = statistics.median(_samples(action, wait, lambda: None, repeats, inner))
    wait()
    return median
