"""Answers of the Debug Adapter Protocol about compiled code that stands. Called on the debugger's own
thread, but for what is told when a thread stops."""
import _gridcell_kernel as kernel

from gridcell import debugging
from gridcell.debugging.place import Dim3, PythonCall
from gridcell.debugging.rules import condition_of
from gridcell.ipython.debugger import References, stop_in

THREAD = 1 << 20        # its number; debugpy's are small
_REFERENCES = 1 << 29   # of variables, from there on
_SHOWN = ("int", "float", "bool", "str")  # types whose values JupyterLab shows; else it shows the type
_HOW = {"continue": "continue", "next": "over", "stepIn": "into", "stepOut": "out"}


class _FrontEnd:
    """What is shown of one stop, and who is told of it."""

    def __init__(self):
        self.frame_ids, self.references, self.scopes = 0, References(_REFERENCES), {}

    def stopped(self, place, reason):
        stop_in(None)
        self.show(reason if reason != "call" else "breakpoint", place)

    def show(self, reason, place):
        self.references = References(_REFERENCES)
        self.scopes = {}
        kernel.debug_event("stopped", {"reason": reason, "threadId": THREAD, "allThreadsStopped": True,
                                       "preserveFocusHint": False, "description": place.thread_name()})

    def resumed(self, left):
        """A step that finds no further line of compiled code ends at the next one of the Python code that called."""
        if left is not None and left.how in ("over", "into", "out") and left.python_calls:
            stop_in(left.python_calls[0].frame)
        kernel.debug_event("continued", {"threadId": THREAD, "allThreadsContinued": True})


def begin():
    debugging.attach(_FrontEnd())


def end():
    debugging.detach()


def set_breakpoints(arguments):
    path = (arguments.get("source") or {}).get("path")
    rows = [(int(point["line"]), condition_of(point)) for point in arguments.get("breakpoints") or ()]
    if path and debugging.front_end is not None:
        debugging.set_breakpoints(path, rows)


def serve(command, arguments):
    place, front_end = debugging.place, debugging.front_end
    answer = _ANSWERS.get(command)
    if place is None or front_end is None or answer is None:
        return None
    return answer(place, front_end, arguments)


def _threads(place, front_end, arguments):
    return {"threads": [{"id": THREAD, "name": place.thread_name()}]}


def _stack_trace(place, front_end, arguments):
    frames = [{"id": THREAD + level, "name": call.name, "line": call.line, "column": 1,
               "source": {"path": call.file, "sourceReference": 0}}
              for level, call in enumerate(place.calls())]
    start, count = int(arguments.get("startFrame") or 0), int(arguments.get("levels") or len(frames))
    return {"stackFrames": frames[start:start + count], "totalFrames": len(frames)}


def _call_of(place, frame_id):
    return place.call(0 if frame_id is None else frame_id - THREAD)


def _scopes(place, front_end, arguments):
    call = _call_of(place, arguments.get("frameId"))
    groups = [("Locals", call.locals)]
    if call.geometry:
        groups.append(("CUDA", call.geometry))
    if isinstance(call, PythonCall):
        groups.append(("Globals", call.globals()))
    scopes = []
    for name, values in groups:
        number = _REFERENCES + (1 << 28) + len(front_end.scopes)
        front_end.scopes[number] = (call, values)
        scopes.append({"name": name, "variablesReference": number, "expensive": False,
                       "presentationHint": name.lower()})
    return {"scopes": scopes}


def _variables(place, front_end, arguments):
    number = arguments["variablesReference"]
    if number >= _REFERENCES << 1 or number < _REFERENCES:
        return None
    if number not in front_end.scopes:
        return front_end.references.children(arguments)
    call, values = front_end.scopes[number]
    found = []
    for name, value in list(values.items()):
        row = front_end.references.describe(name, value, name)
        if isinstance(value, Dim3):
            row.update(value=str(tuple(value)), type=str(tuple(value)), variablesReference=0)
        elif row["type"] not in _SHOWN:
            row["type"] = call.types.get(name, row["type"])
        found.append(row)
    return {"variables": found}


def _evaluate(place, front_end, arguments):
    """Of an expression, or of %thread and its like."""
    text = (arguments.get("expression") or "").strip()
    if text.startswith("%"):
        return _command(place, front_end, text[1:])
    value = _call_of(place, arguments.get("frameId")).evaluate(text)
    row = front_end.references.describe("", value, text)
    return {"result": row["value"], "type": row["type"], "variablesReference": row["variablesReference"]}


def _command(place, front_end, text):
    word, _, rest = text.partition(" ")
    if word == "barrier" and rest.strip():
        raise ValueError(f"%barrier takes nothing; not {rest.strip()!r}")
    if word == "barrier":
        place.go_on("barrier")
    elif word not in ("thread", "block"):
        raise ValueError(f"%{word} is no command of the debugger: %thread x,y,z, %block x,y,z and %barrier are")
    elif not rest.strip():
        return {"result": place.thread_name(), "variablesReference": 0}
    elif not place.switch(word, rest):
        front_end.show("goto", place)
        return {"result": place.thread_name(), "variablesReference": 0}
    return {"result": "goes on", "variablesReference": 0}


def _go_on(how):
    def answer(place, front_end, arguments):
        place.go_on(how)
        return {"allThreadsContinued": True}
    return answer


def _refuse(place, front_end, arguments):
    raise ValueError("variables of compiled code can be looked at, and not be set")


def _rich(place, front_end, arguments):
    name = arguments["variableName"]
    call = _call_of(place, arguments.get("frameId"))
    if name not in call.locals:
        return None
    data, metadata = kernel.format(call.locals[name])
    return {"data": data, "metadata": metadata}


def _copy_to_globals(place, front_end, arguments):
    call = _call_of(place, arguments.get("srcFrameId"))
    kernel.state("user_ns")[arguments["dstVariableName"]] = call.evaluate(arguments["srcVariableName"])
    return {}


_ANSWERS = {"threads": _threads, "stackTrace": _stack_trace, "scopes": _scopes, "variables": _variables,
            "evaluate": _evaluate, "setVariable": _refuse, "setExpression": _refuse,
            "richInspectVariables": _rich, "copyToGlobals": _copy_to_globals,
            **{command: _go_on(how) for command, how in _HOW.items()}}
