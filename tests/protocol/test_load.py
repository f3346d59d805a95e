"""A kernel that does nothing costs nothing; one that prints a great deal loses nothing."""
import os
import pathlib
import time


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def switches(pid):
    """How often the threads of a process were put to sleep."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


def thread_count(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))


def test_idle_costs_nothing(start_kernel, tmp_path):
    kernel = start_kernel(env={"GRIDCELL_HISTORY": str(tmp_path / "history.sqlite")})
    kernel.run("import asyncio\nawait asyncio.sleep(0.01)\nprint('ready')\n1")
    time.sleep(1)  # what follows a cell is done
    assert thread_count(kernel.pid) <= 5
    before, woken = cpu_seconds(kernel.pid), switches(kernel.pid)
    time.sleep(2)
    assert round(cpu_seconds(kernel.pid) - before, 3) <= 0.01  # one tick of the clock
    assert switches(kernel.pid) - woken <= 20


def test_a_waiting_cell_costs_nothing(start_kernel):
    kernel = start_kernel()
    kernel.client.execute("print('on', flush=True); await __import__('asyncio').sleep(60)")
    kernel.wait_for_text("on")
    time.sleep(0.5)
    before = cpu_seconds(kernel.pid)
    time.sleep(1)
    assert round(cpu_seconds(kernel.pid) - before, 3) <= 0.01  # one tick of the clock


def test_a_million_lines(kernel):
    result = kernel.run("for i in range(1_000_000): print(i)", timeout=60)
    assert result.text() == "".join(f"{i}\n" for i in range(1_000_000))
    assert len(result.contents("stream")) < 1000


def test_fifty_megabytes_in_one_text(kernel):
    result = kernel.run("text = 'aé😀\\n' * 6_250_000\nprint(text, end='')", timeout=60)
    assert result.text() == "aé😀\n" * 6_250_000
    assert kernel.run("del text").content["status"] == "ok"
