"""The debugger, as JupyterLab drives it: through debugpy, on the control channel."""
import os
import subprocess
import tempfile
import time

import pytest
from debug_panel import Debugger

CELL = """def double(n):
    twice = n * 2
    return twice

values = {'a': [1, 2]}
result = double(21)
print('result', result)
"""


@pytest.fixture
def debugger(kernel):
    panel = Debugger(kernel)
    yield panel
    panel.ask("disconnect")


def test_info_before_the_start(kernel, debugger):
    content = kernel.ask("kernel_info_request", {}).content
    assert content["debugger"] is True
    assert "debugger" in content["supported_features"]
    body = debugger.body("debugInfo")
    assert body == {"isStarted": False, "hashMethod": "Murmur2", "hashSeed": 3339675911,
                    "tmpFilePrefix": f"{tempfile.gettempdir()}/ipykernel_{kernel.pid}/", "tmpFileSuffix": ".py",
                    "breakpoints": [], "stoppedThreads": [], "richRendering": True,
                    "exceptionPaths": ["Python Exceptions"], "copyToGlobals": True}


def test_no_thread_stays_when_nobody_debugs(start_kernel):
    kernel = start_kernel()
    debugger = Debugger(kernel)

    def count():
        return len(os.listdir(f"/proc/{kernel.pid}/task"))

    kernel.run("1")
    before = count()
    debugger.body("debugInfo")
    assert count() == before + 1
    time.sleep(2.5)
    assert count() == before
    assert debugger.body("debugInfo")["isStarted"] is False


def test_requests_before_the_start(debugger):
    for command in ("attach", "stackTrace", "setBreakpoints", "no_such_command"):
        reply = debugger.ask(command)
        assert reply["success"] is False
        assert "initialize" in reply["message"]


def test_variables_without_a_session(kernel, debugger):
    kernel.run("import numpy as np\nnumber, words = 5, ['x', {'k': (1, 2)}]\narray = np.arange(3)\n"
               "class Thing:\n    def __init__(self): self.inside = 7\n"
               "    def __repr__(self): raise ValueError\nthing = Thing()")
    found = {v["name"]: v for v in debugger.body("inspectVariables")["variables"]}
    assert not {"In", "Out", "_", "get_ipython", "__name__"} & set(found)
    assert (found["number"]["value"], found["number"]["type"]) == ("5", "int")
    assert found["number"]["variablesReference"] == 0
    assert found["thing"]["value"].startswith("<Thing instance")

    def inside(variable):
        reference = variable["variablesReference"]
        assert reference
        body = debugger.body("variables", variablesReference=reference)
        return {v["name"]: v for v in body["variables"]}

    words = inside(found["words"])
    assert words["0"]["value"] == "'x'"
    key = inside(words["1"])["'k'"]
    assert (key["value"], key["evaluateName"]) == ("(1, 2)", "words[1]['k']")
    assert inside(found["thing"])["inside"]["value"] == "7"
    assert inside(found["array"])["shape"]["value"] == "(3,)"
    assert debugger.ask("variables", variablesReference=(1 << 30) + 9999)["success"] is False


def test_rich_variables(kernel, debugger):
    kernel.run("class Page:\n    def _repr_html_(self): return '<b>page</b>'\npage = Page()")
    body = debugger.body("richInspectVariables", variableName="page")
    assert body["data"]["text/html"] == "<b>page</b>"
    assert "text/plain" in body["data"]
    assert debugger.body("richInspectVariables", variableName="special variables") == {
        "data": {}, "metadata": {}}
    assert debugger.ask("richInspectVariables", variableName="missing")["success"] is False


def test_modules_and_source(kernel, debugger):
    kernel.run("import json, random")
    modules = {m["name"]: m["path"] for m in debugger.body("modules")["modules"]}
    assert modules["json"].endswith("json/__init__.py")
    text = debugger.body("source", source={"path": modules["json"]})["content"]
    assert "JSONDecoder" in text
    kernel.run("undumped = 1")
    path = kernel.run("import inspect; print(inspect.currentframe().f_code.co_filename)").text().strip()
    assert "currentframe" in debugger.body("source", source={"path": path})["content"]
    assert debugger.ask("source", source={"path": "/nowhere.py"})["success"] is False


