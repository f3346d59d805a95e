# SPDX-License-Identifier: MIT
"""with objmode(...): the part of a compiled function that runs in the interpreter."""
import ast
import copy
import types as python_types


class objmode:
    """In a compiled function, run a block in the interpreter.

    Variables that the block sets and the function goes on with are declared with their types:
    with objmode(y='float64[:]', n=types.intp). In plain Python the block just runs."""

    __gridcell_builtin__ = "numba.objmode"

    def __init__(self, **outputs):
        self.outputs = outputs

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


objmode_context = objmode


def _declared(call, namespace):
    """The types of the keywords of objmode(...)."""
    from numba.core import types
    if call.args:
        raise TypeError("objmode() takes keywords only: name=type")
    found = []
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
            found.append(eval(keyword.value.value, {}, vars(types)))
        else:
            expression = ast.Expression(keyword.value)
            found.append(eval(compile(expression, "<objmode>", "eval"), namespace))
    return tuple(found)


def make_function(node, call, file, namespace, variables, free):
    """(function, names it takes, names it returns, their types) for a with statement."""
    for part in ast.walk(node):
        if isinstance(part, (ast.Return, ast.Yield, ast.YieldFrom)):
            raise TypeError("'return' and 'yield' are not supported inside objmode()")
    loaded = {part.id for part in ast.walk(ast.Module(node.body, []))
              if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    loaded |= {part.target.id for part in ast.walk(node)
               if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)}
    inputs = tuple(name for name in variables if name in loaded)
    outputs = tuple(keyword.arg for keyword in call.keywords)
    function = ast.parse("def objmode(): pass").body[0]
    function.args.args = [ast.arg(name) for name in inputs]
    function.args.kwonlyargs = [ast.arg(name) for name in free if name not in inputs]
    function.args.kw_defaults = [None] * len(function.args.kwonlyargs)
    result = ast.Return(ast.Tuple([ast.Name(name, ast.Load()) for name in outputs], ast.Load()))
    result = ast.copy_location(result, node.body[-1])
    function.body = [copy.deepcopy(statement) for statement in node.body] + [result]
    ast.copy_location(function, node)
    module = ast.fix_missing_locations(ast.Module([function], []))
    code = compile(module, file, "exec", dont_inherit=True)
    inner = [part for part in code.co_consts if isinstance(part, python_types.CodeType)][0]
    made = python_types.FunctionType(inner, namespace, "objmode")
    made.__kwdefaults__ = {name: free[name] for name in free if name not in inputs} or None
    return made, inputs, outputs, _declared(call, {**namespace, **free})
