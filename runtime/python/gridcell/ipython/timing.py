"""The object that `%timeit -o` returns."""
import math
import sys


def format_time(seconds, precision=3):
    """A time span in words, as %timeit prints it."""
    if seconds >= 60:
        parts = []
        for suffix, length in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
            value = int(seconds / length)
            if value > 0:
                seconds = seconds % length
                parts.append(f"{value}{suffix}")
            if seconds < 1:
                break
        return " ".join(parts)
    micro = "\u03bcs"
    try:
        micro.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        micro = "us"
    units, scales = ("s", "ms", micro, "ns"), (1, 1e3, 1e6, 1e9)
    order = min(-int(math.floor(math.log10(seconds)) // 3), 3) if seconds > 0 else 3
    return "%.*g %s" % (precision, seconds * scales[order], units[order])


class TimeitResult:
    """Timings of a statement: loops, repeat, best, worst, average, stdev, all_runs, timings."""

    def __init__(self, loops, repeat, best, worst, all_runs, compile_time, precision):
        self.loops, self.repeat, self.all_runs = loops, repeat, all_runs
        self.best, self.worst = best, worst
        self.compile_time, self._precision = compile_time, precision
        self.timings = [seconds / loops for seconds in all_runs]

    @property
    def average(self):
        return math.fsum(self.timings) / len(self.timings)

    @property
    def stdev(self):
        mean = self.average
        return math.sqrt(math.fsum((x - mean) ** 2 for x in self.timings) / len(self.timings))

    def __str__(self):
        return "{mean} \u00b1 {std} per loop (mean \u00b1 std. dev. of {runs} run{s}, {loops:,} loop{l} each)".format(
            mean=format_time(self.average, self._precision),
            std=format_time(self.stdev, self._precision),
            runs=self.repeat, s="" if self.repeat == 1 else "s",
            loops=self.loops, l="" if self.loops == 1 else "s")

    def __repr__(self):
        return f"<TimeitResult : {self}>"


TimeitResult.__module__ = "IPython.core.magics.execution"


def unwaited_launches():
    """Kernel launches that nobody has waited for yet; 0 where no kernel has been compiled."""
    compiled = sys.modules.get("gridcell._gridcell")
    return compiled.cuda_unwaited_launches() if compiled else 0


def asynchronous_note(before, after, loops):
    """What to tell of a timing whose loops left kernels running, from the launches not waited for
    before and after it; None where somebody waited."""
    if after - before < loops:
        return None
    return ("Timed launches only: kernels were still running when the clock stopped. %gpu_timeit times "
            "the kernels themselves; or add cuda.synchronize() to the statement.")