def test_the_file_of_a_cell_is_the_one_it_runs_under(kernel, debugger):
    code = "import sys  # é\nprint(sys._getframe().f_code.co_filename)"
    path = debugger.body("dumpCell", code=code)["sourcePath"]
    with open(path) as file:
        assert file.read() == code
    assert kernel.run(code).text().strip() == path


@pytest.mark.parametrize("session", [1, 2])
def test_breakpoint_variables_step_continue(kernel, debugger, session):
    """The second session comes after the first has disconnected."""
    debugger.begin()
    path = debugger.break_at(CELL, 2)
    info = debugger.body("debugInfo")
    assert info["isStarted"] is True
    assert info["breakpoints"] == [{"source": path, "breakpoints": [{"line": 2}]}]
    msg_id = kernel.client.execute(CELL)
    stopped = debugger.wait_for("stopped")
    assert stopped["reason"] == "breakpoint"
    assert debugger.body("debugInfo")["stoppedThreads"] == [stopped["threadId"]]
    frames = debugger.frames(stopped)
    assert [(f["name"], f["line"]) for f in frames] == [("double", 2), ("<module>", 6)]
    assert frames[0]["source"]["path"] == path
    assert debugger.variables(frames[0])["n"]["value"] == "21"
    assert "values" in debugger.variables(frames[1], "Globals")

    # the kernel answers while it stands there
    assert kernel.ask("kernel_info_request", {}, "control").content["status"] == "ok"
    assert any(v["name"] == "values" for v in debugger.body("inspectVariables")["variables"])
    assert debugger.body("evaluate", expression="n + 1", frameId=frames[0]["id"],
                         context="repl")["result"] == "22"
    rich = debugger.body("richInspectVariables", variableName="n", frameId=frames[0]["id"])
    assert rich["data"]["text/plain"] == "21"
    debugger.body("copyToGlobals", srcVariableName="n", dstVariableName="copied",
                  srcFrameId=frames[0]["id"])

    debugger.body("next", threadId=stopped["threadId"])
    stopped = debugger.wait_for("stopped")
    frames = debugger.frames(stopped)
    assert frames[0]["line"] == 3
    assert debugger.variables(frames[0])["twice"]["value"] == "42"
    debugger.body("stepOut", threadId=stopped["threadId"])
    debugger.wait_for("stopped")
    debugger.body("continue", threadId=stopped["threadId"])
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    kernel.wait_for_text("result 42")
    assert debugger.body("debugInfo")["stoppedThreads"] == []
    assert kernel.run("print(copied)").text() == "21\n"


def test_step_into_a_function_of_another_cell(kernel, debugger):
    other = "def helper(x):\n    y = x + 1\n    return y"
    kernel.run(other)
    msg_id, stopped = debugger.run_to("a = 1\nb = helper(a)\nprint('b', b)", 2)
    other_path = debugger.body("dumpCell", code=other)["sourcePath"]
    assert debugger.frames(stopped)[0]["line"] == 2
    debugger.body("stepIn", threadId=stopped["threadId"])
    frames = debugger.frames(debugger.wait_for("stopped"))
    assert (frames[0]["name"], frames[0]["source"]["path"]) == ("helper", other_path)
    debugger.body("continue", threadId=stopped["threadId"])
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"


def test_the_last_step_does_not_enter_the_kernel(kernel, debugger):
    """Stepping off a cell's end ends the cell: no frame of the kernel's own is shown."""
    msg_id, stopped = debugger.run_to("first = 1\nprint('second')", 2)
    debugger.body("next", threadId=stopped["threadId"])
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    assert kernel.run("1").content["status"] == "ok"


def test_breakpoint_set_while_the_cell_runs(kernel, debugger):
    code = "import time\nend = time.time() + 15\nwhile time.time() < end:\n    time.sleep(0.01)\n    x = 1\n"
    msg_id = kernel.client.execute(code)
    time.sleep(0.3)
    debugger.begin()
    debugger.break_at(code, 5)
    stopped = debugger.wait_for("stopped")
    frames = debugger.frames(stopped)
    debugger.body("evaluate", expression="end = 0", frameId=frames[0]["id"], context="repl")
    debugger.break_at(code)
    debugger.body("continue", threadId=stopped["threadId"])
    assert kernel.receive_reply(msg_id, timeout=10)["content"]["status"] == "ok"


