# SPDX-License-Identifier: MIT
"""Intrinsics whose bodies are Python, and abs() of a compiled object."""
import math

import numpy as np
import pytest
from conftest import function_of

from numba import float64, njit, types
from numba.core.errors import TypingError
from numba.experimental import jitclass
from numba.extending import intrinsic


def test_body_by_types():
    @intrinsic
    def following(typingctx, x):
        if isinstance(x, types.Integer):
            return x(x), lambda x: x + 1
        if isinstance(x, types.Array):
            def body(x):
                return x.sum()
            return x.dtype(x), body
    f = njit(function_of("def f(x):\n    return following(x)\n", following=following))
    assert f(4) == 5 and f(np.ones(3)) == 3.0
    with pytest.raises(TypingError, match="following"):
        f("a")
    with pytest.raises(NotImplementedError, match="for compiled code"):
        following(1)


def test_bodies_of_other_parameters():
    """Four parameters are those of a generator of code: test_written_code.py."""
    @intrinsic
    def other(typingctx, x):
        return x(x), lambda y: y + 1
    f = njit(function_of("def f(x):\n    return other(x)\n", other=other))
    with pytest.raises(TypingError, match=r"of \(y\): it has to be a function of \(x\), or of \(context"):
        f(1)


def test_what_an_intrinsic_may_ask_of_types():
    from numba.core import typing

    @intrinsic
    def wider(typingctx, x, y):
        assert isinstance(typingctx, typing.Context) and typingctx.unify_types(x, y) == typingctx.unify_pairs(y, x)
        assert typingctx.can_convert(x, x) is not None and typingctx.can_convert(types.unicode_type, x) is None
        assert typingctx.resolve_value_type(1.5) == types.float64 and typingctx.refresh() is None
        kind = typingctx.unify_types(x, y)
        if kind is None:
            raise TypingError(f"nothing holds {x} and {y}")
        zero = np.dtype(str(kind)).type(0)
        return kind(x, y), lambda x, y: x + y + zero
    f = njit(function_of("def f(x, y):\n    return wider(x, y)\n", wider=wider))
    assert f(1, 2.5) == 3.5 and isinstance(f(1, 2), int)
    with pytest.raises(TypingError, match="nothing holds"):
        f(1, "a")
    with pytest.raises(AttributeError, match="typingctx.insert_function is of numba's own compiler"):
        typing.Context().insert_function


def test_intrinsics_go_to_other_processes(run_python, tmp_path):
    program = ("import pickle\nfrom numba import njit\nfrom numba.extending import intrinsic\n"
               "def made(step):\n"
               "    @intrinsic\n"
               "    def following(typingctx, x):\n"
               "        return x(x), lambda x: x + step\n"
               "    @njit\n"
               "    def f(x):\n"
               "        return following(x)\n"
               "    return following, f\n"
               "following, f = made(5)\n"
               "kept = pickle.dumps((following, f))\n"
               "again, g = pickle.loads(kept)\n"
               "assert again is following and g(1) == f(1) == 6\n"
               f"open({str(tmp_path / 'kept')!r}, 'wb').write(kept)\n")
    (tmp_path / "program.py").write_text(program)
    done = run_python("-m", "gridcell", "program.py")
    assert done.returncode == 0, done.stderr
    done = run_python(code="import gridcell\ngridcell.activate()\nimport pickle\nfrom numba import njit\n"
                           f"following, f = pickle.load(open({str(tmp_path / 'kept')!r}, 'rb'))\n"
                           "print(following, f(2), njit(lambda x: following(x))(3.5))\n")
    assert done.stdout == "<intrinsic following> 7 8.5\n", done.stderr


def test_abs_of_an_object():
    @jitclass([("x", float64)])
    class Vector:
        def __init__(self, x):
            self.x = x

        def __abs__(self):
            return -self.x if self.x < 0 else self.x
    f = njit(function_of("def f(v):\n    return abs(v)\n"))
    assert f(Vector(-2.5)) == 2.5 == abs(Vector(-2.5))


def test_calls_by_types(make):
    """An intrinsic calls what is an argument by its type: a compiled function, or one of math."""
    @intrinsic
    def apply(typingctx, function, x):
        inner = typingctx.resolve_function_type(function, [x, x], {})

        def codegen(context, builder, signature, args):
            return context.get_function(function, inner)(builder, [args[1], args[1]])

        return inner.return_type(function, x), codegen

    @njit
    def total(x, y):
        return x + y

    assert njit(lambda x: apply(total, x))(3) == 6
    assert njit(lambda x: apply(total, x) + apply(math.hypot, 2 * x))(1.5) == 3 + math.hypot(3.0, 3.0)
    with pytest.raises(TypingError, match="total"):
        njit(lambda x: apply(total, x))(None)
