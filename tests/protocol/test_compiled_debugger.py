"""Breakpoints in compiled functions and in kernels of the emulated device, as JupyterLab drives them."""
import time

import pytest
from conftest import Kernel
from debug_panel import Debugger

HOST = """\
import numpy as np
from numba import njit

@njit
def weighted(value, weight):
    product = value * weight
    return product + 1

@njit(debug=True)
def total_of(values, count):
    total = 0.0
    last = values
    for i in range(count):
        total += weighted(values[i], i)
    return total
"""
HOST_CALL = "values = np.arange(20.0)\nresult = total_of(values, 20)\nprint('result', result)"
HOST_RESULT = sum(i * i + 1.0 for i in range(20))

KERNEL = """\
import numpy as np
from numba import cuda, float32

@cuda.jit(debug=True, opt=False)
def turn_around(a, out):
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    tile = cuda.shared.array(4, float32)
    tile[t] = a[i]
    cuda.syncthreads()
    taken = tile[3 - t]
    out[i] = taken
"""
KERNEL_CALL = """\
a, out = np.arange(12, dtype=np.float32), np.zeros(12, np.float32)
turn_around[3, 4](a, out)
print(out.tolist())"""
KERNEL_RESULT = str([3.0, 2.0, 1.0, 0.0, 7.0, 6.0, 5.0, 4.0, 11.0, 10.0, 9.0, 8.0])


@pytest.fixture(scope="module")
def kernel(gridcell):
    shared = Kernel(gridcell, env={"GRIDCELL_DEVICE": "emulator"})
    yield shared
    shared.close()


@pytest.fixture
def debugger(kernel):
    panel = Debugger(kernel)
    panel.begin()
    yield panel
    panel.ask("disconnect")


class Run:
    """A cell that is under way, and where it stands."""

    def __init__(self, debugger, definitions, call, *points):
        self.debugger, self.kernel = debugger, debugger.kernel
        assert self.kernel.run(definitions).content["status"] == "ok"
        self.path = debugger.body("dumpCell", code=definitions)["sourcePath"]
        self.break_at(*points)
        self.msg_id = self.kernel.client.execute(call)
        self.stop()

    def break_at(self, *points):
        return self.debugger.body("setBreakpoints", source={"path": self.path}, breakpoints=list(points))

    def stop(self):
        self.stopped = self.debugger.wait_for("stopped")
        return self.line()

    def frames(self):
        return self.debugger.frames(self.stopped)

    def line(self):
        frame = self.frames()[0]
        return frame["name"], frame["line"]

    def go(self, command):
        self.debugger.body(command, threadId=self.stopped["threadId"])
        return self.stop()

    def variables(self, level=0, scope="Locals"):
        found = self.debugger.variables(self.frames()[level], scope)
        return {name: variable["value"] for name, variable in found.items()}

    def evaluate(self, expression, level=0):
        return self.debugger.body("evaluate", expression=expression, context="watch",
                                  frameId=self.frames()[level]["id"])["result"]

    def end(self):
        """Lets it go on to its end; what it printed."""
        self.break_at()
        self.debugger.body("continue", threadId=self.stopped["threadId"])
        assert self.kernel.receive_reply(self.msg_id)["content"]["status"] == "ok"
        messages = self.kernel.receive_until_idle(self.msg_id)
        return "".join(message["content"].get("text", "") for message in messages)


