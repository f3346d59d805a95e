"""Names of parameters and options, for completion."""
import inspect
import re

import _gridcell_kernel as kernel


def _from_docstring(function):
    """`zeros(shape, dtype=float)` at the start of a docstring, as libraries in C have it."""
    doc = getattr(function, "__doc__", None) or ""
    found = re.match(r"\s*[\w.]+\(([^)]*)\)", doc) if isinstance(doc, str) else None
    if not found:
        return []
    names = [part.strip(" []").partition("=") for part in found[1].split(",")]
    return [name for name, equals, _ in names if name.isidentifier() and (equals or names)]


def keyword_names(function):
    """Parameters that a call may give by name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return _from_docstring(function)
    if [p.kind for p in parameters] == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return _from_docstring(function)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in parameters if p.kind in named]


def magic_options(name):
    """Options of a user's magic that has an argument parser, with blanks between."""
    for kind in ("line", "cell"):
        parser = getattr(kernel.state("user_magics")[kind].get(name), "parser", None)
        if parser is not None:
            return " ".join(option for action in parser._actions for option in action.option_strings)
    return ""
