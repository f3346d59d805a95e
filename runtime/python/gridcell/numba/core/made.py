# SPDX-License-Identifier: MIT
"""Functions made of text, whose lines tracebacks and the compiler find."""
import itertools
import linecache
import weakref

_numbers = itertools.count(1)


def make_function(text, name, namespace, purpose):
    """The function `name` that the text defines in the namespace."""
    file = f"<{purpose} {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), namespace)
    function = namespace[name]
    weakref.finalize(function, linecache.cache.pop, file, None)
    return function
