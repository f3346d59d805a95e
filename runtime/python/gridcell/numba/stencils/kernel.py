# SPDX-License-Identifier: MIT
"""The kernel of a stencil as a function of a place: relative indices become absolute ones."""
import ast
import types as python_types

from gridcell import _gridcell as _extension
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaValueError

_INDEX = "stencil_index"  # in a kernel: the class of indices, which never count from the end
_NAME = "stencil_kernel"


def place_names(ndim):
    """The parameters of a place."""
    return [f"stencil_at_{axis}" for axis in range(ndim)]


class _Bounds:
    """Between which integers an index lies: of constants, and of loops over constant ranges."""

    def __init__(self, function, node):
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        self._outside = {**function.__globals__,
                         **{name: cell.cell_contents for name, cell in closure.items()}}
        self._sources = {}  # name -> what it is set to; None: to something else
        known = set()       # names in these places are in the table
        for part in ast.walk(node):
            target = part.targets[0] if isinstance(part, ast.Assign) and len(part.targets) == 1 \
                else part.target if isinstance(part, ast.For) else None
            if isinstance(target, ast.Name):
                known.add(id(target))
                value = part.value if isinstance(part, ast.Assign) else part.iter
                self._sources.setdefault(target.id, []).append(value)
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) \
                    and id(part) not in known:
                self._sources.setdefault(part.id, []).append(None)

    def of(self, node, depth=0):
        """(lowest, highest), or None where it is not known."""
        if isinstance(node, ast.Constant):
            return (node.value, node.value) if isinstance(node.value, int) else (0, 0)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self.of(node.operand, depth)
            return value and ((-value[1], -value[0]) if isinstance(node.op, ast.USub) else value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
            left, right = self.of(node.left, depth), self.of(node.right, depth)
            return self._combined(node.op, left, right) if left and right else None
        if isinstance(node, ast.Call):
            return self._range(node, depth)
        if isinstance(node, ast.Name) and depth < 8:
            if node.id in self._sources:
                return self._joined([value and self.of(value, depth + 1)
                                     for value in self._sources[node.id]])
            value = self._outside.get(node.id)
            return (value, value) if isinstance(value, int) else None
        return None

    @staticmethod
    def _joined(bounds):
        if None in bounds:
            return None
        return min(low for low, _ in bounds), max(high for _, high in bounds)

    @staticmethod
    def _combined(operator, left, right):
        ends = [a + b if isinstance(operator, ast.Add) else
                a - b if isinstance(operator, ast.Sub) else a * b
                for a in left for b in right]
        return min(ends), max(ends)

    def _range(self, call, depth):
        """Of the numbers of range(...), whose bounds are constants."""
        if not isinstance(call.func, ast.Name) or call.func.id not in ("range", "prange") \
                or call.keywords or call.func.id in self._sources:
            return None
        bounds = [self.of(argument, depth) for argument in call.args]
        if None in bounds or any(low != high for low, high in bounds):
            return None
        numbers = range(*[low for low, _ in bounds]) if bounds else None
        return (min(numbers[0], numbers[-1]), max(numbers[0], numbers[-1])) if numbers else None


class _Rewriter(ast.NodeTransformer):
    """Makes indices of the relative arrays absolute, and notes how far they reach."""

    def __init__(self, function, node, relative, ndim):
        self.relative = set(relative)
        self.ndim = ndim
        self.reach = []  # for each access, by axis: its bounds, or None
        self.is_known = True
        self.dimensions = set()
        self._bounds = _Bounds(function, node)

    def _absolute(self, node, axis, is_known):
        place = ast.Name(place_names(axis + 1)[axis], ast.Load())
        if isinstance(node, ast.Slice):
            def moved(bound):
                return bound and ast.BinOp(place, ast.Add(), self.visit(bound))
            return ast.Slice(moved(node.lower), moved(node.upper), node.step)
        moved = ast.BinOp(place, ast.Add(), self.visit(node))
        if not is_known or (isinstance(node, ast.Constant) and not isinstance(node.value, int)):
            return moved
        return ast.Call(ast.Name(_INDEX, ast.Load()), [moved], [])

    def visit_Subscript(self, node):
        if not (isinstance(node.value, ast.Name) and node.value.id in self.relative):
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            raise NumbaValueError(
                "Assignments to arrays passed to stencil kernels is not allowed.")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        self.dimensions.add(len(parts))
        offsets = [None if isinstance(part, ast.Slice) else self._bounds.of(part)
                   for part in parts]
        if None in offsets:
            self.is_known = False
        self.reach.append(offsets)
        indices = [self._absolute(part, axis, offsets[axis] is not None)
                   for axis, part in enumerate(parts)]
        index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
        made = ast.Subscript(ast.Name(node.value.id, ast.Load()), index, ast.Load())
        ast.copy_location(made, node)
        for part in ast.walk(made):
            if not hasattr(part, "lineno") and isinstance(part, (ast.expr,)):
                ast.copy_location(part, node)
        return made

    def neighborhood(self):
        """(lowest, highest) offset for each axis, over all accesses that are known."""
        return [(min([0] + [low for low, _ in known]), max([0] + [high for _, high in known]))
                for known in (
            [offsets[axis] for offsets in self.reach
             if axis < len(offsets) and offsets[axis] is not None]
            for axis in range(max(self.dimensions)))]


def _compile(function, node, places):
    """A Python function of the rewritten tree, with the captured values of the original."""
    inner = ast.FunctionDef(
        _NAME, node.args,
        [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body, [], None)
    ast.copy_location(inner, node)
    if isinstance(node, ast.Lambda):
        ast.copy_location(inner.body[0], node.body)
    inner.args.args = inner.args.args + [ast.arg(name) for name in places]
    inner.args.defaults = []
    free = (*function.__code__.co_freevars, _INDEX)
    outer = ast.parse("def outer(): pass").body[0]
    outer.args.args = [ast.arg(name) for name in free]
    outer.body = [inner]
    tree = ast.Module([ast.copy_location(outer, inner)], [])
    ast.fix_missing_locations(tree)
    code = compile(tree, function.__code__.co_filename, "exec", dont_inherit=True)
    for name in ("outer", _NAME):
        code = [part for part in code.co_consts if isinstance(part, python_types.CodeType) and part.co_name == name][0]
    import numpy as np
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells[_INDEX] = python_types.CellType(np.uint64)
    made = python_types.FunctionType(
        code, function.__globals__, _NAME, None, tuple(cells[name] for name in code.co_freevars))
    made.__qualname__ = function.__qualname__
    made.__gridcell_tree__ = tree
    return made


@global_compiler_lock  # CPython 3.11 counts the depth of all threads' trees together
def rewrite(function, relative, ndim):
    """(function of arguments and a place, neighborhood or None, dimensions of the indices)."""
    import copy
    node = copy.deepcopy(_extension.function_tree(function))
    rewriter = _Rewriter(function, node, relative, ndim)
    body = node.body
    node.body = rewriter.visit(body) if isinstance(node, ast.Lambda) else \
        [rewriter.visit(statement) for statement in body]
    if not rewriter.reach:
        raise NumbaValueError(
            "Stencil kernel with no accesses to relatively indexed arrays.")
    made = _compile(function, node, place_names(ndim))
    return made, rewriter.neighborhood(), rewriter.is_known
