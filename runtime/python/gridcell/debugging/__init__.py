"""The debugger of compiled code: where functions with debug=True stop, and who is told. The
extension asks stopped(), resumed(), condition_holds() and failed() on the thread that runs the code."""
import sys

from gridcell.debugging import rules
from gridcell.debugging.place import Call, Place

breakpoints = {}  # file -> [(line, condition or None)]
front_end = None  # told of stops, if a debugger of one is attached: an object with stopped() and resumed()
place = None      # where a thread stands now
has_prompted = False  # stops are the prompt's: its breakpoints, and how it went on


def _extension():
    return sys.modules.get("gridcell._gridcell")


def loaded(extension):
    """Called when the extension is loaded: breakpoints may be there already."""
    for file, rows in breakpoints.items():
        extension.debug_breakpoints(file, rows)


def set_breakpoints(file, rows):
    """Exchanges those of a file: (line, condition or None) of each."""
    if rows:
        breakpoints[file] = rows
    else:
        breakpoints.pop(file, None)
    extension = _extension()
    if extension:
        extension.debug_breakpoints(file, rows)


def attach(told):
    """A front end's debugger is told of stops from now on."""
    global front_end, has_prompted
    front_end, has_prompted = told, False


def detach():
    """Its breakpoints are gone, and what stands goes on."""
    global front_end
    front_end = None
    breakpoints.clear()
    extension = _extension()
    if extension:
        extension.debug_clear()
        extension.debug_go_on("continue")


# ---- what the extension asks

def stopped(reason):
    """A thread stands, this one. Returns when it was told to go on, or at once: it stands on."""
    global place, has_prompted
    place, told = Place(_extension(), sys._getframe().f_back), front_end
    if told is not None:
        told.stopped(place, reason)
    elif reason == "call" or has_prompted:
        from gridcell.debugging import prompt
        has_prompted = True
        prompt.ask(place, reason)
    else:  # the front end that wanted it has detached meanwhile
        place.go_on("continue")


def resumed(is_interrupted):
    global place
    left, place, told = place, None, front_end
    if told is not None:
        told.resumed(None if is_interrupted else left)


def condition_holds(condition, frame, variables):
    """Whether a breakpoint is to stop. It does where its condition cannot be evaluated."""
    try:
        return rules.holds(condition, Call(frame, variables))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        print(f"The condition {rules.described(condition)} of the breakpoint at line {frame[2]} of {frame[0]} failed: "
              f"{type(error).__name__}: {error}", file=sys.stderr)
        return True


def failed(calls):
    """(function, file, line, globals, locals) of each call that led to a kernel's exception."""
    described = [Call(frame, variables) for frame, variables in calls]
    return [(call.name, call.file, call.line, call.globals(), call.locals) for call in described]
