"""The debugger of %debug, pdb.set_trace(), breakpoint() and ipdb: Python's own, whose prompt is a question to the
front end, and which shows code around each place."""
import linecache
import pdb
import re
import sys
import types

import _gridcell_kernel as kernel

CONTEXT = 5  # lines shown around the one that runs
SKIPPED = "    [... skipping {} hidden frame(s)]"


def _count(text, what):
    """A number of lines or frames, out of what was typed."""
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"{what} takes a positive number, not {text!r}")
    return int(text)


def _starts_the_kernel(code):
    return code.co_name == "run_command" and code.co_filename.endswith("/gridcell/__main__.py")


class Debugger(pdb.Pdb):
    """Asks through input(), which leads to the front end."""

    def __init__(self, completekey="tab", stdin=None, stdout=None, context=CONTEXT, **kwargs):
        if sys.version_info < (3, 14):
            kwargs.pop("mode", None)
        super().__init__(completekey or "tab", stdin, stdout, **kwargs)
        self.prompt, self.context = "ipdb> ", int(context or CONTEXT)
        self.use_rawinput = stdin is None or self.use_rawinput
        self.skip_hidden, self.report_skipped = True, True
        self.shell = kernel.get_ipython()

    def set_trace(self, frame=None, **kwargs):
        """Stops in the caller."""
        return super().set_trace(frame or sys._getframe().f_back, **kwargs)

    def set_theme_name(self, name):
        """Colours follow the front end."""

    set_colors = set_theme_name

    # ---- frames
    def get_stack(self, f, t):
        """Without the frames of `python -m gridcell kernel` below those of the cells."""
        stack, at = super().get_stack(f, t)
        first = max((n + 1 for n, (frame, _) in enumerate(stack) if _starts_the_kernel(frame.f_code)), default=0)
        return stack[first:], at - first

    def _is_hidden(self, frame):
        """Whether a function asks, by `__tracebackhide__ = True`, to be passed over."""
        return self.skip_hidden and frame is not self._shown and bool(frame.f_locals.get("__tracebackhide__", False))

    _shown = None

    def hidden_frames(self, stack):
        """For each entry of a stack, whether it is passed over."""
        self._shown = stack[-1][0] if stack else None
        return [self._is_hidden(frame) for frame, _ in stack]

    def _move(self, arg, step):
        """up and down: by so many frames that are not hidden."""
        try:
            count = _count(arg or "1", "the command")
        except ValueError as error:
            self.error(str(error))
            return
        hidden, at, skipped = self.hidden_frames(self.stack), self.curindex, 0
        while count:
            at += step
            if not 0 <= at < len(self.stack):
                self.error(("Oldest" if step < 0 else "Newest") + " frame" if not skipped else
                           "all frames " + ("above" if step < 0 else "below") +
                           " hidden, use `skip_hidden False` to get into those.")
                return
            skipped += hidden[at]
            count -= not hidden[at]
        if skipped and self.report_skipped:
            self.message(SKIPPED.format(skipped))
        self._select_frame(at)

    def do_up(self, arg):
        """u(p) [count]

        Moves to an older frame, past those that hide themselves.
        """
        self._move(arg, -1)

    def do_down(self, arg):
        """d(own) [count]

        Moves to a newer frame, past those that hide themselves.
        """
        self._move(arg, 1)

    do_u, do_d = do_up, do_down

    def do_skip_hidden(self, arg):
        """skip_hidden [true | false]

        Whether frames that hide themselves (__tracebackhide__) are passed over; which it is, without an argument.
        """
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if not arg.strip():
            self.message(f"skip_hidden = {self.skip_hidden}, use 'yes','no', 'true', or 'false' to change.")
        elif arg.strip().lower() in words:
            self.skip_hidden = words[arg.strip().lower()]
        else:
            self.error("skip_hidden takes true or false")

    def do_context(self, context):
        """context number_of_lines

        How many lines are shown around the place of a frame.
        """
        try:
            self.context = _count(context.strip(), "The 'context' command")
        except ValueError as error:
            self.error(str(error))

    # ---- what is shown
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

    def print_stack_entry(self, frame_lineno, prompt_prefix=pdb.line_prefix, context=None):
        """A place, and the lines around it."""
        self._print_entry(frame_lineno, context)
        self.message("")

    def _print_entry(self, frame_lineno, context):
        context = self.context if context is None else int(context)
        frame, number = frame_lineno
        mark = "> " if frame is self.curframe else "  "
        name = frame.f_code.co_name
        if "__return__" in frame.f_locals:
            self.message(repr(frame.f_locals["__return__"]))
        self.message(f"{mark}{self.canonic(frame.f_code.co_filename)}({number})"
                     f"{name}{'' if name == '<lambda>' else '()'}")
        last = len(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
        first = max(1, min(number - context // 2, last - context + 1))
        self._print_code(frame, range(first, first + context), number)

    def print_stack_trace(self, count=None, context=None):
        """All places, the last few, or with 0 the chosen one, which is how 3.14 shows where it stops."""
        if count == 0:
            self.print_stack_entry(self.stack[self.curindex], context=context)
            return
        entries = list(zip(self.hidden_frames(self.stack), self.stack))
        skipped = 0
        for is_hidden, entry in entries[-count:] if count else entries:
            skipped = skipped + 1 if is_hidden else skipped
            if not is_hidden:
                if skipped and self.report_skipped:
                    self.message(SKIPPED.format(skipped))
                skipped = 0
                self._print_entry(entry, context)
        self.message(SKIPPED.format(skipped) if skipped and self.report_skipped else "")

    def do_where(self, arg):
        """w(here) [context]

        All frames, the newest last, each with so many lines.
        """
        try:
            self.print_stack_trace(context=_count(arg.strip(), "where") if arg.strip() else None)
        except ValueError as error:
            self.error(str(error))

    do_w = do_bt = do_where

    def _print_lines(self, lines, start, breaks=(), frame=None):
        if frame is None:
            super()._print_lines(lines, start, breaks, frame)
            return
        current = self.stack[self.curindex][1] if frame is self.curframe else frame.f_lineno
        self._print_code(frame, range(start, start + len(lines)), current)
        self.message("")

    def default(self, line):
        if re.match(r"%(thread|block|barrier)\b", line):
            self.error("no kernel stands here: after an exception the thread that raised it is all there is. "
                       "breakpoint() stops a kernel where %thread, %block and %barrier work")
            return None
        return self._run_code(line)

    def _run_code(self, line):
        """Code: where a comprehension, lambda or generator in it needs the frame's names, these are at hand."""
        text = line[1:].strip() if line[:1] == "!" else line
        try:
            code = compile(text + "\n", "<stdin>", "single")
        except SyntaxError:
            return super().default(line)
        if not any(isinstance(part, types.CodeType) for part in code.co_consts):
            return super().default(line)
        return self._run_closure(code)

    def _run_closure(self, code):
        """Runs with the frame's names as global ones, which inner functions see; new and changed ones are the frame's."""
        own = self.curframe_locals if hasattr(self, "curframe_locals") else self.curframe.f_locals
        space = {**self.curframe.f_globals, **own}
        before, stdout, stdin, shown = dict(space), sys.stdout, sys.stdin, sys.displayhook
        sys.stdout, sys.stdin, sys.displayhook = self.stdout, self.stdin, self.displayhook
        try:
            exec(code, space)
        except BaseException as error:
            self.error(f"{type(error).__name__}: {error}")
        finally:
            sys.stdout, sys.stdin, sys.displayhook = stdout, stdin, shown
        own.update((name, value) for name, value in space.items()
                   if name != "__builtins__" and (name not in before or before[name] is not value))

    # ---- about objects of the frame
    def _show(self, part, arg):
        from gridcell.ipython import inspecting
        try:
            value = eval(arg, self.curframe.f_globals, self.curframe.f_locals)
        except Exception as error:
            self.error(f"{type(error).__name__}: {error}")
            return
        self.message({"pdef": lambda: inspecting.signature_text(value, arg) or f"No definition header found for {arg}",
                      "pdoc": lambda: inspecting.docstrings(value) or f"No documentation found for {arg}",
                      "psource": lambda: inspecting.source_text(value) or f"No source found for {arg}",
                      "pfile": lambda: inspecting.text_of_file(value) or f"No file found for {arg}",
                      "pinfo": lambda: inspecting.describe(value, arg),
                      "pinfo2": lambda: inspecting.describe(value, arg, 1)}[part]())

    def do_pdef(self, arg):
        """The signature of a function or class."""
        self._show("pdef", arg)

    def do_pdoc(self, arg):
        """The docstring of an object."""
        self._show("pdoc", arg)

    def do_pfile(self, arg):
        """The file in which an object is defined."""
        self._show("pfile", arg)

    def do_pinfo(self, arg):
        """All about an object, as `object?` shows it."""
        self._show("pinfo", arg)

    def do_pinfo2(self, arg):
        """All about an object, with its source, as `object??` shows it."""
        self._show("pinfo2", arg)

    def do_psource(self, arg):
        """The source of an object."""
        self._show("psource", arg)

    def stop_at(self, path, number):
        """A breakpoint on the first line from there on that has code."""
        for line in range(number, number + 10):
            if not self.set_break(path, line):
                self.message(f"Breakpoint {self.get_breaks(path, line)[-1].number} at "
                             f"{self.canonic(path)}:{line}")
                return
        from IPython.core.error import UsageError
        raise UsageError(f"I failed to find a valid line to set a breakpoint after trying up to "
                         f"line: {number + 9}. Please set a valid breakpoint manually with the -b "
                         "option.")


def set_trace(frame=None, header=None):
    """Stops in the caller, after a text."""
    debugger = pdb.Pdb()
    if header is not None:
        debugger.message(header)
    debugger.set_trace(frame or sys._getframe().f_back)