def test_interrupt_at_a_breakpoint(kernel, debugger):
    code = "before = 1\nafter = 2\nprint('never')"
    msg_id, _ = debugger.run_to(code, 2)
    kernel.manager.interrupt_kernel()
    content = kernel.receive_reply(msg_id)["content"]
    assert content["ename"] == "KeyboardInterrupt"
    debugger.wait_for("continued")
    assert debugger.body("debugInfo")["stoppedThreads"] == []
    assert kernel.run("print('on')").text() == "on\n"
    msg_id = kernel.client.execute(code)
    stopped = debugger.wait_for("stopped")
    debugger.body("continue", threadId=stopped["threadId"])
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"


def test_an_exception_stops_where_it_is_raised(kernel, debugger):
    debugger.begin()
    debugger.body("setExceptionBreakpoints", filters=["raised"])
    msg_id = kernel.client.execute("def bad():\n    here = 5\n    raise ValueError('x')\nbad()")
    stopped = debugger.wait_for("stopped")
    assert stopped["reason"] == "exception"
    frame = debugger.frames(stopped)[0]
    assert (frame["name"], debugger.variables(frame)["here"]["value"]) == ("bad", "5")
    debugger.body("setExceptionBreakpoints", filters=[])
    debugger.body("continue", threadId=stopped["threadId"])
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "ValueError"


def test_disconnect_at_a_breakpoint_lets_the_cell_go_on(kernel, debugger):
    msg_id, _ = debugger.run_to("start = 1\nprint('went on')", 2)
    debugger.body("disconnect", restart=False, terminateDebuggee=True)
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    assert debugger.body("debugInfo")["isStarted"] is False


def test_shutdown_at_a_breakpoint_leaves_nothing(start_kernel):
    kernel = start_kernel()
    debugger = Debugger(kernel)
    debugger.begin()
    code = "start = 1\nprint('stop')"
    path = debugger.break_at(code, 2)
    kernel.client.execute(code)
    debugger.wait_for("stopped")
    pid, start = kernel.pid, time.monotonic()
    kernel.ask("shutdown_request", {"restart": False}, "control")
    kernel.process.wait(5)
    assert time.monotonic() - start < 2.5
    end = time.monotonic() + 5
    while subprocess.run(["pgrep", "-f", f"debugpy.*{pid}"], stdout=subprocess.DEVNULL).returncode == 0:
        assert time.monotonic() < end
        time.sleep(0.1)
    with pytest.raises(FileNotFoundError):
        open(path)


def test_without_debugpy(start_kernel, tmp_path):
    """The kernel says what is missing; variables are shown all the same."""
    (tmp_path / "debugpy.py").write_text("raise ImportError('hidden by the test')")
    kernel = start_kernel(env={"PYTHONPATH": str(tmp_path)})
    debugger = Debugger(kernel)
    reply = debugger.ask("initialize")
    assert reply["success"] is False
    assert "debugpy" in reply["message"] and "pip install" in reply["message"]
    kernel.run("shown = 3")
    names = [v["name"] for v in debugger.body("inspectVariables")["variables"]]
    assert "shown" in names


def test_requests_are_answered_one_after_another(kernel, debugger):
    debugger.begin()
    ids = [kernel.send("debug_request", {"seq": n, "type": "request", "command": "evaluate",
                                         "arguments": {"expression": "1"}}, "control") for n in range(5)]
    states = []
    while len(states) < 10:
        message = kernel.client.get_iopub_msg(timeout=10)
        if message["parent_header"].get("msg_id") in ids:
            states.append((message["content"]["execution_state"], ids.index(message["parent_header"]["msg_id"])))
    assert states == [(state, n) for n in range(5) for state in ("busy", "idle")]


@pytest.mark.parametrize("content", [{}, {"command": 5}, {"command": "attach", "arguments": 7},
                                     {"command": "dumpCell"}, {"command": "variables", "seq": "x"},
                                     {"command": "setBreakpoints", "arguments": []},
                                     {"command": "richInspectVariables", "arguments": {"variableName": []}},
                                     {"command": "modules", "arguments": {"startModule": "x"}},
                                     {"command": "copyToGlobals", "arguments": {"srcVariableName": "a'b"}}])
def test_bad_requests_are_answered(kernel, content):
    reply = kernel.ask("debug_request", content, "control").content
    assert reply["success"] in (False, True)
    assert reply["type"] == "response"
