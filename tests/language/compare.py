# SPDX-License-Identifier: MIT
"""Expressions of arrays, compiled, against what NumPy makes of them."""
import functools
import warnings

import numpy as np
from conftest import WHOLE, function_of, same_floats

from numba import njit

PARAMS = "abcdefg"


def items(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


def fresh(value):
    """A copy that keeps the layout; views stay views, of a copy of what they show."""
    if not isinstance(value, np.ndarray):
        return value
    return value.copy(order="K") if value.flags.owndata else value


def difference(got, want, rtol, dtype):
    """Words on how two results differ, or None."""
    if len(items(got)) != len(items(want)):
        return "length"
    for g, w in zip(items(got), items(want)):
        if isinstance(w, (tuple, list)):
            inner = difference(g, w, rtol, dtype)
            if inner:
                return inner
            continue
        if w is None or isinstance(w, str):
            if g != w:
                return "value"
            continue
        if isinstance(w, np.ndarray) and not (isinstance(g, np.ndarray) and g.shape == w.shape):
            return f"shape {np.shape(g)} for {w.shape}"
        x, y = np.asarray(g), np.asarray(w)
        if dtype and isinstance(w, np.ndarray) and x.dtype != y.dtype:
            return f"dtype {x.dtype} for {y.dtype}"
        if x.shape != y.shape:
            return "shape"
        if y.dtype.kind in "fc":
            if not same_floats(x, y, rtol, atol=1e-9):
                return "value"
        elif not (x == y).all():
            return "value"
    return None


@functools.lru_cache(maxsize=None)
def compiled(body, count):
    if "return" not in body:
        body = "return " + body
    lines = "\n    ".join(body.split("\n"))
    return njit(function_of(f"def f({', '.join(PARAMS[:count])}):\n    {lines}\n"))


def check(body, *args, rtol=1e-6, dtype=True):
    """Whether compiled code does what plain Python does with NumPy, errors included."""
    f = compiled(body, len(args))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            want = f.py_func(*[fresh(a) for a in args])
        except Exception as error:  # the same is wanted
            want = error
    said = f"{body} of {[getattr(a, 'shape', a) for a in args]}"
    try:
        got = f(*[fresh(a) for a in args])
    except Exception as error:
        assert "of the library reaches" not in str(error), f"{said}: {error}"
        assert isinstance(want, Exception), f"{said}: {type(error).__name__}: {error}"
        assert isinstance(error, type(want)) or isinstance(want, type(error)), f"{said}: {error!r} for {want!r}"
        return
    assert not isinstance(want, Exception), f"{said}: nothing raised for {want!r}"
    how = difference(got, want, rtol, dtype)
    assert how is None, f"{said}: {how}\ngot  {got!r}\nwant {want!r}"


def calls(prefix, names):
    """For check_each: a call of each function with `a` alone."""
    return "".join(f"{prefix}{name}(a)\n" for name in names.split())


def with_arguments(call, *arguments):
    """For check_each: the call with each of them after `a`."""
    return "".join(f"{call}(a, {argument})\n" for argument in arguments)


def check_each(bodies, *args, turn=None, **options):
    """All the failures of several expressions at once; with turn, a number of the dtype in a test of several, every second one."""
    failures = []
    lines = [line.strip().replace("; ", "\n") for line in bodies.strip().splitlines() if line.strip()]
    for body in lines if turn is None or WHOLE else lines[turn % 2::2]:
        try:
            check(body, *args, **options)
        except AssertionError as error:
            failures.append(str(error)[:1500])
    assert not failures, "\n\n".join(failures)
