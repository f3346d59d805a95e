"""Calls of compiled functions, and what expressions mean in them."""
import sys
import types
from collections import namedtuple

Dim3 = namedtuple("Dim3", "x y z")
_GEOMETRY = ("blockIdx", "threadIdx", "gridDim", "blockDim")


class Opaque:
    """A value that Python does not get."""

    def __init__(self, type_name):
        self.type_name = type_name

    def __repr__(self):
        return f"<{self.type_name}>"


class _Cuda:
    """numba.cuda as a thread of a kernel sees it."""

    def __init__(self, module, geometry):
        self.__dict__.update(geometry, _module=module)

    def __getattr__(self, name):
        return getattr(self._module, name)


def _names_of_file(file):
    """The globals of code in a file: of a module, or of the notebook or program."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == file:
            return vars(module)
    kernel = sys.modules.get("_gridcell_kernel")
    return kernel.state("user_ns") if kernel else vars(sys.modules["__main__"])


class Call:
    """One call: `frame` and `variables` as the extension describes them."""

    def __init__(self, frame, variables):
        self.name, self.file, self.line, block, thread, grid_dim, block_dim = frame
        self.geometry = {}
        if block is not None:
            self.geometry = dict(zip(_GEOMETRY, (Dim3(*each) for each in (block, thread, grid_dim, block_dim))))
        self.types = {name: type_name for name, type_name, *_ in variables}
        self.locals = {name: value if is_known else Opaque(type_name)
                       for name, type_name, value, is_known, _ in variables}

    def globals(self):
        names = dict(_names_of_file(self.file))
        if self.geometry:
            cuda = sys.modules.get("numba.cuda")
            told = _Cuda(cuda, self.geometry)
            names.update((name, told) for name, value in list(names.items()) if value is cuda)
            for name, value in self.geometry.items():
                names.setdefault(name, value)
        return names

    def evaluate(self, expression):
        """Also inner functions of the expression see the variables."""
        return eval(expression.strip(), {**self.globals(), **self.locals})


class PythonCall:
    """A call of Python code that led to the compiled one."""

    geometry = {}

    def __init__(self, frame):
        self.frame = frame
        self.name, self.file, self.line = frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno
        self.locals, self.types = frame.f_locals, {}

    def globals(self):
        return self.frame.f_globals

    def evaluate(self, expression):
        return eval(expression.strip(), self.frame.f_globals, self.frame.f_locals)


def _is_own(frame):
    file = frame.f_code.co_filename
    return file.startswith("<frozen") or "/gridcell/" in file or "/numba/" in file and "python/gridcell" in file


def _python_calls(frame):
    """Those of the user, the innermost one first."""
    found = []
    while frame is not None:
        if not _is_own(frame):
            found.append(PythonCall(frame))
        frame = frame.f_back
    return found


def _numbers(text):
    """'3', '3,1' or '(3, 1, 0)' as three numbers; None if it is nothing of the kind."""
    words = text.strip().strip("()[]").split(",")
    words = [word.strip() for word in words if word.strip()]
    if not 1 <= len(words) <= 3 or not all(word.isdigit() for word in words):
        return None
    return tuple(map(int, words)) + (0,) * (3 - len(words))


class Place:
    """Where a thread stands; the thread that is looked at may be another one of its block."""

    def __init__(self, extension, python_frame):
        self.extension, self.where = extension, None
        self.how = None  # it was told to go on
        self.python_calls = _python_calls(python_frame)
        self.forget()

    def forget(self):
        """What was read of another thread."""
        self._calls = {}

    def _frames(self, where):
        found = self.extension.debug_frames(where)
        if found is None:
            raise RuntimeError("nothing stands any more")
        return found

    def calls(self):
        """All of the thread that is looked at, the innermost one first."""
        _, frames = self._frames(self.where)
        return [self.call(level) for level in range(len(frames))] + self.python_calls

    def call(self, level):
        if level not in self._calls:
            _, frames = self._frames(self.where)
            if level >= len(frames):
                return self.python_calls[level - len(frames)]
            variables = self.extension.debug_variables(self.where, level)
            self._calls[level] = Call(frames[level], variables)
        return self._calls[level]

    def standing(self):
        """(block, thread) of the one that stands; None on the host."""
        frame = self._frames(None)[1][0]
        return None if frame[3] is None else (frame[3], frame[4])

    def thread_name(self):
        where = self.where or self.standing()
        return "the host" if where is None else f"block {where[0]} thread {where[1]}"

    # ---- commands

    def go_on(self, how):
        self.how = how
        return self.extension.debug_go_on(how)

    def switch(self, kind, text):
        """%thread x,y,z and %block x,y,z. True: the thread goes on, to where that one begins; else it is
        looked at."""
        standing = self.standing()
        if standing is None:
            raise ValueError(f"%{kind} is for kernels on the emulated device; this is a function of the host")
        frame = self._frames(None)[1][0]
        extent = frame[5] if kind == "block" else frame[6]
        numbers = _numbers(text)
        if numbers is None:
            raise ValueError(f"%{kind} takes one to three numbers, for instance %{kind} 1,0,0; not {text.strip()!r}")
        if any(number >= most for number, most in zip(numbers, extent)):
            raise ValueError(f"there is no {kind} {numbers}: the {'grid' if kind == 'block' else 'block'} is {extent}")
        block, thread = self.where or standing
        wanted = (numbers, (0, 0, 0)) if kind == "block" else (block, numbers)
        state, _ = self._frames(wanted)
        if state == "ended":
            raise ValueError(f"block {wanted[0]} thread {wanted[1]} has ended: threads of a block run one after "
                             "another, from barrier to barrier, and blocks in order")
        self.forget()
        if state == "pending":
            self.where = None
            return self.extension.debug_go_to(*wanted)
        self.where = None if state == "here" else wanted
        return False


def traceback_of(calls):
    """A traceback through these calls, for pdb: of frames that stand where they do."""
    made = None
    for call in calls:
        frame = call.frame if isinstance(call, PythonCall) else _make_frame(call)
        made = types.TracebackType(made, frame, max(frame.f_lasti, 0), call.line)
    return made


def _make_frame(call):
    """A Python frame with the call's name, file, line and variables: of code that fails there."""
    code = compile("\n" * (call.line - 1) + "0/0", call.file, "exec").replace(co_name=call.name)
    try:
        exec(code, call.globals(), call.locals)
    except ZeroDivisionError as error:
        return error.__traceback__.tb_next.tb_frame
