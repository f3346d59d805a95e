"""CPU time."""
import resource


def clocku():
    """Seconds of user CPU time."""
    return resource.getrusage(resource.RUSAGE_SELF)[0]


def clocks():
    """Seconds of system CPU time."""
    return resource.getrusage(resource.RUSAGE_SELF)[1]


def clock():
    """Seconds of CPU time."""
    return sum(clock2())


def clock2():
    """Seconds of CPU time: user, system."""
    return resource.getrusage(resource.RUSAGE_SELF)[:2]


def timings_out(reps, func, *args, **kw):
    """Total and mean CPU time of calls, and the last result."""
    if int(reps) < 1:
        raise AssertionError("reps must be >= 1")
    start = clock()
    for _ in range(int(reps)):
        result = func(*args, **kw)
    total = clock() - start
    return total, total / reps, result


def timings(reps, func, *args, **kw):
    return timings_out(reps, func, *args, **kw)[:2]


def timing(func, *args, **kw):
    return timings_out(1, func, *args, **kw)[0]
