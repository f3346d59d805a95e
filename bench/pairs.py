"""What comparisons with a peer share: processes that answer lines of JSON, their environments, the least time of a
call, and words for figures."""
import faulthandler
import json
import os
import select
import statistics
import subprocess
import time
import warnings

ROUND_SECONDS = 0.01


def environments(package):
    """Of ours and of the peer: neither lets BLAS start threads."""
    plain = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    plain.pop("PYTHONPATH", None)
    return {**plain, "PYTHONPATH": str(package), "GRIDCELL_DEVICE": "emulator"}, plain


class Worker:
    """A process that answers each line of JSON with another one. It is started when it is first asked, and again
    after it ended or did not answer."""

    def __init__(self, command, environment, patience_seconds):
        self.command, self.environment, self.patience_seconds = command, environment, patience_seconds
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process = None

    def ask(self, question):
        """The answer, or None from a process that gave none and was stopped."""
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
            answer = b""
            if select.select([self.process.stdout], [], [], self.patience_seconds)[0]:
                answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            self.stop()
            return None
        return json.loads(answer)


def seconds(function, arguments, clock=time.perf_counter):
    """The least time of a call, of rounds of calls of about 10 ms; long ones are seldom called."""
    start = clock()
    function(*arguments)
    once = clock() - start
    calls = max(1, min(int(ROUND_SECONDS / max(once, 1e-7)), 20_000))
    best = once
    for _ in range(5 if once < 0.1 else 1):
        start = clock()
        for _ in range(calls):
            function(*arguments)
        best = min(best, (clock() - start) / calls)
    return best


def numba_of(side):
    """The numba that a worker of this side measures, once it has compiled something."""
    import numpy as np
    faulthandler.enable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    if side == "ours":
        import gridcell
        gridcell.activate()
    import numba
    numba.njit(lambda x: x + 1)(1)
    return numba


def one_line(error):
    """The words of an exception: its type, and the first line of its message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def in_words(seconds):
    if not seconds:
        return "-"
    scale, unit = next(((s, u) for s, u in ((1, "s"), (1e-3, "ms"), (1e-6, "us")) if seconds >= s), (1e-9, "ns"))
    return f"{seconds / scale:.3g} {unit}"


def mean(ratios):
    return f"{statistics.geometric_mean(ratios):.2f}" if ratios else "-"