def test_host_function(debugger):
    """A conditional breakpoint, variables of two calls, watches, steps, and on to the end."""
    run = Run(debugger, HOST, HOST_CALL, {"line": 14, "condition": "i == 17"})
    assert run.stopped["reason"] == "breakpoint"
    assert debugger.body("debugInfo")["stoppedThreads"] == [run.stopped["threadId"]]
    frames = run.frames()
    assert [(frame["name"], frame["line"]) for frame in frames] == [("total_of", 14), ("<module>", 2)]
    assert frames[0]["source"]["path"] == run.path
    found = run.variables()
    assert found["i"] == "17" and found["count"] == "20"
    assert found["total"] == repr(sum(i * i + 1.0 for i in range(17)))
    assert found["last"].startswith("array([ 0.,  1.,")
    assert "result" not in run.variables(1) and "values" in run.variables(1, "Globals")
    assert run.evaluate("values[i] * np.float64(2)").endswith("34.0)") or run.evaluate("values[i] * 2.0") == "34.0"
    assert run.evaluate("[v for v in values if v > i]").count("1") == 2
    failed = debugger.ask("evaluate", expression="nothing + 1", frameId=frames[0]["id"], context="watch")
    assert failed["success"] is False and "nothing" in failed["message"]
    assert run.go("stepIn") == ("weighted", 6)
    assert run.variables() == {"value": "17.0", "weight": "17"}
    assert run.go("next") == ("weighted", 7)
    assert run.variables()["product"] == "289.0"
    assert run.variables(1)["i"] == "17"
    assert run.go("stepOut") == ("total_of", 13)
    assert run.go("next") == ("total_of", 14)
    assert run.variables()["i"] == "18"
    debugger.body("copyToGlobals", srcVariableName="total", dstVariableName="copied",
                  srcFrameId=run.frames()[0]["id"])
    rich = debugger.body("richInspectVariables", variableName="i", frameId=run.frames()[0]["id"])
    assert rich["data"]["text/plain"] == "18"
    assert run.end() == f"result {HOST_RESULT}\n"
    assert debugger.body("debugInfo")["stoppedThreads"] == []
    assert run.kernel.run("print(copied)").text() == f"{sum(i * i + 1.0 for i in range(18))}\n"


def test_kernel(debugger):
    """Block and thread, a shared array, the barrier, and other threads, which stand or have ended."""
    run = Run(debugger, KERNEL, KERNEL_CALL, {"line": 9, "condition": "cuda.threadIdx.x == 2"})
    frames = run.frames()
    assert [(frame["name"], frame["line"]) for frame in frames] == [("turn_around", 9), ("<module>", 2)]
    assert run.variables(0, "CUDA") == {
        "blockIdx": "(0, 0, 0)", "threadIdx": "(2, 0, 0)",
        "gridDim": "(3, 1, 1)", "blockDim": "(4, 1, 1)"}
    found = run.variables()
    assert (found["i"], found["t"]) == ("2", "2")
    assert "11." in found["a"] and "float32" in found["a"]
    assert run.evaluate("tile[:2].tolist()") == "[0.0, 1.0]"
    assert run.evaluate("a.shape, a.dtype.name, cuda.blockDim.x, threadIdx.x") == "((12,), 'float32', 4, 2)"
    # thread 1 waits at the barrier; nothing has passed it
    assert run.evaluate("%thread 1") == "block (0, 0, 0) thread (1, 0, 0)"
    run.stop()
    assert run.line() == ("turn_around", 10)
    assert run.variables()["i"] == "1" and "taken" not in run.variables()
    assert run.evaluate("out.sum()") in ("0.0", "np.float32(0.0)")
    run.evaluate("%thread 2,0,0")
    assert run.stop() == ("turn_around", 9)
    # over the barrier this thread stands again, when all have come to it
    assert run.go("next") == ("turn_around", 10)
    run.break_at()
    assert run.go("next") == ("turn_around", 11)
    assert run.evaluate("tile.tolist()") == "[0.0, 1.0, 2.0, 3.0]"
    assert run.variables(0, "CUDA")["threadIdx"] == "(2, 0, 0)"
    assert run.go("next") == ("turn_around", 12)
    assert run.variables()["taken"] == "1.0"
    odd = debugger.ask("evaluate", expression="%barrier 2", context="repl")
    assert odd["success"] is False and "takes nothing" in odd["message"]
    ended = debugger.ask("evaluate", expression="%thread 0", context="repl")
    assert ended["success"] is False and "has ended" in ended["message"]
    none = debugger.ask("evaluate", expression="%block 3", context="repl")
    assert none["success"] is False and "(3, 1, 1)" in none["message"]
    # a block that has not begun is gone to
    run.evaluate("%block 2")
    assert run.stop() == ("turn_around", 6)
    assert run.variables(0, "CUDA")["blockIdx"] == "(2, 0, 0)"
    run.evaluate("%barrier")
    assert run.stop() == ("turn_around", 11)
    assert run.variables()["i"] == "8"
    assert run.end() == KERNEL_RESULT + "\n"


