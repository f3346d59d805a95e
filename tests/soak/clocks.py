"""The wall clock is set, and the process is stopped for a while, in the middle of work."""
import pathlib
import shutil
import struct
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
HOUR = 3600
JUMPS = [HOUR, -HOUR, -24 * 365 * HOUR, 10 * 365 * 24 * HOUR, -1, 0]

SETUP = """
import asyncio, queue, threading, time
from numba import njit
@njit
def count(n):
    return sum([i % 7 for i in range(n)]) if n < 99 else sum([count(9) for i in range(n)])
count(1)
"""
# Each waits a tenth of a second by some clock, or works so long.
WAITS = ["time.sleep(0.1)", "await asyncio.sleep(0.1)", "threading.Event().wait(0.1)",
         "try:\n    queue.Queue().get(timeout=0.1)\nexcept queue.Empty:\n    pass",
         "import threading\nlock = threading.Lock(); lock.acquire(); lock.acquire(timeout=0.1)",
         "count(3 * 10**5)", "%timeit -n1 -r1 time.sleep(0.1)", "!sleep 0.1", "print('a'); time.sleep(0.1); print('b')",
         "await asyncio.wait_for(asyncio.sleep(0.1), 5)",
         "import subprocess; subprocess.run(['sleep', '0.1'], timeout=5).returncode"]
LATE_SECONDS = 3


def late(session, code, disturb):
    """What went wrong with a cell that is disturbed while it waits."""
    started = time.monotonic()
    msg_id = session.client.execute(code)
    session.wait_until_busy(msg_id)
    disturb()
    reply = session.receive_reply(msg_id, timeout=30)["content"]
    session.receive_until_idle(msg_id, 30)
    seconds = time.monotonic() - started
    value = session.value("count(10)")
    if reply["status"] != "ok" or value != 24 or seconds > LATE_SECONDS:
        return f"{code!r}: {reply['status']} after {seconds:.1f} s, then {value}"
    return None


def clock(soak, report):
    """Jumps by seconds, hours and years, forward and back, during waits of all kinds and at the end."""
    if soak.peer or not shutil.which("cc"):
        report.tell("left out")
        return
    scratch = pathlib.Path(soak.scratch)
    shim, moved = scratch / "clock.so", scratch / "moved"
    subprocess.run(["cc", "-std=c17", "-O1", "-shared", "-fPIC", "-o", shim, HERE / "clock.c", "-ldl"], check=True)
    moved.write_bytes(struct.pack("q", 0))

    def jump(seconds):
        with open(moved, "r+b") as file:
            file.write(struct.pack("q", seconds))

    jumps = JUMPS[:2] if soak.is_quick else JUMPS
    with soak.session(env={"LD_PRELOAD": str(shim), "SOAK_CLOCK": str(moved)}) as session:
        session.ok(SETUP)
        if abs(session.value("time.time()") - time.time()) > 60:
            report.failure("the clock is moved before it is set")
        for done in soak.turns(0, len(jumps) * len(WAITS)):
            seconds = jumps[done // len(WAITS)]
            problem = late(session, WAITS[done % len(WAITS)], lambda: jump(seconds))
            if problem:
                report.failure(f"clock moved by {seconds} s: {problem}")
        if abs(session.value("time.time()") - time.time() - seconds) > 60:
            report.failure("the clock was not moved")
        jump(0)
        msg_id = session.client.execute("time.sleep(60)", store_history=False)
        session.wait_until_busy(msg_id)
        jump(-HOUR)
        session.interrupt()
        if session.receive_reply(msg_id, timeout=10)["content"].get("ename") != "KeyboardInterrupt":
            report.failure("no interrupt after a jump")
        session.client.execute("1")
        session.client.shutdown()
        jump(-24 * HOUR)
        report.figure("exit status", abs(session.process.wait(10)), "", 0)
    report.tell(f"{done + 1} jumps of the clock")
    report.figure("wrong", len(report.wrong), "", 0)


def pauses(soak, report):
    """SIGSTOP and SIGCONT at random moments of waits and of starts."""
    count, choice, n = soak.count(200, quick=8), soak.random(), -1
    with soak.session() as session:
        session.ok(SETUP)
        for n in soak.turns(0, count):
            code = WAITS[n % len(WAITS)]

            def disturb():
                time.sleep(choice.random() * 0.1)
                session.pause(choice.random() * 0.3)
            problem = late(session, code, disturb)
            if problem:
                report.failure(problem)
    report.tell(f"{n + 1} stops in the middle of work")
    report.figure("wrong", len(report.wrong), "", 0)
