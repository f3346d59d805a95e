"""A program that grows: its functions in two renderings, the compiled one and the reference in plain Python.

`code` is what a user would write and gridcell compiles; `ref` says the same for CPython, with numba's number
types spelled out by calls of numba_model.py.
"""
import contextlib
from typing import NamedTuple

from choices import Choices


class Expr(NamedTuple):
    kind: object
    code: str
    ref: str


class Callee(NamedTuple):
    """A function that others may call. `cost` counts statements of a call, loops included."""
    name: str
    parameters: tuple
    result: object
    cost: int
    form: str = "function"
    names: tuple = ()  # of the parameters, where they may be said in a call


class Scope:
    """The body of one function while it is written."""

    def __init__(self, program, parameters=()):
        self.program = program
        self.parameters = [name for name, _ in parameters]  # those that nothing is assigned to
        self.variables = {**program.constants, **dict(parameters)}
        self.fixed = set(program.constants)      # names that statements must not assign to
        self.exact = set()      # arrays of floats that add up without rounding, and are only read
        self.lines = []         # (indent, code, ref)
        self.indent = 1
        self.loops = 0          # around the current statement
        self.weight = 1         # how often the current statement runs, about
        self.cost = 0
        self.result = None
        self.may_raise = True
        self.returns = True     # whether `return` may stand here
        self.yields = None      # the kind of a generator's items
        self.leaves = True      # whether break and continue may stand in the innermost loop

    def emit(self, code, ref=None):
        self.lines.append((self.indent, code, code if ref is None else ref))
        self.cost += self.weight

    def assign(self, name, value):
        if name in self.parameters:
            self.parameters.remove(name)
        self.emit(f"{name} = {value.code}", f"{name} = {value.ref}")

    @contextlib.contextmanager
    def block(self, code, ref=None, keeps=False):
        """The lines of an indented block; names that are first set in it are forgotten behind it."""
        self.emit(code, ref)
        before = dict(self.variables)
        self.indent += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.emit("pass")
        self.indent -= 1
        if not keeps:
            self.variables = before

    @contextlib.contextmanager
    def loop(self, turns, leaves=True):
        outer = (self.loops, self.weight, self.leaves)
        self.loops, self.weight, self.leaves = self.loops + 1, self.weight * max(turns, 1), leaves
        yield
        self.loops, self.weight, self.leaves = outer

    def names(self, accept):
        return [name for name, kind in self.variables.items() if accept(kind)]

    def text(self, which, header):
        return "\n".join([header, *("    " * line[0] + line[which] for line in self.lines)])


class Program:
    MOST_COST = 4000  # statements that a call of main may run, about

    def __init__(self, choices: Choices):
        self.choices = choices
        self.code = []       # top-level texts
        self.ref = []
        self.arguments = []  # a list of Expr for each call of main
        self.callees = []
        self.tables = {}     # arrays of the module: name: kind
        self.constants = {}  # of the module: name: kind
        self.classes = {}    # name: of jitclasses and named tuples, see records.py
        self.calls = 3       # of main, with other arguments of the same types
        self.serial = 0
        self.numpy_errors = False
        self.parallel = False
        self.device = False  # a CUDA kernel: floats stay exact, and there are fewer statements
        self.tolerance = 0.0

    def add_argument(self, make):
        """Another argument of main, of a value for each call; the first one."""
        if not self.arguments:
            self.arguments = [[] for _ in range(self.calls)]
        for values in self.arguments:
            values.append(make())
        return self.arguments[0][-1]

    def fresh(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def define(self, code, ref=None):
        self.code.append(code)
        self.ref.append(code if ref is None else ref)

    def options(self):
        options = []
        if self.numpy_errors:
            options.append("error_model='numpy'")
        if self.parallel:
            options.append("parallel=True")
        return f"({', '.join(options)})" if options else ""

    def add_function(self, name, scope, parameters, form="function", decorator=None):
        header = f"def {name}({', '.join(parameter for parameter, _ in parameters)}):"
        decorator = decorator or f"@njit{self.options()}"
        self.define(f"{decorator}\n{scope.text(1, header)}", scope.text(2, header))
        callee = Callee(name, tuple(kind for _, kind in parameters), scope.result, scope.cost, form,
                        tuple(parameter for parameter, _ in parameters))
        self.callees.append(callee)
        return callee
