"""What plain Python makes of a program, and whether compiled code is bound to agree with it.

The program is run with its operations replaced by checked ones: `Undecided` ends the run where
numba's documented rules differ from Python's (integers past 64 bits, powers, loops without end)."""
import ast
import dis
import math
import operator

import numpy as np

STEPS = 20_000
EXACT = 2**53
OPERATORS = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv,
             "FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow,
             "LShift": operator.lshift, "RShift": operator.rshift, "BitAnd": operator.and_,
             "BitOr": operator.or_, "BitXor": operator.xor, "MatMult": operator.matmul}
COMPARISONS = {"Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge,
               "Eq": operator.eq, "NotEq": operator.ne, "Is": operator.is_, "IsNot": operator.is_not,
               "In": lambda left, right: left in right, "NotIn": lambda left, right: left not in right}


class Undecided(BaseException):
    """Python's answer says nothing about compiled code's."""


class Checker:
    """The functions that an instrumented program calls."""

    def __init__(self, exact=False, has_scalars=False, is_unchecked=False):
        self.exact = exact  # integers that do not fit are errors
        self.has_scalars = has_scalars  # scalars of NumPy stay what they are
        self.is_unchecked = is_unchecked  # an index out of bounds may go unnoticed
        self.steps = 0
        self.kinds = {}

    def tick(self):
        self.steps += 1
        if self.steps > STEPS:
            raise Undecided("too many steps")

    def value(self, value):
        """A value as compiled code has it: scalars of NumPy are plain ones."""
        self.tick()
        if isinstance(value, np.generic) and value.dtype.kind not in "mMV":
            value = value.item()
        if isinstance(value, complex):
            raise Undecided("complex")
        if isinstance(value, int) and not -2**63 <= value < 2**63:
            if self.exact:
                raise OverflowError("more than 64 bits")
            raise Undecided("more than 64 bits")
        if isinstance(value, (str, list, bytes, tuple)) and len(value) > 10_000:
            raise Undecided("long")
        if isinstance(value, np.ndarray) and value.dtype not in (np.int64, np.float64, np.bool_):
            raise Undecided("another element type")
        return value

    def iterate(self, value):
        return value.tolist() if isinstance(value, np.ndarray) else value

    def folded(self, value):
        """An expression of literals: Python computes it, however large, before anything is compiled."""
        if isinstance(value, int) and not -2**63 <= value < 2**63:
            raise Undecided("a literal past 64 bits")
        return self.value(value)

    def items(self, value):
        """What becomes an array: that an empty list is one of integers, Python does not know."""
        if np.size(value) == 0:
            raise Undecided("an array of nothing")
        return value

    def guard(self, name, left, right):
        self.tick()
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if name in ("LShift", "RShift") and numbers and not 0 <= right < 64:
            raise Undecided("wide shift")
        if name == "Pow" and numbers and (right < 0 or abs(right) > 64 or left < 0 != int(right) == right
                                          or abs(left) > 1e6 and not self.exact):
            raise Undecided("power")
        if name == "Mult" and not numbers and (right if isinstance(right, int) else 0) > 10_000:
            raise Undecided("long")
        if numbers and isinstance(left, bool) and isinstance(right, bool):
            raise Undecided("arithmetic of truth values")
        if numbers and max(abs(left), abs(right)) > EXACT and (
                name == "Div" or isinstance(left, float) != isinstance(right, float)):
            raise Undecided("inexact")

    def binary(self, name, left, right):
        self.guard(name, left, right)
        try:
            return self.value(OPERATORS[name](left, right))
        except OverflowError:
            if self.exact:
                raise
            raise Undecided("overflow") from None

    def inverted(self, value):
        """~ of a truth is the other one, as in numba and NumPy."""
        return self.value(not value if isinstance(value, bool) else ~value)

    def named(self, name, value):
        """A value bound to a name: a second type for one name is converted in compiled code."""
        kind = type(value)
        if self.kinds.setdefault(name, kind) is not kind:
            raise Undecided("another type for a name")
        return value

    def compare(self, name, left, right):
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if numbers and name in ("Is", "IsNot"):
            raise Undecided("identity of numbers")
        if numbers and isinstance(left, float) != isinstance(right, float) and max(
                abs(left), abs(right)) > EXACT:
            raise Undecided("inexact")
        return self.value(COMPARISONS[name](left, right))

    def integer(self, *values):
        """int() and round(), whose results differ where a float does not fit."""
        for value in values[:1]:
            if isinstance(value, float) and not abs(value) < 2**62:
                raise Undecided("float past 64 bits")
        return values


