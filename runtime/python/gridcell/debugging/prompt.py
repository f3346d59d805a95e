"""A prompt where compiled code stands, for programs without a front end's debugger: pdb's, whose
commands to go on are those of the compiled code."""
import signal

from gridcell.debugging.place import traceback_of

_classes = {}


def ask(place, reason):
    """Returns when the thread was told to go on."""
    goes_on = False
    while not goes_on:
        debugger = _make_debugger(place)
        debugger.reset()
        debugger.message(f"Stopped in {place.thread_name()}")
        debugger.interaction(None, traceback_of(place.calls()))
        goes_on = debugger.goes_on


def _base():
    import pdb
    return pdb.Pdb  # in a notebook it is the one that asks the front end


def _make_class(base):
    class Prompt(base):
        goes_on = False

        def _go(self, how):
            self.goes_on = True
            self.place.go_on(how)
            return True

        def do_continue(self, _):
            """c(ontinue): until a breakpoint."""
            return self._go("continue")

        do_c = do_cont = do_continue

        def do_step(self, _):
            """s(tep): to the next line, also of a function that is called."""
            return self._go("into")

        do_s = do_step

        def do_next(self, _):
            """n(ext): to the next line of this function, or of who called it."""
            return self._go("over")

        do_n = do_next

        def do_return(self, _):
            """r(eturn): until this function has returned."""
            return self._go("out")

        do_r = do_return

        def do_barrier(self, _):
            """barrier: to the line behind the thread's next barrier."""
            return self._go("barrier")

        def _switch(self, kind, text):
            try:
                self.goes_on = self.place.switch(kind, text)
            except ValueError as error:
                self.error(str(error))
                return False
            return True  # the prompt begins anew, in that thread

        def do_thread(self, text):
            """thread x,y,z: look at that thread of the block, or go on to where it begins."""
            return self._switch("thread", text)

        def do_block(self, text):
            """block x,y,z: go on to where that block begins."""
            return self._switch("block", text)

        def do_break(self, text):
            """b(reak) LINE[, CONDITION]: stop there, in the file that is looked at."""
            from gridcell import debugging
            line, _, condition = text.partition(",")
            if not line.strip().isdigit():
                self.error("break takes the number of a line, and a condition after a comma")
                return
            file = self.curframe.f_code.co_filename
            rows = debugging.breakpoints.get(file, []) + [(int(line), condition.strip() or None)]
            debugging.set_breakpoints(file, rows)
            self.message(f"Breakpoint at {file}:{int(line)}")

        do_b = do_break

        def do_clear(self, _):
            """cl(ear): forget the breakpoints of the file that is looked at."""
            from gridcell import debugging
            debugging.set_breakpoints(self.curframe.f_code.co_filename, [])

        do_cl = do_clear

        def do_quit(self, _):
            """q(uit): end the code by an interrupt."""
            self.goes_on = True
            signal.raise_signal(signal.SIGINT)
            return True

        do_q = do_exit = do_quit

        def default(self, line):
            if line.startswith("%"):
                return self.onecmd(line[1:])
            return super().default(line)

    return Prompt


def _make_debugger(place):
    if "prompt" not in _classes:
        _classes["prompt"] = _make_class(_base())
    debugger = _classes["prompt"]()
    debugger.place = place
    return debugger
