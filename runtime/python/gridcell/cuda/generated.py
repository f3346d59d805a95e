# SPDX-License-Identifier: MIT
"""Functions made from text, with their source where the compiler and tracebacks look for it."""
import itertools
import linecache

_numbers = itertools.count(1)


def identifier(name):
    """A name that can be defined: of a lambda, "function"."""
    return name if name.isidentifier() else "function"


def define(name, text, namespace):
    """The function `name` that `text` defines, with the names of `namespace` as its globals."""
    filename = f"<gridcell {name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]


def index_lines(ndim, indent):
    """Lines that split the flat index `i` into i0, i1... by the shape of `out`."""
    lines = ["rest = i"]
    for axis in range(ndim - 1, 0, -1):
        lines += [f"i{axis} = rest % out.shape[{axis}]", f"rest = rest // out.shape[{axis}]"]
    lines.append("i0 = rest")
    return "".join(f"{indent}{line}\n" for line in lines)


def index_text(ndim):
    return ", ".join(f"i{axis}" for axis in range(ndim))
