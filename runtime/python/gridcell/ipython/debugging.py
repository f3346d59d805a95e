"""%debug and %pdb, and what becomes of Python's module pdb in a notebook."""
import sys

import _gridcell_kernel as kernel
from IPython.core.error import UsageError


def install(pdb):
    """Called when `pdb` was imported: its class becomes the one that asks the front end, and an interrupt at its prompt
    ends the cell, where pdb itself would ask again."""
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
    from gridcell.ipython.prompt_debugger import Debugger
    pdb.Pdb = Debugger  # which set_trace(), pm() and post_mortem() make


def make_debugger():
    """A debugger that talks to the front end."""
    import pdb
    return pdb.Pdb(nosigint=True)


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
    import re
    option = re.match(r"\s*(?:-b|--breakpoint)(?:\s+|$)", line)
    if not option:
        return None, line
    place = re.match(r"""("[^"]*"|'[^']*'|\S+)\s*""", line[option.end():])
    if not place:
        raise UsageError("argument --breakpoint/-b: expected one argument")
    return place[1].strip("\"'"), line[option.end() + place.end():]


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
