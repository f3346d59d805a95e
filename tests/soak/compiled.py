"""Compiled functions in great number: what each takes while it is there, and what stays when it is gone."""
from cells import drain
from measure import size_of

SETUP = """
import gc
import numpy as np
from numba import njit
arguments = np.arange(8.0)
"""
# Each has its own constants: no two share their code.
FUNCTION = """
@njit
def compiled_{n}(a, x):
    total = {n}.0
    for i in range(a.size):
        if a[i] > x:
            total += a[i] * {n}
    return total
assert compiled_{n}(arguments, 3.0) == {n}.0 + 22.0 * {n}
"""
FORGET = """
for name in [name for name in globals() if name.startswith('compiled_')]:
    del globals()[name]
del name
"""


def compile_functions(session, numbers, report):
    done = 0
    for done, n in enumerate(numbers, 1):
        reply = session.receive_reply(
            session.client.execute(FUNCTION.format(n=n), store_history=False), timeout=60)["content"]
        if reply["status"] != "ok":
            report.failure(f"function {n}: {reply.get('ename')} {reply.get('evalue')}")
        if n % 50 == 0:
            drain(session.client)
    return done


def collected(session):
    session.ok("gc.collect(); gc.collect()\ntry:\n    import ctypes; ctypes.CDLL(None).malloc_trim(0)\n"
               "except OSError:\n    pass")
    return size_of(session.pid)


def functions(soak, report):
    """All of them held at once, then all let go."""
    count = soak.count(1_000 if soak.peer else 10_000, quick=150)
    with soak.session() as session:
        session.ok(SETUP)
        compile_functions(session, range(50), report)
        session.ok(FORGET)
        before = collected(session)
        count = compile_functions(session, soak.turns(50, count), report)
        held = collected(session)
        session.ok(FORGET)
        after = collected(session)
    report.tell(f"{count:,} functions compiled")
    report.figure("memory of one that is there", (held.memory - before.memory) // count, " B", 64 << 10)
    report.growth(before, after, count, "function that is gone", 12 << 10)
