"""One front end's debugger, for tests."""
import json
import time


class Debugger:
    """One front end's debugger panel."""

    def __init__(self, kernel):
        self.kernel, self.sequence, self.events = kernel, 0, []

    def ask(self, command, timeout=20, **arguments):
        self.sequence += 1
        content = {"type": "request", "seq": self.sequence, "command": command, "arguments": arguments}
        msg_id = self.kernel.send("debug_request", content, "control")
        reply = self.kernel.receive_reply(msg_id, "control", timeout)
        assert reply["msg_type"] == "debug_reply"
        content = reply["content"]
        assert content["type"] == "response"
        assert (content["request_seq"], content["command"]) == (self.sequence, command)
        return content

    def body(self, command, **arguments):
        reply = self.ask(command, **arguments)
        assert reply["success"], json.dumps(reply)
        return reply.get("body") or {}

    def begin(self):
        self.body("initialize", clientID="test", clientName="test", adapterID="", pathFormat="path",
                  linesStartAt1=True, columnsStartAt1=True, supportsVariableType=True,
                  supportsVariablePaging=True, supportsRunInTerminalRequest=True, locale="en")
        self.body("attach")
        self.body("configurationDone")

    def break_at(self, code, *lines):
        path = self.body("dumpCell", code=code)["sourcePath"]
        points = self.body("setBreakpoints", source={"path": path}, sourceModified=False,
                           breakpoints=[{"line": line} for line in lines])["breakpoints"]
        assert all(point["verified"] for point in points)
        return path

    def run_to(self, code, line):
        """Runs a cell up to a line of it; the request, and what was told when it stopped."""
        self.begin()
        self.break_at(code, line)
        msg_id = self.kernel.client.execute(code)
        return msg_id, self.wait_for("stopped")

    def wait_for(self, name, timeout=20):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            message = self.kernel.client.get_iopub_msg(timeout=timeout)
            if message["msg_type"] == "debug_event" and message["content"]["event"] == name:
                return message["content"].get("body") or {}
        raise AssertionError(f"no event {name}")

    def frames(self, stopped):
        return self.body("stackTrace", threadId=stopped["threadId"])["stackFrames"]

    def variables(self, frame, scope="Locals"):
        scopes = self.body("scopes", frameId=frame["id"])["scopes"]
        reference = next(s["variablesReference"] for s in scopes if s["name"] == scope)
        found = self.body("variables", variablesReference=reference)["variables"]
        return {variable["name"]: variable for variable in found}
