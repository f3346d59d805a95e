"""Several processes on one cache of code, files that cannot be written, and a full disk."""
import os
import pathlib
import resource
import signal
import subprocess
import time

from session import python_child

FUNCTIONS = 12
MODULE = "from numba import njit\n" + "".join(f"""
@njit(cache=True)
def shared_{n}(x):
    total = 0
    for i in range(x):
        total += i * {n}
    return total
""" for n in range(FUNCTIONS))
PROGRAM = """
import sys
{activate}
sys.path.insert(0, {folder!r})
import functions, random
order = list(range({count}))
random.Random({seed}).shuffle(order)
for n in order:
    assert getattr(functions, f"shared_{{n}}")(10) == 45 * n, n
print("right")
"""


def program(soak, folder, seed):
    activate = "" if soak.peer else "import gridcell; gridcell.activate()"
    return PROGRAM.format(folder=str(folder), count=FUNCTIONS, seed=seed, activate=activate)


def cache_environment(folder):
    return {"GRIDCELL_CACHE_DIR": str(folder / "code"), "NUMBA_CACHE_DIR": str(folder / "code")}


def caches(soak, report):
    """Eight processes at a time compile and read the same functions; one of them is killed in each round."""
    choice, wrong, turn = soak.random(), 0, -1
    for turn in soak.turns(0, soak.count(40, quick=1)):
        folder = pathlib.Path(soak.scratch, f"cache-{turn}")
        folder.mkdir()
        (folder / "functions.py").write_text(MODULE)
        children = [python_child(program(soak, folder, n), soak.peer, cache_environment(folder)) for n in range(8)]
        time.sleep(choice.random() * 0.8)
        children[0].send_signal(signal.SIGKILL)
        children[0].communicate()
        for child in children[1:]:
            output, errors = child.communicate(timeout=120)
            if output.strip() != "right":
                report.failure(errors[-500:])
                wrong += 1
        last = python_child(program(soak, folder, 9), soak.peer, cache_environment(folder))
        output, errors = last.communicate(timeout=120)
        wrong += output.strip() != "right"
        left = [path.name for path in folder.rglob("*") if "tmp" in path.name.lower()]
        if len(left) > FUNCTIONS:
            report.failure(f"files left behind: {left}")
    report.tell(f"{turn + 1} times 8 processes on one cache")
    report.figure("wrong", wrong, "", 0)


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def full_disk(soak, report):
    """No byte can be written: caches and the history are done without, and cells go on."""
    folder = pathlib.Path(soak.scratch, "full")
    folder.mkdir()
    (folder / "functions.py").write_text(MODULE)
    child = python_child(program(soak, folder, 1), soak.peer, cache_environment(folder), preexec_fn=limit_files)
    output, errors = child.communicate(timeout=120)
    if output.strip() != "right":
        report.failure(f"cache: {errors[-800:]}")
    with soak.session(env=cache_environment(folder)) as session:
        session.run("import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\nfrom numba import njit")
        cells = soak.count(500, quick=50)
        for n in range(cells):
            code = f"@njit(cache=True)\ndef f(x):\n    return x + {n}\nf(1)" if n % 10 == 0 else f"x = {n}"
            if session.run(code).content["status"] != "ok":
                report.failure(f"{code!r} fails on a full disk")
        value = session.value("x + f(1)")
        if value != (cells - 1) + 1 + (cells - 1) // 10 * 10:
            report.failure(f"wrong value {value}")
        session.client.shutdown()
        report.figure("exit status", abs(session.process.wait(10)), "", 0)
    tmpfs(soak, report)
    report.figure("wrong", len(report.wrong), "", 0)


def tmpfs(soak, report):
    """The same on a file system of 256 KiB that is full, where one can be mounted."""
    mount = pathlib.Path(soak.scratch, "small")
    mount.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", mount],
                                      capture_output=True).returncode:
        report.tell("no file system of its own")
        return
    try:
        (mount / "fill").write_bytes(bytes(200_000))
        env = {**cache_environment(mount), "GRIDCELL_HISTORY": str(mount / "history.sqlite")}
        with soak.session(env=env) as session:
            for n in range(soak.count(500, quick=60)):
                if session.run(f"text_{n % 5} = '{'long' * 200}{n}'").content["status"] != "ok":
                    report.failure("a cell fails where the history has no room")
            session.client.shutdown()
            report.figure("exit status there", abs(session.process.wait(10)), "", 0)
    finally:
        subprocess.run(["umount", "-l", mount], check=False)
