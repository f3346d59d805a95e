"""Parts of the soak as programs of their own, several at a time, within a time for all of them."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# Those that take long come first. A part with many small pieces of work is cut into several programs,
# each with a seed of its own; where memory is measured over the whole, it stays one.
LONGEST_FIRST = ["functions", "executes", "interrupts", "starts", "launches", "caches", "memory"]
PROGRAMS = {"interrupts": 4, "starts": 2, "caches": 2}
LEAST_SECONDS = 20  # for which it is worth beginning a part


def programs(names, options):
    """(name, its arguments but for the time) of each, in the order in which they begin."""
    order = [name for name in LONGEST_FIRST if name in names]
    for name in order + [name for name in names if name not in order]:
        pieces = 1 if options.quick else PROGRAMS.get(name, 1)
        for piece in range(pieces):
            peer = ["--peer", options.peer] if options.peer else []
            quick = ["--quick"] if options.quick else []
            seed = options.seed * pieces + piece if pieces > 1 else options.seed
            yield name, [*peer, *quick, "--seed", str(seed), "--share", str(pieces), name]


def begin(arguments, end, scratch):
    """Each with a folder of its own for files, so that none takes another's for what it left behind."""
    seconds = [] if end is None else ["--seconds", f"{max(LEAST_SECONDS, end - time.monotonic()):.0f}"]
    program = pathlib.Path(__file__).with_name("soak.py")
    own = tempfile.mkdtemp(dir=scratch)
    return subprocess.Popen([sys.executable, program, *seconds, *arguments], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                            env={**os.environ, "TMPDIR": own})


def finish(name, child, end):
    """Prints what the program said; whether it held."""
    try:
        output, _ = child.communicate(timeout=None if end is None else max(1, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output = child.communicate()[0] + f"{name:<12} not done in time  PAST ITS LIMIT\n"
    print("".join(line for line in output.splitlines(True) if "parts hold" not in line), end="", flush=True)
    return child.returncode == 0


def run_side_by_side(names, options):
    """The names of those that fail, and the number of programs."""
    with tempfile.TemporaryDirectory(prefix="soak-") as scratch:
        return run_all(names, options, scratch)


def run_all(names, options, scratch):
    end = time.monotonic() + options.seconds if options.seconds else None
    waiting, running, failed, total = list(programs(names, options)), [], [], 0
    while waiting or running:
        while waiting and len(running) < options.jobs:
            name, arguments = waiting.pop(0)
            running.append((name, begin(arguments, end, scratch)))
            total += 1
        over = end is not None and time.monotonic() > end
        ready = [item for item in running if over or item[1].poll() is not None]
        for item in ready:
            running.remove(item)
            if not finish(*item, end):
                failed.append(item[0])
        if not ready:
            time.sleep(0.1)
    return failed, total
