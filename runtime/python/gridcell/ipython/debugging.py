"""%debug and %pdb: Python's debugger, its prompt a question to the front end."""
import sys

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

CONTEXT = 5  # lines shown around the one that runs
_classes = {}


def install(pdb):
    """Called when `pdb` was imported: an interrupt at its prompt ends the cell, where pdb itself
    would ask again."""
    def run_prompt(self):
        self.nosigint = True  # later interrupts are the cells' own, not this debugger's
        try:
            self.allow_kbdint = True
            self.cmdloop()
            self.allow_kbdint = False
        except KeyboardInterrupt:
            self.message("--KeyboardInterrupt--")
            self.set_continue()
            sys.settrace(None)
            raise

    pdb.Pdb._cmdloop = run_prompt


def make_class():
    import linecache
    import pdb

    class Debugger(pdb.Pdb):
        """Asks through input(), which leads to the front end, and shows code around the place."""

        def __init__(self):
            super().__init__(nosigint=True)
            self.prompt, self.use_rawinput = "ipdb> ", True

        def _print_code(self, frame, numbers, current):
            for number in numbers:
                line = linecache.getline(frame.f_code.co_filename, number, frame.f_globals)
                if not line:
                    continue
                label = f"{number:>7}"
                if number == current:
                    label = f"{'-' * (5 - len(str(number)))}> {number}"
                if number in self.get_file_breaks(frame.f_code.co_filename):
                    label = "*" + label[1:]
                self.message(f"{label} {line.rstrip()}")

        def print_stack_entry(self, frame_lineno, prompt_prefix=pdb.line_prefix):
            frame, number = frame_lineno
            mark = "> " if frame is self.curframe else "  "
            name = frame.f_code.co_name
            if "__return__" in frame.f_locals:
                self.message(repr(frame.f_locals["__return__"]))
            self.message(f"{mark}{self.canonic(frame.f_code.co_filename)}({number})"
                         f"{name}{'' if name == '<lambda>' else '()'}")
            last = len(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
            first = max(1, min(number - CONTEXT // 2, last - CONTEXT + 1))
            self._print_code(frame, range(first, first + CONTEXT), number)
            self.message("")

        def _print_lines(self, lines, start, breaks=(), frame=None):
            if frame is None:
                super()._print_lines(lines, start, breaks, frame)
                return
            current = self.stack[self.curindex][1] if frame is self.curframe else frame.f_lineno
            self._print_code(frame, range(start, start + len(lines)), current)
            self.message("")

        def stop_at(self, path, number):
            """A breakpoint on the first line from there on that has code."""
            for line in range(number, number + 10):
                if not self.set_break(path, line):
                    self.message(f"Breakpoint {self.get_breaks(path, line)[-1].number} at "
                                 f"{self.canonic(path)}:{line}")
                    return
            raise UsageError(f"I failed to find a valid line to set a breakpoint after trying up to "
                             f"line: {number + 9}. Please set a valid breakpoint manually with the -b "
                             "option.")

    return Debugger


def make_debugger():
    """A debugger that talks to the front end."""
    if "debugger" not in _classes:
        _classes["debugger"] = make_class()
    return _classes["debugger"]()


def post_mortem(traceback=None):
    """Looks at where the last exception happened."""
    error = kernel.state("exception")
    traceback = traceback or (error.__traceback__ if error is not None else None)
    if traceback is None:
        print("No traceback has been produced, nothing to debug.", file=sys.stderr)
        return
    while traceback.tb_next and _is_own(traceback):
        traceback = traceback.tb_next
    debugger = make_debugger()
    debugger.reset()
    debugger.interaction(None, traceback)


def _is_own(traceback):
    return "/gridcell/ipython/" in traceback.tb_frame.f_code.co_filename


def _take_breakpoint(line):
    """`-b place` off the front of the line."""
    place = None
    words = line.split(None, 2)
    if words and words[0] in ("-b", "--breakpoint"):
        if len(words) < 2:
            raise UsageError("argument --breakpoint/-b: expected one argument")
        place, line = words[1], words[2] if len(words) > 2 else ""
    return place, line


def debug(line, cell=None):
    """Without an argument, the last exception; else runs the statement in the debugger."""
    place, line = _take_breakpoint(line)
    statement = line if cell is None else f"{line}\n{cell}" if line else cell
    if not statement.strip():
        post_mortem()
        return
    space = kernel.state("user_ns")
    debugger = make_debugger()
    if place:
        path, _, number = place.rpartition(":")
        debugger.stop_at(path, int(number))
    print("NOTE: Enter 'c' at the ipdb>  prompt to continue execution.")
    debugger.run(kernel.transform_cell(statement), space, space)


def pdb_magic(line):
    """%pdb: whether every error opens the debugger."""
    words = {"on": True, "1": True, "off": False, "0": False}
    text = line.strip().lower()
    if text and text not in words:
        print("Incorrect argument. Use on/1, off/0, or nothing for a toggle.")
        return
    turns_on = words[text] if text else not kernel.switch("pdb")
    kernel.switch("pdb", turns_on)
    print("Automatic pdb calling has been turned", "ON" if turns_on else "OFF")
