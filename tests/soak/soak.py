"""Runs the parts of the soak; see the usage in tests/soak/run."""
import argparse
import random
import sys
import tempfile
import time

from measure import Report
from side_by_side import run_side_by_side

FAR = 1e9         # seconds: later than any run ends
WORK_SHARE = 0.8  # of the time a part may take; what was begun must end and be measured in the rest


class Soak:
    """How long a part runs, by which seed, and whose kernels."""

    def __init__(self, scratch, is_quick=False, seed=1, peer=None, seconds=None, share=1):
        self.scratch, self.is_quick, self.seed, self.peer, self.share = scratch, is_quick, seed, peer, share
        self.end = time.monotonic() + (seconds * WORK_SHARE if seconds else FAR)

    def count(self, whole, quick):
        return quick if self.is_quick else max(1, whole // self.share)

    def turns(self, first, count):
        """`count` numbers, or as many as the time allows; one at least."""
        for n in range(first, first + count):
            if n > first and time.monotonic() > self.end:
                return
            yield n

    def random(self):
        return random.Random(self.seed)

    def session(self, **options):
        from session import Session
        return Session(self.scratch, self.peer, **options)


def parts():
    """By name. The device's need no Jupyter, which a machine with a GPU may lack."""
    import device
    table = {"device": device.allocations, "launches": device.launches}
    try:
        import cells
        import clocks
        import compiled
        import files
        import interrupts
        import memory_limits
    except ImportError as error:
        print(f"only parts of the device: {error}", file=sys.stderr)
        return table
    return {"executes": cells.executes, "lines": cells.lines, "starts": cells.starts,
            "functions": compiled.functions,
            "interrupts": interrupts.interrupts, "clock": clocks.clock, "pauses": clocks.pauses,
            "memory": memory_limits.memory, "caches": files.caches, "disk": files.full_disk, **table}


def run_part(name, part, soak):
    report = Report(name, is_judged=not soak.peer)
    try:
        part(soak, report)
    except Exception as error:
        report.failure(f"{type(error).__name__}: {error}")
    for text in report.wrong[:60]:
        print(f"  {name}: {text}")
    print(report, flush=True)
    return report


def run_in_turn(names, options):
    """The names of the parts that fail."""
    known, failed = parts(), []
    with tempfile.TemporaryDirectory(prefix="soak-") as scratch:
        for name in names:
            soak = Soak(scratch, options.quick, options.seed, options.peer, options.seconds, options.share)
            report = run_part(name, known[name], soak)
            if report.wrong and report.is_judged:
                failed.append(name)
    return failed


def main(arguments):
    known = parts()
    parser = argparse.ArgumentParser(prog="tests/soak/run")
    parser.add_argument("--quick", action="store_true", help="a small sample, in seconds")
    parser.add_argument("--seed", type=int, default=1, help="of random moments")
    parser.add_argument("--peer", metavar="PYTHON", help="the same with the ipykernel and numba of this Python")
    parser.add_argument("--seconds", type=float, help="each part does what it can in this time")
    parser.add_argument("--jobs", type=int, default=1, help="so many parts side by side")
    parser.add_argument("--share", type=int, default=1, help="the Nth part of the counts")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *known])
    options = parser.parse_args(arguments)
    names = options.parts or list(known)
    if options.list:
        print("\n".join(known))
        return 0
    if options.jobs > 1:
        failed, total = run_side_by_side(names, options)
    else:
        failed, total = run_in_turn(names, options), len(names)
    print(f"{total - len(failed)} parts hold" + (f", {' '.join(failed)} not" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