def test_steps_end_in_the_python_code_that_called(debugger):
    calls = "a = 1\nresult = total_of(np.arange(3.0), 3)\nb = 2\nc = 3"
    for step in ("next", "stepOut"):
        run = Run(debugger, HOST, calls, {"line": 15})
        assert run.go(step) == ("<module>", 3)
        assert run.variables(0, "Globals")["result"] == "8.0"
        assert run.go("next") == ("<module>", 4)
        run.end()
    # a stop in compiled code is what a step ends with, if one comes first; and what goes on does not stop
    run = Run(debugger, HOST, "total_of(np.arange(3.0), 3)\nprint(total_of(np.arange(2.0), 2))\nd = 4", {"line": 15})
    assert run.go("next") == ("<module>", 2)
    assert run.go("continue") == ("total_of", 15)
    assert run.end() == "3.0\n"


def test_hits_and_texts(debugger):
    point = {"line": 14, "condition": "i > 3", "hitCondition": ">= 3"}
    run = Run(debugger, HOST, HOST_CALL, point, {"line": 6, "logMessage": "{value} by {weight + 1}", "hitCondition": "%9"})
    assert run.variables()["i"] == "6"
    run.break_at(point | {"hitCondition": "2"}, {"line": 7, "hitCondition": "often"})
    assert run.go("continue") == ("weighted", 7)  # one that makes no sense stops
    run.end()
    run.break_at({"line": 6, "logMessage": "{value} by {weight + 1}", "hitCondition": "%9"})
    assert run.kernel.run(HOST_CALL).text() == f"8.0 by 9\n17.0 by 18\nresult {HOST_RESULT}\n"
    run.break_at()


def test_interrupt_and_the_next_cell(debugger):
    run = Run(debugger, KERNEL, KERNEL_CALL, {"line": 12})
    run.kernel.manager.interrupt_kernel()
    assert run.kernel.receive_reply(run.msg_id)["content"]["ename"] == "KeyboardInterrupt"
    debugger.wait_for("continued")
    assert debugger.body("debugInfo")["stoppedThreads"] == []
    run.break_at()
    run.msg_id = run.kernel.client.execute(KERNEL_CALL)
    assert run.kernel.receive_reply(run.msg_id)["content"]["status"] == "ok"


def test_breakpoint_call_and_variables_that_cannot_be_set(debugger):
    code = "from numba import njit\n@njit(debug=True)\ndef f(n):\n    m = n\n    breakpoint()\n    return m\n"
    run = Run(debugger, code, "print('f', f(3))")
    assert run.line() == ("f", 5)
    assert run.variables() == {"n": "3", "m": "3"}
    refused = debugger.ask("setVariable", variablesReference=1, name="n", value="4")
    assert refused["success"] is False and "not be set" in refused["message"]
    assert run.end() == "f 3\n"


def test_breakpoints_before_numba_is_imported_and_shutdown(start_kernel):
    """They are kept until the package is there; the kernel ends where a function stands."""
    kernel = start_kernel()
    panel = Debugger(kernel)
    panel.begin()
    path = panel.body("dumpCell", code=HOST)["sourcePath"]
    panel.body("setBreakpoints", source={"path": path}, breakpoints=[{"line": 11}])
    assert kernel.run(HOST).content["status"] == "ok"
    kernel.client.execute(HOST_CALL)
    assert panel.frames(panel.wait_for("stopped"))[0]["line"] == 11
    start = time.monotonic()
    kernel.ask("shutdown_request", {"restart": False}, "control")
    kernel.process.wait(5)
    assert time.monotonic() - start < 4


def test_disconnect_lets_it_go_on(debugger):
    run = Run(debugger, HOST, HOST_CALL, {"line": 12})
    debugger.body("disconnect")
    assert run.kernel.receive_reply(run.msg_id)["content"]["status"] == "ok"