def is_folded(node):
    """Whether it is a constant to Python's compiler."""
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<constant>", "eval")
    return not code.co_names and all(step.opname in ("RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "NOP",
                                                     "LOAD_SMALL_INT") for step in dis.get_instructions(code))


def set_name(name, value):
    return ast.Assign([ast.Name(name, ast.Store())], value)


def as_value(index):
    """An index as an expression: 1:2 is slice(1, 2)."""
    if isinstance(index, ast.Tuple):
        return ast.Tuple([as_value(part) for part in index.elts], ast.Load())
    if not isinstance(index, ast.Slice):
        return index
    bounds = [bound or ast.Constant(None) for bound in (index.lower, index.upper, index.step)]
    return ast.Call(ast.Name("slice", ast.Load()), bounds, [])


class Instrument(ast.NodeTransformer):
    """Replaces operations by calls of the checker, which the program sees as `_k`."""

    def call(self, method, *arguments):
        function = ast.Attribute(ast.Name("_k", ast.Load()), method, ast.Load())
        return ast.Call(function, list(arguments), [])

    def visit_BinOp(self, node):
        if is_folded(node):
            return self.call("folded", node)
        self.generic_visit(node)
        return self.call("binary", ast.Constant(type(node.op).__name__), node.left, node.right)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Invert):
            return self.call("inverted", node.operand)
        return self.call("value", node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("int", "round") or (
                isinstance(node.func, ast.Attribute) and node.func.attr in ("floor", "ceil")):
            node.args = [ast.Starred(self.call("integer", *node.args), ast.Load())]
        elif isinstance(node.func, ast.Name) and node.func.id == "pow" and len(node.args) == 2:
            return self.call("binary", ast.Constant("Pow"), *node.args)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in ("array", "asarray") and node.args:
            node.args[0] = self.call("items", node.args[0])
        return self.call("value", node)

    def visit_Subscript(self, node):
        self.generic_visit(node)
        return self.call("value", node) if isinstance(node.ctx, ast.Load) else node

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) > 1:
            return self.call("value", node)
        return self.call("compare", ast.Constant(type(node.ops[0]).__name__), node.left,
                         node.comparators[0])

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = self.call("iterate", node.iter)
        return node

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = self.call("iterate", node.iter)
        node.body.insert(0, ast.Expr(self.call("tick")))
        return node

    def visit_While(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(self.call("tick")))
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        return [node, *self.bound(node.targets)]

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        operand = ast.Name("_operand", ast.Load())
        steps = [] if isinstance(node.target, ast.Name) else [set_name("_object", node.target.value)]
        if steps:  # the object and the index are asked for once, before the item and the operand
            node.target.value = ast.Name("_object", ast.Load())
        if isinstance(node.target, ast.Subscript):
            steps.append(set_name("_index", as_value(node.target.slice)))
            node.target.slice = ast.Name("_index", ast.Load())
        loaded = ast.parse(ast.unparse(node.target), mode="eval").body
        return [*steps, set_name("_before", loaded), set_name("_operand", node.value),
                ast.Expr(self.call("guard", ast.Constant(type(node.op).__name__), ast.Name("_before", ast.Load()), operand)),
                ast.AugAssign(node.target, node.op, operand),
                ast.Expr(self.call("value", loaded)), *self.bound([node.target])]

    def bound(self, targets):
        # not the variables of comprehensions in an index
        parts = [part for target in targets for part in getattr(target, "elts", [target])]
        names = [part for part in parts if isinstance(part, ast.Name)]
        if len({name.id for name in names}) < len(names):
            # CPython 3.11 stores the wrong one of two values
            raise Undecided("a name twice")
        return [ast.Expr(self.call("named", ast.Constant(name.id), ast.Name(name.id, ast.Load())))
                for name in names]


def instrumented(source, names=None, exact=False):
    """The functions of the source, in a namespace, with their checker."""
    tree = ast.fix_missing_locations(Instrument().visit(ast.parse(source)))
    checker = Checker(exact)
    namespace = {"np": np, "math": math, **(names or {}), "_k": checker}
    exec(compile(ast.parse(ast.unparse(tree)), "<oracle>", "exec"), namespace)
    return namespace, checker
