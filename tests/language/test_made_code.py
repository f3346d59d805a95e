"""Functions whose text lies in no file: made by exec, eval, or of a syntax tree."""
import ast
import gc
import importlib.util

import numba
import pytest


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


def test_functions_of_many_texts():
    """Those of texts that ran in another order than they were compiled, too, while they are among the last."""
    functions = [made(f"def f(x):\n    def inner(y):\n        return y * {n}\n    return inner(x)") for n in range(400)]
    functions += [eval(f"lambda x: x + {n}") for n in range(300)]
    assert [numba.njit(functions[n])(7) for n in (0, 1, 200, 399, 400, 699)] == [0, 7, 1400, 2793, 7, 306]
    codes, spaces = [compile(f"def f(x):\n    return x + {n}", "<made>", "exec") for n in (1, 2)], [{}, {}]
    for code, space in zip(codes, spaces):
        exec(code, space)
    assert [numba.njit(space["f"])(5) for space in spaces] == [6, 7]


def of_tree(factor, name="f"):
    tree = ast.parse(f"def {name}(x):\n    def inner(y):\n        return y * {factor}\n    return inner(x)")
    namespace = {}
    exec(compile(tree, f"<{name}>", "exec"), namespace)
    return namespace[name]


def test_functions_of_many_syntax_trees():
    """Each is found for as long as it lives, whatever was made since, and in whichever order their code runs."""
    functions = [of_tree(factor) for factor in range(150)] + [of_tree(3, "other"), of_tree(4, "other")]
    assert [numba.njit(functions[n])(7) for n in (0, 1, 74, 149, 150, 151)] == [0, 7, 518, 1043, 21, 28]
    trees = [ast.parse(f"def f(x):\n    return x + {n}") for n in (1, 2)]
    codes, spaces = [compile(tree, "<f>", "exec") for tree in trees], [{}, {}]
    for code, space in zip(codes, spaces):
        exec(code, space)
    for n in range(100):
        of_tree(n)
    assert [numba.njit(space["f"])(5) for space in spaces] == [6, 7]


def test_trees_go_with_their_code():
    def trees():
        gc.collect()
        return sum(isinstance(thing, ast.Module) for thing in gc.get_objects())
    before = trees()
    functions = [of_tree(factor) for factor in range(100)]
    assert trees() >= before + 100 and functions
    del functions
    assert trees() <= before + 1


def test_an_error_in_code_of_exec_names_its_line():
    try:
        numba.njit(made("def f(x):\n    return x.nothing"))(1)
    except numba.TypingError as error:
        assert "nothing" in str(error) and "line 2" in str(error)
    else:
        assert False


def run(text, file, mode="exec", name="f", **namespace):
    exec(compile(text, file, mode), namespace)
    return namespace[name]


@pytest.mark.parametrize("mode", ["exec", "single"])
def test_texts_under_the_name_of_a_file(mode):
    """Programs name their own file, which has other text at the line."""
    functions = [run(f"def f(x):\n    return x + {n}\n", __file__, mode) for n in range(100)]
    assert [numba.njit(functions[n])(7) for n in (0, 1, 50, 99)] == [7, 8, 57, 106]
    star = run("def f(i, before, inputs, *args):\n   return g(*before, *inputs[i], *args)\n", __file__, mode, g=functions[5])
    star.__globals__["g"] = numba.njit(functions[5])
    assert numba.njit(star)(0, (), ((4,),)) == 9
    nested = run("def outer(n):\n    def f(x):\n        return x * n\n    return f\n", __file__, mode, "outer")
    assert numba.njit(nested(6))(7) == 42
    shifted = run("\n" * 20 + "@named\ndef f(x):\n    return x - 1\n", __file__, mode, named=lambda f: f)
    assert numba.njit(shifted)(1) == 0


def test_lambdas_under_the_name_of_a_file():
    functions = [eval(compile(f"lambda x: x * {n}", __file__, "eval")) for n in (2, 3)]
    pair = run("f = lambda x: x + 1, lambda x: x + 2", __file__)
    assert [numba.njit(f)(10) for f in (*functions, *pair)] == [20, 30, 11, 12]


def first_of_its_file(x):
    return x - 100


def test_a_text_takes_precedence_over_the_same_place_in_its_file():
    line = first_of_its_file.__code__.co_firstlineno
    text = "\n" * (line - 1) + "def first_of_its_file(x):\n    return x + 100\n"
    other = run(text, __file__, name="first_of_its_file")
    assert numba.njit(other)(1) == 101 and numba.njit(first_of_its_file)(1) == -99


@pytest.mark.parametrize("content", ["x = 1\n", "no Python (at all", "\n", ""])
def test_files_whose_text_is_another(tmp_path, monkeypatch, content):
    """A name of a path from where the program runs, too, and code that runs long after it was compiled."""
    (tmp_path / "made.py").write_text(content)
    monkeypatch.chdir(tmp_path)
    for file in "made.py", str(tmp_path / "made.py"):
        codes = [compile(f"def f(x):\n    return x + {n}", file, "exec") for n in (1, 2)]
        spaces = [{}, {}]
        for code, space in zip(codes, spaces):
            exec(code, space)
        assert [numba.njit(space["f"])(5) for space in spaces] == [6, 7]


def test_a_file_that_changed_is_said_to_have(tmp_path):
    file = tmp_path / "changed.py"
    file.write_text("def alone(x):\n    return x + 8.25\n")
    spec = importlib.util.spec_from_file_location("changed", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file.write_text("x = 1\n")
    with pytest.raises(OSError, match="the file has changed since it was run"):
        numba.njit(module.alone)(1)
