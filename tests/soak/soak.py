"""Runs the parts of the soak; see the usage in tests/soak/run."""
import argparse
import random
import sys
import tempfile

from measure import Report


class Soak:
    """How long a part runs, by which seed, and whose kernels."""

    def __init__(self, scratch, is_quick=False, seed=1, peer=None):
        self.scratch, self.is_quick, self.seed, self.peer = scratch, is_quick, seed, peer

    def count(self, whole, quick):
        return quick if self.is_quick else whole

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


def main(arguments):
    known = parts()
    parser = argparse.ArgumentParser(prog="tests/soak/run")
    parser.add_argument("--quick", action="store_true", help="a small sample, in seconds")
    parser.add_argument("--seed", type=int, default=1, help="of random moments")
    parser.add_argument("--peer", metavar="PYTHON", help="the same with the ipykernel and numba of this Python")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *known])
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(known))
        return 0
    with tempfile.TemporaryDirectory(prefix="soak-") as scratch:
        soak = Soak(scratch, options.quick, options.seed, options.peer)
        reports = [run_part(name, known[name], soak) for name in options.parts or known]
    failed = [report.name for report in reports if report.wrong and report.is_judged]
    print(f"{len(reports) - len(failed)} parts hold" + (f", {' '.join(failed)} not" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
