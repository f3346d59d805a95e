"""%%code_wrap: a template around the code of the cells that follow."""
import ast
import textwrap

import _gridcell_kernel as kernel
from IPython.core.error import UsageError
from IPython.core.magics.ast_mod import ReplaceCodeTransformer

_wrappers = {}  # transformers by name


def _read(line):
    """The option and the name of a line."""
    option, name = None, None
    for word in line.split():
        if word in ("--list", "--list-all", "--remove"):
            option = word
        elif word.startswith("-"):
            raise UsageError(f"unrecognized arguments: {word}")
        else:
            name = word
    return option, name


def _remove(name):
    transformer = _wrappers.pop(name, None)
    transformers = kernel.get_ipython().ast_transformers
    if transformer in transformers:
        transformers.remove(transformer)


def code_wrap(line, cell=None):
    """Puts a template around every cell: __code__ is its code, __ret__ its result."""
    option, name = _read(line)
    transformers = kernel.get_ipython().ast_transformers
    if option == "--list":
        for known in _wrappers:
            print(known)
    elif option == "--list-all":
        for known, transformer in _wrappers.items():
            print(f"{known} :\n{textwrap.indent(ast.unparse(transformer.template), '    ')}")
        print()
    elif option == "--remove":
        _remove(name)
    elif cell is not None:
        if name is None:
            raise UsageError("%%code_wrap needs a name: %%code_wrap NAME")
        transformer = ReplaceCodeTransformer.from_string(cell)
        _remove(name)
        _wrappers[name] = transformer
        transformers.append(transformer)
