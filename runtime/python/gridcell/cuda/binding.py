# SPDX-License-Identifier: MIT
"""What few launches need: keywords and defaults, extensions, callbacks."""
import inspect


def bind(function, args, kwargs):
    """One argument for each parameter of `function`, or TypeError as Python raises it."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def _type_of(value):
    from numba import typeof, types
    try:
        return getattr(value, "_numba_type_", None) or typeof(value)
    except ValueError:
        return types.pyobject


def prepare(extensions, args, stream, afterwards):
    """The arguments as the extensions make them, the last extension first. What is to be called after
    the launch they add to `afterwards`."""
    prepared = []
    for value in args:
        argtype = _type_of(value)
        for extension in reversed(extensions):
            argtype, value = extension.prepare_args(argtype, value, stream=stream, retr=afterwards)
        prepared.append(value)
    return tuple(prepared)


def call_before(callbacks, dispatcher, index, configuration):
    """Calls what configuration.pre_launch_callbacks lists."""
    version = dispatcher._version(index)
    for callback in tuple(callbacks):
        callback(version, configuration)
