"""The event loop that cells share: it runs while they do, and goes on between them."""
import pathlib
import socket
import time

import pytest

TASK = "import asyncio\nasync def rest(s):\n    await asyncio.sleep(s)\n    return 'rested'\n"


def test_a_cell_runs_within_the_loop(kernel):
    assert kernel.run("import asyncio\nloop = asyncio.get_event_loop()").content["status"] == "ok"
    assert kernel.run("print(loop.is_running(), asyncio.get_running_loop() is loop)"
                      ).text() == "True True\n"
    result = kernel.run(TASK + "loop.run_until_complete(rest(0))")
    assert result.content["ename"] == "RuntimeError"
    assert result.content["evalue"] == "This event loop is already running"
    assert "cannot be called from a running event loop" in kernel.run(
        "asyncio.run(rest(0))").content["evalue"]
    # as people write it for scripts and notebooks at once
    assert kernel.run("task = loop.create_task(rest(0)) if loop.is_running() else "
                      "loop.run_until_complete(rest(0))\nprint(await task)").text() == "rested\n"
    assert kernel.run("await rest(0)\nprint(loop.is_running())").text() == "True\n"


def test_nest_asyncio(kernel):
    pytest.importorskip("nest_asyncio")
    kernel.run("import asyncio, nest_asyncio\nnest_asyncio.apply()\n" + TASK)
    assert kernel.run("print(asyncio.run(rest(0.01)))").text() == "rested\n"
    assert kernel.run("print(asyncio.get_event_loop().run_until_complete(rest(0.01)))"
                      ).text() == "rested\n"
    assert kernel.run("print(await rest(0.01))").text() == "rested\n"


def test_calls_of_other_threads_arrive_between_cells(start_kernel):
    kernel = start_kernel()
    kernel.run("import asyncio, threading, time\nloop = asyncio.get_event_loop()\n"
               "def call():\n    time.sleep(0.2)\n"
               "    loop.call_soon_threadsafe(lambda: print('called', flush=True))\n"
               "threading.Thread(target=call).start()")
    kernel.wait_for_text("called", timeout=5)


def test_a_server_answers_between_cells(start_kernel):
    kernel = start_kernel()
    port = int(kernel.run(
        "import asyncio\nasync def answer(reader, writer):\n"
        "    writer.write(b'<' + await reader.readline() + b'>')\n    await writer.drain()\n"
        "    writer.close()\n"
        "server = await asyncio.start_server(answer, '127.0.0.1', 0)\n"
        "print(server.sockets[0].getsockname()[1])").text())
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
            client.sendall(b"hello\n")
            assert client.makefile("rb").read() == b"<hello\n>"


def test_a_task_that_waits_costs_nothing(start_kernel):
    kernel = start_kernel()
    kernel.run(TASK + "task = asyncio.create_task(rest(60))")
    time.sleep(0.5)
    status = pathlib.Path(f"/proc/{kernel.pid}/task/{kernel.pid}/status")

    def wakeups():
        return int(status.read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0])
    before = wakeups()
    time.sleep(1)
    assert wakeups() - before < 20
