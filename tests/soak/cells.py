"""Cells in great number: what each leaves in the kernel, and what a start and a stop leave in the system."""
import glob
import os
import tempfile

from measure import size_of

WARM_UP = 1_300  # more than the cells whose sources are kept in any case

# {n} makes each a cell of its own, of constant length. An error comes by itself: it ends what waits.
CELLS = r"""
value_a = {n}
{n} + 1
def function_a(x):\n    return x + {n}\nfunction_a(1)
class Kind_a:\n    size = {n}\n    def method(self):\n        return self.size\nKind_a().method()
sorted(-x for x in range(5)) and [y for y in range({n}, {n} + 3)]
print("some text", {n})
for index_a in range(3):\n    print(index_a, {n}, end=" ")
display({n})
key_a = lambda x: x * {n}\nkey_a(2)
import json\njson.dumps([{n}, None])
1 / ({n} - {n})
import asyncio\nawait asyncio.sleep(0)\n{n}
%timeit -n1 -r1 {n} + 1
unknown_name_{n}
with open("/dev/null") as file_a:\n    text_a = file_a.read()\nlen(text_a) + {n}
def generator_a():\n    yield {n}\nnext(generator_a())
try:\n    raise ValueError({n})\nexcept ValueError as error_a:\n    pass
?value_a\n# {n}
f"{{value_a}} and {n}"
jitted(jitted({n}, 1.0), 2.0)
""".strip().splitlines()
CELLS = [line.replace(r"\n", "\n") for line in CELLS]
MUST_FAIL = ("1 / (", "unknown_name")

SETUP = """
import gc, sys
from numba import njit
@njit
def jitted(a, b):
    return a + b
jitted(1, 1.0), jitted(1.5, 1.0)
def kept_bytes():
    "What IPython's names keep of the user's: In, Out, _i7, _7 and the like, with their tables."
    def rounded(value):
        return (sys.getsizeof(value) + 15) // 16 * 16
    names = [name for name in globals() if name.startswith('_')]
    values = {id(value): value for value in [*In, *Out.values()] if isinstance(value, (str, int, list))}
    gc.collect()
    return sum(map(rounded, [globals(), In, Out, *names, *values.values()])) + 28 * len(Out)
"""


def measure(session):
    """What the kernel holds, and what of it is the user's."""
    kept = session.value("kept_bytes()")
    session.value("gc.collect() and 0")
    return size_of(session.pid), kept


def run_cells(session, numbers, report):
    """Cells one after the other, in the rotation of the table; each must end as it ought to. Their count."""
    client, done = session.client, 0
    for done, n in enumerate(numbers, 1):
        code = CELLS[n % len(CELLS)].format(n=1_000_000 + n)
        reply = session.receive_reply(client.execute(code, stop_on_error=False), timeout=60)["content"]
        if (reply["status"] == "error") != code.startswith(MUST_FAIL):
            report.failure(f"{code!r} ended with {reply['status']} {reply.get('evalue')}")
        if n % 50 == 0:
            drain(client)
    return done


def drain(client):
    while client.iopub_channel.msg_ready():
        client.get_iopub_msg(timeout=10)


def executes(soak, report):
    """Cells of twenty kinds, none twice the same."""
    count = soak.count(100_000, quick=2_000)
    with soak.session() as session:
        session.ok(SETUP)
        session.run("'x' * 200_000")  # more than is kept in memory of outputs: their file is open
        run_cells(session, range(WARM_UP), report)
        before, kept_before = measure(session)
        count = run_cells(session, soak.turns(WARM_UP, count), report)
        after, kept = measure(session)
    report.tell(f"{count:,} cells of {len(CELLS)} kinds")
    report.tell(f"In and Out keep {(kept - kept_before) / count:,.0f} B a cell")
    report.growth(before, after, count, "cell", 400, kept - kept_before)


def lines(soak, report):
    """Output in small pieces: all of it arrives, none of it stays."""
    count = soak.count(1_000_000, quick=100_000)
    code = "for number in range({0}, {0} + {1}): print(number)"
    with soak.session() as session:
        session.run(code.format(0, 50_000), store_history=False)
        before = size_of(session.pid)
        text = session.run(code.format(0, count), timeout=300, store_history=False).text()
        after = size_of(session.pid)
    expected = "".join(f"{number}\n" for number in range(count))
    report.figure(f"of {count:,} lines lost or wrong", sum(
        a != b for a, b in zip(text.splitlines(), expected.splitlines())) + abs(
            text.count("\n") - count), "", 0)
    report.growth(before, after, count, "line", 1)


def starts(soak, report):
    """Kernels that start, answer and stop in order, and that leave no process and no file."""
    count = soak.count(1_000, quick=15)
    left = {"files": 0, "processes": 0, "wrong ends": 0}
    with tempfile.TemporaryDirectory() as scratch:
        env = {"TMPDIR": scratch, "GRIDCELL_CACHE_DIR": f"{scratch}/cache"}
        before = set(glob.glob("/tmp/*gridcell*") + glob.glob("/dev/shm/*gridcell*"))
        done = 0
        for done in soak.turns(1, count):
            with soak.session(env=env) as session:
                if session.value("6 * 7") != 42:
                    report.failure("a new kernel gave a wrong result")
                process, pid = session.process, session.pid
                session.client.shutdown()
                left["wrong ends"] += process.wait(10) != 0
            left["processes"] += os.path.exists(f"/proc/{pid}") and len(
                os.listdir(f"/proc/{pid}/task")) > 0
        left["files"] = len(set(glob.glob("/tmp/*gridcell*") + glob.glob("/dev/shm/*gridcell*")) - before) + len(
            [name for name in os.listdir(scratch) if name != "cache"])
    report.tell(f"{done:,} starts and stops")
    for what, number in left.items():
        report.figure(what, number, "", 0)
