"""Functions whose text lies in no file: made by exec, eval, or of a syntax tree."""
import ast

import numba


def made(text, **namespace):
    exec(text, namespace)
    return namespace["f"]


def test_functions_of_exec_are_told_apart_by_their_code():
    functions = [made(f"def f(x):\n    return x * {factor}") for factor in (2, 3, 4)]
    assert [numba.njit(f)(5) for f in functions] == [10, 15, 20]
    assert numba.njit(eval("lambda a, b: a - b"))(5, 3) == 2
    nested = made("def outer(n):\n    def f(x):\n        return x + n\n    return f\nf = outer(7)")
    assert numba.njit(nested)(1) == 8
    code = compile("def f(x):\n    return x - 1\n", "generated", "exec")
    namespace = {}
    exec(code, namespace)
    assert numba.njit(namespace["f"])(1) == 0


def test_function_of_a_changed_syntax_tree():
    tree = ast.parse("def f(x):\n    return x + 1")
    tree.body[0].body[0].value.right.value = 41
    namespace = {}
    exec(compile(tree, "<ast>", "exec"), namespace)
    assert numba.njit(namespace["f"])(1) == 42
    exec("from __future__ import annotations\n"
         "exec(compile(tree, '<later>', 'exec'))", {"tree": tree, **namespace}, namespace)
    assert numba.njit(namespace["f"])(2) == 43


def test_an_error_in_code_of_exec_names_its_line():
    try:
        numba.njit(made("def f(x):\n    return x.nothing"))(1)
    except numba.TypingError as error:
        assert "nothing" in str(error) and "line 2" in str(error)
    else:
        assert False
