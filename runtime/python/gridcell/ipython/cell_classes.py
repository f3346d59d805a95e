"""Where a class that a cell defines stands: inspect knows files of modules only, and cells have none."""
import ast
import types

import _gridcell_kernel as kernel


def _methods(kind):
    for member in vars(kind).values():
        member = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
        if isinstance(member, types.FunctionType) and member.__qualname__.startswith(kind.__qualname__ + "."):
            yield member.__code__.co_filename


def _definitions(body, path):
    """The nodes in these statements, and in what they consist of, that define the class of that path."""
    for node in body:
        is_scope = isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if not is_scope:
            yield from _definitions(ast.iter_child_nodes(node), path)
        elif node.name == path[0]:
            rest = [name for name in path[1:] if name != "<locals>"]
            if rest:
                yield from _definitions(node.body, rest)
            elif isinstance(node, ast.ClassDef):
                yield node


def _in_cell(name, lines, path):
    try:
        nodes = list(_definitions(ast.parse("".join(lines)).body, path))
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not nodes:
        return None
    node = nodes[-1]  # the last one holds
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return name, "".join(lines[first - 1:node.end_lineno])


def find(kind):
    """The cell's file name and the source of a class; None when no cell defines it."""
    if not isinstance(kind, type) or kind.__module__ != "__main__":
        return None
    cells = kernel.state("cell_sources")
    path = kind.__qualname__.split(".")
    names = [name for name in dict.fromkeys(_methods(kind)) if name in cells] or reversed(list(cells))
    for name in names:
        lines = cells[name][2]
        found = _in_cell(name, lines, path) if any(path[-1] in line for line in lines) else None
        if found:
            return found
    return None
