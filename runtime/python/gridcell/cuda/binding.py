# SPDX-License-Identifier: MIT
"""Arguments by keyword, and defaults, for launches that use them."""
import inspect


def bind(function, args, kwargs):
    """One argument for each parameter of `function`, or TypeError as Python raises it."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.arguments.values())
