"""A kernel that may have only so much memory: each request that does not fit is an error, no more."""

MIB = 1 << 20
ROOM = 768 * MIB  # on top of what the kernel has when it is ready for work

SETUP = """
import resource, numpy as np
from numba import cuda, njit, prange
@njit
def zeros(n):
    return np.zeros(n)
@njit
def gather(n):
    items = [0]
    for i in range(n):
        items.append(i)
    return len(items)
@njit
def write(n):
    text = "abcdefgh"
    for i in range(n):
        text = text + text
    return len(text)
@njit
def tally(n):
    seen = {}
    for i in range(n):
        seen[i] = i
    return len(seen)
@njit(parallel=True)
def spread(n):
    total = 0.0
    for i in prange(4):
        total += np.ones(n).sum()
    return total
@njit
def square(n):
    return np.eye(n, dtype=np.float32)
@cuda.jit
def add(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1
zeros(1), gather(1), write(1), tally(1), spread(1), square(1), add[1, 1](np.zeros(1))
def limit(room):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + room if room else resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""

# A cell that asks for too much, and what its message must hold.
REQUESTS = [
    ("bytearray(1 << 31)", []),
    ("x = 'x' * (1 << 31)", []),
    ("list(range(1 << 28))", []),
    ("np.zeros(1 << 28)", ["2.00 GiB", "(268435456,)"]),
    ("zeros(1 << 28)", ["2.00 GiB", "(268435456,)", "float64"]),
    ("zeros(1 << 40)", ["8.00 TiB", "(1099511627776,)", "float64"]),
    ("square(1 << 15)", ["4.00 GiB", "(32768, 32768)", "float32"]),
    ("gather(1 << 31)", ["iB"]),
    ("write(40)", ["iB"]),
    ("tally(1 << 31)", ["iB"]),
    ("spread(1 << 28)", ["2.00 GiB", "float64"]),
    ("cuda.device_array(1 << 28)", ["2.0 GiB", "(268435456,)", "float64", "free"]),
    ("cuda.device_array((1 << 20, 1 << 10), np.float32)", ["4.0 GiB", "(1048576, 1024)", "float32", "free"]),
    ("cuda.to_device(np.broadcast_to(np.int8(0), 1 << 31))", ["2.00 GiB"]),
    ("cuda.pinned_array(1 << 28)", ["2.0 GiB"]),
    ("cuda.mapped_array(1 << 28)", ["2.0 GiB"]),
    ("cuda.managed_array(1 << 28)", ["2.0 GiB"]),
    ("import pickle; pickle.dumps(b'x' * (400 << 20))", []),
    ("print('x' * (1 << 31))", []),
]
# While nearly nothing is left: each either works or is a MemoryError.
TIGHT = ["1 + 1", "def f(x):\n    return x + 1\nf(1)", "[x for x in range(1000)]", "print('text')", "zeros(1000)[0]",
         "njit(lambda x: x * 3)(2)", "import decimal; decimal.Decimal(1)", "1 / 0", "display(1)", "add[1, 1](np.zeros(1))",
         "@njit\ndef g(a):\n    return np.sort(a)[0] + a.sum()\ng(np.arange(5.0))", "!true", "%timeit -n1 -r1 1"]
ALLOWED = {"MemoryError", "CudaAPIError", "ZeroDivisionError"}


def after(session, code):
    """What is wrong with the session after a cell that found no memory."""
    value = session.value("float(zeros(3).sum()) + gather(4)")
    return None if value == 5.0 else f"{code!r}: the next cell gave {value}"


def memory(soak, report):
    """Limits of the address space, as batch systems set them: for cells, compiled code and the device."""
    with soak.session(env={"NUMBA_NUM_THREADS": "2", "GRIDCELL_BACKLOG_MB": "16"}) as session:
        session.ok(SETUP)
        session.ok(f"limit({ROOM})")
        for code, words in REQUESTS:
            content = session.run(code, store_history=False).content
            message = content.get("evalue", "")
            if content["status"] == "ok" or content["ename"] not in ALLOWED:
                report.failure(f"{code!r}: {content['status']} {content.get('ename')} {message[:100]}")
            missing = [word for word in words if word not in message]
            if missing:
                report.failure(f"{code!r}: no {missing} in {message[:150]!r}")
            problem = after(session, code)
            if problem:
                report.failure(problem)
    report.tell(f"{len(REQUESTS)} requests past a limit")
    rooms = [8, 1] if soak.is_quick else [64, 32, 16, 8, 4, 2, 1, 0.25]
    for room in rooms:
        tight_room(soak, report, room)
    report.tell(f"{len(rooms) * len(TIGHT)} cells with {min(rooms)} to {max(rooms)} MiB left")
    report.figure("wrong", len(report.wrong), "", 0)


def tight_room(soak, report, room):
    with soak.session(env={"NUMBA_NUM_THREADS": "2"}) as session:
        session.ok(SETUP)
        session.ok(f"limit({int(room * MIB)})")
        for code in TIGHT:
            content = session.run(code, store_history=False).content
            if content["status"] != "ok" and content["ename"] not in ALLOWED:
                report.failure(f"{room} MiB left: {code!r}: {content['ename']}: {content['evalue'][:200]}")
        session.run("limit(0)", store_history=False)
        problem = after(session, f"{room} MiB left")
        if problem:
            report.failure(problem)
