"""%debug and %pdb: Python's debugger, its prompt a question to the front end."""
import sys

import _gridcell_kernel as kernel


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


def _make_debugger():
    import pdb

    class Debugger(pdb.Pdb):
        """Asks through input(), which leads to the front end."""

        def __init__(self):
            super().__init__(nosigint=True)
            self.prompt, self.use_rawinput = "ipdb> ", True

    return Debugger()


def post_mortem(traceback=None):
    """Looks at where the last exception happened."""
    error = kernel.state("exception")
    traceback = traceback or (error.__traceback__ if error is not None else None)
    if traceback is None:
        print("No traceback has been produced, nothing to debug.", file=sys.stderr)
        return
    while traceback.tb_next and _is_own(traceback):
        traceback = traceback.tb_next
    debugger = _make_debugger()
    debugger.reset()
    debugger.interaction(None, traceback)


def _is_own(traceback):
    return "/gridcell/ipython/" in traceback.tb_frame.f_code.co_filename


def debug(line, cell=None):
    """Without an argument, the last exception; else runs the statement in the debugger."""
    statement = line if cell is None else f"{line}\n{cell}" if line else cell
    if not statement.strip():
        post_mortem()
        return
    space = kernel.state("user_ns")
    _make_debugger().run(kernel.transform_cell(statement), space, space)
